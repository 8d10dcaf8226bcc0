package source

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// Bodies holds the declarations of the functions of a package.
type Bodies struct {
	declared map[*types.Func]*ast.FuncDecl
	sums     map[sumsKey][]CallSum
}

// NewBodies finds the declarations in files.
func NewBodies(info *types.Info, files []*ast.File) Bodies {
	all := Bodies{map[*types.Func]*ast.FuncDecl{}, map[sumsKey][]CallSum{}}
	Functions(files, func(d *ast.FuncDecl) {
		if f, ok := info.Defs[d.Name].(*types.Func); ok {
			all.declared[f] = d
		}
	})
	return all
}

// Of returns the declaration of a function of the package, or nil.
func (b Bodies) Of(f *types.Func) *ast.FuncDecl {
	if f == nil {
		return nil
	}
	return b.declared[f.Origin()]
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
	case depth == 0 || b.Of(f) == nil:
		return false
	}
	computes := false
	ast.Inspect(b.Of(f).Body, func(n ast.Node) bool {
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
