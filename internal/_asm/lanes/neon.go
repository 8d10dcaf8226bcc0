package main

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// The kernels of arm64 are written as text: Go's assembler lacks most of NEON's
// floating-point instructions. A vector has two float64, and truths are vectors
// of all ones or zeros.

const (
	neonLanes = 2
	neonBytes = 16
	neonRegs  = 32
)

// General registers: the arguments of a kernel, its counters, and pairs for the
// rows of tables.
const (
	neonDst, neonWhole, neonRest   = 0, 3, 4
	neonFails, neonShift, neonPool = 5, 6, 7
	neonFrame, neonT1, neonT2      = 8, 9, 10
	neonTail                       = 11 // where the result of the partial vector goes, or 0
)

var (
	neonArgs = []int{1, 2}
	neonRows = [][2]int{{12, 13}, {14, 15}, {16, 17}, {19, 20}, {21, 22}, {23, 24}}
)

// A rowKey is an index into a table.
type rowKey struct {
	index *node
	table string
}

// A placement maps the nodes to their places at one point of a program.
type placement struct {
	where map[*node]int // register
	held  map[int]*node // by register
	slot  map[*node]int // place of a copy in the frame, in vectors
	rows  map[rowKey][2]int
}

func (p placement) clone() placement {
	return placement{maps.Clone(p.where), maps.Clone(p.held), maps.Clone(p.slot),
		maps.Clone(p.rows)}
}

// A neon writes the instructions of one kernel for arm64, with registers
// allocated as machine does.
type neon struct {
	gen.ARM64
	lane
	placement
	future
	pool   *pool
	pinned map[int]bool // registers of the instruction at hand
	fixed  map[int]bool // registers that a branch changes in place
	saved  map[*node]int
	slots  int // of the frame, in vectors
}

// neonKernel returns one function.
func neonKernel(l lane, constants *pool) gen.ARM64Func {
	p, text := l.order(), bytes.Buffer{}
	w := bufio.NewWriter(&text)
	m := &neon{
		ARM64: gen.ARM64{Writer: w}, lane: l, pool: constants, future: future{uses: p.uses()},
		placement: placement{map[*node]int{}, map[int]*node{}, map[*node]int{},
			map[rowKey][2]int{}},
		saved: map[*node]int{}, slots: 1 + l.arity,
	}
	m.prologue()
	m.Label("loop")
	for _, n := range p.always {
		m.compute(n)
	}
	for i, b := range p.branches {
		m.branch(fmt.Sprintf("after%d", i), b, p.last)
	}
	m.finish(p.last)
	m.epilogue()
	w.Flush()
	frame := neonBytes * m.slots
	return gen.ARM64Func{
		Name:      l.stub("NEON"),
		Signature: strings.TrimPrefix(l.signature(), "func"),
		Doc: fmt.Sprintf("computes %s of 1 to 64 elements. Bit i of fails, i < n,\n"+
			"is set where dst[i] has no result; it is left as it was.", l.name),
		Frame: frame,
		Args:  8 * (3 + l.arity),
		Body: func(w gen.ARM64) {
			w.Ins("MOVD $slots-%d(SP), R%d", frame, neonFrame)
			w.Write(text.Bytes())
		},
	}
}

// neonData returns the constants, each once for every lane.
func neonData(p *pool) string {
	var b strings.Builder
	b.WriteByte('\n')
	for i, v := range p.bits {
		for j := range neonLanes {
			fmt.Fprintf(&b, "DATA %s<>+%d(SB)/8, $%#016x\n", poolName, neonBytes*i+8*j, v)
		}
	}
	fmt.Fprintf(&b, "GLOBL %s<>(SB), RODATA|NOPTR, $%d\n", poolName, neonBytes*len(p.bits))
	return b.String()
}

// release frees the registers of nodes that are not needed any more.
func (m *neon) release() {
	for r, n := range m.held {
		if m.next(n) == math.MaxInt {
			delete(m.held, r)
			delete(m.where, n)
		}
	}
}

// take returns a register for a node, or for one instruction if n is nil. It
// spills a node where none is free.
func (m *neon) take(n *node) int {
	best := -1
	for r := range neonRegs {
		switch {
		case m.pinned[r] || m.fixed[r]:
		case best < 0 || m.held[best] != nil &&
			(m.held[r] == nil || m.next(m.held[r]) > m.next(m.held[best])):
			best = r
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
		m.give(best, n)
	}
	return best
}

// give records that a register holds a node.
func (m *neon) give(r int, n *node) { m.held[r], m.where[n] = n, r }

// spill frees a register, and keeps its node in the frame unless it is there or
// can be loaded again.
func (m *neon) spill(n *node, r int) {
	_, ok := m.slot[n]
	if !ok && n.op != argument && n.op != constant && m.next(n) < math.MaxInt {
		if _, ok := m.saved[n]; !ok {
			m.saved[n] = m.slots
			m.slots++
		}
		m.slot[n] = m.saved[n]
		m.store(r, neonFrame, m.slot[n])
	}
	delete(m.held, r)
	delete(m.where, n)
}

// register returns a node's register. It loads the node where necessary.
func (m *neon) register(n *node) int {
	r, ok := m.where[n]
	if !ok {
		r = m.take(n)
		m.load(n, r)
	}
	m.pinned[r] = true
	return r
}

// load loads a constant, an argument or a spilled node.
func (m *neon) load(n *node, r int) {
	switch {
	case n.op == constant:
		m.loadVector(r, neonPool, m.pool.index(n.bits))
	case n.op == argument && m.single:
		m.Ins("FMOVD (R%d), F%d", neonArgs[n.n], r)
		m.unaryWord(fcvtl, r, r)
	case n.op == argument:
		m.loadVector(r, neonArgs[n.n], 0)
	default:
		slot, ok := m.slot[n]
		if !ok {
			panic(fmt.Sprintf("%v has no place", n))
		}
		m.loadVector(r, neonFrame, slot)
	}
}

// have reports whether a node is computed.
func (m *neon) have(n *node) bool {
	_, inRegister := m.where[n]
	_, inMemory := m.slot[n]
	return inRegister || inMemory
}

// done goes to the next place of the program. A register that the instruction
// needs last may then receive its result.
func (m *neon) done() {
	m.now++
	m.release()
	m.pinned = map[int]bool{}
}

// restore brings back the former value of every register, where it is still
// needed.
func (m *neon) restore(old placement) {
	for _, r := range slices.Sorted(maps.Keys(old.held)) {
		if n := old.held[r]; m.held[r] != n && m.next(n) < math.MaxInt {
			m.load(n, r)
		}
	}
	m.placement = old
	m.release()
}
