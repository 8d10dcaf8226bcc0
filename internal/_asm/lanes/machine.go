package main

import (
	"fmt"
	"maps"
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// masks hold truths of AVX-512. K0 cannot mask an instruction.
var masks = []reg.Register{reg.K1, reg.K2, reg.K3, reg.K4, reg.K5, reg.K6, reg.K7}

// General registers: the arguments of a kernel, its counters, the rows of a
// table.
var (
	dst     = reg.RDI
	args    = []reg.GPPhysical{reg.RSI, reg.RDX}
	whole   = reg.RCX // bytes of the full vectors
	stored  = reg.RBX
	offset  = reg.RAX // of the lanes, in bytes
	base    = reg.R12
	scratch = reg.R13
	slots   = reg.R14 // the first slot, at a multiple of slotAlign
	rest    = reg.R8  // bytes of the partial vector; a row's, in the loop
	rows    = []reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11}
)

// A pool holds constants. On amd64 each is there four times, as memory operands
// of AVX2 must be.
type pool struct{ bits []uint64 }

const poolName = "lanes"

// index returns the place of a constant.
func (p *pool) index(bits uint64) int {
	i := slices.Index(p.bits, bits)
	if i < 0 {
		i = len(p.bits)
		p.bits = append(p.bits, bits)
	}
	return i
}

// operand returns a constant as a memory operand.
func (p *pool) operand(bits uint64) Mem {
	return NewDataAddr(NewStaticSymbol(poolName), 32*p.index(bits))
}

// emit writes the constants.
func (p *pool) emit() {
	GLOBL(poolName, RODATA|NOPTR)
	for i, b := range p.bits {
		for j := range 4 {
			DATA(32*i+8*j, U64(b))
		}
	}
}

// An allocation maps the nodes to their places at one point of a program.
type allocation struct {
	where map[*node]int // index of a register, of the node's own kind
	slot  map[*node]Mem // a copy in memory
	held  map[int]*node // by vector register
	masks map[reg.Register]*node
	rows  map[*node]Mem // indices into tables
}

func newAllocation() allocation {
	return allocation{
		where: map[*node]int{},
		slot:  map[*node]Mem{},
		held:  map[int]*node{},
		masks: map[reg.Register]*node{},
		rows:  map[*node]Mem{},
	}
}

func (a *allocation) clone() allocation {
	return allocation{
		where: maps.Clone(a.where),
		slot:  maps.Clone(a.slot),
		held:  maps.Clone(a.held),
		masks: maps.Clone(a.masks),
		rows:  maps.Clone(a.rows),
	}
}

// A machine writes the instructions of one kernel. It allocates registers by
// Belady's rule: the value that is needed last goes to memory. The code is
// straight, so the future is known.
type machine struct {
	gen.Set
	lane
	allocation
	future
	regs   []reg.VecPhysical
	pool   *pool
	pinned map[int]bool  // registers of the instruction at hand
	fixed  map[int]bool  // registers that a branch changes in place
	saved  map[*node]Mem // the slot of each node that was ever spilled
	frame  Mem           // holds the partial vector
	left   Mem           // bytes of the partial vector that remain
	placed int           // slots
	spills int
	loads  int // of columns
}

// release frees the registers of nodes that are not needed any more.
func (m *machine) release() {
	for r, n := range m.held {
		if n != nil && m.next(n) == math.MaxInt {
			delete(m.held, r)
			delete(m.where, n)
		}
	}
	for k, n := range m.masks {
		if m.next(n) == math.MaxInt {
			delete(m.masks, k)
			delete(m.where, n)
		}
	}
}

// take returns a register for a node, or for one instruction if n is nil. It
// spills a node where none is free.
func (m *machine) take(n *node) reg.VecPhysical {
	best := -1
	for r := range m.regs {
		switch {
		case m.pinned[r] || m.fixed[r]:
		case m.held[r] == nil:
			best = r
		case best < 0 || m.held[best] != nil && m.next(m.held[r]) > m.next(m.held[best]):
			best = r
		}
		if best >= 0 && m.held[best] == nil {
			break
		}
	}
	if best < 0 {
		panic("no register left")
	}
	if old := m.held[best]; old != nil {
		m.spill(old, best)
	}
	m.pinned[best] = true
	if n != nil {
		m.held[best], m.where[n] = n, best
	}
	return m.regs[best]
}

// spill frees a register, and keeps its node in memory unless it is there or
// can be loaded again.
func (m *machine) spill(n *node, r int) {
	if _, ok := m.slot[n]; !ok && n.op != argument && m.next(n) < math.MaxInt {
		m.spills++
		m.slot[n] = m.place(n)
		VMOVUPD(m.regs[r], m.slot[n])
	}
	delete(m.held, r)
	delete(m.where, n)
}

// slotAlign is the size of a cache line. Go aligns the stack to less, and a
// load is not forwarded from a store that crosses a line: kernels took twice
// the time.
const slotAlign = 64

// alignSlots sets the base of the slots. It follows every other AllocLocal,
// except the one in allocateSlots.
func (m *machine) alignSlots() {
	LEAQ(AllocLocal(0).Offset(slotAlign-1), slots)
	ANDQ(I8(-slotAlign), slots)
}

// newSlot returns memory for one vector.
func (m *machine) newSlot() Mem {
	slot := Mem{Base: slots, Disp: m.Bytes * m.placed}
	m.placed++
	return slot
}

// allocateSlots makes room for the slots.
func (m *machine) allocateSlots() {
	AllocLocal(m.Bytes*m.placed + slotAlign)
}

// place returns the slot of a node.
func (m *machine) place(n *node) Mem {
	if _, ok := m.saved[n]; !ok {
		m.saved[n] = m.newSlot()
	}
	return m.saved[n]
}

// have reports whether a node is computed.
func (m *machine) have(n *node) bool {
	_, inRegister := m.where[n]
	_, inMemory := m.slot[n]
	return inRegister || inMemory
}

// register returns a node's register. It loads the node where necessary.
func (m *machine) register(n *node) reg.VecPhysical {
	if r, ok := m.where[n]; ok {
		m.pinned[r] = true
		return m.regs[r]
	}
	if n.op == constant {
		r := m.take(nil)
		m.load(n, r)
		return r
	}
	r := m.take(n)
	m.load(n, r)
	return r
}

// load loads a constant, an argument or a spilled node.
func (m *machine) load(n *node, r reg.VecPhysical) {
	switch {
	case n.op == constant && m.Wide:
		VBROADCASTSD(m.pool.operand(n.bits), r)
	case n.op == constant:
		VMOVUPD(m.pool.operand(n.bits), r)
	case n.op == argument && m.single:
		VCVTPS2PD(m.input(n), r)
	case n.op == argument:
		VMOVUPD(m.input(n), r)
	default:
		VMOVUPD(m.memory(n), r)
	}
}

// input returns the memory of an argument.
func (m *machine) input(n *node) Mem { return Mem{Base: args[n.n], Index: offset, Scale: 1} }

// stride returns the number of bytes of arguments in a vector.
func (m *machine) stride() int { return m.size() * m.Lanes() }

// isReadable reports whether an instruction can take a node from memory.
func (m *machine) isReadable(n *node) bool { return n.op != argument || !m.single }

// memory returns the place of a node that has no register.
func (m *machine) memory(n *node) Mem {
	if n.op == argument {
		return m.input(n)
	}
	s, ok := m.slot[n]
	if !ok {
		panic(fmt.Sprintf("%v has no place", n))
	}
	return s
}

// mask returns a free mask register for a truth of AVX-512, or for one
// instruction if n is nil.
func (m *machine) mask(n *node) reg.Register {
	for i, k := range masks {
		if m.masks[k] == nil {
			if n != nil {
				m.masks[k], m.where[n] = n, i
			}
			return k
		}
	}
	panic("no mask left")
}

// truth returns the mask register of a truth of AVX-512.
func (m *machine) truth(n *node) reg.Register {
	i, ok := m.where[n]
	if !ok {
		panic(fmt.Sprintf("%v has no mask", n))
	}
	return masks[i]
}

// restore brings back the former value of every register, where it is still
// needed.
func (m *machine) restore(old allocation) {
	for _, r := range slices.Sorted(maps.Keys(old.held)) {
		if n := old.held[r]; m.held[r] != n && m.next(n) < math.MaxInt {
			m.load(n, m.regs[r])
		}
	}
	m.allocation = old
	m.release()
}
