package source

import (
	"go/ast"
	"go/token"
	"go/types"
)

// A List is a slice whose elements come in an order that changes from run to
// run.
type List struct {
	Variable *types.Var
	Filled   token.Pos // the end of the statement that fills it
}

// Sums calls found with the accumulations in loops over a list.
func (l List) Sums(info *types.Info, bodies Bodies, body *ast.BlockStmt,
	found func(Accumulation),
) {
	ast.Inspect(body, func(n ast.Node) bool {
		loop := walks(info, n, l.Variable)
		if loop == nil || n.Pos() < l.Filled || l.isTouched(info, body, n.Pos()) {
			return true
		}
		for _, a := range bodies.Accumulations(info, loop) {
			if IsOneSum(info, a.Target, n) && l.isAdded(info, a, n) {
				found(a)
			}
		}
		return true
	})
}

// AddsUp reports whether a call adds up the list, or the sequence, that is an
// argument.
func AddsUp(info *types.Info, bodies Bodies, call *ast.CallExpr, argument int) bool {
	f := Callee(info, call)
	if IsFunc(f, "gonum.org/v1/gonum/floats", "Sum", "SumCompensated", "Prod", "Dot", "Norm",
		"LogSumExp") || IsFunc(f, "gonum.org/v1/gonum/stat", "Mean", "Variance", "StdDev",
		"MeanVariance", "MeanStdDev", "Skew", "ExKurtosis") {
		return true
	}
	d := bodies.Of(f)
	if d == nil {
		return false
	}
	s := f.Origin().Signature()
	if argument >= s.Params().Len() || s.Variadic() && !call.Ellipsis.IsValid() {
		return false
	}
	found := false
	l := List{Variable: s.Params().At(argument), Filled: d.Body.Lbrace}
	l.Sums(info, bodies, d.Body, func(Accumulation) { found = true })
	return found
}

// walks returns the body of a loop over a list, or nil. A loop over the result
// of a function may be in another order.
func walks(info *types.Info, n ast.Node, list *types.Var) *ast.BlockStmt {
	over := func(e ast.Expr) bool {
		given := false
		ast.Inspect(e, func(n ast.Node) bool {
			given = given || isGiven(info, n, list)
			return !given
		})
		return !given && Mentions(info, e, func(v *types.Var) bool { return v == list })
	}
	switch n := n.(type) {
	case *ast.RangeStmt:
		if over(n.X) || n.Key != nil && hasInfo(info.TypeOf(n.X), types.IsInteger) &&
			indexes(info, n.Body, list, n.Key) {
			return n.Body
		}
	case *ast.ForStmt:
		s, ok := n.Init.(*ast.AssignStmt)
		if n.Cond != nil && over(n.Cond) || ok && indexes(info, n.Body, list, s.Lhs[0]) {
			return n.Body
		}
	}
	return nil
}

// indexes reports whether a node takes elements of a list by a counter.
func indexes(info *types.Info, n ast.Node, list *types.Var, counter ast.Expr) bool {
	found, v := false, Variable(info, counter)
	ast.Inspect(n, func(n ast.Node) bool {
		if e, ok := n.(*ast.IndexExpr); ok && Variable(info, e.X) == list {
			found = found || Mentions(info, e.Index, func(o *types.Var) bool { return o == v })
		}
		return !found
	})
	return found
}

// isGiven reports whether a node is a call with a list in it.
func isGiven(info *types.Info, n ast.Node, list *types.Var) bool {
	call, ok := n.(*ast.CallExpr)
	return ok && !info.Types[call.Fun].IsBuiltin() &&
		Mentions(info, call, func(v *types.Var) bool { return v == list })
}

// IsReturned reports whether a function returns the list as it was filled.
func (l List) IsReturned(info *types.Info, body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		r, ok := n.(*ast.ReturnStmt)
		if !ok || r.Pos() < l.Filled {
			_, isLiteral := n.(*ast.FuncLit)
			return !isLiteral
		}
		for _, e := range r.Results {
			found = found || Variable(info, e) == l.Variable && !l.isTouched(info, body, r.Pos())
		}
		return true
	})
	return found
}

// isTouched reports whether a call or an assignment between the filling of a
// list and a position may change the order of its elements.
func (l List) isTouched(info *types.Info, body *ast.BlockStmt, at token.Pos) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || n.End() <= l.Filled || n.Pos() >= at {
			return false
		}
		if n.Pos() < l.Filled {
			return !found
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || isGiven(info, n, l.Variable)
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				found = found || Root(info, e) == l.Variable
			}
		}
		return !found
	})
	return found
}

// isAdded reports whether an accumulation in a loop adds an element of a list,
// or something that is found with it: not only the counter of the loop.
func (l List) isAdded(info *types.Info, a Accumulation, loop ast.Node) bool {
	var key *types.Var
	if r, ok := loop.(*ast.RangeStmt); ok && r.Key != nil && isSequence(info.TypeOf(r.X)) {
		key = Variable(info, r.Key)
	}
	if f, ok := loop.(*ast.ForStmt); ok {
		if s, ok := f.Init.(*ast.AssignStmt); ok {
			key = Variable(info, s.Lhs[0])
		}
	}
	return Mentions(info, a.Value, func(v *types.Var) bool {
		return v == l.Variable || v != key && Declared(v, loop)
	})
}

// isAppend reports whether a call is one of the function append.
func isAppend(info *types.Info, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "append" && info.Types[id].IsBuiltin()
}

// Variable returns the variable that an expression names, or nil.
func Variable(info *types.Info, e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

// IsSlice reports whether a variable is a slice.
func IsSlice(v *types.Var) bool {
	if v == nil {
		return false
	}
	_, ok := v.Type().Underlying().(*types.Slice)
	return ok
}

// Calls calls found with the calls in a function that add the list up, and that
// come before it was given to another one.
func (l List) Calls(info *types.Info, bodies Bodies, body *ast.BlockStmt,
	found func(*ast.CallExpr),
) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || n.Pos() < l.Filled {
			return true
		}
		for i, a := range call.Args {
			if Variable(info, a) == l.Variable && AddsUp(info, bodies, call, i) &&
				!l.isTouched(info, body, n.Pos()) {
				found(call)
			}
		}
		return true
	})
}

// IsOneSum reports whether the passes of a loop add to one place: the target is
// declared outside, and no key of the loop is in its index. A field of a key or
// a value may be the same in several passes. A variable of the loop is the
// place that it was taken from.
func IsOneSum(info *types.Info, target ast.Expr, loop ast.Node) bool {
	root := Root(info, target)
	if root != nil && Declared(root, loop) {
		from := TakenFrom(info, root, loop)
		return from != nil && IsOneSum(info, from, loop)
	}
	return root != nil && (!IndexedFrom(info, target, loop) || isGrouped(info, target, loop))
}

// isGrouped reports whether the only index of a target is a field of the key or
// the value of a loop: sum[v.group], sum[v.group].total.
func isGrouped(info *types.Info, target ast.Expr, loop ast.Node) bool {
	_, ok := loop.(*ast.RangeStmt)
	if field, isField := ast.Unparen(target).(*ast.SelectorExpr); isField {
		return isGrouped(info, field.X, loop)
	}
	index, isIndex := ast.Unparen(target).(*ast.IndexExpr)
	if !ok || !isIndex || IndexedFrom(info, index.X, loop) {
		return false
	}
	return isFieldOf(info, index.Index, loop)
}

// isFieldOf reports whether an expression is a field of the key or the value of
// a loop.
func isFieldOf(info *types.Info, e ast.Expr, loop ast.Node) bool {
	r, isRange := loop.(*ast.RangeStmt)
	field, isField := ast.Unparen(e).(*ast.SelectorExpr)
	if !isRange || !isField {
		return false
	}
	v := Variable(info, field.X)
	return v != nil && (r.Key != nil && v == Variable(info, r.Key) ||
		r.Value != nil && v == Variable(info, r.Value))
}

// FilledIn returns the lists that a node appends to, or fills with a counter.
// They are declared outside of the scope, and so is the counter.
func FilledIn(info *types.Info, in, scope ast.Node) []*types.Var {
	var all []*types.Var
	outside := func(v *types.Var) bool { return v != nil && !Declared(v, scope) }
	ast.Inspect(in, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return true
		}
		switch l := ast.Unparen(s.Lhs[0]).(type) {
		case *ast.Ident:
			call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
			if v := Variable(info, l); ok && outside(v) && isAppend(info, call) {
				all = append(all, v)
			}
		case *ast.IndexExpr:
			v := Variable(info, l.X)
			if IsSlice(v) && outside(v) && outside(Variable(info, l.Index)) &&
				s.Tok == token.ASSIGN {
				all = append(all, v)
			}
		}
		return true
	})
	return all
}
