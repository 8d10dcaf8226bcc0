package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/ssaform"
)

// Analyzer finds the sums that products meet in a package. Its result is a
// []Sum, those that are not inlined first.
var Analyzer = &analysis.Analyzer{
	Name:       "flow",
	Doc:        "follow products to sums",
	Requires:   []*analysis.Analyzer{ssaform.Analyzer},
	FactTypes:  []analysis.Fact{new(Summary)},
	Run:        run,
	ResultType: reflect.TypeFor[[]Sum](),
}

// Local does so for sums that are known to be fused: without the functions of
// other packages, and as if functions of any length were inlined.
var Local = &analysis.Analyzer{
	Name:       "localflow",
	Doc:        Analyzer.Doc,
	Requires:   Analyzer.Requires,
	Run:        runLocal,
	ResultType: Analyzer.ResultType,
}

// A pkg holds what the functions of a package share.
type pkg struct {
	fset      *token.FileSet
	types     *types.Package
	info      *types.Info
	budget    int                        // of functions that are inlined
	fact      func(*types.Func) *Summary // of another package; may be nil
	summaries map[*ssa.Function]*Summary // nil for those that are not inlined
}

func newPkg(pass *analysis.Pass) *pkg {
	return &pkg{budget: budget, fset: pass.Fset, types: pass.Pkg, info: pass.TypesInfo,
		summaries: map[*ssa.Function]*Summary{}}
}

func (p *pkg) frame() *frame { return &frame{p, map[ssa.Value]*Value{}} }

func (p *pkg) place(at token.Pos) Place {
	pos := p.fset.PositionFor(at, false)
	return Place{p.types.Path(), pos.Filename, pos.Line, at}
}

func run(pass *analysis.Pass) (any, error) {
	if !computes(pass.TypesInfo, pass.Files) {
		return []Sum(nil), nil
	}
	p := newPkg(pass)
	p.fact = facts(pass)
	functions := pass.ResultOf[ssaform.Analyzer].(ssaform.Form)()
	for _, f := range functions {
		o, ok := f.Object().(*types.Func)
		if s := p.summary(f); ok && s != nil && hasNumbers(o.Signature()) {
			pass.ExportObjectFact(o, s)
		}
	}
	return p.found(functions), nil
}

// facts returns a function that returns the summaries of other packages.
func facts(pass *analysis.Pass) func(*types.Func) *Summary {
	return func(f *types.Func) *Summary {
		s := new(Summary)
		if !pass.ImportObjectFact(f, s) {
			return nil
		}
		return s
	}
}

func runLocal(pass *analysis.Pass) (any, error) {
	p := newPkg(pass)
	p.budget = never - 1
	return p.found(pass.ResultOf[ssaform.Analyzer].(ssaform.Form)()), nil
}

// found returns the sums of functions that products meet.
func (p *pkg) found(functions []*ssa.Function) []Sum {
	var own, inlined []Sum
	for _, f := range functions {
		found, _, _ := p.frame().sums(f)
		for _, s := range found {
			if s.Call == (Place{}) {
				own = append(own, s)
			} else {
				inlined = append(inlined, s)
			}
		}
	}
	return append(own, inlined...)
}

// computes reports whether a package computes with floating-point numbers.
func computes(info *types.Info, files []*ast.File) bool {
	found := false
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				found = found || info.Types[n].Value == nil && floats.Is(info.TypeOf(n))
			case *ast.AssignStmt:
				found = found || n.Tok != token.ASSIGN && n.Tok != token.DEFINE &&
					floats.Is(info.TypeOf(n.Lhs[0]))
			case *ast.CallExpr:
				found = found || floats.Contains(info.TypeOf(n))
			}
			return !found
		})
	}
	return found
}

// hasNumbers reports whether a function takes or returns floating-point
// numbers, in structures and behind pointers too.
func hasNumbers(s *types.Signature) bool {
	all := []*types.Tuple{s.Params(), s.Results()}
	if s.Recv() != nil {
		all = append(all, types.NewTuple(s.Recv()))
	}
	for _, t := range all {
		for v := range t.Variables() {
			of := v.Type()
			switch u := of.Underlying().(type) {
			case *types.Pointer:
				of = u.Elem()
			case *types.Slice:
				of = u.Elem()
			}
			if floats.Contains(of) {
				return true
			}
		}
	}
	return false
}
