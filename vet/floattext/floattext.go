package floattext

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:embed doc.go
var doc string

// Analyzer finds numbers compared as text.
var Analyzer = &analysis.Analyzer{
	Name: "floattext",
	Doc:  source.Doc(doc),
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	report := comment.Filter(pass)
	source.Functions(pass.Files, func(f *ast.FuncDecl) {
		find := func(pos token.Pos, length int, operands ...ast.Expr) {
			for _, e := range operands {
				call := formatted(pass.TypesInfo, f.Body, e)
				if call == nil {
					continue
				}
				report(analysis.Diagnostic{
					Pos: pos, End: pos + token.Pos(length),
					Message: fmt.Sprintf("%s compares a number as text; compare the number, "+
						"or its bits", source.Short(call)),
				})
				return
			}
		}
		ast.Inspect(f.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				switch n.Op {
				case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
					find(n.OpPos, len(n.Op.String()), n.X, n.Y)
				}
			case *ast.SwitchStmt:
				if n.Tag != nil {
					find(n.Tag.Pos(), int(n.Tag.End()-n.Tag.Pos()), n.Tag)
				}
			case *ast.IndexExpr:
				if _, ok := pass.TypesInfo.TypeOf(n.X).Underlying().(*types.Map); ok {
					find(n.Index.Pos(), int(n.Index.End()-n.Index.Pos()), n.Index)
				}
			case *ast.CallExpr:
				callee := source.Callee(pass.TypesInfo, n)
				if source.IsFunc(callee, "strings", "Compare", "EqualFold") {
					find(n.Pos(), int(n.End()-n.Pos()), n.Args...)
				}
			}
			return true
		})
	})
	return nil, nil
}

// formatted returns the call that formats a floating-point number and whose
// result an expression is, or nil.
func formatted(info *types.Info, body *ast.BlockStmt, e ast.Expr) *ast.CallExpr {
	call, ok := source.Resolve(info, body, e).(*ast.CallExpr)
	if !ok {
		return nil
	}
	f := source.Callee(info, call)
	if source.IsFunc(f, "strconv", "FormatFloat", "FormatComplex") {
		return call
	}
	if !source.IsFunc(f, "fmt", "Sprint", "Sprintf", "Sprintln") {
		return nil
	}
	for _, a := range call.Args {
		if floats.Constant(info, a) == nil && holdsFloats(info.TypeOf(a)) {
			return call
		}
	}
	return nil
}

// holdsFloats reports whether the text of a value has floating-point numbers.
func holdsFloats(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	return floats.Contains(t)
}
