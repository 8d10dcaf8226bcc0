package floatrace

import (
	"go/ast"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// lists finds sums of lists that several goroutines of a function have filled,
// and that were not given to another function since: that may sort them.
func (c *checker) lists(body *ast.BlockStmt) {
	all := map[*types.Var]source.List{}
	fillers := map[*types.Var]int{}
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		f := c.started(body, n)
		if f == nil {
			return
		}
		scope, count := ast.Node(f), 1
		if loop := source.Loop(parents); loop != nil {
			scope, n, count = loop, loop, 2
		}
		for _, v := range source.FilledIn(c.info, f.Body, scope) {
			fillers[v] += count
			all[v] = source.List{Variable: v, Filled: max(n.End(), all[v].Filled)}
		}
	})
	for v, l := range all {
		if fillers[v] > 1 {
			c.added(body, l, "the order of goroutines")
		}
	}
}

// added finds the sums of a list.
func (c *checker) added(body *ast.BlockStmt, l source.List, from string) {
	l.Sums(c.info, c.bodies, body, func(a source.Accumulation) {
		c.found(a.Pos(), a.End(), "%s adds up a list in %s", a, from)
	})
	l.Calls(c.info, c.bodies, body, func(call *ast.CallExpr) {
		c.found(call.Pos(), call.End(), "%s adds up a list in %s", source.Short(call), from)
	})
}
