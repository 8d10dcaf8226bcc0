package widesum

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/version"

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
		if !mayBeWide(pass, f) {
			continue
		}
		source.WithParents(f, func(n ast.Node, parents []ast.Node) {
			s, ok := n.(*ast.AssignStmt)
			loop := source.Loop(parents)
			switch {
			case !ok || loop == nil || !isKept(pass, s, loop) || isExact(pass, s):
			case s.Tok == token.ADD_ASSIGN || s.Tok == token.SUB_ASSIGN:
				report(diagnostic(pass, s))
			case isWrittenOut(s):
				report(written(pass, s))
			}
		})
	}
	return nil, nil
}

// newest is the newest version of the language that gccgo compiles, in GCC 12
// to 15. The last release with GO386=387 is Go 1.15.
const newest = "go1.18"

// mayBeWide reports whether a compiler that keeps wide sums has compiled the
// version of the language of a file: its module's, or a newer one of its build
// tag.
func mayBeWide(pass *analysis.Pass, f *ast.File) bool {
	for _, v := range []string{pass.Pkg.GoVersion(), f.GoVersion} {
		if version.Compare(version.Lang(v), newest) > 0 {
			return false
		}
	}
	return true
}

// isExact reports whether a statement adds a variable to itself, takes it from
// itself, or adds zero.
func isExact(pass *analysis.Pass, s *ast.AssignStmt) bool {
	x, y := s.Lhs[0], s.Rhs[0]
	b, ok := ast.Unparen(y).(*ast.BinaryExpr)
	if !ok || s.Tok != token.ASSIGN {
		return isSameOrZero(pass, x, y)
	}
	return isSameOrZero(pass, x, b.X) && isSameOrZero(pass, x, b.Y)
}

// isSameOrZero reports whether a summand is the variable itself, or zero.
func isSameOrZero(pass *analysis.Pass, x, summand ast.Expr) bool {
	if u, ok := ast.Unparen(summand).(*ast.UnaryExpr); ok && u.Op == token.SUB {
		return isSameOrZero(pass, x, u.X)
	}
	v := floats.Constant(pass.TypesInfo, summand)
	return v != nil && constant.Sign(v) == 0 ||
		source.Text(ast.Unparen(summand)) == source.Text(ast.Unparen(x))
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

// isWrittenOut reports whether a statement is s = s + x, s = x + s or
// s = s - x.
func isWrittenOut(s *ast.AssignStmt) bool {
	b, ok := ast.Unparen(s.Rhs[0]).(*ast.BinaryExpr)
	if !ok || s.Tok != token.ASSIGN || b.Op != token.ADD && b.Op != token.SUB {
		return false
	}
	sum := source.Text(s.Lhs[0])
	return source.Text(b.X) == sum || b.Op == token.ADD && source.Text(b.Y) == sum
}

// written returns the finding of a sum that is written out.
func written(pass *analysis.Pass, s *ast.AssignStmt) analysis.Diagnostic {
	y := s.Rhs[0]
	name := source.TypeName(pass.TypesInfo, pass.Pkg, s.Lhs[0])
	d := analysis.Diagnostic{
		Pos: s.TokPos, End: s.TokPos + 1,
		Message: fmt.Sprintf("%s = %s may be kept in a wider format on 386 (gccgo, "+
			"GO386=387); write %s(%s)", source.Short(s.Lhs[0]), source.Short(y), name,
			source.Short(y)),
	}
	if !source.Shadowed(pass.Pkg, s.Pos(), pass.TypesInfo.TypeOf(s.Lhs[0]), name) {
		d.SuggestedFixes = []analysis.SuggestedFix{{
			Message: "round each sum",
			TextEdits: []analysis.TextEdit{
				{Pos: y.Pos(), End: y.Pos(), NewText: []byte(name + "(")},
				{Pos: y.End(), End: y.End(), NewText: []byte(")")},
			},
		}}
	}
	return d
}

// isKept reports whether a statement assigns to a float32 variable that
// outlives a pass of the loop.
func isKept(pass *analysis.Pass, s *ast.AssignStmt, loop ast.Node) bool {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return false
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok || !floats.IsFloat32(pass.TypesInfo.TypeOf(id)) {
		return false
	}
	root := source.Root(pass.TypesInfo, id)
	return root != nil && !source.Declared(root, loop)
}
