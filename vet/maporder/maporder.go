package maporder

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:embed doc.go
var doc string

// Analyzer finds sums in the order of a map.
var Analyzer = &analysis.Analyzer{
	Name: "maporder",
	Doc:  source.Doc(doc),
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	report := comment.Filter(pass)
	seen := map[*ast.AssignStmt]bool{}
	find := func(loop, body ast.Node, from string) {
		for _, a := range source.Accumulations(pass.TypesInfo, body) {
			root := source.Root(pass.TypesInfo, a.Target)
			if root == nil || seen[a.Stmt] || source.Declared(root, loop) ||
				source.IndexedFrom(pass.TypesInfo, a.Target, loop) {
				continue
			}
			seen[a.Stmt] = true
			report(analysis.Diagnostic{
				Pos: a.Pos(), End: a.End(),
				Message: fmt.Sprintf("%s adds up in the order of %s, which changes from run "+
					"to run; range over sorted keys, or add exactly", a, from),
			})
		}
	}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				if isUnordered(pass.TypesInfo, n.X) {
					from := "the map " + source.Short(n.X)
					find(n, n.Body, from)
					for _, lit := range called(pass.TypesInfo, f, n.Body) {
						find(lit, lit.Body, from)
					}
				}
			case *ast.CallExpr:
				if f := ranged(pass.TypesInfo, n); f != nil {
					find(f, f.Body, "a sync.Map")
				}
			}
			return true
		})
	}
	return nil, nil
}

// isUnordered reports whether a range takes the keys of a map.
func isUnordered(info *types.Info, e ast.Expr) bool {
	if t := info.TypeOf(e); t != nil {
		if _, ok := t.Underlying().(*types.Map); ok {
			return true
		}
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && source.IsFunc(source.Callee(info, call), "maps", "All", "Keys", "Values")
}

// ranged returns the function that a call of sync.Map's Range is given, or nil.
func ranged(info *types.Info, call *ast.CallExpr) *ast.FuncLit {
	if len(call.Args) != 1 || !source.IsFunc(source.Callee(info, call), "sync", "Range") {
		return nil
	}
	f, _ := call.Args[0].(*ast.FuncLit)
	return f
}

// called returns the function literals in variables that a node calls.
func called(info *types.Info, f *ast.File, n ast.Node) []*ast.FuncLit {
	var all []*ast.FuncLit
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
				if lit, ok := source.Resolve(info, f, id).(*ast.FuncLit); ok {
					all = append(all, lit)
				}
			}
		}
		return true
	})
	return all
}
