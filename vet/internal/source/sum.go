package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// An Accumulation is a statement that folds a floating-point number into a
// variable: s += x, s = s * x, s = x + s, s = a*s + b*x, s, n = s+x, n+1, or
// t := s + x and s = t.
type Accumulation struct {
	Stmt   *ast.AssignStmt
	Target ast.Expr
	Value  ast.Expr // what is folded in, or the whole right side
}

// Pos returns the position of the operator.
func (a Accumulation) Pos() token.Pos { return a.Stmt.TokPos }

// End returns the end of the operator.
func (a Accumulation) End() token.Pos { return a.Pos() + token.Pos(len(a.Stmt.Tok.String())) }

// String returns the statement as source.
func (a Accumulation) String() string {
	value := a.Stmt.Rhs[0]
	for i, l := range a.Stmt.Lhs {
		if l == a.Target {
			value = a.Stmt.Rhs[i]
		}
	}
	return Short(a.Target) + " " + a.Stmt.Tok.String() + " " + Short(value)
}

// Accumulations returns the accumulations in a node whose result depends on the
// order of their values. Sums of integers are taken to be below 2^53, and
// exact.
func Accumulations(info *types.Info, in ast.Node) []Accumulation {
	var all []Accumulation
	ast.Inspect(in, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != len(s.Rhs) {
			return true
		}
		for i := range s.Lhs {
			v := folded(info, in, s, i)
			if v != nil && !isInteger(info, v) && !isCount(info, s) {
				all = append(all, Accumulation{s, s.Lhs[i], v})
			}
		}
		return true
	})
	return all
}

// folded returns the value that a statement in a node folds into its variable
// with a number, or nil.
func folded(info *types.Info, in ast.Node, s *ast.AssignStmt, i int) ast.Expr {
	to, from := s.Lhs[i], s.Rhs[i]
	if !floats.IsSummand(info.TypeOf(to)) {
		return foldedVector(info, in, s, i)
	}
	switch s.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN, token.QUO_ASSIGN:
		return from
	case token.ASSIGN:
		if b := withoutConversion(info, from); b != nil && hasOperand(b, Text(to)) {
			return b
		}
		f := fold{info, in, Text(to)}
		if from = Resolve(info, in, from); f.isArithmetic(from, maxResolved) && f.hasOther(from) {
			return from
		}
	}
	return nil
}

// foldedVector returns the call that folds a vector into another one, or nil:
// p = p.Add(v), p = Add(p, v).
func foldedVector(info *types.Info, in ast.Node, s *ast.AssignStmt, i int) ast.Expr {
	to := s.Lhs[i]
	t := info.TypeOf(to)
	if s.Tok != token.ASSIGN || t == nil || !floats.Contains(t) {
		return nil
	}
	call, ok := Resolve(info, in, s.Rhs[i]).(*ast.CallExpr)
	if !ok {
		return nil
	}
	f := Callee(info, call)
	if f == nil || !isSumName(f.Name()) || !types.Identical(info.TypeOf(call), t) {
		return nil
	}
	operands := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && f.Signature().Recv() != nil {
		operands = append([]ast.Expr{sel.X}, operands...)
	}
	for _, o := range operands {
		if Text(ast.Unparen(o)) == Text(to) {
			return call
		}
	}
	return nil
}

// sumNames lists names of sums and products of vectors.
var sumNames = strings.Fields(`accumulate add addscaled minus mul multiply plus sub subtract sum
	times`)

func isSumName(name string) bool { return slices.Contains(sumNames, strings.ToLower(name)) }

// maxResolved bounds the variables that stand for each other.
const maxResolved = 4

// A fold looks for a variable in what is computed from it.
type fold struct {
	info     *types.Info
	in       ast.Node // where variables are assigned
	variable string
}

// isArithmetic reports whether an expression computes with the variable. The
// larger one of two numbers is the same in any order.
func (f fold) isArithmetic(e ast.Expr, depth int) bool {
	if depth == 0 {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return floats.IsSummand(f.info.TypeOf(e)) && (f.has(e.X, depth) || f.has(e.Y, depth))
	case *ast.UnaryExpr:
		return f.isArithmetic(e.X, depth)
	case *ast.CallExpr:
		if of := floats.Conversion(f.info, e); of != nil {
			return f.isArithmetic(of, depth)
		}
		callee := Callee(f.info, e)
		isChoice := f.info.Types[e.Fun].IsBuiltin() || IsFunc(callee, "math", "Max", "Min", "Abs")
		for _, a := range e.Args {
			if isChoice && f.isArithmetic(a, depth) || !isChoice && isOfMath(callee) &&
				f.has(a, depth) {
				return true
			}
		}
	case *ast.Ident:
		if of := Resolve(f.info, f.in, e); of != ast.Expr(e) && e.Name != f.variable {
			return f.isArithmetic(of, depth-1)
		}
	}
	return false
}

// has reports whether an operand is the variable, or computed from it.
func (f fold) has(e ast.Expr, depth int) bool {
	e = ast.Unparen(e)
	if Text(e) == f.variable || f.isArithmetic(e, depth) {
		return true
	}
	switch e := e.(type) {
	case *ast.UnaryExpr:
		return f.has(e.X, depth)
	case *ast.CallExpr:
		of := floats.Conversion(f.info, e)
		return of != nil && f.has(of, depth)
	case *ast.Ident:
		of := Resolve(f.info, f.in, e)
		return depth > 0 && of != ast.Expr(e) && f.has(of, depth-1)
	}
	return false
}

func isOfMath(f *types.Func) bool { return f != nil && f.Pkg() != nil && f.Pkg().Path() == "math" }

// hasOther reports whether an expression names another variable, too.
func (f fold) hasOther(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(ast.Expr); ok && Text(x) == f.variable {
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			_, isVariable := f.info.ObjectOf(id).(*types.Var)
			found = found || isVariable
		}
		return !found
	})
	return found
}

// withoutConversion returns an operation, which a conversion may round.
func withoutConversion(info *types.Info, e ast.Expr) *ast.BinaryExpr {
	if of := floats.Conversion(info, e); of != nil {
		e = of
	}
	b, _ := ast.Unparen(e).(*ast.BinaryExpr)
	return b
}

// hasOperand reports whether a chain of operations folds a variable.
func hasOperand(b *ast.BinaryExpr, variable string) bool {
	switch b.Op {
	case token.ADD, token.MUL:
		if Text(ast.Unparen(b.Y)) == variable {
			return true
		}
	case token.SUB, token.QUO:
	default:
		return false
	}
	if x, ok := ast.Unparen(b.X).(*ast.BinaryExpr); ok {
		return hasOperand(x, variable)
	}
	return Text(ast.Unparen(b.X)) == variable
}

func isInteger(info *types.Info, e ast.Expr) bool {
	v := floats.Constant(info, e)
	return v != nil && constant.ToInt(v).Kind() == constant.Int
}

// isCount reports whether a statement adds a converted integer to a float64.
func isCount(info *types.Info, s *ast.AssignStmt) bool {
	if s.Tok != token.ADD_ASSIGN && s.Tok != token.SUB_ASSIGN {
		return false
	}
	of := floats.Conversion(info, s.Rhs[0])
	if of == nil {
		return false
	}
	sum, _ := info.TypeOf(s.Lhs[0]).Underlying().(*types.Basic)
	from, ok := info.TypeOf(of).Underlying().(*types.Basic)
	return ok && sum != nil && sum.Kind() == types.Float64 && from.Info()&types.IsInteger != 0
}

// Declared reports whether a variable is declared in a node.
func Declared(v *types.Var, in ast.Node) bool {
	return v != nil && in.Pos() <= v.Pos() && v.Pos() < in.End()
}

// Mentions reports whether a node names a variable that is asked for.
func Mentions(info *types.Info, n ast.Node, is func(*types.Var) bool) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.ObjectOf(id).(*types.Var); ok && is(v) {
				found = true
			}
		}
		return !found
	})
	return found
}

// Resolve returns the expression that an expression stands for: the right side
// of a variable's only assignment in a node, or the expression itself.
func Resolve(info *types.Info, in ast.Node, e ast.Expr) ast.Expr {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return ast.Unparen(e)
	}
	variable, ok := info.ObjectOf(id).(*types.Var)
	if !ok {
		return id
	}
	var from ast.Expr
	count := 0
	note := func(to ast.Expr, values []ast.Expr, i, n int) {
		if l, ok := to.(*ast.Ident); ok && info.ObjectOf(l) == variable {
			count++
			if len(values) == n {
				from = values[i]
			}
		}
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				note(l, n.Rhs, i, len(n.Lhs))
			}
		case *ast.ValueSpec:
			for i, l := range n.Names {
				if len(n.Values) > 0 {
					note(l, n.Values, i, len(n.Names))
				}
			}
		}
		return true
	})
	if count == 1 && from != nil {
		return ast.Unparen(from)
	}
	return ast.Unparen(e)
}

// Functions calls do with the body of each declared function.
func Functions(files []*ast.File, do func(f *ast.FuncDecl)) {
	for _, f := range files {
		for _, d := range f.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				do(f)
			}
		}
	}
}

// WithParents calls do with each node in a node and those around it, outermost
// first.
func WithParents(root ast.Node, do func(n ast.Node, parents []ast.Node)) {
	var stack []ast.Node
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		do(n, stack)
		stack = append(stack, n)
		return true
	})
}

// Loop returns the innermost loop among nodes, without leaving a function
// literal, or nil.
func Loop(parents []ast.Node) ast.Node {
	for i := len(parents) - 1; i >= 0; i-- {
		switch parents[i].(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return parents[i]
		case *ast.FuncLit:
			return nil
		}
	}
	return nil
}
