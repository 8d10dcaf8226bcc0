package main

import "go/ast"

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
	case "Sqrt":
		return c.g.make(sqrt, x)
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
