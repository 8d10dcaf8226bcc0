package main

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
)

// An op is the operation of a node. Numbers are 64 bits wide, float64 or
// integers; truths are masks.
type op string

const (
	argument op = "argument" // number n of the lane
	constant op = "constant" // bits

	add  op = "add" // float64
	sub  op = "sub"
	mul  op = "mul"
	div  op = "div"
	sqrt op = "sqrt"
	logb op = "logb" // of AVX-512: the exponent of a positive normal number
	same op = "same" // a copy
	minf op = "min"  // as MINPD: operands are neither NaN nor zeros of both signs
	maxf op = "max"

	// One rounding each: a·b + c, a·b - c, c - a·b.
	mulAdd op = "a·b + c"
	mulSub op = "a·b - c"
	subMul op = "c - a·b"

	iadd op = "iadd" // integers
	isub op = "isub"
	imin op = "imin" // signed
	imax op = "imax"
	and  op = "and"
	or   op = "or"
	xor  op = "xor"
	tri  op = "3·a"

	vadd op = "iadd in vector registers" // of single calls
	vsub op = "isub in vector registers"
	vshl op = "shl in vector registers"
	shl  op = "shl" // by n
	shr  op = "shr" // by n, zeros come in
	sar  op = "sar" // by n, the sign comes in
	toF  op = "float64(int64)"

	toSingle op = "float32(float64)" // only of a result
	argBits  op = "float32bits"      // of argument n, for conditions of single calls

	column op = "column" // word n behind the word of a table that the operand counts

	lt op = "lt" // float64
	le op = "le"
	eq op = "eq"
	ne op = "ne"

	ult op = "ult" // unsigned
	sgt op = "sgt" // signed
	ieq op = "ieq"

	// Of AVX-512, where c is a constant: see merge.
	meets  op = "(a & c) ≠ 0"
	misses op = "(a & c) = 0"
	orAnd  op = "a | b & c"
	pick   op = "a &^ c | b & c"

	choose op = "choose" // the second operand where the first, a truth, holds; or the third

	both   op = "both" // of truths
	either op = "either"
	not    op = "not"
)

// A node is one operation on all lanes at once. Equal operations on equal
// operands are the same node.
type node struct {
	op    op
	args  []*node
	bits  uint64 // of a constant
	n     int
	table string // of a column
	id    int    // nodes are numbered in the order of the source
}

// isTruth reports whether the node is a mask.
func (n *node) isTruth() bool {
	return n.compares() || n.op == both || n.op == either || n.op == not
}

// compares reports whether the node is a truth about two numbers. One of
// AVX-512 may have a third operand: a truth, where it does not hold either.
func (n *node) compares() bool {
	switch n.op {
	case lt, le, eq, ne, ult, sgt, ieq, meets, misses:
		return true
	}
	return false
}

// commutes reports whether the operands may change places.
func (n *node) commutes() bool {
	switch n.op {
	case add, mul, iadd, vadd, imin, imax, and, or, xor, eq, ne, ieq, both, either:
		return true
	}
	return false
}

// A graph makes nodes.
type graph struct {
	wide   bool // AVX-512, which has an instruction for every operation
	single bool // of a single call of a function of float32

	float32 bool // of a function of float32
	nodes   map[string]*node
}

func newGraph(wide bool) *graph { return &graph{wide: wide, nodes: map[string]*node{}} }

// intern returns the one node equal to n.
func (g *graph) intern(n node) *node {
	key := fmt.Sprint(n.op, n.bits, n.n, n.table)
	for _, a := range n.args {
		key += fmt.Sprint(" ", a.id)
	}
	if old, ok := g.nodes[key]; ok {
		return old
	}
	n.id = len(g.nodes)
	g.nodes[key] = &n
	return &n
}

func (g *graph) number(bits uint64) *node { return g.intern(node{op: constant, bits: bits}) }
func (g *graph) argument(i int) *node     { return g.intern(node{op: argument, n: i}) }

// shift returns x shifted by n.
func (g *graph) shift(o op, x *node, n int) *node {
	if x.op == constant {
		return g.number(map[op]uint64{shl: x.bits << n, shr: x.bits >> n,
			sar: uint64(int64(x.bits) >> n)}[o])
	}
	if o == sar && !g.wide {
		sign := g.number(1 << (63 - n))
		return g.make(isub, g.make(xor, g.shift(shr, x, n), sign), sign)
	}
	return g.intern(node{op: o, args: []*node{x}, n: n})
}

// times returns n·x, made of shifts and sums.
func (g *graph) times(x *node, n int) *node {
	var sum *node
	for i := range bits.Len(uint(n)) {
		if n>>i&1 == 0 {
			continue
		}
		part := x
		if i > 0 {
			part = g.shift(shl, x, i)
		}
		if sum == nil {
			sum = part
		} else {
			sum = g.make(iadd, sum, part)
		}
	}
	return sum
}

// make returns the node that computes o of its operands. Operations that AVX2
// lacks become several nodes.
func (g *graph) make(o op, args ...*node) *node {
	if r, ok := fold(o, args); ok {
		return g.number(r)
	}
	n := node{op: o, args: args}
	if n.commutes() && args[0].op == constant {
		n.args = []*node{args[1], args[0]}
	}
	if x := identity(o, n.args); x != nil {
		return x
	}
	if !g.wide {
		switch o {
		case toF:
			return g.toFloat(args[0])
		case ult:
			sign := g.number(1 << 63)
			return g.make(sgt, g.make(xor, args[1], sign), g.make(xor, args[0], sign))
		}
	}
	return g.intern(n)
}

// and returns the truth that a and b hold. A nil b always does.
func (g *graph) and(a, b *node) *node {
	if b == nil {
		return a
	}
	return g.make(both, a, b)
}

// always returns a truth that holds for every x, NaN included.
func (g *graph) always(x *node) *node { return g.make(ieq, x, x) }

// toFloat converts integers below 2^51 in magnitude without an instruction for
// it: their bits become the last ones of a number whose ULP is 1. In the result
// of an arithmetic shift, (x ^ s) − s, the sign bit s counts −s; it is left out
// by subtracting it from the constant.
func (g *graph) toFloat(x *node) *node {
	magic := uint64(math.Float64bits(0x1.8p52))
	if x.op == isub && x.args[0].op == xor && x.args[0].args[1] == x.args[1] &&
		x.args[0].args[0].op == shr {
		sign := x.args[1].bits
		magic = math.Float64bits(0x1p52)
		shifted := g.make(xor, x.args[0].args[0], g.number(magic|sign))
		return g.make(sub, shifted, g.number(math.Float64bits(0x1p52+float64(sign))))
	}
	return g.make(sub, g.make(iadd, x, g.number(magic)), g.number(magic))
}

// fold evaluates o of constants.
func fold(o op, args []*node) (r uint64, ok bool) {
	var v [2]uint64
	for i, a := range args {
		if a.op != constant || i == len(v) {
			return 0, false
		}
		v[i] = a.bits
	}
	f, h := math.Float64frombits(v[0]), math.Float64frombits(v[1])
	switch o {
	case add:
		return math.Float64bits(f + h), true
	case sub:
		return math.Float64bits(f - h), true
	case mul:
		return math.Float64bits(f * h), true
	case iadd:
		return v[0] + v[1], true
	case isub:
		return v[0] - v[1], true
	case and:
		return v[0] & v[1], true
	case or:
		return v[0] | v[1], true
	case xor:
		return v[0] ^ v[1], true
	}
	return 0, false
}

// identity returns the operand that o leaves as it is, or nil.
func identity(o op, args []*node) *node {
	one := math.Float64bits(1)
	switch {
	case o == choose && args[1] == args[2]:
		return args[1]
	case o == not && args[0].op == not:
		return args[0].args[0]
	case len(args) != 2 || args[1].op != constant:
		return nil
	case o == iadd && args[1].bits == 0 || (o == mul || o == div) && args[1].bits == one:
		return args[0]
	}
	return nil
}

// maxValue bounds an unsigned integer for all arguments.
func (n *node) maxValue() uint64 {
	switch {
	case n.op == constant:
		return n.bits
	case n.op == and && n.args[1].op == constant:
		return n.args[1].bits
	case n.op == shr:
		return math.MaxUint64 >> n.n
	case n.op == choose:
		return max(n.args[1].maxValue(), n.args[2].maxValue())
	case n.op == imax && n.args[1].maxValue() <= math.MaxInt64:
		return max(min(n.args[0].maxValue(), math.MaxInt64), n.args[1].maxValue())
	case n.op == imin && max(n.args[0].maxValue(), n.args[1].maxValue()) <= math.MaxInt64:
		return min(n.args[0].maxValue(), n.args[1].maxValue())
	case n.op == iadd && n.args[0].maxValue() <= math.MaxInt64 &&
		n.args[1].maxValue() <= math.MaxInt64:
		return n.args[0].maxValue() + n.args[1].maxValue()
	}
	return math.MaxUint64
}

func (n *node) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d: %s", n.id, n.op)
	for _, a := range n.args {
		if a.op == constant {
			fmt.Fprintf(&b, " %x", math.Float64frombits(a.bits))
		} else {
			fmt.Fprintf(&b, " %d", a.id)
		}
	}
	return b.String()
}
