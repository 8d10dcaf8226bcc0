package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// Bodies holds the declarations of the functions of a package.
type Bodies map[*types.Func]*ast.FuncDecl

// NewBodies finds the declarations in files.
func NewBodies(info *types.Info, files []*ast.File) Bodies {
	all := Bodies{}
	Functions(files, func(d *ast.FuncDecl) {
		if f, ok := info.Defs[d.Name].(*types.Func); ok {
			all[f] = d
		}
	})
	return all
}

// Accumulations returns the accumulations in a node, without sums of vectors by
// functions of the package that only choose among numbers, whatever their
// names: a box around two boxes is the same in any order.
func (b Bodies) Accumulations(info *types.Info, in ast.Node) []Accumulation {
	return slices.DeleteFunc(Accumulations(info, in), func(a Accumulation) bool {
		call, ok := a.Value.(*ast.CallExpr)
		return ok && !floats.IsSummand(info.TypeOf(a.Target)) && b.isChoice(info, call, maxResolved)
	})
}

// isChoice reports whether a call does no arithmetic with numbers: its function
// is min or max, or is known and has neither an operation nor a call of another
// kind. One that keeps one of two whole values is none, since these may be
// equal where they are compared.
func (b Bodies) isChoice(info *types.Info, call *ast.CallExpr, depth int) bool {
	if t := info.Types[call.Fun]; t.IsType() || t.IsBuiltin() {
		return true
	}
	f := Callee(info, call)
	switch {
	case IsFunc(f, "math", "Min", "Max", "Abs", "IsNaN", "IsInf", "Inf", "NaN"):
		return true
	case f == nil || depth == 0 || b[f.Origin()] == nil:
		return false
	}
	computes := false
	ast.Inspect(b[f.Origin()].Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			computes = computes || info.Types[n].Value == nil && floats.IsSummand(info.TypeOf(n))
		case *ast.AssignStmt:
			computes = computes || n.Tok != token.ASSIGN && n.Tok != token.DEFINE &&
				floats.IsSummand(info.TypeOf(n.Lhs[0]))
		case *ast.IncDecStmt:
			computes = computes || floats.IsSummand(info.TypeOf(n.X))
		case *ast.CallExpr:
			computes = computes || !b.isChoice(info, n, depth-1)
		case *ast.IfStmt:
			computes = computes || compares(info, n.Cond) && keepsWhole(info, n)
		case *ast.SwitchStmt:
			computes = true
		}
		return !computes
	})
	return !computes
}

// compares reports whether a condition compares numbers.
func compares(info *types.Info, cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		found = found || ok && floats.Is(info.TypeOf(b.X))
		return !found
	})
	return found
}

// keepsWhole reports whether a statement returns, or stores more than a number.
func keepsWhole(info *types.Info, s *ast.IfStmt) bool {
	found := false
	ast.Inspect(s, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			found = true
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				found = found || !floats.IsSummand(info.TypeOf(l))
			}
		}
		return !found
	})
	return found
}

// A CallSum is a call of a function of the package that folds numbers into what
// it is called with, as its receiver or by a pointer, or into a variable of the
// package.
type CallSum struct {
	Call   *ast.CallExpr
	Target ast.Expr     // the receiver, the argument or the variable
	Sum    Accumulation // in the function
}

func (c CallSum) String() string { return Short(c.Call) }

// CallSums returns the calls in a node that fold numbers into one place each:
// a place with an index that depends on the call is none.
func (b Bodies) CallSums(info *types.Info, in ast.Node) []CallSum {
	var all []CallSum
	ast.Inspect(in, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f := Callee(info, call)
		if f == nil {
			return true
		}
		d := b[f.Origin()]
		if d == nil {
			return true
		}
		for _, a := range b.Accumulations(info, d.Body) {
			root := Root(info, a.Target)
			if root == nil || IndexedFrom(info, a.Target, d) {
				continue
			}
			to := ast.Expr(nil)
			if isOfPackage(root) {
				to = a.Target
			} else if leadsOut(info, a.Target) {
				to = passed(info, d, call, root)
			}
			if to != nil {
				all = append(all, CallSum{call, to, a})
				break
			}
		}
		return true
	})
	return all
}

// isOfPackage reports whether a variable is declared outside of functions.
func isOfPackage(v *types.Var) bool { return v.Pkg() != nil && v.Parent() == v.Pkg().Scope() }

// leadsOut reports whether a place is behind a pointer: *p, p.f, p.f[i].
func leadsOut(info *types.Info, e ast.Expr) bool {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.StarExpr:
			return true
		case *ast.SelectorExpr:
			if isPointer(info.TypeOf(x.X)) {
				return true
			}
			e = x.X
		case *ast.IndexExpr:
			switch info.TypeOf(x.X).Underlying().(type) {
			case *types.Slice, *types.Map, *types.Pointer:
				return true
			}
			e = x.X
		default:
			return false
		}
	}
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// passed returns what a call passes for a parameter or the receiver of a
// function, or nil.
func passed(info *types.Info, d *ast.FuncDecl, call *ast.CallExpr, v *types.Var) ast.Expr {
	s := info.Defs[d.Name].(*types.Func).Signature()
	if r := s.Recv(); r != nil && r == v {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || info.Selections[sel] == nil || info.Selections[sel].Kind() != types.MethodVal {
			return nil
		}
		return sel.X
	}
	for i := range s.Params().Len() {
		if s.Params().At(i) != v || i >= len(call.Args) || s.Variadic() && i == s.Params().Len()-1 {
			continue
		}
		a := ast.Unparen(call.Args[i])
		if u, ok := a.(*ast.UnaryExpr); ok && u.Op == token.AND {
			a = u.X
		}
		return a
	}
	return nil
}
