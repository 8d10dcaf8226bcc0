package maporder

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// A list is a slice with elements in the order of a map.
type list struct {
	variable *types.Var
	filled   token.Pos // the end of the statement that fills it
	from     string    // the map
}

// lists calls found with the accumulations of a function in loops over lists
// that it has filled in the order of a map, and has not given to any function
// since: that may sort them.
func lists(pass *analysis.Pass, bodies source.Bodies, body *ast.BlockStmt,
	found func(source.Accumulation, string),
) {
	for _, l := range filled(pass.TypesInfo, body) {
		l.sums(pass.TypesInfo, bodies, body, func(a source.Accumulation) { found(a, l.from) })
	}
}

// sums calls found with the accumulations in loops over a list.
func (l list) sums(info *types.Info, bodies source.Bodies, body *ast.BlockStmt,
	found func(source.Accumulation),
) {
	ast.Inspect(body, func(n ast.Node) bool {
		loop := walks(info, n, l.variable)
		if loop == nil || n.Pos() < l.filled || l.isTouched(info, body, n.Pos()) {
			return true
		}
		for _, a := range bodies.Accumulations(info, loop) {
			if isOneSum(info, a.Target, n) && l.isAdded(info, a, n) {
				found(a)
			}
		}
		return true
	})
}

// listCalls calls found with the calls of a function that adds up a list which
// was filled in the order of a map, and was not given to another one since.
func listCalls(pass *analysis.Pass, bodies source.Bodies, body *ast.BlockStmt,
	found func(call *ast.CallExpr, from string),
) {
	info := pass.TypesInfo
	for _, l := range filled(info, body) {
		ast.Inspect(body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || n.Pos() < l.filled {
				return true
			}
			for i, a := range call.Args {
				if variable(info, a) == l.variable && addsUp(info, bodies, call, i) &&
					!l.isTouched(info, body, n.Pos()) {
					found(call, l.from)
				}
			}
			return true
		})
	}
}

// addsUp reports whether a call adds up the list that is an argument.
func addsUp(info *types.Info, bodies source.Bodies, call *ast.CallExpr, argument int) bool {
	f := source.Callee(info, call)
	if source.IsFunc(f, "gonum.org/v1/gonum/floats", "Sum", "SumCompensated", "Prod", "Dot", "Norm",
		"LogSumExp") || source.IsFunc(f, "gonum.org/v1/gonum/stat", "Mean", "Variance", "StdDev",
		"MeanVariance", "MeanStdDev", "Skew", "ExKurtosis") {
		return true
	}
	if f == nil || bodies[f.Origin()] == nil {
		return false
	}
	s, d := f.Origin().Signature(), bodies[f.Origin()]
	if argument >= s.Params().Len() || s.Variadic() && !call.Ellipsis.IsValid() {
		return false
	}
	found := false
	l := list{variable: s.Params().At(argument), filled: d.Body.Lbrace}
	l.sums(info, bodies, d.Body, func(source.Accumulation) { found = true })
	return found
}

// filled returns the lists that a function fills in the order of a map.
func filled(info *types.Info, body *ast.BlockStmt) []list {
	var all []list
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if isUnordered(info, n.X) {
				for _, v := range filledIn(info, n) {
					all = append(all, list{v, n.End(), "the map " + source.Short(n.X)})
				}
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
				return true
			}
			call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
			if v := variable(info, n.Lhs[0]); ok && isSlice(v) && isUnordered(info, call) {
				all = append(all, list{v, n.End(), "the map " + source.Short(call.Args[0])})
			}
		}
		return true
	})
	return all
}

// filledIn returns the lists that a loop appends to, or fills with a counter
// declared outside.
func filledIn(info *types.Info, loop *ast.RangeStmt) []*types.Var {
	var all []*types.Var
	outside := func(v *types.Var) bool { return v != nil && !source.Declared(v, loop) }
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return true
		}
		switch l := ast.Unparen(s.Lhs[0]).(type) {
		case *ast.Ident:
			call, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
			if v := variable(info, l); ok && outside(v) && isAppend(info, call) {
				all = append(all, v)
			}
		case *ast.IndexExpr:
			v := variable(info, l.X)
			if isSlice(v) && outside(v) && outside(variable(info, l.Index)) &&
				s.Tok == token.ASSIGN {
				all = append(all, v)
			}
		}
		return true
	})
	return all
}

// isAppend reports whether a call is one of the function append.
func isAppend(info *types.Info, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	return ok && id.Name == "append" && info.Types[id].IsBuiltin()
}

// variable returns the variable that an expression names, or nil.
func variable(info *types.Info, e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := info.ObjectOf(id).(*types.Var)
	return v
}

func isSlice(v *types.Var) bool {
	if v == nil {
		return false
	}
	_, ok := v.Type().Underlying().(*types.Slice)
	return ok
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
		return !given && source.Mentions(info, e, func(v *types.Var) bool { return v == list })
	}
	switch n := n.(type) {
	case *ast.RangeStmt:
		if over(n.X) {
			return n.Body
		}
	case *ast.ForStmt:
		if n.Cond != nil && over(n.Cond) {
			return n.Body
		}
	}
	return nil
}

// isGiven reports whether a node is a call with a list in it.
func isGiven(info *types.Info, n ast.Node, list *types.Var) bool {
	call, ok := n.(*ast.CallExpr)
	return ok && !info.Types[call.Fun].IsBuiltin() &&
		source.Mentions(info, call, func(v *types.Var) bool { return v == list })
}

// isTouched reports whether a call or an assignment between the filling of a
// list and a position may change the order of its elements.
func (l list) isTouched(info *types.Info, body *ast.BlockStmt, at token.Pos) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || n.End() <= l.filled || n.Pos() >= at {
			return false
		}
		if n.Pos() < l.filled {
			return !found
		}
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || isGiven(info, n, l.variable)
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				found = found || source.Root(info, e) == l.variable
			}
		}
		return !found
	})
	return found
}

// isAdded reports whether an accumulation in a loop adds an element of a list,
// or something that is found with it: not only the counter of the loop.
func (l list) isAdded(info *types.Info, a source.Accumulation, loop ast.Node) bool {
	var key *types.Var
	if r, ok := loop.(*ast.RangeStmt); ok && r.Key != nil {
		key = variable(info, r.Key)
	}
	if f, ok := loop.(*ast.ForStmt); ok {
		if s, ok := f.Init.(*ast.AssignStmt); ok {
			key = variable(info, s.Lhs[0])
		}
	}
	return source.Mentions(info, a.Value, func(v *types.Var) bool {
		return v == l.variable || v != key && source.Declared(v, loop)
	})
}
