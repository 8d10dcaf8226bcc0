package main

import (
	"fmt"
	"math"
)

// Bits of float32.
const (
	allBits = 1<<32 - 1
	anySign = 1<<31 - 1   // of the magnitude
	nanBits = 0x7f80_0001 // from these on, the magnitude is NaN
)

// narrow returns the regions of a function of float32 for a single call: where
// a condition is that an argument lies between constants, it becomes one
// comparison of the argument's bits, before any conversion.
func (g *graph) narrow(regions []region) []region {
	for i, r := range regions {
		regions[i].cond, regions[i].ok = g.narrowTruth(r.cond), g.narrowTruth(r.ok)
	}
	return regions
}

// narrowTruth is narrow for one truth.
func (g *graph) narrowTruth(t *node) *node {
	switch {
	case t == nil:
		return nil
	case t.op == both || t.op == either || t.op == not:
		r := *t
		r.args = nil
		for _, a := range t.args {
			r.args = append(r.args, g.narrowTruth(a))
		}
		return &r
	case len(t.args) != 2:
		return t
	}
	x, y := t.args[0], t.args[1]
	a := magnitudeOf(x)
	switch {
	case t.op == eq && x == y && x.op == argument:
		return g.between(x, anySign, 0, nanBits)
	case t.op == ne && x == y && x.op == argument:
		return g.make(not, g.between(x, anySign, 0, nanBits))
	case t.op == lt && a != nil && y.op == constant:
		return g.between(a, anySign, 0, ceil32(y.bits))
	case t.op == le && a != nil && y.op == constant:
		return g.between(a, anySign, 0, floor32(y.bits)+1)
	case t.op == le && x.op == constant && magnitudeOf(y) != nil:
		return g.between(magnitudeOf(y), anySign, ceil32(x.bits), nanBits)
	case t.op == ult && y.op == constant && x.op == isub && x.args[1].op == constant:
		return g.narrowRange(t, x.args[0], x.args[1].bits, y.bits)
	}
	return t
}

// narrowRange is narrow for the truth t that bits(x) − low < span, where x is
// an argument or its magnitude.
func (g *graph) narrowRange(t, x *node, low, span uint64) *node {
	high := low + span
	if low == 0 || int64(low) < 0 || int64(high) < int64(low) {
		return t
	}
	if a := magnitudeOf(x); a != nil {
		return g.between(a, anySign, ceil32(low), ceil32(high))
	}
	if x.op != argument {
		return t
	}
	return g.between(x, allBits, ceil32(low), ceil32(high))
}

// magnitudeOf returns the argument whose magnitude x is, or nil.
func magnitudeOf(x *node) *node {
	if x.op == and && x.args[0].op == argument && x.args[1].op == constant &&
		x.args[1].bits == 1<<63-1 {
		return x.args[0]
	}
	return nil
}

// between returns the truth that the bits of an argument that are in the mask
// are from low on, and below high.
func (g *graph) between(x *node, mask, low, high uint64) *node {
	b := g.intern(node{op: argBits, n: x.n})
	if mask != allBits {
		b = g.make(and, b, g.number(mask))
	}
	return g.make(ult, g.make(iadd, b, g.number(-low)), g.number(high-low))
}

// ceil32 returns the bits of the least float32 that is not below a float64 that
// is not negative, which has the bits b.
func ceil32(b uint64) uint64 {
	f := math.Float64frombits(b)
	r := math.Float32bits(float32(f))
	if float64(math.Float32frombits(r)) < f {
		r++
	}
	return uint64(r)
}

// floor32 returns the bits of the largest float32 that is not above it.
func floor32(b uint64) uint64 {
	r := ceil32(b)
	if float64(math.Float32frombits(uint32(r))) > math.Float64frombits(b) {
		r--
	}
	return r
}

// scaled returns n. Where that is a word of a table with a shifted number added
// to its bits, as for a power of two, it is computed in vector registers.
func (g *graph) scaled(n *node) *node {
	o := map[op]op{iadd: vadd, isub: vsub}[n.op]
	if o == "" || n.args[0].op != column || n.args[1].op != shl {
		return n
	}
	return g.after(n, o, n.args[0], g.after(n.args[1], vshl, n.args[1].args...))
}

// after returns the one node of that operation that has n's place and shift.
func (g *graph) after(n *node, o op, args ...*node) *node {
	key := fmt.Sprint(o, " for ", n.id)
	if old, ok := g.nodes[key]; ok {
		return old
	}
	r := &node{op: o, args: args, n: n.n, id: n.id}
	g.nodes[key] = r
	return r
}

// address returns n, or the same in fewer instructions where it is part of the
// address of a word of a table: a constant part of the index is an offset of
// the word, 6·x is 2·(x + 2·x), and the shift of an index to the left becomes
// part of one to the right before it.
func address(n *node) *node {
	switch {
	case n.op == column && n.args[0].op == iadd && n.args[0].args[1].op == constant:
		r := *n
		r.n += int(int64(n.args[0].args[1].bits))
		r.args = n.args[0].args[:1]
		return &r
	case n.op == iadd && n.args[0].op == shl && n.args[0].n == 1 && n.args[1].op == shl &&
		n.args[1].n == 2 && n.args[0].args[0] == n.args[1].args[0]:
		triple := &node{op: tri, id: n.id, args: n.args[0].args}
		return &node{op: shl, id: n.id, n: 1, args: []*node{triple}}
	case n.op != shl || n.args[0].op != and:
		return n
	}
	part, mask := n.args[0].args[0], n.args[0].args[1]
	if part.op != shr || part.n < n.n || mask.op != constant || mask.bits<<n.n > math.MaxInt32 {
		return n
	}
	shifted := *part
	shifted.n -= n.n
	masked := &node{op: constant, bits: mask.bits << n.n}
	return &node{op: and, id: n.id, args: []*node{&shifted, masked}}
}
