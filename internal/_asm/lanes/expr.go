package main

import (
	"go/ast"
	exact "go/constant"
	"go/token"
	"go/types"
	"math"
)

// expr compiles an expression that denotes a number or a truth.
func (c *compiler) expr(e ast.Expr) *node {
	v := c.value(e)
	if v.in != nil {
		c.fail(e, "a row is not a number")
	}
	return v.node
}

// widens reports whether a function converts float32 to float64 in its own way.
// The arguments of kernels are float64 already.
func widens(name string) bool { return name == "widenMost" || name == "widenSubnormal" }

// value compiles an expression.
func (c *compiler) value(e ast.Expr) value {
	if tv := c.info.Types[e]; tv.Value != nil {
		return value{node: c.g.number(c.constant(e, tv))}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.value(e.X)
	case *ast.Ident:
		if v, ok := c.env[c.info.Uses[e]]; ok {
			return v
		}
		c.fail(e, "%s is not known", e.Name)
	case *ast.UnaryExpr:
		return c.unary(e)
	case *ast.SelectorExpr, *ast.IndexExpr:
		return c.loaded(c.place(e))
	case *ast.BinaryExpr:
		if c.isSingle(e) {
			c.fail(e, "an operation in float32")
		}
		return value{node: c.binary(e, e.Op, c.info.TypeOf(e.X), c.expr(e.X), c.expr(e.Y))}
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && widens(id.Name) {
			return c.value(e.Args[0])
		}
		if c.callee(e) != nil {
			return c.values([]ast.Expr{e})[0]
		}
		return value{node: c.builtin(e)}
	}
	c.fail(e, "%T is not known", e)
	return value{}
}

// constant returns the bits of a constant expression.
func (c *compiler) constant(e ast.Expr, tv types.TypeAndValue) uint64 {
	switch b := tv.Type.Underlying().(*types.Basic); {
	case b.Info()&types.IsBoolean != 0 && exact.BoolVal(tv.Value):
		return 1
	case b.Info()&types.IsFloat != 0:
		f, _ := exact.Float64Val(tv.Value)
		return math.Float64bits(f)
	case b.Info()&types.IsUnsigned != 0:
		u, _ := exact.Uint64Val(exact.ToInt(tv.Value))
		return u
	case b.Info()&types.IsInteger != 0:
		i, _ := exact.Int64Val(exact.ToInt(tv.Value))
		return uint64(i)
	}
	c.fail(e, "a constant of type %s", tv.Type)
	return 0
}

// unary compiles o x.
func (c *compiler) unary(e *ast.UnaryExpr) value {
	switch e.Op {
	case token.AND:
		return c.place(e.X)
	case token.NOT:
		return value{node: c.g.make(not, c.expr(e.X))}
	case token.SUB:
		x := c.expr(e.X)
		if c.isFloat(e.X) {
			return value{node: c.g.make(xor, x, c.g.number(1<<63))}
		}
		return value{node: c.g.make(isub, c.g.number(0), x)}
	case token.XOR:
		return value{node: c.g.make(xor, c.expr(e.X), c.g.number(math.MaxUint64))}
	}
	c.fail(e, "operator %s", e.Op)
	return value{}
}

// isFloat reports whether an expression is a float64 or float32.
func (c *compiler) isFloat(e ast.Expr) bool {
	b, ok := c.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

// isSingle reports whether an expression is a float32.
func (c *compiler) isSingle(e ast.Expr) bool {
	return c.info.TypeOf(e).Underlying() == types.Typ[types.Float32]
}

// isUnsigned reports whether a type is an unsigned integer.
func isUnsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}
