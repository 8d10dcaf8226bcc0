package gonumbits

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:generate go run ./internal/generate functions.txt

//go:embed functions.txt
var functions string

//go:embed doc.go
var doc string

// Analyzer finds calls of functions of gonum that vary.
var Analyzer = &analysis.Analyzer{
	Name: "gonumbits",
	Doc:  source.Doc(doc),
	Run:  run,
}

const gonum = "gonum.org/v1/gonum/"

func run(pass *analysis.Pass) (any, error) {
	if !imports(pass.Pkg) || strings.HasPrefix(pass.Pkg.Path(), gonum) {
		return nil, nil
	}
	report := comment.Filter(pass)
	kinds := table()
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := qualified(source.Callee(pass.TypesInfo, call))
			if kind := kinds[name]; kind != "" {
				report(analysis.Diagnostic{
					Pos: call.Pos(), End: call.End(),
					Message: fmt.Sprintf("%s depends on %s; %s", name, causes[kind],
						"use package ordered, exact or blas of lastbit"),
				})
			}
			return true
		})
	}
	return nil, nil
}

// causes describes the kinds of functions.
var causes = map[string]string{
	"address":   "the address of the data and on the processor",
	"processor": "the processor",
}

// imports reports whether a package imports gonum.
func imports(pkg *types.Package) bool {
	for _, p := range pkg.Imports() {
		if strings.HasPrefix(p.Path(), gonum) {
			return true
		}
	}
	return false
}

// table returns the kinds of functions by name: stat.Mean, mat.Dense.Mul.
func table() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(functions) {
		fields := strings.Fields(line)
		for _, name := range fields[2:] {
			all[fields[1]+"."+name] = fields[0]
		}
	}
	return all
}

// qualified returns the name of a function of gonum as the table has it.
func qualified(f *types.Func) string {
	if f == nil || f.Pkg() == nil {
		return ""
	}
	path, ok := strings.CutPrefix(f.Pkg().Path(), gonum)
	if !ok {
		return ""
	}
	name := f.Name()
	if recv := f.Signature().Recv(); recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		if n, ok := t.(*types.Named); ok {
			name = n.Obj().Name() + "." + name
		}
	}
	return path + "." + name
}
