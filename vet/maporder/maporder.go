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
	orders := newOrders(pass)
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
					report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(),
						Message: source.Short(call) + " adds up a list in the order of " + l.from +
							", which changes from run to run; " + l.sort + ", or add exactly"})
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
				if lit := ranged(pass.TypesInfo, n); lit != nil {
					find(f, lit, lit.Body, order{"a sync.Map", "range over sorted keys", ""})
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
func callDiagnostic(c source.CallSum, o order) analysis.Diagnostic {
	return analysis.Diagnostic{
		Pos: c.Call.Pos(), End: c.Call.End(),
		Message: fmt.Sprintf("%s adds up in the order of %s, which changes from run to run: "+
			"its %s; %s, or add exactly", c, o.from, c.Sum, o.cure),
	}
}

// ranged returns the function that a call of sync.Map's Range is given, or nil.
func ranged(info *types.Info, call *ast.CallExpr) *ast.FuncLit {
	if len(call.Args) != 1 || !source.IsFunc(source.Callee(info, call), "sync", "Range") {
		return nil
	}
	f, _ := call.Args[0].(*ast.FuncLit)
	return f
}
