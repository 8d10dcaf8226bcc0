package fma

import (
	"go/ast"
	"go/token"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// addConversion adds a conversion to an unsigned integer of 64 bits: the
// compiler subtracts 2^63 from large numbers before it where a processor has
// signed integers only, at the place of the number.
func (s *Index) addConversion(n *ast.CallExpr) {
	if len(n.Args) != 1 || !s.info.Types[n.Fun].IsType() ||
		!floats.IsWideUnsigned(s.info.TypeOf(n.Fun)) || !floats.Is(s.info.TypeOf(n.Args[0])) ||
		floats.Constant(s.info, n.Args[0]) != nil {
		return
	}
	s.sums[n.Lparen] = &Sum{At: compiled(n.Args[0]), Op: token.SUB, X: n.Args[0], Node: n, index: s}
}

// compiled returns the position that the compiler gives an expression.
func compiled(e ast.Expr) token.Pos {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.OpPos
	case *ast.CallExpr:
		return e.Lparen
	case *ast.IndexExpr:
		return e.Lbrack
	case *ast.SelectorExpr: // the dot
		return e.X.End()
	case *ast.TypeAssertExpr:
		return e.X.End()
	default:
		return e.Pos()
	}
}

// note returns a remark about a sum that shows for few values only.
func (s *Sum) note(all []product) string {
	if _, ok := s.Node.(*ast.CallExpr); ok {
		return conversionNote
	}
	return exactnessNote(all)
}

const conversionNote = "it shows only where the number is 1<<63 or more; "
