package nankey

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// written reports numbers whose bits a function of package encoding writes: one
// number, or a list or a structure with some.
func (c *checker) written(data ast.Expr, parents []ast.Node) {
	t := c.info.TypeOf(data)
	if t == nil || !floats.Held(t) {
		return
	}
	all := c.numbers(data, maxSteps)
	for _, n := range all {
		if c.makesNaN(n, maxSteps) {
			c.made(n, "the bits of %s depend")
			return
		}
	}
	if c.tested {
		return
	}
	for _, n := range all {
		of := c.resolve(n)
		if !c.isNotNaN(of) && !c.isConstant(of) && !isOrdered(n, parents) {
			c.depends(data, data)
			return
		}
	}
}

// numbers returns the numbers in a value that is written out, or the value
// itself where it is not.
func (c *checker) numbers(e ast.Expr, steps int) []ast.Expr {
	of := c.resolve(e)
	if u, ok := of.(*ast.UnaryExpr); ok && u.Op == token.AND {
		of = c.resolve(u.X)
	}
	lit, ok := of.(*ast.CompositeLit)
	if !ok || steps == 0 {
		return []ast.Expr{e}
	}
	var all []ast.Expr
	for _, element := range lit.Elts {
		if pair, ok := element.(*ast.KeyValueExpr); ok {
			element = pair.Value
		}
		if t := c.info.TypeOf(element); t != nil && floats.Held(t) {
			all = append(all, c.numbers(element, steps-1)...)
		}
	}
	return all
}

// reinterpreted returns the number whose bits an expression reads behind an
// unsafe pointer, *(*uint64)(unsafe.Pointer(&x)), or nil.
func (c *checker) reinterpreted(e *ast.StarExpr) ast.Expr {
	to, ok := ast.Unparen(e.X).(*ast.CallExpr)
	if !ok || len(to.Args) != 1 || !c.info.Types[to.Fun].IsType() {
		return nil
	}
	pointer, ok := c.info.TypeOf(to).Underlying().(*types.Pointer)
	if !ok || !floats.HasInteger(pointer.Elem()) {
		return nil
	}
	from, ok := ast.Unparen(to.Args[0]).(*ast.CallExpr)
	if !ok || len(from.Args) != 1 || source.Text(from.Fun) != "unsafe.Pointer" {
		return nil
	}
	of, ok := ast.Unparen(from.Args[0]).(*ast.UnaryExpr)
	if !ok || of.Op != token.AND || !floats.Is(c.info.TypeOf(of.X)) {
		return nil
	}
	return of.X
}
