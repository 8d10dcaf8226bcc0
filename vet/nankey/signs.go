package nankey

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// Strict also reports math.Signbit and math.Copysign wherever the number whose
// sign they take may be NaN. Constants and converted integers are not, and a
// comparison or a test for NaN before shows it of other numbers.
var Strict = newAnalyzer(true)

// everySign reports functions that take the sign of a number, called or not.
func (c *checker) everySign(files []*ast.File) {
	for _, f := range files {
		source.WithParents(f, func(n ast.Node, parents []ast.Node) {
			e, ok := n.(ast.Expr)
			name := takesSign(c.info, n)
			if !ok || name == "" || isSelected(n, parents) {
				return
			}
			what := "a NaN has another sign on another processor"
			if number, around := c.number(e, parents); number != nil {
				if c.isSigned(number) || c.isKnown(number, around) {
					return
				}
				what = fmt.Sprintf("%s has another sign on another processor where it is NaN",
					source.Short(number))
			}
			c.report(analysis.Diagnostic{Pos: e.Pos(), End: e.End(),
				Message: what + "; use signs." + name})
		})
	}
}

// takesSign returns the name of the function of package math that a node is, if
// it takes a sign, or "".
func takesSign(info *types.Info, n ast.Node) string {
	var id *ast.Ident
	switch n := n.(type) {
	case *ast.SelectorExpr:
		id = n.Sel
	case *ast.Ident:
		id = n
	default:
		return ""
	}
	f, _ := info.Uses[id].(*types.Func)
	if !source.IsFunc(f, "math", "Signbit", "Copysign") {
		return ""
	}
	return f.Name()
}

// isSelected reports whether a name has its package before it.
func isSelected(n ast.Node, parents []ast.Node) bool {
	s, ok := parents[len(parents)-1].(*ast.SelectorExpr)
	return ok && s.Sel == n
}

// number returns the number whose sign a function takes, and the nodes around
// the call, or nil where the function is not called there.
func (c *checker) number(fun ast.Expr, parents []ast.Node) (ast.Expr, []ast.Node) {
	for i := len(parents) - 1; i >= 0; i-- {
		switch p := parents[i].(type) {
		case *ast.ParenExpr:
		case *ast.CallExpr:
			if ast.Unparen(p.Fun) != fun || len(p.Args) == 0 || isSpread(c.info, p) {
				return nil, nil
			}
			return ast.Unparen(p.Args[len(p.Args)-1]), parents[:i+1]
		default:
			return nil, nil
		}
	}
	return nil, nil
}

// isSpread reports whether the only argument of a call is one of several
// results: math.Copysign(f()).
func isSpread(info *types.Info, call *ast.CallExpr) bool {
	_, ok := info.TypeOf(call.Args[0]).(*types.Tuple)
	return ok
}

// isSigned reports whether a number has a sign that is the same everywhere.
func (c *checker) isSigned(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && (u.Op == token.SUB || u.Op == token.ADD) {
		return c.isSigned(ast.Unparen(u.X))
	}
	if floats.Constant(c.info, e) != nil || fromInteger(c.info, e) {
		return true
	}
	if of := floats.Conversion(c.info, e); of != nil {
		return c.isSigned(ast.Unparen(of))
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return false
	}
	f := source.Callee(c.info, call)
	return source.IsFunc(f, "github.com/lastbit/lastbit/fp/signs", "Copysign") ||
		source.IsFunc(f, "math", "Abs", "Copysign", "Inf", "NaN", "Float64frombits",
			"Float32frombits")
}

// isKnown reports whether code around or before a number has found that it is
// not NaN, and nothing assigns it another value between.
func (c *checker) isKnown(number ast.Expr, parents []ast.Node) bool {
	for u, ok := number.(*ast.UnaryExpr); ok && u.Op == token.SUB; u, ok = number.(*ast.UnaryExpr) {
		number = ast.Unparen(u.X)
	}
	if !isPure(number) {
		return false
	}
	g := newGuard(c.info, number)
	for i := len(parents) - 1; i > 0; i-- {
		inner := parents[i]
		found := false
		switch p := parents[i-1].(type) {
		case *ast.BinaryExpr:
			found = inner == p.Y && (p.Op == token.LAND && g.holds(p.X) ||
				p.Op == token.LOR && g.fails(p.X))
		case *ast.IfStmt:
			found = inner == p.Body && g.holds(p.Cond) || inner == p.Else && g.fails(p.Cond)
		case *ast.CaseClause:
			found = g.inCase(p, inner, parents[:i-1])
		case *ast.BlockStmt:
			found = g.before(p.List, inner)
		}
		if found {
			return !g.isChanged(parents[0], inner.Pos(), lastOf(parents[i:]))
		}
		if _, isLiteral := parents[i-1].(*ast.FuncLit); isLiteral {
			return false
		}
	}
	return false
}

// lastOf returns the end of the code that may run before the innermost of some
// nodes: of the outermost loop among them.
func lastOf(nodes []ast.Node) token.Pos {
	for _, n := range nodes {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return n.End()
		}
	}
	return nodes[len(nodes)-1].Pos()
}
