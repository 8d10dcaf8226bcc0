package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// IndexedFrom reports whether an expression has an index or a key that depends
// on a variable declared in a node, and on more than counters: then each pass
// has a place of its own. A counter takes the same values in every pass.
func IndexedFrom(info *types.Info, e ast.Expr, in ast.Node) bool {
	var counters map[*types.Var]bool
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if index, ok := n.(*ast.IndexExpr); ok && !found {
			if counters == nil {
				counters = countersIn(info, in)
			}
			found = Mentions(info, index.Index, func(v *types.Var) bool {
				return Declared(v, in) && !counters[v]
			})
		}
		return !found
	})
	return found
}

// countersIn returns the variables of loops in a node that take the same values
// in every pass of it.
func countersIn(info *types.Info, in ast.Node) map[*types.Var]bool {
	counters := map[*types.Var]bool{}
	note := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := info.ObjectOf(id).(*types.Var); ok {
				counters[v] = true
			}
		}
	}
	isCommon := func(e ast.Expr) bool {
		return !calls(info, e) && !Mentions(info, e, func(v *types.Var) bool {
			return Declared(v, in) && !counters[v]
		})
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if ast.Node(n) != in && isSequence(info.TypeOf(n.X)) {
				note(n.Key)
				if isCommon(n.X) {
					note(n.Value)
				}
			}
		case *ast.ForStmt:
			s, ok := n.Init.(*ast.AssignStmt)
			if ok && ast.Node(n) != in && s.Tok == token.DEFINE && len(s.Lhs) == len(s.Rhs) {
				for i, l := range s.Lhs {
					if isCommon(s.Rhs[i]) {
						note(l)
					}
				}
			}
		}
		return true
	})
	return counters
}

// isSequence reports whether a range over a type counts from 0.
func isSequence(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Slice, *types.Array, *types.Pointer:
		return true
	case *types.Basic:
		return t.Info()&(types.IsInteger|types.IsString) != 0
	}
	return false
}

// calls reports whether an expression calls a function or receives something.
func calls(info *types.Info, e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := info.Types[n.Fun]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}
