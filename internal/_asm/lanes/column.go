package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// columns loads a word of the lanes' rows, and its neighbour too where that is
// needed soon: two numbers side by side come with one load. AVX-512 has an
// instruction for a word of eight rows, which the package's variable gathers
// chooses where it takes less time, and one for tables of 16 words.
func (m *machine) columns(n *node) {
	if m.Wide && n.bits == fewWords {
		m.permute(n)
		return
	}
	if words := m.four(n); m.Wide && words != nil {
		m.loadFour(words)
		return
	}
	c := loading{machine: m, low: n}
	if pair := m.neighbour(n, m.have); pair != nil && pair.n < n.n {
		c.low, c.high = pair, n
	} else {
		c.high = pair
	}
	c.find(n.args[0])
	if !m.Wide {
		c.store()
	}
	c.takeRegisters()
	LEAQ(NewDataAddr(Symbol{Name: "·" + n.table}, 0), base)
	if m.Wide {
		c.choose(c.gather, c.transpose)
	} else {
		c.transpose()
	}
	if c.high == nil {
		m.give(c.even[0], c.low)
		return
	}
	m.give(c.both, c.low)
	m.give(c.even[0], c.high)
}

// fewWords is the size of tables that two registers of AVX-512 hold.
const fewWords = 16

// permute takes the words of all lanes from two registers. The instruction
// reads four bits of each index, and overwrites it.
func (m *machine) permute(n *node) {
	table := func(disp int) Mem { return NewDataAddr(Symbol{Name: "·" + n.table}, disp) }
	index := m.register(n.args[0])
	words, low := m.take(n), m.take(nil)
	VMOVAPD(index, words)
	VMOVUPD(table(0), low)
	VPERMI2PD(table(8*fewWords/2), low, words)
}

// loading is the load of one or two columns.
type loading struct {
	*machine
	low, high *node // high may be nil
	words     reg.VecPhysical
	slot      Mem
	stored    bool // the words are in the slot
	even, odd [2]reg.VecPhysical
	both      reg.VecPhysical // of two columns
}

// find finds the slot of the indices of rows, or takes one.
func (c *loading) find(index *node) {
	slot, stored := c.rows[index]
	if !stored {
		c.words, slot = c.register(index), c.newSlot()
		c.rows[index] = slot
	}
	c.slot, c.stored = slot, stored
}

// choose writes both ways to load, and a jump.
func (c *loading) choose(gather, rowByRow func()) {
	c.loads++
	rows, loaded := fmt.Sprint("rows", c.loads), fmt.Sprint("loaded", c.loads)
	CMPB(NewDataAddr(Symbol{Name: "·gathers"}, 0), U8(0))
	JEQ(LabelRef(rows))
	gather()
	JMP(LabelRef(loaded))
	Label(rows)
	c.store()
	rowByRow()
	Label(loaded)
}

// store writes the words to their slot. A load of 8 bytes is forwarded from a
// store of 32 bytes, not of 64.
func (c *loading) store() {
	if c.stored {
		return
	}
	VMOVUPD(c.words.AsY(), c.slot)
	if c.Wide {
		VEXTRACTF64X4(U8(1), c.words, c.even[0].AsY())
		VMOVUPD(c.even[0].AsY(), c.slot.Offset(32))
		return
	}
	c.pinned = map[int]bool{}
}

// takeRegisters takes all registers that the load needs.
func (c *loading) takeRegisters() {
	for half := range c.Lanes() / 4 {
		c.even[half], c.odd[half] = c.take(nil), c.take(nil)
	}
	if c.high != nil {
		c.both = c.take(nil)
	}
}

// gather loads each column by one instruction.
func (c *loading) gather() {
	words := c.index()
	low := c.even[0]
	if c.high != nil {
		low = c.both
		c.gatherColumn(c.high, words, c.even[0])
	}
	c.gatherColumn(c.low, words, low)
}

// index returns a register with the indices, which are in the slot, too.
func (c *loading) index() reg.VecPhysical {
	if c.stored {
		VMOVUPD(c.slot, c.odd[0])
		return c.odd[0]
	}
	VMOVUPD(c.words, c.slot)
	return c.words
}

func (c *loading) gatherColumn(n *node, words, to reg.VecPhysical) {
	all := c.mask(nil)
	KXNORB(all, all, all)
	VPXORQ(to, to, to) // which the instruction would wait for
	VGATHERQPD(Mem{Base: base, Index: words, Scale: 8, Disp: 8 * n.n}, all, to)
}

// transpose loads each lane's row, and makes columns of the rows.
func (c *loading) transpose() {
	at := func(lane int) Mem {
		return Mem{Base: base, Index: rows[lane%4], Scale: 8, Disp: 8 * c.low.n}
	}
	for half := range c.Lanes() / 4 {
		for i, r := range rows {
			MOVQ(c.slot.Offset(32*half+8*i), r)
		}
		e, o := c.even[half], c.odd[half]
		if c.high == nil {
			VMOVSD(at(0), e.AsX())
			VMOVHPD(at(1), e.AsX(), e.AsX())
			VMOVSD(at(2), o.AsX())
			VMOVHPD(at(3), o.AsX(), o.AsX())
			continue
		}
		VMOVUPD(at(0), e.AsX())
		VMOVUPD(at(1), o.AsX())
		c.insert(at(2), e)
		c.insert(at(3), o)
	}
	if c.high == nil {
		for half := range c.Lanes() / 4 {
			c.insert(c.odd[half].AsX(), c.even[half])
		}
	}
	if c.Wide {
		VINSERTF64X4(U8(1), c.even[1].AsY(), c.even[0], c.even[0])
	}
	if c.high == nil {
		return
	}
	if c.Wide {
		VINSERTF64X4(U8(1), c.odd[1].AsY(), c.odd[0], c.odd[0])
	}
	VUNPCKLPD(c.odd[0], c.even[0], c.both)
	VUNPCKHPD(c.odd[0], c.even[0], c.even[0])
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
