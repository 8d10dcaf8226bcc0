package main

import (
	"fmt"
	"slices"
)

// A word is an instruction of NEON: its name and its encoding with registers 0.
type word struct {
	name string
	bits uint32
}

// Instructions of two operands. Some take them in the other order.
var (
	neonTwo = map[op]word{
		add: {"FADD", 0x4e60d400}, sub: {"FSUB", 0x4ee0d400},
		mul: {"FMUL", 0x6e60dc00}, div: {"FDIV", 0x6e60fc00},
		minf: {"FMIN", 0x4ee0f400}, maxf: {"FMAX", 0x4e60f400},
		iadd: {"ADD", 0x4ee08400}, isub: {"SUB", 0x6ee08400},
		and: {"AND", 0x4e201c00}, or: {"ORR", 0x4ea01c00}, xor: {"EOR", 0x6e201c00},
		both: {"AND", 0x4e201c00}, either: {"ORR", 0x4ea01c00},
		eq: {"FCMEQ", 0x4e60e400}, ne: {"FCMEQ", 0x4e60e400},
		sgt: {"CMGT", 0x4ee03400}, ieq: {"CMEQ", 0x6ee08c00},
	}
	neonReversed = map[op]word{
		lt: {"FCMGT", 0x6ee0e400}, le: {"FCMGE", 0x6e60e400}, ult: {"CMHI", 0x6ee03400},
	}
	neonShifts = map[op]word{
		shl: {"SHL", 0x4f005400}, shr: {"USHR", 0x6f000400}, sar: {"SSHR", 0x4f000400},
	}
	neonOne = map[op]word{
		sqrt: {"FSQRT", 0x6ee1f800}, toF: {"SCVTF", 0x4e61d800}, not: {"NOT", 0x6e205800},
	}
)

var (
	fneg  = word{"FNEG", 0x6ee0f800}
	fmla  = word{"FMLA", 0x4e60cc00}
	fmls  = word{"FMLS", 0x4ee0cc00}
	orr   = word{"ORR", 0x4ea01c00}
	bsl   = word{"BSL", 0x6e601c00}
	bit   = word{"BIT", 0x6ea01c00}
	zip1  = word{"ZIP1", 0x4ec03800}
	zip2  = word{"ZIP2", 0x4ec07800}
	cmgt  = word{"CMGT", 0x4ee03400}
	fcvtl = word{"FCVTL", 0x0e617800}
	fcvtn = word{"FCVTN", 0x0e616800}
	xtn   = word{"XTN", 0x0ea12800}
	addp  = word{"ADDP", 0x5ef1b800}
)

// threeWord writes an instruction that computes register d of a and b.
func (m *neon) threeWord(w word, d, a, b int) {
	m.Word(w.bits|uint32(b)<<16|uint32(a)<<5|uint32(d), "%s V%d, V%d, V%d", w.name, d, a, b)
}

// unaryWord writes an instruction that computes register d of a.
func (m *neon) unaryWord(w word, d, a int) {
	m.Word(w.bits|uint32(a)<<5|uint32(d), "%s V%d, V%d", w.name, d, a)
}

// copyTo copies a register, unless both are one.
func (m *neon) copyTo(d, a int) {
	if d != a {
		m.threeWord(orr, d, a, a)
	}
}

// loadVector and store move a vector from and to a place behind a base, counted
// in vectors.
func (m *neon) loadVector(r, base, place int) {
	m.Word(0x3dc00000|uint32(place)<<10|uint32(base)<<5|uint32(r), "LDR Q%d, [X%d, #%d]", r, base,
		neonBytes*place)
}

func (m *neon) store(r, base, place int) {
	m.Word(0x3d800000|uint32(place)<<10|uint32(base)<<5|uint32(r), "STR Q%d, [X%d, #%d]", r, base,
		neonBytes*place)
}

// compute writes the instructions of a node.
func (m *neon) compute(n *node) {
	m.pinned = map[int]bool{}
	switch {
	case n.op == argument:
		m.now++ // loaded where it is needed
	case n.op == column:
		if !m.have(n) {
			m.columns(n)
		}
		m.done()
	case n.op == choose || n.op == imin || n.op == imax:
		m.choose(n)
	case len(n.args) == 3:
		m.fused(n)
	case len(n.args) == 2:
		m.binary(n)
	default:
		m.unary(n)
	}
}

// unary writes an operation of one operand.
func (m *neon) unary(n *node) {
	a := m.register(n.args[0])
	m.done()
	r := m.take(n)
	if n.op == same {
		m.copyTo(r, a)
		return
	}
	if w, ok := neonOne[n.op]; ok {
		m.unaryWord(w, r, a)
		return
	}
	w, amount := neonShifts[n.op], uint32(64+n.n)
	if n.op != shl {
		amount = uint32(128 - n.n)
	}
	m.Word(w.bits|amount<<16|uint32(a)<<5|uint32(r), "%s V%d, V%d, #%d", w.name, r, a, n.n)
}

// binary writes an operation of two operands.
func (m *neon) binary(n *node) {
	a, b := m.register(n.args[0]), m.register(n.args[1])
	m.done()
	r := m.take(n)
	if w, ok := neonReversed[n.op]; ok {
		m.threeWord(w, r, b, a)
		return
	}
	w, ok := neonTwo[n.op]
	if !ok {
		panic(fmt.Sprintf("NEON has no %s", n.op))
	}
	m.threeWord(w, r, a, b)
	if n.op == ne {
		m.unaryWord(neonOne[not], r, r)
	}
}

// inPlace returns a register that holds the node and may be changed: the node's
// own, if this is its last use and it is not another operand, or a copy's.
func (m *neon) inPlace(n *node, others ...*node) int {
	r := m.register(n)
	if m.isLast(n) && !slices.Contains(others, n) && !m.fixed[r] {
		return r
	}
	d := m.take(nil)
	m.copyTo(d, r)
	return d
}

// fused writes a fused operation, which changes the sum's other operand.
func (m *neon) fused(n *node) {
	a, b := m.register(n.args[0]), m.register(n.args[1])
	d := m.inPlace(n.args[2], n.args[:2]...)
	m.done()
	m.give(d, n)
	switch n.op {
	case mulAdd:
		m.threeWord(fmla, d, a, b)
	case subMul:
		m.threeWord(fmls, d, a, b)
	case mulSub:
		m.unaryWord(fneg, d, d)
		m.threeWord(fmla, d, a, b)
	}
}

// choose writes a choice between two numbers, also for their minimum or
// maximum.
func (m *neon) choose(n *node) {
	yes, no := n.args[0], n.args[1]
	if n.op == choose {
		yes, no = n.args[1], n.args[2]
	}
	a, b := m.register(yes), m.register(no)
	d := 0
	switch n.op {
	case choose:
		d = m.inPlace(n.args[0])
	case imax:
		d = m.take(nil)
		m.threeWord(cmgt, d, a, b)
	case imin:
		d = m.take(nil)
		m.threeWord(cmgt, d, b, a)
	}
	m.done()
	m.give(d, n)
	m.threeWord(bsl, d, a, b)
}

// rowsOf returns general registers that point to the lanes' rows of a column.
func (m *neon) rowsOf(n *node) [2]int {
	key := rowKey{n.args[0], n.table}
	if r, ok := m.rows[key]; ok {
		return r
	}
	r := neonRows[len(m.rows)]
	m.rows[key] = r
	index := m.register(n.args[0])
	m.Ins("MOVD $·%s(SB), R%d", n.table, neonT1)
	for lane, x := range r {
		m.Ins("VMOV V%d.D[%d], R%d", index, lane, x)
		m.Ins("ADD R%d<<3, R%d, R%d", x, neonT1, x)
	}
	return r
}

// columns loads a word of the lanes' rows, and its neighbour too where that is
// needed soon.
func (m *neon) columns(n *node) {
	rows, first := m.rowsOf(n), n.n
	load, size := uint32(0xfc400000), "D"
	pair := m.neighbour(n, m.have)
	if pair != nil {
		first = min(first, pair.n)
		load, size = 0x3cc00000, "Q"
	}
	var v [2]int
	for lane, x := range rows {
		v[lane] = m.take(nil)
		m.Word(load|uint32(8*first)<<12|uint32(x)<<5|uint32(v[lane]), "LDUR %s%d, [X%d, #%d]", size,
			v[lane], x, 8*first)
	}
	if pair == nil {
		m.threeWord(zip1, v[0], v[0], v[1])
		m.give(v[0], n)
		return
	}
	low, high := n, pair
	if pair.n < n.n {
		low, high = pair, n
	}
	r := m.take(low)
	m.threeWord(zip1, r, v[0], v[1])
	m.threeWord(zip2, v[0], v[0], v[1])
	m.give(v[0], high)
}
