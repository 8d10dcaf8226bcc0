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
	bodies := source.NewBodies(pass.TypesInfo, pass.Files)
	seen, called := map[*ast.AssignStmt]bool{}, map[*ast.CallExpr]bool{}
	find := func(f *ast.File, loop, body ast.Node, from string) {
		for _, a := range bodies.Accumulations(pass.TypesInfo, body) {
			if seen[a.Stmt] || !source.IsOneSum(pass.TypesInfo, a.Target, loop) {
				continue
			}
			seen[a.Stmt] = true
			report(diagnostic(a, "in the order of "+from, "range over sorted keys"))
		}
		for _, c := range bodies.CallSums(pass.TypesInfo, f, body) {
			switch {
			case !c.IsOneSum(pass.TypesInfo, loop):
			case c.IsCaptured && !seen[c.Sum.Stmt]:
				seen[c.Sum.Stmt] = true
				report(diagnostic(c.Sum, "in the order of "+from, "range over sorted keys"))
			case !c.IsCaptured && !called[c.Call]:
				called[c.Call] = true
				report(callDiagnostic(c, from))
			}
		}
	}
	source.Functions(pass.Files, func(f *ast.FuncDecl) {
		lists(pass, bodies, f.Body, func(a source.Accumulation, from string) {
			if !seen[a.Stmt] {
				seen[a.Stmt] = true
				report(diagnostic(a, "a list in the order of "+from, "sort it"))
			}
		})
		listCalls(pass, bodies, f.Body, func(call *ast.CallExpr, from string) {
			if !called[call] {
				called[call] = true
				report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(),
					Message: source.Short(call) + " adds up a list in the order of " + from +
						", which changes from run to run; sort it, or add exactly"})
			}
		})
	})
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				if isUnordered(pass.TypesInfo, n.X) || isSequence(pass.TypesInfo, f, n.X) {
					from := "the map " + source.Short(n.X)
					find(f, n, n.Body, from)
					for _, s := range choices(pass.TypesInfo, n) {
						report(choiceDiagnostic(s, from))
					}
				}
			case *ast.CallExpr:
				if lit := ranged(pass.TypesInfo, n); lit != nil {
					find(f, lit, lit.Body, "a sync.Map")
				}
			}
			return true
		})
	}
	return nil, nil
}

// diagnostic returns the finding of a sum.
func diagnostic(a source.Accumulation, how, cure string) analysis.Diagnostic {
	return analysis.Diagnostic{
		Pos: a.Pos(), End: a.End(),
		Message: fmt.Sprintf("%s adds up %s, which changes from run to run; %s, or add exactly",
			a, how, cure),
	}
}

// callDiagnostic returns the finding of a call that adds to a sum.
func callDiagnostic(c source.CallSum, from string) analysis.Diagnostic {
	return analysis.Diagnostic{
		Pos: c.Call.Pos(), End: c.Call.End(),
		Message: fmt.Sprintf("%s adds up in the order of %s, which changes from run to run: "+
			"its %s; range over sorted keys, or add exactly", c, from, c.Sum),
	}
}

// isSequence reports whether a range is over a function in a variable of a file
// that takes the keys of a map.
func isSequence(info *types.Info, f *ast.File, e ast.Expr) bool {
	t := info.TypeOf(e)
	if t == nil {
		return false
	}
	_, isFunc := t.Underlying().(*types.Signature)
	return isFunc && isUnordered(info, source.Resolve(info, f, e))
}

// isUnordered reports whether a range takes the keys of a map, or of a
// sync.Map.
func isUnordered(info *types.Info, e ast.Expr) bool {
	if t := info.TypeOf(e); t != nil {
		if _, ok := t.Underlying().(*types.Map); ok {
			return true
		}
	}
	if sel, ok := ast.Unparen(e).(*ast.SelectorExpr); ok {
		f, _ := info.Uses[sel.Sel].(*types.Func)
		return source.IsFunc(f, "sync", "Range")
	}
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	f := source.Callee(info, call)
	if source.IsFunc(f, "slices", "Collect") {
		return isUnordered(info, call.Args[0])
	}
	return source.IsFunc(f, "maps", "All", "Keys", "Values") ||
		source.IsFunc(f, "golang.org/x/exp/maps", "Keys", "Values")
}

// ranged returns the function that a call of sync.Map's Range is given, or nil.
func ranged(info *types.Info, call *ast.CallExpr) *ast.FuncLit {
	if len(call.Args) != 1 || !source.IsFunc(source.Callee(info, call), "sync", "Range") {
		return nil
	}
	f, _ := call.Args[0].(*ast.FuncLit)
	return f
}
