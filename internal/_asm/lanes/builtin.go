package main

import (
	"go/ast"
	"go/token"
	"slices"
)

// builtin compiles conversions, min and max, and functions of package math.
func (c *compiler) builtin(e *ast.CallExpr) *node {
	x := c.expr(e.Args[0])
	if c.info.Types[e.Fun].IsType() {
		return c.conversion(e, x)
	}
	name := ""
	switch f := e.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	sign := c.g.number(1 << 63)
	rest := c.g.number(1<<63 - 1)
	switch name {
	case "Float64bits", "Float64frombits":
		return x
	case "Abs":
		return c.g.make(and, x, rest)
	case "Copysign":
		return c.g.make(or, c.g.make(and, x, rest), c.g.make(and, c.expr(e.Args[1]), sign))
	case "FMA":
		return c.fma(e)
	case "Sqrt":
		return c.g.make(sqrt, x)
	case "Logb":
		if !c.g.wide {
			c.fail(e, "function %s without AVX-512", name)
		}
		return c.g.make(logb, x)
	case "min", "max":
		o := map[string]op{"min": imin, "max": imax}[name]
		if c.isFloat(e) {
			o = map[string]op{"min": minf, "max": maxf}[name]
		} else if isUnsigned(c.info.TypeOf(e)) {
			c.fail(e, "%s of unsigned integers", name)
		}
		return c.g.make(o, x, c.expr(e.Args[1]))
	}
	c.fail(e, "function %s", name)
	return nil
}

// fma compiles a fused operation. A minus of its first or last operand makes
// it another one.
func (c *compiler) fma(e *ast.CallExpr) *node {
	o, args := mulAdd, slices.Clone(e.Args)
	if x := c.negated(args[0]); x != nil {
		o, args[0] = subMul, x
	} else if x := c.negated(args[2]); x != nil {
		o, args[2] = mulSub, x
	}
	return c.g.make(o, c.expr(args[0]), c.expr(args[1]), c.expr(args[2]))
}

// negated returns x where e is -x and not constant, or nil.
func (c *compiler) negated(e ast.Expr) ast.Expr {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB && c.info.Types[e].Value == nil {
		return u.X
	}
	return nil
}

// conversion compiles a conversion of x.
func (c *compiler) conversion(e *ast.CallExpr, x *node) *node {
	to, from := c.isFloat(e), c.isFloat(e.Args[0])
	switch {
	case to && from && c.isSingle(e) && !c.isSingle(e.Args[0]):
		return c.g.make(toSingle, x)
	case to == from:
		return x // already rounded, or the same bits
	case to && !isUnsigned(c.info.TypeOf(e.Args[0])):
		return c.g.make(toF, x)
	}
	c.fail(e, "conversion from %s", c.info.TypeOf(e.Args[0]))
	return nil
}
