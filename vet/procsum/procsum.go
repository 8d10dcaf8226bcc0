package procsum

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

// Analyzer finds sums split by the number of processors.
var Analyzer = &analysis.Analyzer{
	Name: "procsum",
	Doc:  source.Doc(doc),
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	report := comment.Filter(pass)
	source.Functions(pass.Files, func(f *ast.FuncDecl) {
		sums := partialSums(pass.TypesInfo, f.Body)
		if len(sums) == 0 {
			return
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			callee := source.Callee(pass.TypesInfo, call)
			if source.IsFunc(callee, "runtime", "GOMAXPROCS", "NumCPU") {
				report(analysis.Diagnostic{
					Pos: call.Pos(), End: call.End(),
					Message: fmt.Sprintf("runtime.%s splits a sum (%s, line %d) by the number "+
						"of processors; split it into blocks of a fixed length", callee.Name(),
						sums[0], pass.Fset.Position(sums[0].Pos()).Line),
				})
			}
			return true
		})
	})
	return nil, nil
}

// partialSums returns the accumulations in loops of a function that starts
// goroutines.
func partialSums(info *types.Info, body *ast.BlockStmt) []source.Accumulation {
	starts := false
	var all []source.Accumulation
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.CallExpr:
			f := source.Callee(info, n)
			starts = starts || f != nil && f.Name() == "Go" && f.Signature().Recv() != nil
		case *ast.AssignStmt:
			if source.Loop(parents) != nil {
				all = append(all, source.Accumulations(info, n)...)
			}
		}
	})
	if !starts {
		return nil
	}
	return all
}
