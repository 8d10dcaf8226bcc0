package portable

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// decided is why a sum stays whose summands the order chooses.
const decided = "the order decides what is added, too, since the loop ends early or reads the " +
	"sum: take all numbers before the sum is used"

// isDecided reports whether the order decides which numbers a sum gets, where
// no loop over a map is around it: a loop around it ends early or reads the
// sum, or a goroutine reads it. Of the loops around a sum of goroutines only
// those that receive from a channel have an open order.
func (s *spot) isDecided(received bool) bool {
	root := s.root()
	if root == nil {
		return false
	}
	sum, _ := around[*ast.AssignStmt](s)
	v := s.variable(s.target(sum))
	var outermost ast.Node
	for _, n := range s.path {
		var body *ast.BlockStmt
		switch n := n.(type) {
		case *ast.FuncLit:
			if source.Declared(root, n) {
				return !received && s.isPart(outermost)
			}
			if s.reads(n.Body, v) || !received && s.stops(n) {
				return true
			}
			continue
		case *ast.RangeStmt:
			body = n.Body
		case *ast.ForStmt:
			body = n.Body
		default:
			continue
		}
		if source.Declared(root, n) || s.resets(body, v) {
			return !received && s.isPart(outermost)
		}
		outermost = n
		if (!received || s.receives(n)) && (s.continues(body, v) || s.endsEarly(body, n, v)) {
			return true
		}
	}
	return !received && s.isPart(outermost)
}

// isPart reports whether a loop goes over a part of a list, by a slice of it or
// a bound that is not its length: of a random order, another part in every run.
func (s *spot) isPart(loop ast.Node) bool {
	switch n := loop.(type) {
	case *ast.RangeStmt:
		if floats.HasInteger(s.pkg.TypesInfo.TypeOf(n.X)) {
			return !hasLength(n.X)
		}
		found := false
		ast.Inspect(n.X, func(n ast.Node) bool {
			_, isSlice := n.(*ast.SliceExpr)
			found = found || isSlice
			return !found
		})
		return found
	case *ast.ForStmt:
		return n.Cond == nil || !hasLength(n.Cond)
	}
	return false
}

// hasLength reports whether an expression calls len.
func hasLength(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		found = found || ok && source.Text(call.Fun) == "len"
		return !found
	})
	return found
}

// stops reports whether a function that a loop calls, such as Range of a
// sync.Map, may end it: it returns something else than true.
func (s *spot) stops(f *ast.FuncLit) bool {
	found := false
	ast.Inspect(f.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				v := s.pkg.TypesInfo.Types[e].Value
				found = found || v == nil || v.Kind() == constant.Bool && !constant.BoolVal(v)
			}
		}
		return !found
	})
	return found
}

// receives reports whether a loop receives from a channel.
func (s *spot) receives(loop ast.Node) bool {
	found := false
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			_, ok := s.pkg.TypesInfo.TypeOf(n.X).Underlying().(*types.Chan)
			found = found || ok
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// folds reports whether a statement adds to a variable.
func (s *spot) folds(n *ast.AssignStmt, v *types.Var) bool {
	for _, a := range source.Accumulations(s.pkg.TypesInfo, n) {
		if s.variable(a.Target) == v {
			return true
		}
	}
	return false
}

// resets reports whether a loop assigns the variable of a sum.
func (s *spot) resets(body *ast.BlockStmt, v *types.Var) bool {
	for _, st := range body.List {
		a, ok := st.(*ast.AssignStmt)
		if ok && a.Tok == token.ASSIGN && s.variable(a.Lhs[0]) == v &&
			!s.folds(a, v) {
			return true
		}
	}
	return false
}

// reads reports whether a node uses a variable otherwise than to add to it.
func (s *spot) reads(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && s.folds(a, v) {
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			found = found || s.object(id) == v
		}
		return !found
	})
	return found
}

// continues reports whether a loop reads the variable of a sum and goes on.
func (s *spot) continues(body *ast.BlockStmt, v *types.Var) bool {
	found := false
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		id, ok := n.(*ast.Ident)
		if !ok || s.object(id) != v {
			return
		}
		for i, p := range parents {
			a, isSum := p.(*ast.AssignStmt)
			_, ends := p.(*ast.ReturnStmt)
			if isSum && s.folds(a, v) || ends && !inLiteral(parents[:i]) {
				return
			}
		}
		found = true
	})
	return found
}

// endsEarly reports whether a condition on what a loop takes ends the loop
// before the sum is used. One on a bool does not: it ends the loop where a
// channel is closed.
func (s *spot) endsEarly(body *ast.BlockStmt, loop ast.Node, v *types.Var) bool {
	found := false
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		switch n := n.(type) {
		case *ast.BranchStmt:
			leaves := n.Tok == token.GOTO || n.Label != nil && n.Tok == token.BREAK ||
				n.Tok == token.BREAK && !isCaught(parents)
			found = found || leaves && s.isChosen(parents, loop)
		case *ast.ReturnStmt:
			isUsed := len(n.Results) == 0 || s.reads(n, v)
			found = found || isUsed && !inLiteral(parents) && s.isChosen(parents, loop)
		}
	})
	return found
}

// isCaught reports whether a statement among nodes takes a break without a
// label.
func isCaught(parents []ast.Node) bool {
	for _, p := range parents {
		switch p.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.TypeSwitchStmt,
			*ast.SelectStmt, *ast.FuncLit:
			return true
		}
	}
	return false
}

func inLiteral(parents []ast.Node) bool {
	for _, p := range parents {
		if _, ok := p.(*ast.FuncLit); ok {
			return true
		}
	}
	return false
}

// isChosen reports whether a condition around a statement of a loop depends on
// a variable of the loop other than a bool.
func (s *spot) isChosen(parents []ast.Node, loop ast.Node) bool {
	for _, p := range parents {
		branch, ok := p.(*ast.IfStmt)
		if ok && source.Mentions(s.pkg.TypesInfo, branch.Cond, func(v *types.Var) bool {
			b, isBasic := v.Type().Underlying().(*types.Basic)
			return source.Declared(v, loop) && (!isBasic || b.Info()&types.IsBoolean == 0)
		}) {
			return true
		}
	}
	return false
}
