package libm

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:embed doc.go
var doc string

// Analyzer finds functions that differ by processor.
var Analyzer = &analysis.Analyzer{
	Name: "libm",
	Doc:  source.Doc(doc),
	Run:  run,
}

// varying lists the functions of package math whose results differ.
var varying = words(`Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Erf Erfc Erfcinv Erfinv
	Exp Exp2 Expm1 Gamma Hypot J0 J1 Jn Lgamma Log Log10 Log1p Log2 Pow Sin Sincos Sinh Tan Tanh
	Y0 Y1 Yn`)

// rounded lists those that package crmath has under the same name.
var rounded = words(`Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Erf Erfc Exp Exp2 Expm1
	Gamma Hypot Lgamma Log Log10 Log1p Log2 Pow Sin Sincos Sinh Tan Tanh`)

// exact lists the functions of package math/cmplx that do not differ.
var exact = words(`Conj Inf IsInf IsNaN NaN`)

func words(s string) []string { return strings.Fields(s) }

func run(pass *analysis.Pass) (any, error) {
	report := comment.Filter(pass)
	for _, f := range pass.Files {
		i := newImports(pass, f)
		qualified := map[*ast.Ident]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, _ := n.(*ast.SelectorExpr)
			id, _ := n.(*ast.Ident) // of a dot import
			if sel != nil {
				id = sel.Sel
				qualified[id] = true
			}
			if id == nil || sel == nil && qualified[id] {
				return true
			}
			used, ok := pass.TypesInfo.Uses[id].(*types.Func)
			if !ok || used.Pkg() == nil {
				return true
			}
			if text := describe(used); text != "" {
				d := analysis.Diagnostic{Pos: n.Pos(), End: n.End(), Message: text}
				if sel != nil && used.Pkg().Path() == "math" &&
					slices.Contains(rounded, used.Name()) {
					d.SuggestedFixes = i.fix(sel)
				}
				report(d)
			}
			return true
		})
	}
	return nil, nil
}

// describe returns the message about a function, or "".
func describe(f *types.Func) string {
	name := f.Pkg().Name() + "." + f.Name()
	switch path := f.Pkg().Path(); {
	case path == "math" && slices.Contains(rounded, f.Name()):
		return fmt.Sprintf("%s differs by processor; write crmath.%s", name, f.Name())
	case path == "math" && slices.Contains(varying, f.Name()):
		return name + " differs by processor; no exact function replaces it"
	case path == "math/cmplx" && !slices.Contains(exact, f.Name()):
		return fmt.Sprintf("%s differs by processor; write complexes.%s of package fp/complexes",
			name, f.Name())
	case strings.HasPrefix(path, "math/rand") &&
		source.IsFunc(f, path, "NormFloat64", "ExpFloat64", "NewZipf"):
		return "rand." + f.Name() + " calls math.Exp and math.Log, which differ by processor; " +
			"transform uniform numbers with package crmath"
	}
	return ""
}

// Varies reports whether a function of the standard library differs by
// processor.
func Varies(path, name string) bool {
	return path == "math" && slices.Contains(varying, name) ||
		path == "math/cmplx" && ast.IsExported(name) && !slices.Contains(exact, name)
}
