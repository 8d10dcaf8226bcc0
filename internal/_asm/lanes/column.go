package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// columns loads a word of the lanes' rows, and its neighbour too where that is
// needed soon: two numbers side by side come with one load.
func (m *machine) columns(n *node) {
	index := n.args[0]
	first := *n
	pair := m.neighbour(n, m.have)
	if pair != nil && pair.n < n.n {
		first.n = pair.n
	}
	slot, ok := m.rows[index]
	if !ok {
		words := m.register(index)
		slot = m.newSlot()
		m.rows[index] = slot
		// A load of 8 bytes is forwarded from a store of 32 bytes, not of 64.
		VMOVUPD(words.AsY(), slot)
		if m.Wide {
			high := m.take(nil).AsY()
			VEXTRACTF64X4(U8(1), words, high)
			VMOVUPD(high, slot.Offset(32))
		}
		m.pinned = map[int]bool{}
	}
	LEAQ(NewDataAddr(Symbol{Name: "·" + n.table}, 0), base)
	at := func(lane int) Mem {
		return Mem{Base: base, Index: rows[lane%4], Scale: 8, Disp: 8 * first.n}
	}
	var even, odd [2]reg.VecPhysical
	for half := range m.Lanes() / 4 {
		for i, r := range rows {
			MOVQ(slot.Offset(32*half+8*i), r)
		}
		e, o := m.take(nil), m.take(nil)
		even[half], odd[half] = e, o
		if pair == nil {
			VMOVSD(at(0), e.AsX())
			VMOVHPD(at(1), e.AsX(), e.AsX())
			VMOVSD(at(2), o.AsX())
			VMOVHPD(at(3), o.AsX(), o.AsX())
			continue
		}
		VMOVUPD(at(0), e.AsX())
		VMOVUPD(at(1), o.AsX())
		m.insert(at(2), e)
		m.insert(at(3), o)
	}
	if pair == nil {
		for half := range m.Lanes() / 4 {
			e, o := even[half], odd[half]
			m.insert(o.AsX(), e)
		}
		if m.Wide {
			VINSERTF64X4(U8(1), even[1].AsY(), even[0], even[0])
		}
		m.give(even[0], n)
		return
	}
	if m.Wide {
		VINSERTF64X4(U8(1), even[1].AsY(), even[0], even[0])
		VINSERTF64X4(U8(1), odd[1].AsY(), odd[0], odd[0])
	}
	r := m.take(nil)
	VUNPCKLPD(odd[0], even[0], r)
	VUNPCKHPD(odd[0], even[0], even[0])
	low, high := n, pair
	if pair.n < n.n {
		low, high = pair, n
	}
	m.give(r, low)
	m.give(even[0], high)
}

// insert puts two numbers into the second quarter, or half, of a register.
func (m *machine) insert(from Op, r reg.VecPhysical) {
	if m.Wide {
		VINSERTF64X2(U8(1), from, r.AsY(), r.AsY())
	} else {
		VINSERTF128(U8(1), from, r.AsY(), r.AsY())
	}
}

// give records that a register holds a node.
func (m *machine) give(r reg.VecPhysical, n *node) {
	for i, s := range m.regs {
		if s == r {
			m.held[i], m.where[n] = n, i
		}
	}
}
