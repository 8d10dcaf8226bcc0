package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// four returns four words side by side of the lanes' rows, n among them, the
// last ones that are needed soon and are not there yet; nil if there are none.
func (m *machine) four(n *node) []*node {
	for low := n.n; low >= n.n-3; low-- {
		var words []*node
		for i := range 4 {
			if c := m.word(n, low+i); c != nil {
				words = append(words, c)
			}
		}
		if len(words) == 4 {
			return words
		}
	}
	return nil
}

// word returns a word of the same rows, if it is needed soon and is not there
// yet.
func (m *machine) word(n *node, at int) *node {
	for c := range m.uses {
		inRow := c.op == column && c.table == n.table && c.args[0] == n.args[0]
		if inRow && c.n == at && !m.have(c) && m.next(c) < m.now+soon {
			return c
		}
	}
	return nil
}

// loadFour loads the words that four returns, for AVX-512. The four of a row
// come with one load, and take about as many instructions as two do otherwise.
func (m *machine) loadFour(words []*node) {
	l := loading{machine: m}
	l.find(words[0].args[0])
	var z [4]reg.VecPhysical
	for i := range z {
		z[i] = m.take(nil)
	}
	s, t := m.take(nil), m.take(nil)
	l.even[0], l.odd[0] = z[0], t // for a store and a gather
	columns := [4]reg.VecPhysical{z[1], s, z[3], z[2]}
	LEAQ(NewDataAddr(Symbol{Name: "·" + words[0].table}, 0), base)
	l.choose(func() {
		index := l.index()
		for i, c := range columns {
			l.gatherColumn(words[i], index, c)
		}
	}, func() {
		l.rowsOfFour(words[0].n, z)
		// Columns of rows 0, 1 and 2, 3, and of rows 4, 5 and 6, 7.
		VUNPCKLPD(z[1], z[0], s)
		VUNPCKHPD(z[1], z[0], z[0])
		VUNPCKLPD(z[3], z[2], t)
		VUNPCKHPD(z[3], z[2], z[2])
		const first, second = U8(0x88), U8(0xdd) // quarters 0 and 2, or 1 and 3
		VSHUFF64X2(first, t, s, z[1])
		VSHUFF64X2(second, t, s, z[3])
		VSHUFF64X2(first, z[2], z[0], s)
		VSHUFF64X2(second, z[2], z[0], z[2])
	})
	for i, c := range columns {
		m.give(c, words[i])
	}
}

// rowsOfFour loads four words of each row: rows 0 and 2, 1 and 3, 4 and 6, 5
// and 7 share a register.
func (l *loading) rowsOfFour(first int, z [4]reg.VecPhysical) {
	for half := range 2 {
		for i, r := range rows {
			MOVQ(l.slot.Offset(32*half+8*i), r)
		}
		for i, r := range rows {
			at := Mem{Base: base, Index: r, Scale: 8, Disp: 8 * first}
			to := z[2*half+i%2]
			if i < 2 {
				VMOVUPD(at, to.AsY())
			} else {
				VINSERTF64X4(U8(1), at, to, to)
			}
		}
	}
}
