package portable

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// results knows the variables that a function assigns a number which it
// computes: a sum, a difference, a product, a quotient, or the result of a
// call. These are NaN for some infinities.
type results struct {
	info      *types.Info
	variables map[types.Object]bool
}

func newResults(info *types.Info, body ast.Node) *results {
	r := &results{info, map[types.Object]bool{}}
	for before := -1; before < len(r.variables); { // x = y, where y becomes one below
		before = len(r.variables)
		ast.Inspect(body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				r.assign(n)
			case *ast.ValueSpec:
				for i, name := range n.Names {
					r.set(name, n.Values, i)
				}
			}
			return true
		})
	}
	return r
}

func (r *results) assign(s *ast.AssignStmt) {
	for i, left := range s.Lhs {
		id, ok := ast.Unparen(left).(*ast.Ident)
		switch {
		case !ok:
		case s.Tok == token.ASSIGN || s.Tok == token.DEFINE:
			r.set(id, s.Rhs, i)
		default: // an operation
			r.variables[r.info.ObjectOf(id)] = true
		}
	}
}

// set notes a variable that is assigned value i, or part i of one.
func (r *results) set(id *ast.Ident, values []ast.Expr, i int) {
	if len(values) == 1 {
		i = 0
	}
	if i < len(values) && r.has(values[i]) {
		r.variables[r.info.ObjectOf(id)] = true
	}
}

// has reports whether a number is a result, and not a constant.
func (r *results) has(e ast.Expr) bool {
	if floats.Constant(r.info, e) != nil {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.UnaryExpr:
		return e.Op == token.SUB && r.has(e.X)
	case *ast.Ident:
		return r.variables[r.info.ObjectOf(e)]
	case *ast.CallExpr:
		return r.hasCall(e)
	}
	return false
}

// hasCall reports whether a call returns a result. math.Abs and its like
// return a sign that is the same everywhere, and a builtin function one of its
// arguments.
func (r *results) hasCall(e *ast.CallExpr) bool {
	if of := floats.Conversion(r.info, e); of != nil {
		t, ok := r.info.TypeOf(of).Underlying().(*types.Basic)
		return (!ok || t.Info()&types.IsInteger == 0) && r.has(of)
	}
	switch t := r.info.Types[ast.Unparen(e.Fun)]; {
	case t.IsBuiltin():
		for _, a := range e.Args {
			if r.has(a) {
				return true
			}
		}
		return false
	case t.IsType():
		return false
	}
	return !source.IsFunc(source.Callee(r.info, e), "math", "Abs", "Copysign", "NaN", "Inf",
		"Float64frombits", "Float32frombits")
}
