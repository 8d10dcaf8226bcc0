package instrument

import (
	"go/ast"
	"go/token"
	"strings"
)

// compensated returns the places of the sums v = a + b whose rounding error the
// program computes itself, as (v - a) - b or in another order: FastTwoSum,
// TwoSum, and the sums of Kahan and Neumaier. Those terms are exact if v is
// rounded to nearest, and only then.
func (r *rewriter) compensated(f *ast.File) map[token.Pos]bool {
	found := make(map[token.Pos]bool)
	for _, d := range f.Decls {
		named, all := r.sums(d)
		for _, s := range named {
			if r.isMeasured(s, named, all) {
				found[s.at] = true
			}
		}
	}
	return found
}

// A namedSum is a sum or difference of two operands, by their source, and the
// variable that it is assigned to, if any.
type namedSum struct {
	name, x, y string
	difference bool
	at         token.Pos
}

// sums returns the sums that are assigned, and all of them.
func (r *rewriter) sums(d ast.Decl) (named, all []namedSum) {
	read := func(name string, x ast.Expr) (namedSum, bool) {
		b, ok := ast.Unparen(x).(*ast.BinaryExpr)
		if !ok || b.Op != token.ADD && b.Op != token.SUB || r.operandClass(b) != real {
			return namedSum{}, false
		}
		return namedSum{name, r.bare(b.X), r.bare(b.Y), b.Op == token.SUB, b.OpPos}, true
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if len(n.Lhs) != len(n.Rhs) || n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
					break
				}
				if s, ok := read(r.bare(n.Lhs[i]), n.Rhs[i]); ok {
					named = append(named, s)
				}
			}
		case *ast.BinaryExpr:
			if s, ok := read("", n); ok {
				all = append(all, s)
			}
		}
		return true
	})
	return named, all
}

// bare returns the source of an expression without spaces, and without
// parentheses around it.
func (r *rewriter) bare(x ast.Expr) string {
	return strings.Join(strings.Fields(r.text(ast.Unparen(x))), "")
}

// isMeasured reports whether a difference of s and one of its operands meets
// the other operand.
func (r *rewriter) isMeasured(s namedSum, named, all []namedSum) bool {
	for _, other := range [][2]string{{s.x, s.y}, {s.y, s.x}} {
		for _, d := range all {
			if !d.difference || !d.has(s.name, other[0]) {
				continue
			}
			names := []string{d.x + "-" + d.y}
			for _, n := range named {
				if n.at == d.at {
					names = append(names, n.name)
				}
			}
			for _, e := range all {
				for _, name := range names {
					if e.has(name, other[1]) {
						return true
					}
				}
			}
		}
	}
	return false
}

// has reports whether two texts are the operands of a sum.
func (s namedSum) has(x, y string) bool { return s.x == x && s.y == y || s.x == y && s.y == x }
