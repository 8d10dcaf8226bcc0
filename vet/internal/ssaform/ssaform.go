// Package ssaform builds the SSA form of a package for analyzers. Unlike
// x/tools' buildssa it needs no facts about dependencies, which may come from
// export data.
package ssaform

import (
	"go/ast"
	"go/types"
	"reflect"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A Form returns the functions of a package with source, function literals
// after the functions that contain them. The first call builds them.
type Form func() []*ssa.Function

// Analyzer builds the functions of a package. Its result is a Form.
var Analyzer = &analysis.Analyzer{
	Name:       "ssaform",
	Doc:        "build the SSA form of a package, without facts",
	Run:        run,
	ResultType: reflect.TypeFor[Form](),
}

func run(pass *analysis.Pass) (any, error) {
	return Form(sync.OnceValue(func() []*ssa.Function { return build(pass) })), nil
}

func build(pass *analysis.Pass) []*ssa.Function {
	prog := ssa.NewProgram(pass.Fset, 0)
	for _, p := range pass.Pkg.Imports() {
		prog.CreatePackage(p, nil, nil, true)
	}
	pkg := prog.CreatePackage(pass.Pkg, pass.Files,
		withRounding(pass.Pkg, pass.Files, pass.TypesInfo), false)
	pkg.Build()
	var all []*ssa.Function
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				if o, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					all = withLiterals(all, prog.FuncValue(o))
				}
			}
		}
	}
	return withLiterals(all, pkg.Func("init"))
}

// withLiterals appends a function and the literals in it.
func withLiterals(all []*ssa.Function, f *ssa.Function) []*ssa.Function {
	if f == nil {
		return all
	}
	all = append(all, f)
	for _, g := range f.AnonFuncs {
		all = withLiterals(all, g)
	}
	return all
}
