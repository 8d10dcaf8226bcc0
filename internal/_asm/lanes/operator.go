package main

import (
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"math/bits"
)

// floatOps are the operations of floating-point operators. The operations of >
// and >= take their operands in the other order.
var floatOps = map[token.Token]op{
	token.ADD: add, token.SUB: sub, token.MUL: mul, token.QUO: div,
	token.LSS: lt, token.LEQ: le, token.EQL: eq, token.NEQ: ne,
	token.GTR: lt, token.GEQ: le,
}

// logicalOps are the operations of operators on truths, and of those on
// integers whose result does not depend on their sign.
var logicalOps = map[token.Token]op{
	token.LAND: both, token.LOR: either,
	token.ADD: iadd, token.SUB: isub,
	token.AND: and, token.OR: or, token.XOR: xor,
}

// binary compiles x o y, where x is of type t.
func (c *compiler) binary(at ast.Node, o token.Token, t types.Type, x, y *node) *node {
	if b := t.Underlying().(*types.Basic); b.Info()&types.IsFloat != 0 {
		if o == token.GTR || o == token.GEQ {
			x, y = y, x
		}
		if f, ok := floatOps[o]; ok {
			return c.g.make(f, x, y)
		}
	}
	if n := c.logical(o, x, y); n != nil {
		return n
	}
	if n := c.shifted(o, t, x, y); n != nil {
		return n
	}
	if n := c.compared(at, o, t, x, y); n != nil {
		return n
	}
	c.fail(at, "operator %s", o)
	return nil
}

// logical compiles an operator on truths, or one on integers whose result does
// not depend on their sign. It returns nil for others.
func (c *compiler) logical(o token.Token, x, y *node) *node {
	if o == token.AND_NOT {
		return c.g.make(and, x, c.g.make(xor, y, c.g.number(math.MaxUint64)))
	}
	if l, ok := logicalOps[o]; ok {
		return c.g.make(l, x, y)
	}
	return nil
}

// shifted compiles a shift, or a remainder, by a constant, or returns nil.
func (c *compiler) shifted(o token.Token, t types.Type, x, y *node) *node {
	if y.op != constant {
		return nil
	}
	switch {
	case o == token.REM && isUnsigned(t) && bits.OnesCount64(y.bits) == 1:
		return c.g.make(and, x, c.g.number(y.bits-1))
	case o == token.SHL && y.bits < 64:
		return c.g.shift(shl, x, int(y.bits))
	case o == token.SHR && y.bits < 64 && isUnsigned(t):
		return c.g.shift(shr, x, int(y.bits))
	case o == token.SHR && y.bits < 64:
		return c.g.shift(sar, x, int(y.bits))
	}
	return nil
}

// compared compiles a comparison of integers, or returns nil.
func (c *compiler) compared(at ast.Node, o token.Token, t types.Type, x, y *node) *node {
	g := c.g
	switch o {
	case token.LSS:
		if isUnsigned(t) {
			return g.make(ult, x, y)
		}
		return g.make(sgt, y, x)
	case token.GTR:
		if isUnsigned(t) {
			return g.make(ult, y, x)
		}
		return g.make(sgt, x, y)
	case token.GEQ:
		return g.make(not, c.binary(at, token.LSS, t, x, y))
	case token.LEQ:
		return g.make(not, c.binary(at, token.GTR, t, x, y))
	case token.EQL:
		return g.make(ieq, x, y)
	case token.NEQ:
		return g.make(not, g.make(ieq, x, y))
	}
	return nil
}
