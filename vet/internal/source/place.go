package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// IndexedFrom reports whether an expression has an index or a key that depends
// on a variable declared in a node, and on more than counters: then each pass
// has a place of its own. A counter takes the same values in every pass. An
// index that several passes share by its form, such as k%2, is none; two such
// indexes together are taken for one that is not shared.
func IndexedFrom(info *types.Info, e ast.Expr, in ast.Node) bool {
	return len(dependent(info, indexesOf(e), in)) > 0
}

// indexesOf returns the indexes and keys in an expression.
func indexesOf(e ast.Expr) []ast.Expr {
	var all []ast.Expr
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		index, ok := n.(*ast.IndexExpr)
		if !ok {
			return true
		}
		all = append(all, index.Index)
		ast.Inspect(index.X, visit)
		return false
	}
	ast.Inspect(e, visit)
	return all
}

// dependent returns the indexes that depend on a variable declared in a node,
// and that each pass has other values of.
func dependent(info *types.Info, indexes []ast.Expr, in ast.Node) []ast.Expr {
	var counters map[*types.Var]bool
	var own, shared []ast.Expr
	for _, index := range indexes {
		if counters == nil {
			counters = countersIn(info, in)
		}
		depends := Mentions(info, index, func(v *types.Var) bool {
			return Declared(v, in) && !counters[v]
		})
		switch {
		case depends && isShared(info, in, index):
			shared = append(shared, index)
		case depends:
			own = append(own, index)
		}
	}
	if len(shared) > 1 {
		own = append(own, shared...)
	}
	return own
}

// IsLookedUp reports whether an index comes from a list of places: an element,
// a field, a value of a range, or what a channel delivers.
func IsLookedUp(info *types.Info, in ast.Node, index ast.Expr) bool {
	found := false
	ast.Inspect(Resolve(info, in, index), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			found = true
		case *ast.SelectorExpr:
			found = found || info.Selections[n] != nil
		case *ast.Ident:
			found = found || isRanged(info, in, info.ObjectOf(n))
		}
		return !found
	})
	return found
}

// isRanged reports whether a variable is the value of a range, or what a range
// receives.
func isRanged(info *types.Info, in ast.Node, o types.Object) bool {
	found := false
	ast.Inspect(in, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && o != nil {
			v := r.Value
			if _, ok := info.TypeOf(r.X).Underlying().(*types.Chan); ok {
				v = r.Key
			}
			id, ok := v.(*ast.Ident)
			found = found || ok && info.ObjectOf(id) == o
		}
		return !found
	})
	return found
}

// isShared reports whether an index that depends on a variable of a node is the
// same for several values of it: a remainder, a quotient, masked or shifted
// bits, a part of a text, a text that is looked up, an integer of a float, or
// what a function returns.
func isShared(info *types.Info, in ast.Node, e ast.Expr) bool {
	e = Resolve(info, in, e)
	switch e := e.(type) {
	case *ast.BinaryExpr:
		switch e.Op {
		case token.REM, token.QUO, token.AND, token.AND_NOT, token.SHR:
			return true
		case token.ADD, token.SUB:
			isConstant := func(e ast.Expr) bool { return info.Types[e].Value != nil }
			return isConstant(e.Y) && isShared(info, in, e.X) ||
				isConstant(e.X) && isShared(info, in, e.Y)
		}
	case *ast.SliceExpr:
		return isText(info.TypeOf(e.X))
	case *ast.IndexExpr:
		return isText(info.TypeOf(e.X)) || isText(info.TypeOf(e))
	case *ast.CallExpr:
		f := info.Types[e.Fun]
		if f.IsType() && len(e.Args) == 1 {
			return isFloat(info.TypeOf(e.Args[0])) && !isFloat(f.Type) ||
				isShared(info, in, e.Args[0])
		}
		return !f.IsType() && !f.IsBuiltin() && !isSpelled(Callee(info, e))
	}
	return false
}

// isSpelled reports whether a function returns other texts for other numbers.
func isSpelled(f *types.Func) bool {
	if f == nil {
		return false
	}
	return f.Name() == "String" || IsFunc(f, "fmt", "Sprint", "Sprintf") ||
		IsFunc(f, "strconv", "Itoa", "FormatInt", "FormatUint", "FormatFloat", "Quote")
}

func isText(t types.Type) bool { return hasInfo(t, types.IsString) }

func isFloat(t types.Type) bool { return hasInfo(t, types.IsFloat) }

func hasInfo(t types.Type, flag types.BasicInfo) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&flag != 0
}

// TakenFrom returns the element that a variable declared in a node is, nil if
// there is none: t := sums[i] of a pointer, or t := sums[i] and sums[i] = t.
func TakenFrom(info *types.Info, v *types.Var, in ast.Node) ast.Expr {
	var from ast.Expr
	isStored := false
	isVariable := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && info.ObjectOf(id) == v
	}
	ast.Inspect(in, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range s.Lhs {
			_, isElement := ast.Unparen(l).(*ast.IndexExpr)
			isStored = isStored || isElement && len(s.Lhs) == len(s.Rhs) && isVariable(s.Rhs[i])
			if isVariable(l) && i < len(s.Rhs) { // also of t, ok := sums[i]
				if element, ok := ast.Unparen(s.Rhs[i]).(*ast.IndexExpr); ok {
					from = element
				}
			}
		}
		return true
	})
	if _, isPointer := v.Type().Underlying().(*types.Pointer); !isPointer && !isStored {
		return nil
	}
	return from
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
