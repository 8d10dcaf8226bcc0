package main

import (
	"fmt"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// An instruction takes its last operand first, as Go's assembler does: b, a,
// result.
type instruction func(b, a, result Op)

func any3(f func(...Op)) instruction { return func(b, a, r Op) { f(b, a, r) } }

// Instructions of AVX2, of AVX-512, and of AVX-512 with one number of memory
// for all lanes.
var (
	two = map[op]instruction{
		add: any3(VADDPD), sub: any3(VSUBPD), mul: any3(VMULPD), div: any3(VDIVPD),
		minf: any3(VMINPD), maxf: any3(VMAXPD),
		iadd: any3(VPADDQ), isub: any3(VPSUBQ), and: VPAND, or: VPOR, xor: VPXOR,
		sgt: any3(VPCMPGTQ), ieq: any3(VPCMPEQQ), both: VPAND, either: VPOR,
	}
	wide = map[op]instruction{
		add: any3(VADDPD), sub: any3(VSUBPD), mul: any3(VMULPD), div: any3(VDIVPD),
		minf: any3(VMINPD), maxf: any3(VMAXPD),
		iadd: any3(VPADDQ), isub: any3(VPSUBQ), and: any3(VPANDQ), or: any3(VPORQ),
		xor: any3(VPXORQ), imin: any3(VPMINSQ), imax: any3(VPMAXSQ),
	}
	broadcast = map[op]instruction{
		add: any3(VADDPD_BCST), sub: any3(VSUBPD_BCST), mul: any3(VMULPD_BCST),
		div: any3(VDIVPD_BCST), minf: any3(VMINPD_BCST), maxf: any3(VMAXPD_BCST),
		iadd: any3(VPADDQ_BCST), isub: any3(VPSUBQ_BCST), and: any3(VPANDQ_BCST),
		or: any3(VPORQ_BCST), xor: any3(VPXORQ_BCST),
		imin: any3(VPMINSQ_BCST), imax: any3(VPMAXSQ_BCST),
	}
	shifts = map[op]func(...Op){shl: VPSLLQ, shr: VPSRLQ, sar: VPSRAQ}
	// Forms of operands b, a, dst: 132 is dst·b + a, 213 is a·dst + b, and 231
	// is a·b + dst.
	forms = map[op]map[string]instruction{
		mulAdd: threeForms(VFMADD132PD, VFMADD213PD, VFMADD231PD),
		mulSub: threeForms(VFMSUB132PD, VFMSUB213PD, VFMSUB231PD),
		subMul: threeForms(VFNMADD132PD, VFNMADD213PD, VFNMADD231PD),
	}
	broadcastForms = map[op]map[string]instruction{
		mulAdd: threeForms(VFMADD132PD_BCST, VFMADD213PD_BCST, VFMADD231PD_BCST),
		mulSub: threeForms(VFMSUB132PD_BCST, VFMSUB213PD_BCST, VFMSUB231PD_BCST),
		subMul: threeForms(VFNMADD132PD_BCST, VFNMADD213PD_BCST, VFNMADD231PD_BCST),
	}
	// Predicates of VCMPPD: ordered and quiet, except ne, which is unordered.
	floats = map[op]U8{lt: 0x11, le: 0x12, eq: 0x00, ne: 0x04}
	// Predicates of VPCMPUQ and VPCMPQ.
	integers = map[op]U8{ult: 1, sgt: 6, ieq: 0}
)

func threeForms(f132, f213, f231 func(...Op)) map[string]instruction {
	return map[string]instruction{"132": any3(f132), "213": any3(f213), "231": any3(f231)}
}

// operands returns the operands of n: a is to be in a register, b may be in
// memory.
func (m *machine) operands(n *node) (a, b *node) {
	a, b = n.args[0], n.args[1]
	_, inA := m.where[a]
	_, inB := m.where[b]
	if n.commutes() && !inA && inB {
		a, b = b, a
	}
	return a, b
}

// second returns an instruction's second operand: a register, or memory. In
// memory it may be one number for all lanes.
func (m *machine) second(b *node) (o Op, all bool) {
	if _, ok := m.where[b]; ok || !m.isReadable(b) {
		return m.register(b), false
	}
	if b.op == constant {
		return m.pool.operand(b.bits), m.Wide
	}
	return m.memory(b), false
}

// compute writes the instructions of a node.
func (m *machine) compute(n *node) {
	m.pinned = map[int]bool{}
	switch {
	case n.op == argument:
		m.now++ // loaded where it is needed
		return
	case n.op == column:
		if !m.have(n) {
			m.columns(n)
		}
		m.now++
		m.release()
		return
	case n.isTruth() && m.Wide:
		m.compare(n)
		return
	}
	switch {
	case n.op == choose:
		m.choose(n)
	case n.op == orAnd || n.op == pick:
		m.ternary(n)
	case len(n.args) == 1:
		m.unary(n)
	case !m.Wide && (n.op == imin || n.op == imax):
		m.extreme(n)
	case len(n.args) == 2:
		m.binary(n)
	default:
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
	case logb:
		VGETEXPPD(a, r)
	case same:
		VMOVAPD(a, r)
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
	case m.Wide:
		set = wide
	}
	if set[n.op] == nil {
		panic(fmt.Sprintf("%s has no %s", m.Level, n.op))
	}
	set[n.op](b, a, r)
}

// extreme writes the minimum or maximum of signed integers, which AVX2 lacks.
func (m *machine) extreme(n *node) {
	a, b := m.register(n.args[0]), m.register(n.args[1])
	more := m.take(nil)
	VPCMPGTQ(b, a, more)
	m.done()
	if r := m.take(n); n.op == imax {
		VBLENDVPD(more, a, b, r)
	} else {
		VBLENDVPD(more, b, a, r)
	}
}

// choose writes a choice between two numbers.
func (m *machine) choose(n *node) {
	b := m.register(n.args[2])
	if !m.Wide {
		c := m.register(n.args[0])
		a, _ := m.second(n.args[1])
		m.done()
		VBLENDVPD(c, a, b, m.take(n))
		return
	}
	k := m.truth(n.args[0])
	a, all := m.second(n.args[1])
	m.done()
	if all {
		VBLENDMPD_BCST(a, b, k, m.take(n))
	} else {
		VBLENDMPD(a, b, k, m.take(n))
	}
}

// fused writes a fused operation. The result replaces an operand: one that is
// not needed any more, or a copy. One of the others may be in memory.
func (m *machine) fused(n *node) {
	inMemory := m.operandInMemory(n)
	// The result replaces an operand that ends here, or a constant.
	place := -1
	var at [3]reg.VecPhysical
	for i, a := range n.args {
		if i == inMemory {
			continue
		}
		_, held := m.where[a]
		at[i] = m.register(a)
		if !held && a.op == constant || m.isLast(a) && m.where[a] >= 0 {
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

// operandInMemory returns the number of an operand that an instruction can take
// from memory and that occurs once, or −1.
func (m *machine) operandInMemory(n *node) int {
	for i, a := range n.args {
		_, held := m.where[a]
		again := slices.Contains(n.args[i+1:], a) || slices.Contains(n.args[:i], a)
		if !held && m.isReadable(a) && !again {
			return i
		}
	}
	return -1
}

// done goes to the next place of the program. A register that the instruction
// needs last may then receive its result.
//
// Operands stay safe: one in memory needs nothing, one that is still needed is
// held by its node, and a register of take(nil) is read before the result is
// written.
func (m *machine) done() {
	m.now++
	m.release()
	m.pinned = map[int]bool{}
}

// compare writes a truth of AVX-512.
func (m *machine) compare(n *node) {
	switch n.op {
	case meets, misses:
		m.test(n)
		return
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
	where := m.guard(n)
	m.done()
	p, float := floats[n.op]
	if !float {
		p = integers[n.op]
	}
	to := append([]Op{p, b, a}, append(where, m.mask(n))...)
	switch {
	case float && all:
		VCMPPD_BCST(to...)
	case float:
		VCMPPD(to...)
	case n.op == ult && all:
		VPCMPUQ_BCST(to...)
	case n.op == ult:
		VPCMPUQ(to...)
	case all:
		VPCMPQ_BCST(to...)
	default:
		VPCMPQ(to...)
	}
}
