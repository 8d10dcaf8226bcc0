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
			report(diagnostic(pass, s))
		})
	}
	return nil, nil
}

func diagnostic(pass *analysis.Pass, s *ast.AssignStmt) analysis.Diagnostic {
	x, y := s.Lhs[0], s.Rhs[0]
	name := source.TypeName(pass.TypesInfo, pass.Pkg, x)
	op := s.Tok.String()[:1]
	d := analysis.Diagnostic{
		Pos: s.TokPos, End: s.TokPos + token.Pos(len(s.Tok.String())),
		Message: fmt.Sprintf("%s %s %s may be kept in a wider format on 386 "+
			"(gccgo, GO386=387); write %s = %s(%s %s …)", source.Short(x), s.Tok,
			source.Short(y), source.Short(x), name, source.Short(x), op),
	}
	if source.Shadowed(pass.Pkg, s.Pos(), pass.TypesInfo.TypeOf(x), name) {
		return d
	}
	open, end := "", ")"
	if _, ok := y.(*ast.BinaryExpr); ok {
		open, end = "(", "))"
	}
	text := fmt.Appendf(nil, "= %s(%s %s %s", name, source.Text(x), op, open)
	d.SuggestedFixes = []analysis.SuggestedFix{{
		Message: "round each sum",
		TextEdits: []analysis.TextEdit{
			{Pos: s.TokPos, End: y.Pos(), NewText: text},
			{Pos: y.End(), End: y.End(), NewText: []byte(end)},
		},
	}}
	return d
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
