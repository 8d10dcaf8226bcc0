package portable

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// product rewrites a product or a quotient of complex numbers: a*b becomes
// complexes.Mul(a, b), and a /= b becomes a = complexes.Div(a, b).
func product(s *spot) string {
	for _, n := range s.path {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.OpPos == s.from {
				return s.binary(n)
			}
		case *ast.AssignStmt:
			if n.TokPos == s.from {
				return s.assignment(n)
			}
		}
	}
	return "the operation is not found in the source"
}

// operation returns the function for an operator and a type, and the name of
// the type where that is not the function's own; or a reason.
func (s *spot) operation(op token.Token, x ast.Expr) (name, wrap, basic, reason string) {
	t := s.pkg.TypesInfo.TypeOf(x)
	b, ok := t.Underlying().(*types.Basic)
	if _, isParameter := types.Unalias(t).(*types.TypeParam); !ok || isParameter {
		return "", "", "", "the type is a type parameter: write one function for each type"
	}
	name, basic = "Mul", "complex128"
	if op == token.QUO || op == token.QUO_ASSIGN {
		name = "Div"
	}
	if b.Kind() == types.Complex64 {
		name, basic = name+"64", "complex64"
	}
	if _, ok := types.Unalias(t).(*types.Basic); !ok {
		if wrap = s.typeName(x); wrap == "" {
			return "", "", "", "the name of the type means something else here"
		}
	}
	return name, wrap, basic, ""
}

func (s *spot) binary(n *ast.BinaryExpr) string {
	typed := n.X
	if floats.Constant(s.pkg.TypesInfo, n.X) != nil {
		typed = n.Y
	}
	name, wrap, basic, reason := s.operation(n.Op, typed)
	if reason != "" || s.done[n] {
		return reason
	}
	s.done[n] = true
	opening, closing := s.use(complexes)+"."+name+"(", ")"
	if wrap != "" {
		opening, closing = wrap+"("+opening, "))"
	}
	edits := []edit{insert(n.Pos(), opening)}
	edits = append(edits, s.operand(n.X, wrap, basic)...)
	edits = append(edits, s.comma(n))
	edits = append(edits, s.operand(n.Y, wrap, basic)...)
	for range closing { // one insertion each, so that they nest
		edits = append(edits, insert(n.End(), ")"))
	}
	s.add(edits...)
	return ""
}

// comma returns the edit that makes an operator a comma.
func (s *spot) comma(n *ast.BinaryExpr) edit {
	e := edit{n.X.End(), n.OpPos + 1, ","}
	if strings.TrimSpace(s.source(n.X.End(), n.OpPos)) != "" { // a comment
		e.from = n.OpPos
	}
	if next := s.source(n.OpPos+1, n.Y.Pos()); next == "" {
		e.text = ", "
	}
	return e
}

// operand returns the edits of an argument: it is converted from a named type,
// and else loses its parentheses.
func (s *spot) operand(e ast.Expr, wrap, basic string) []edit {
	if wrap != "" && floats.Constant(s.pkg.TypesInfo, e) == nil {
		return []edit{insert(e.Pos(), basic+"("), insert(e.End(), ")")}
	}
	if p, ok := e.(*ast.ParenExpr); ok {
		return []edit{{p.Lparen, p.Lparen + 1, ""}, {p.Rparen, p.Rparen + 1, ""}}
	}
	return nil
}

func (s *spot) assignment(n *ast.AssignStmt) string {
	x := n.Lhs[0]
	if !isRepeatable(x) {
		return "the left side calls a function: assign to a variable first"
	}
	name, wrap, basic, reason := s.operation(n.Tok, x)
	if reason != "" || s.done[n] {
		return reason
	}
	s.done[n] = true
	left := s.source(x.Pos(), x.End())
	opening, closing := s.use(complexes)+"."+name+"(", ")"
	if wrap != "" {
		left = basic + "(" + left + ")"
		opening, closing = wrap+"("+opening, "))"
	}
	end := n.TokPos + token.Pos(len(n.Tok.String()))
	edits := []edit{{n.TokPos, end, "= " + opening + left + ","}}
	edits = append(edits, s.operand(n.Rhs[0], wrap, basic)...)
	for range closing {
		edits = append(edits, insert(n.End(), ")"))
	}
	s.add(edits...)
	return ""
}
