package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// merge returns the regions with operations that AVX-512 has one instruction
// for: (a & c) ≠ 0 and = 0, a | b & c, and a where c has zeros and b where it
// has ones, for a constant c; and a comparison where another truth holds. The
// indices of tables of 16 words lose their mask, since the instruction reads
// four bits.
func merge(regions []region) []region {
	uses, _ := countUses(regions)
	masked := func(n *node) bool {
		return n.op == and && n.args[1].op == constant && uses[n] == 1
	}
	done := map[*node]*node{}
	var visit func(n *node) *node
	visit = func(n *node) *node {
		if n == nil || n.op == constant {
			return n
		}
		if r, ok := done[n]; ok {
			return r
		}
		r := *n
		switch {
		case n.op == or && masked(n.args[0]) && masked(n.args[1]) &&
			n.args[0].args[1].bits == ^n.args[1].args[1].bits:
			r.op = pick
			r.args = []*node{n.args[0].args[0], n.args[1].args[0], n.args[1].args[1]}
		case n.op == or && masked(n.args[1]):
			r.op, r.args = orAnd, []*node{n.args[0], n.args[1].args[0], n.args[1].args[1]}
		case n.op == or && masked(n.args[0]):
			r.op, r.args = orAnd, []*node{n.args[1], n.args[0].args[0], n.args[0].args[1]}
		case n.op == not && n.args[0].isEmpty(masked):
			r.op, r.args = meets, n.args[0].args[0].args
		case n.isEmpty(masked):
			r.op, r.args = misses, n.args[0].args
		case n.op == column && n.bits == fewWords && n.args[0].op == and &&
			n.args[0].args[1].op == constant && n.args[0].args[1].bits == fewWords-1:
			r.args = n.args[0].args[:1]
		}
		args := r.args
		r.args = nil
		for _, a := range args {
			r.args = append(r.args, visit(a))
		}
		if n.op == both {
			r = guarded(r, func(i int) bool { return uses[n.args[i]] == 1 })
		}
		done[n] = &r
		return &r
	}
	var all []region
	for _, r := range regions {
		all = append(all, region{visit(r.cond), visit(r.value), visit(r.ok)})
	}
	return all
}

// isEmpty reports whether the node compares a masked number with 0.
func (n *node) isEmpty(masked func(*node) bool) bool {
	return n.op == ieq && masked(n.args[0]) && n.args[1].op == constant && n.args[1].bits == 0
}

// guarded returns one node for a truth that both operands hold, if the one made
// last is a comparison that nothing else needs, and that has no third operand
// yet: the first becomes that.
func guarded(n node, isFree func(i int) bool) node {
	last := 1
	if n.args[0].id > n.args[1].id {
		last = 0
	}
	c := *n.args[last]
	if !isFree(last) || !c.compares() || len(c.args) > 2 {
		return n
	}
	c.args = append(slices.Clone(c.args), n.args[1-last])
	return c
}

// The operations of VPTERNLOGQ: bit 4·a + 2·b + c is the result.
var ternaries = map[op]U8{orAnd: 0xf8, pick: 0xd8}

// ternary writes a logical operation of three operands. The result replaces the
// first, or a copy.
func (m *machine) ternary(n *node) {
	first := n.args[0]
	_, held := m.where[first]
	a, b := m.register(first), m.register(n.args[1])
	if held = held || first.op != constant; held && !m.isLast(first) {
		r := m.take(nil)
		VMOVAPD(a, r)
		a = r
	}
	c := m.pool.operand(n.args[2].bits)
	m.done()
	m.give(a, n)
	VPTERNLOGQ_BCST(ternaries[n.op], c, b, a)
}

// test writes a truth about the common bits of a number and a constant.
func (m *machine) test(n *node) {
	a := m.register(n.args[0])
	b := m.pool.operand(n.args[1].bits)
	where := m.guard(n)
	m.done()
	to := append([]Op{b, a}, append(where, m.mask(n))...)
	if n.op == meets {
		VPTESTMQ_BCST(to...)
	} else {
		VPTESTNMQ_BCST(to...)
	}
}

// guard returns the mask of the lanes where a comparison is made, if these are
// not all.
func (m *machine) guard(n *node) []Op {
	if len(n.args) < 3 {
		return nil
	}
	return []Op{m.truth(n.args[2])}
}
