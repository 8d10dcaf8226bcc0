package maporder

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// lists calls found with the accumulations of a function in loops over lists
// that it has filled in the order of a map, and has not given to any function
// since: that may sort them.
func lists(pass *analysis.Pass, bodies source.Bodies, body *ast.BlockStmt,
	found func(source.Accumulation, string),
) {
	for _, l := range filled(pass.TypesInfo, body) {
		l.Sums(pass.TypesInfo, bodies, body, func(a source.Accumulation) { found(a, l.From) })
	}
}

// filled returns the lists that a function fills in the order of a map.
func filled(info *types.Info, body *ast.BlockStmt) []source.List {
	var all []source.List
	add := func(v *types.Var, n ast.Node, of ast.Expr) {
		all = append(all, source.List{Variable: v, Filled: n.End(),
			From: "the map " + source.Short(of)})
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if isUnordered(info, n.X) {
				for _, v := range source.FilledIn(info, n.Body, n) {
					add(v, n, n.X)
				}
			}
		case *ast.AssignStmt:
			if len(n.Lhs) != 1 || len(n.Rhs) != 1 {
				return true
			}
			call, ok := ast.Unparen(n.Rhs[0]).(*ast.CallExpr)
			v := source.Variable(info, n.Lhs[0])
			if ok && source.IsSlice(v) && isUnordered(info, call) {
				add(v, n, call.Args[0])
			}
		}
		return true
	})
	return all
}

// listCalls calls found with the calls of a function that adds up a list which
// was filled in the order of a map, and was not given to another one since.
func listCalls(pass *analysis.Pass, bodies source.Bodies, body *ast.BlockStmt,
	found func(call *ast.CallExpr, from string),
) {
	for _, l := range filled(pass.TypesInfo, body) {
		l.Calls(pass.TypesInfo, bodies, body, func(call *ast.CallExpr) { found(call, l.From) })
	}
}
