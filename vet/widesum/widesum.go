package widesum

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:embed doc.go
var doc string

// Analyzer finds float32 sums that a 387 keeps wider.
var Analyzer = &analysis.Analyzer{
	Name: "widesum",
	Doc:  source.Doc(doc),
	Run:  run,
}

func run(pass *analysis.Pass) (any, error) {
	report := comment.Filter(pass)
	for _, f := range pass.Files {
		source.WithParents(f, func(n ast.Node, parents []ast.Node) {
			s, ok := n.(*ast.AssignStmt)
			loop := source.Loop(parents)
			if !ok || loop == nil || !isSum(pass, s, loop) {
				return
			}
			name := source.TypeName(pass.TypesInfo, pass.Pkg, s.Lhs[0])
			target := source.Text(s.Lhs[0])
			op := s.Tok.String()[:1]
			d := analysis.Diagnostic{
				Pos: s.TokPos, End: s.TokPos + token.Pos(len(s.Tok.String())),
				Message: fmt.Sprintf("%s %s %s may be kept in a wider format on 386 (gccgo, GO386=387); "+
					"write %s = %s(%s %s …)", source.Short(s.Lhs[0]), s.Tok, source.Short(s.Rhs[0]),
					source.Short(s.Lhs[0]), name, source.Short(s.Lhs[0]), op),
			}
			if !source.Shadowed(pass.Pkg, s.Pos(), pass.TypesInfo.TypeOf(s.Lhs[0]), name) {
				d.SuggestedFixes = []analysis.SuggestedFix{{
					Message: "round each sum",
					TextEdits: []analysis.TextEdit{
						{Pos: s.TokPos, End: s.Rhs[0].Pos(),
							NewText: []byte("= " + name + "(" + target + " " + op + " " + open(s.Rhs[0]))},
						{Pos: s.Rhs[0].End(), End: s.Rhs[0].End(), NewText: []byte(closing(s.Rhs[0]) + ")")},
					},
				}}
			}
			report(d)
		})
	}
	return nil, nil
}

// isSum reports whether a statement adds to a float32 variable that outlives a
// pass of the loop.
func isSum(pass *analysis.Pass, s *ast.AssignStmt, loop ast.Node) bool {
	if s.Tok != token.ADD_ASSIGN && s.Tok != token.SUB_ASSIGN {
		return false
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok || !floats.IsFloat32(pass.TypesInfo.TypeOf(id)) {
		return false
	}
	root := source.Root(pass.TypesInfo, id)
	return root != nil && !source.Declared(root, loop)
}

// open and closing return the parentheses that an operand of a sum needs.
func open(e ast.Expr) string {
	if _, ok := e.(*ast.BinaryExpr); ok {
		return "("
	}
	return ""
}

func closing(e ast.Expr) string {
	if open(e) != "" {
		return ")"
	}
	return ""
}
