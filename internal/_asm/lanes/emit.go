package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An instruction takes its last operand first, as Go's assembler does: b, a, result.
type instruction func(b, a, result Op)

func any3(f func(...Op)) instruction { return func(b, a, r Op) { f(b, a, r) } }

// Instructions of AVX2, of AVX-512, and of AVX-512 with a number of memory for all lanes.
var (
	two = map[op]instruction{
		add: any3(VADDPD), sub: any3(VSUBPD), mul: any3(VMULPD), div: any3(VDIVPD), minf: any3(VMINPD), maxf: any3(VMAXPD),
		iadd: any3(VPADDQ), isub: any3(VPSUBQ), and: VPAND, or: VPOR, xor: VPXOR,
		sgt: any3(VPCMPGTQ), ieq: any3(VPCMPEQQ), both: VPAND, either: VPOR,
	}
	wide = map[op]instruction{
		add: any3(VADDPD), sub: any3(VSUBPD), mul: any3(VMULPD), div: any3(VDIVPD), minf: any3(VMINPD), maxf: any3(VMAXPD),
		iadd: any3(VPADDQ), isub: any3(VPSUBQ), and: any3(VPANDQ), or: any3(VPORQ), xor: any3(VPXORQ), imin: any3(VPMINSQ), imax: any3(VPMAXSQ),
	}
	broadcast = map[op]instruction{
		add: any3(VADDPD_BCST), sub: any3(VSUBPD_BCST), mul: any3(VMULPD_BCST), div: any3(VDIVPD_BCST), minf: any3(VMINPD_BCST), maxf: any3(VMAXPD_BCST),
		iadd: any3(VPADDQ_BCST), isub: any3(VPSUBQ_BCST), and: any3(VPANDQ_BCST), or: any3(VPORQ_BCST), xor: any3(VPXORQ_BCST), imin: any3(VPMINSQ_BCST), imax: any3(VPMAXSQ_BCST),
	}
	shifts = map[op]func(...Op){shl: VPSLLQ, shr: VPSRLQ, sar: VPSRAQ}
	// With the last operand as a factor, first, or as the sum: dst·b + a, a·dst + b, a·b + dst.
	forms = map[op]map[string]instruction{
		mulAdd: {"132": any3(VFMADD132PD), "213": any3(VFMADD213PD), "231": any3(VFMADD231PD)},
		mulSub: {"132": any3(VFMSUB132PD), "213": any3(VFMSUB213PD), "231": any3(VFMSUB231PD)},
		subMul: {"132": any3(VFNMADD132PD), "213": any3(VFNMADD213PD), "231": any3(VFNMADD231PD)},
	}
	broadcastForms = map[op]map[string]instruction{
		mulAdd: {"132": any3(VFMADD132PD_BCST), "213": any3(VFMADD213PD_BCST), "231": any3(VFMADD231PD_BCST)},
		mulSub: {"132": any3(VFMSUB132PD_BCST), "213": any3(VFMSUB213PD_BCST), "231": any3(VFMSUB231PD_BCST)},
		subMul: {"132": any3(VFNMADD132PD_BCST), "213": any3(VFNMADD213PD_BCST), "231": any3(VFNMADD231PD_BCST)},
	}
	// Predicates of VCMPPD: ordered, quiet, but for the last; of VPCMPUQ and VPCMPQ.
	floats   = map[op]U8{lt: 0x11, le: 0x12, eq: 0x00, ne: 0x04}
	integers = map[op]U8{ult: 1, sgt: 6, ieq: 0}
)

// operands returns a's register and b's, or the memory where b is.
func (m *machine) operands(n *node) (a, b *node) {
	a, b = n.args[0], n.args[1]
	_, inA := m.where[a]
	_, inB := m.where[b]
	if n.commutes() && !inA && inB {
		a, b = b, a
	}
	return a, b
}

// second returns an instruction's second operand: a register, or memory, which stands for
// one number that all lanes have if that is so.
func (m *machine) second(b *node) (o Op, all bool) {
	if _, ok := m.where[b]; ok || !m.readable(b) {
		return m.register(b), false
	}
	if b.op == constant {
		return m.pool.operand(b.bits), m.wide
	}
	return m.memory(b), false
}

// compute writes a node's instructions.
func (m *machine) compute(n *node) {
	m.pinned = map[int]bool{}
	switch {
	case n.op == argument:
		m.now++ // it is loaded where it is needed
		return
	case n.op == column:
		if !m.have(n) {
			m.columns(n)
		}
		m.now++
		m.release()
		return
	case n.truth() && m.wide:
		m.compare(n)
		return
	}
	switch len(n.args) {
	case 1:
		m.unary(n)
	case 2:
		m.binary(n)
	case 3:
		m.fused(n)
	}
}

// unary writes an operation of one operand.
func (m *machine) unary(n *node) {
	a := m.register(n.args[0])
	m.done()
	r := m.take(n)
	switch n.op {
	case sqrt:
		VSQRTPD(a, r)
	case toF:
		VCVTQQ2PD(a, r)
	case not:
		VPXOR(m.pool.operand(1<<64-1), a, r)
	default:
		shifts[n.op](U8(n.n), a, r)
	}
}

// binary writes an operation of two operands.
func (m *machine) binary(n *node) {
	x, y := m.operands(n)
	a := m.register(x)
	b, all := m.second(y)
	m.done()
	r := m.take(n)
	if p, ok := floats[n.op]; ok {
		VCMPPD(p, b, a, r)
		return
	}
	set := two
	switch {
	case all:
		set = broadcast
	case m.wide:
		set = wide
	}
	if set[n.op] == nil {
		panic(fmt.Sprintf("%s has no %s", m.name, n.op))
	}
	set[n.op](b, a, r)
}

// fused writes a fused operation. The result takes the place of an operand: of one that is not
// needed any more, or of a copy. One of the others may be in memory.
func (m *machine) fused(n *node) {
	inMemory := -1
	for i, a := range n.args {
		if _, ok := m.where[a]; !ok && inMemory < 0 && m.readable(a) && !slices.Contains(n.args[i+1:], a) && !slices.Contains(n.args[:i], a) {
			inMemory = i
		}
	}
	// The place of the result: an operand's that ends here, or that is a constant's.
	place := -1
	var at [3]reg.VecPhysical
	for i, a := range n.args {
		if i == inMemory {
			continue
		}
		_, held := m.where[a]
		at[i] = m.register(a)
		if !held && a.op == constant || m.ends(a) && m.where[a] >= 0 {
			place = i
		}
	}
	if place < 0 {
		place = 2
		if inMemory == 2 {
			place = 0
		}
		r := m.take(nil)
		VMOVAPD(at[place], r)
		at[place] = r
	}
	var b Op
	set := forms
	if inMemory >= 0 {
		var all bool
		if b, all = m.second(n.args[inMemory]); all {
			set = broadcastForms
		}
	}
	factor := 1 - place
	m.done()
	m.give(at[place], n)
	switch {
	case place == 2 && inMemory == 0:
		set[n.op]["231"](b, at[1], at[2])
	case place == 2 && inMemory == 1:
		set[n.op]["231"](b, at[0], at[2])
	case place == 2:
		set[n.op]["231"](at[1], at[0], at[2])
	case inMemory == 2:
		set[n.op]["213"](b, at[factor], at[place])
	case inMemory >= 0:
		set[n.op]["132"](b, at[2], at[place])
	default:
		set[n.op]["213"](at[2], at[factor], at[place])
	}
}

// ends says whether a node is not needed after this place.
func (m *machine) ends(n *node) bool {
	u := m.uses[n]
	return u[len(u)-1] <= m.now
}

// done goes to the next place of the program: registers that the instruction needs last may
// get its result.
func (m *machine) done() {
	m.now++
	m.release()
	m.pinned = map[int]bool{}
	// A spilled operand in memory needs nothing, one in a register that is not released is
	// held by its node. What take(nil) gave holds no node: its instruction reads it before
	// the result is written.
}

// compare writes a truth of AVX-512.
func (m *machine) compare(n *node) {
	switch n.op {
	case not:
		a := m.truth(n.args[0])
		m.done()
		KNOTB(a, m.mask(n))
		return
	case both, either:
		a, b := m.truth(n.args[0]), m.truth(n.args[1])
		m.done()
		if n.op == both {
			KANDB(b, a, m.mask(n))
		} else {
			KORB(b, a, m.mask(n))
		}
		return
	}
	x, y := m.operands(n)
	a := m.register(x)
	b, all := m.second(y)
	m.done()
	k := m.mask(n)
	p, float := floats[n.op]
	switch {
	case float && all:
		VCMPPD_BCST(p, b, a, k)
	case float:
		VCMPPD(p, b, a, k)
	case n.op == ult && all:
		VPCMPUQ_BCST(integers[n.op], b, a, k)
	case n.op == ult:
		VPCMPUQ(integers[n.op], b, a, k)
	case all:
		VPCMPQ_BCST(integers[n.op], b, a, k)
	default:
		VPCMPQ(integers[n.op], b, a, k)
	}
}

// columns loads a column of the lanes' rows, and the next one too where it is needed soon:
// two numbers that are side by side come with one load.
func (m *machine) columns(n *node) {
	index := n.args[0]
	first := *n
	pair := m.neighbour(n)
	if pair != nil && pair.n < n.n {
		first.n = pair.n
	}
	key := scaled{index, n.tab.size}
	slot, ok := m.rows[key]
	if !ok {
		r := m.register(index)
		slot = AllocLocal(m.bytes())
		m.rows[key] = slot
		// Loads of 8 bytes do not wait for a store of 32 bytes, but for one of 64.
		words := m.scale(n.tab.size, r)
		VMOVUPD(words.AsY(), slot)
		if m.wide {
			high := m.take(nil).AsY()
			VEXTRACTF64X4(U8(1), words, high)
			VMOVUPD(high, slot.Offset(32))
		}
		m.pinned = map[int]bool{}
	}
	LEAQ(NewDataAddr(Symbol{Name: "·" + n.tab.name}, 0), base)
	at := func(lane int) Mem { return Mem{Base: base, Index: rows[lane%4], Scale: 8, Disp: 8 * first.n} }
	var even, odd [2]reg.VecPhysical
	for half := range m.lanes / 4 {
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
		for half := range m.lanes / 4 {
			e, o := even[half], odd[half]
			m.insert(o.AsX(), e)
		}
		if m.wide {
			VINSERTF64X4(U8(1), even[1].AsY(), even[0], even[0])
		}
		m.give(even[0], n)
		return
	}
	if m.wide {
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
	if m.wide {
		VINSERTF64X2(U8(1), from, r.AsY(), r.AsY())
	} else {
		VINSERTF128(U8(1), from, r.AsY(), r.AsY())
	}
}

// give says that a register holds a node.
func (m *machine) give(r reg.VecPhysical, n *node) {
	for i, s := range m.regs {
		if s == r {
			m.held[i], m.where[n] = n, i
		}
	}
}

// scale returns indices of rows times the size of one in words.
func (m *machine) scale(size int, index reg.VecPhysical) reg.VecPhysical {
	if size == 1 {
		return index
	}
	r := m.take(nil)
	switch size {
	case 2:
		VPADDQ(index, index, r)
	case 3:
		VPADDQ(index, index, r)
		VPADDQ(index, r, r)
	case 4:
		VPSLLQ(U8(2), index, r)
	default:
		panic(fmt.Sprintf("rows of %d words", size))
	}
	return r
}

// soon is how many places ahead a column's neighbour is loaded with it.
const soon = 24

// neighbour returns the column before or after this one, if it is needed soon.
func (m *machine) neighbour(n *node) *node {
	for _, d := range []int{1, -1} {
		for c := range m.uses {
			if c.op == column && c.tab == n.tab && c.args[0] == n.args[0] && c.n == n.n+d && !m.have(c) && m.next(c) < m.now+soon {
				return c
			}
		}
	}
	return nil
}
