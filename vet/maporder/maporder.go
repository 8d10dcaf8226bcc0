package maporder

import (
	_ "embed"
	"fmt"
	"go/ast"

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
	orders := newOrders(pass, bodies)
	seen, called := map[*ast.AssignStmt]bool{}, map[*ast.CallExpr]bool{}
	find := func(f *ast.File, loop, body ast.Node, o order) {
		for _, a := range bodies.Accumulations(pass.TypesInfo, body) {
			if seen[a.Stmt] || !source.IsOneSum(pass.TypesInfo, a.Target, loop) {
				continue
			}
			seen[a.Stmt] = true
			report(diagnostic(a, "in the order of "+o.from, o.cure))
		}
		for _, c := range bodies.CallSums(pass.TypesInfo, f, body) {
			switch {
			case !c.IsOneSum(pass.TypesInfo, loop):
			case c.IsCaptured && !seen[c.Sum.Stmt]:
				seen[c.Sum.Stmt] = true
				report(diagnostic(c.Sum, "in the order of "+o.from, o.cure))
			case !c.IsCaptured && !called[c.Call]:
				called[c.Call] = true
				report(callDiagnostic(c, o))
			}
		}
	}
	source.Functions(pass.Files, func(f *ast.FuncDecl) {
		for _, l := range orders.lists(f.Body) {
			l.Sums(pass.TypesInfo, bodies, f.Body, func(a source.Accumulation) {
				if !seen[a.Stmt] {
					seen[a.Stmt] = true
					report(diagnostic(a, "a list in the order of "+l.from, l.sort))
				}
			})
			l.Calls(pass.TypesInfo, bodies, f.Body, func(call *ast.CallExpr) {
				if !called[call] {
					called[call] = true
					report(listCall(call, l.order))
				}
			})
		}
	})
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.RangeStmt:
				o := orders.of(n.X)
				if o.isNone() {
					o = orders.ofSequence(f, n.X)
				}
				if !o.isNone() {
					find(f, n, n.Body, o)
					for _, s := range choices(pass.TypesInfo, n) {
						report(choiceDiagnostic(s, o))
					}
				}
			case *ast.CallExpr:
				for i, a := range n.Args {
					if o := orders.ofCall(n, i); !o.isNone() {
						if lit, ok := source.Resolve(pass.TypesInfo, f, a).(*ast.FuncLit); ok {
							find(f, lit, lit.Body, o)
						}
						continue
					}
					o := orders.of(a)
					if !o.isNone() && !orders.isMap(a) && !called[n] &&
						source.AddsUp(pass.TypesInfo, bodies, n, i) {
						called[n] = true
						report(listCall(n, o))
					}
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

// listCall returns the finding of a call that adds up a list or a sequence.
func listCall(call *ast.CallExpr, o order) analysis.Diagnostic {
	return analysis.Diagnostic{Pos: call.Pos(), End: call.End(),
		Message: fmt.Sprintf("%s adds up a list in the order of %s, which changes from run to "+
			"run; %s, or add exactly", source.Short(call), o.from, o.sort)}
}

// callDiagnostic returns the finding of a call that adds to a sum.
func callDiagnostic(c source.CallSum, o order) analysis.Diagnostic {
	return analysis.Diagnostic{
		Pos: c.Call.Pos(), End: c.Call.End(),
		Message: fmt.Sprintf("%s adds up in the order of %s, which changes from run to run: "+
			"its %s; %s, or add exactly", c, o.from, c.Sum, o.cure),
	}
}
