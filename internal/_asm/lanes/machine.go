package main

import (
	"fmt"
	"maps"
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A vector is an instruction set.
type vector struct {
	name  string
	lanes int
	regs  []reg.VecPhysical
	wide  bool // AVX-512
}

var (
	avx2   = vector{"AVX2", 4, registers(reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15), false}
	avx512 = vector{"AVX512", 8, registers(reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31), true}
)

func registers(r ...reg.VecPhysical) []reg.VecPhysical { return r }

func (v vector) bytes() int { return 8 * v.lanes }

// masks hold truths of AVX-512. K0 is no mask for an instruction.
var masks = []reg.Register{reg.K1, reg.K2, reg.K3, reg.K4, reg.K5, reg.K6, reg.K7}

// General registers: the arguments of a kernel, what it counts, the rows of a
// table.
var (
	dst     = reg.RDI
	args    = []reg.GPPhysical{reg.RSI, reg.RDX}
	whole   = reg.RCX // bytes of the whole vectors
	fails   = reg.RBX
	offset  = reg.RAX // of the lanes, in bytes
	base    = reg.R12
	scratch = reg.R13
	rest    = reg.R8 // bytes that the whole vectors leave; a row's, in the loop
	rows    = []reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11}
)

// A pool of constants, each four times, as a memory operand of AVX2 has to be.
type pool struct{ bits []uint64 }

const poolName = "lanes"

func (p *pool) operand(bits uint64) Mem {
	i := slices.Index(p.bits, bits)
	if i < 0 {
		i = len(p.bits)
		p.bits = append(p.bits, bits)
	}
	return NewDataAddr(NewStaticSymbol(poolName), 32*i)
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

// A scaled index is one of rows of some words.
type scaled struct {
	index *node
	size  int
}

// An allocation says where the values are at one point of a program.
type allocation struct {
	where map[*node]int // index of a register, of the node's own kind
	slot  map[*node]Mem // a copy in memory
	held  map[int]*node // by vector register
	masks map[reg.Register]*node
	rows  map[scaled]Mem // indices of rows
}

func newAllocation() allocation {
	return allocation{map[*node]int{}, map[*node]Mem{}, map[int]*node{}, map[reg.Register]*node{}, map[scaled]Mem{}}
}

func (a *allocation) clone() allocation {
	return allocation{maps.Clone(a.where), maps.Clone(a.slot), maps.Clone(a.held), maps.Clone(a.masks), maps.Clone(a.rows)}
}

// A machine writes the instructions of one kernel. Registers are given away by Belady's
// rule: what is needed last goes to memory. The code being straight, that is known.
type machine struct {
	vector
	single bool // the arguments and results are float32
	allocation
	pool   *pool
	now    int             // place in the program
	uses   map[*node][]int // places where a node is needed
	pinned map[int]bool    // registers of the instruction at hand
	fixed  map[int]bool    // registers that a branch changes in place
	saved  map[*node]Mem   // slots are not shared, but for one node
	frame  Mem             // for what is left after the whole vectors
	left   Mem             // how many bytes that is
	spills int
}

// next returns the next place where a node is needed.
func (m *machine) next(n *node) int {
	for _, u := range m.uses[n] {
		if u >= m.now {
			return u
		}
	}
	return math.MaxInt
}

// release gives back registers of what is not needed any more.
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

// take returns a register that is free, or is made free, for a node, or for nothing that
// lasts if n is nil.
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

// spill keeps a copy of a register in memory, if there is none, and gives it back.
func (m *machine) spill(n *node, r int) {
	if _, ok := m.slot[n]; !ok && n.op != argument && m.next(n) < math.MaxInt {
		m.spills++
		m.slot[n] = m.place(n)
		VMOVUPD(m.regs[r], m.slot[n])
	}
	delete(m.held, r)
	delete(m.where, n)
}

// place returns the memory for a node.
func (m *machine) place(n *node) Mem {
	if _, ok := m.saved[n]; !ok {
		m.saved[n] = AllocLocal(m.bytes())
	}
	return m.saved[n]
}

// have says whether a node is computed.
func (m *machine) have(n *node) bool {
	_, inRegister := m.where[n]
	_, inMemory := m.slot[n]
	return inRegister || inMemory
}

// register returns a node's register, into which it is loaded if need be.
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

// load loads a constant, an argument or what was spilled.
func (m *machine) load(n *node, r reg.VecPhysical) {
	switch {
	case n.op == constant && m.wide:
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

func (m *machine) input(n *node) Mem { return Mem{Base: args[n.n], Index: offset, Scale: 1} }

// size is that of an argument, in bytes.
func (m *machine) size() int {
	if m.single {
		return 4
	}
	return 8
}

// stride is how many bytes of arguments a vector has.
func (m *machine) stride() int { return m.size() * m.lanes }

// readable says whether an instruction can take a node from memory.
func (m *machine) readable(n *node) bool { return n.op != argument || !m.single }

// memory returns where a node that has no register is.
func (m *machine) memory(n *node) Mem {
	if n.op == argument {
		return m.input(n)
	}
	s, ok := m.slot[n]
	if !ok {
		panic(fmt.Sprintf("%v is nowhere", n))
	}
	return s
}

// mask returns a register for a truth of AVX-512.
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

// truth returns the register of a truth of AVX-512.
func (m *machine) truth(n *node) reg.Register {
	i, ok := m.where[n]
	if !ok {
		panic(fmt.Sprintf("%v has no mask", n))
	}
	return masks[i]
}

// restore brings every register back to what it held, if that is still needed.
func (m *machine) restore(old allocation) {
	for _, r := range slices.Sorted(maps.Keys(old.held)) {
		if n := old.held[r]; m.held[r] != n && m.next(n) < math.MaxInt {
			m.load(n, m.regs[r])
		}
	}
	m.allocation = old
	m.release()
}
