package fma

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

const fixMessage = "round the product before the addition"

// Fix returns the edits that round the products of a sum. A conversion changes
// no value, so both operands may be converted where no product is known.
func (s *Sum) Fix() (analysis.SuggestedFix, bool) {
	fix := analysis.SuggestedFix{Message: fixMessage}
	if source.Shadowed(s.index.pkg, s.At, s.index.info.TypeOf(s.X), s.typeName()) {
		return fix, false
	}
	for _, e := range s.operands() {
		if _, isStmt := s.Node.(ast.Stmt); isStmt && e == s.X {
			return s.fixAssignment()
		}
		fix.TextEdits = append(fix.TextEdits, s.round(e)...)
	}
	return fix, len(fix.TextEdits) > 0
}

// operands returns the operands to round: the products in all uses of the sum,
// or those that may be products.
func (s *Sum) operands() []ast.Expr {
	var all []ast.Expr
	for _, u := range s.uses {
		for _, p := range s.products(u) {
			if !slices.Contains(all, p.e) {
				all = append(all, p.e)
			}
		}
	}
	if len(all) == 0 {
		all = s.candidates()
	}
	slices.SortFunc(all, func(a, b ast.Expr) int { return int(a.Pos() - b.Pos()) })
	return all
}

// round returns the edits that round an operand, unless it is rounded.
func (s *Sum) round(e ast.Expr) []analysis.TextEdit {
	info := s.index.info
	if floats.Constant(info, e) != nil || floats.Conversion(info, e) != nil {
		return nil
	}
	return wrap(source.TypeName(info, s.index.pkg, e), e)
}

// fixAssignment rewrites x += y whose x is a product to x = T(x) + T(y), and
// x++ to x = T(x) + 1.
func (s *Sum) fixAssignment() (analysis.SuggestedFix, bool) {
	fix := analysis.SuggestedFix{Message: fixMessage}
	if !isRepeatable(s.X) {
		return fix, false
	}
	tok, form := "", "= %s(%s) %s"
	switch n := s.Node.(type) {
	case *ast.AssignStmt:
		tok = n.Tok.String()
	case *ast.IncDecStmt:
		tok, form = n.Tok.String(), " = %s(%s) %s 1"
	}
	fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{
		Pos: s.At, End: s.At + token.Pos(len(tok)),
		NewText: fmt.Appendf(nil, form, s.typeName(), source.Text(s.X), tok[:1]),
	})
	if s.Y != nil && s.X != s.Y {
		fix.TextEdits = append(fix.TextEdits, s.round(s.Y)...)
	}
	return fix, true
}

// isRepeatable reports whether an expression may be written twice: variables,
// fields, and elements at an index that is computed from such and constants.
func isRepeatable(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.SelectorExpr:
		return isRepeatable(e.X)
	case *ast.StarExpr:
		return isRepeatable(e.X)
	case *ast.IndexExpr:
		return isRepeatable(e.X) && isRepeatable(e.Index)
	case *ast.BinaryExpr:
		return isRepeatable(e.X) && isRepeatable(e.Y)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && isRepeatable(e.X)
	}
	return false
}

func (s *Sum) typeName() string { return source.TypeName(s.index.info, s.index.pkg, s.X) }

// wrap returns the edits that convert an expression.
func wrap(name string, e ast.Expr) []analysis.TextEdit {
	if p, ok := e.(*ast.ParenExpr); ok {
		return []analysis.TextEdit{{Pos: p.Lparen, End: p.Lparen, NewText: []byte(name)}}
	}
	return []analysis.TextEdit{
		{Pos: e.Pos(), End: e.Pos(), NewText: []byte(name + "(")},
		{Pos: e.End(), End: e.End(), NewText: []byte(")")},
	}
}
