package source

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// An Accumulation is a statement that folds a floating-point number into a
// variable: s += x, s = s * x, s = x + s.
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
	return Short(a.Target) + " " + a.Stmt.Tok.String() + " " + Short(a.Stmt.Rhs[0])
}

// Accumulations returns the accumulations in a node whose result depends on the
// order of their values. Sums of integers are taken to be below 2^53, and
// exact.
func Accumulations(info *types.Info, n ast.Node) []Accumulation {
	var all []Accumulation
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok && len(s.Lhs) == 1 && len(s.Rhs) == 1 {
			if v := folded(info, s); v != nil && !isInteger(info, v) && !isCount(info, s) {
				all = append(all, Accumulation{s, s.Lhs[0], v})
			}
		}
		return true
	})
	return all
}

// folded returns the value that a statement folds into a variable, or nil.
func folded(info *types.Info, s *ast.AssignStmt) ast.Expr {
	if !floats.IsSummand(info.TypeOf(s.Lhs[0])) {
		return nil
	}
	switch s.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN, token.QUO_ASSIGN:
		return s.Rhs[0]
	case token.ASSIGN:
		if b := withoutConversion(info, s.Rhs[0]); b != nil && hasOperand(b, Text(s.Lhs[0])) {
			return b
		}
		call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		if ok && IsFunc(Callee(info, call), "math", "FMA") && Text(call.Args[2]) == Text(s.Lhs[0]) {
			return call
		}
	}
	return nil
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
	variable := info.ObjectOf(id)
	var from ast.Expr
	count := 0
	ast.Inspect(in, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range s.Lhs {
			if l, ok := l.(*ast.Ident); ok && variable != nil && info.ObjectOf(l) == variable {
				count++
				if len(s.Lhs) == len(s.Rhs) {
					from = s.Rhs[i]
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
