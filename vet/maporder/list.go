package maporder

import (
	"go/ast"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// A list is a slice that has an order.
type list struct {
	source.List
	order
}

// lists returns the lists that a function fills in an order, or shuffles.
func (o orders) lists(body *ast.BlockStmt) []list {
	var all []list
	add := func(v *types.Var, n ast.Node, in order) {
		all = append(all, list{source.List{Variable: v, Filled: n.End()}, in})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if in := o.of(n.X); !in.isNone() {
				for _, v := range source.FilledIn(o.info, n.Body, n) {
					add(v, n, in)
				}
			}
		case *ast.CallExpr:
			for _, v := range o.shuffled(n) {
				add(v, n, ofRandom(n))
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
				return true
			}
			call, isCall := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
			v := source.Variable(o.info, n.Lhs[0])
			if !isCall || !source.IsSlice(v) {
				return true
			}
			if in := o.of(call); !in.isNone() {
				add(v, n, in)
			}
		}
		return true
	})
	return all
}
