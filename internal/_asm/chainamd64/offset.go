package main

import (
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// offset is offsetDots or offsetRows being written. Its vectors are of float64.
// Registers: the sums of each column or row of registers, their rests and their
// changes; then the factor, the sum before, and two others.
type offset struct {
	vector
	sums int // in registers
}

// The vectors of a sum.
const (
	offsetHigh = iota
	offsetLow
	offsetRange
	offsetParts
)

func (o offset) part(part, i int) Op { return o.reg(part*o.sums + i) }
func (o offset) factor() Op          { return o.reg(offsetParts * o.sums) }
func (o offset) before() int         { return offsetParts*o.sums + 1 }
func (o offset) other() int          { return offsetParts*o.sums + 2 }
func (o offset) element() int        { return offsetParts*o.sums + 3 }

// load returns a vector of elements of the matrix, in a register or in memory.
func (o offset) load(m Mem) Op {
	if o.size == 8 {
		return m
	}
	VCVTPS2PD(m, o.reg(o.element()))
	return o.reg(o.element())
}

// step adds products to sum i. a is not the sum before.
func (o offset) step(a Op, i int) {
	high, before := o.part(offsetHigh, i), o.reg(o.before())
	VMOVAPD(high, before)
	VFMADD231PD(a, o.factor(), high)
	if o.Wide {
		const orXor = 0xf6 // a | (b ^ c)
		VPTERNLOGQ(U8(orXor), before, high, o.part(offsetRange, i))
	} else {
		changed := o.reg(o.other())
		VXORPD(before, high, changed)
		VORPD(changed, o.part(offsetRange, i), o.part(offsetRange, i))
	}
	VSUBPD(before, high, before)
	VFMSUB231PD(a, o.factor(), before)
	VADDPD(before, o.part(offsetLow, i), o.part(offsetLow, i))
}

// mask is the mask of the last elements: a register of masks, or with AVX2 the
// address of it for a size of elements.
type mask struct {
	Op
	float64s, elements Mem
}

// lastElements makes the mask of n elements. n may change.
func (o offset) lastElements(n reg.Register) (m mask) {
	if o.Wide {
		m.Op = o.lastMask(n, 0)
		return m
	}
	table := GP64()
	LEAQ(gen.MaskTable(), table)
	for _, size := range []int{8, o.size} {
		bytes, at := GP64(), GP64()
		MOVQ(n, bytes)
		SHLQ(Imm(uint64(gen.Log2(size))), bytes)
		MOVQ(table, at)
		SUBQ(bytes, at)
		m.float64s, m.elements = m.elements, Mem{Base: at, Disp: gen.MaskMiddle}
	}
	return m
}

// loadLast loads the last elements of the matrix, and zeros.
func (o offset) loadLast(from Mem, m mask) Op {
	to := o.element()
	switch {
	case o.Wide && o.size == 8:
		VMOVUPD_Z(from, m.Op, o.reg(to))
	case o.Wide:
		VCVTPS2PD_Z(from, m.Op, o.reg(to))
	case o.size == 8:
		o.loadFloat64s(from, m, o.reg(to))
	default:
		VMOVUPS(m.elements, o.x(o.before()))
		VMASKMOVPS(from, o.x(o.before()), o.x(to))
		VCVTPS2PD(o.x(to), o.reg(to))
	}
	return o.reg(to)
}

// loadFloat64s loads the last elements of a vector of float64, and zeros.
func (o offset) loadFloat64s(from Mem, m mask, to Op) {
	if o.Wide {
		VMOVUPD_Z(from, m.Op, to)
		return
	}
	VMOVUPD(m.float64s, o.reg(o.before()))
	VMASKMOVPD(from, o.reg(o.before()), to)
}

// begin begins a function.
func (v vector) beginOffset(operation, signature string) {
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+signature,
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
}

// offsetDots writes offsetDots.
func (v vector) offsetDots() {
	rows := v.dotsRows()
	v.beginOffset("offsetDots", gen.OffsetDotsSignature(v.size))
	o := offset{v, rows}
	a, x, n := v.matrix(rows, "a", "aRow"), Load(Param("x"), GP64()), Load(Param("n"), GP64())
	width := uint64(v.Lanes())
	broadcastParam("m", o.part(offsetHigh, 0))
	for i := range rows {
		if i > 0 {
			VMOVAPD(o.part(offsetHigh, 0), o.part(offsetHigh, i))
		}
		for _, part := range []int{offsetLow, offsetRange} {
			zero := v.x(part*rows + i)
			VXORPS(zero, zero, zero)
		}
	}
	SUBQ(Imm(width), n)
	JLT(LabelRef("rest"))
	Label("loop")
	VMOVUPD(Mem{Base: x}, o.factor())
	for i := range rows {
		o.step(o.load(a.row(i)), i)
	}
	for _, base := range a.bases {
		ADDQ(Imm(width*uint64(v.size)), base)
	}
	ADDQ(Imm(uint64(v.Bytes)), x)
	SUBQ(Imm(width), n)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(width), n)
	JZ(LabelRef("halve"))
	last := o.lastElements(n)
	o.loadFloat64s(Mem{Base: x}, last, o.factor())
	for i := range rows {
		o.step(o.loadLast(a.row(i), last), i)
	}
	Label("halve")
	for part, sum := range o.outputs() {
		o.halveRows(part, sum)
	}
	Label("done")
	VZEROUPPER()
	RET()
}

// broadcastParam fills a register with a float64 of the parameters, without an
// instruction of SSE, which would wait for the upper halves of registers.
func broadcastParam(name string, to Op) {
	VBROADCASTSD(parameter(name), to)
}

// outputs loads the addresses of the parts of the sums.
func (o offset) outputs() (parts [offsetParts]reg.Register) {
	for i, name := range []string{"high", "low", "changes"} {
		parts[i] = Load(Param(name), GP64())
	}
	return parts
}

// halveRows stores the sum, or the disjunction, of a part of each row.
func (o offset) halveRows(part int, to reg.Register) {
	add := [offsetParts]func(...Op){VPADDQ, VADDPD, VORPD}[part]
	if o.Wide {
		low, high := o.reg(o.before()), o.reg(o.other())
		if part == offsetRange {
			o.storeNoChanges(low, to, "done")
		}
		o.halveEight(part*o.sums, low, high, add)
		VMOVUPD(o.part(part, 0), Mem{Base: to})
		return
	}
	for i := range o.sums {
		r, t := part*o.sums+i, o.x(o.before())
		VEXTRACTF128(Imm(1), o.y(r), t)
		add(t, o.x(r), o.x(r))
		VPERMILPD(Imm(1), o.x(r), t)
		add(t, o.x(r), o.x(r))
		VMOVSD(o.x(r), Mem{Base: to, Disp: i * 8})
	}
}

// storeNoChanges stores zeros as the changes of eight rows, and jumps, unless a
// sum has left its binade.
func (o offset) storeNoChanges(any Op, to reg.Register, label string) {
	const or = 0xfe
	changed := func(i int) Op { return o.part(offsetRange, i) }
	VORPD(changed(0), changed(1), any)
	for i := 2; i < 8; i += 2 {
		VPTERNLOGQ(U8(or), changed(i), changed(i+1), any)
	}
	VPSRLQ(Imm(52), any, any)
	VPTESTMQ(any, any, reg.K1)
	VMOVUPD(any, Mem{Base: to})
	KORTESTB(reg.K1, reg.K1)
	JZ(LabelRef(label))
}

// offsetRows writes offsetRows.
func (v vector) offsetRows() {
	const group = 4
	v.beginOffset("offsetRows", gen.OffsetRowsSignature(v.size))
	o := offset{v, group}
	width := v.Lanes()
	a, aRow := Load(Param("a"), GP64()), v.stride("aRow")
	n, sums := Load(Param("n"), GP64()), o.outputs()
	SUBQ(Imm(uint64(group*width)), n)
	JLT(LabelRef("few"))
	Label("group")
	o.columns("Group", group, a, aRow, sums, nil)
	SUBQ(Imm(uint64(group*width)), n)
	JGE(LabelRef("group"))
	Label("few")
	ADDQ(Imm(uint64((group-1)*width)), n)
	JLT(LabelRef("last"))
	Label("vector")
	o.columns("Vector", 1, a, aRow, sums, nil)
	SUBQ(Imm(uint64(width)), n)
	JGE(LabelRef("vector"))
	Label("last")
	ADDQ(Imm(uint64(width)), n)
	JZ(LabelRef("done"))
	last := o.lastElements(n)
	o.columns("Last", 1, a, aRow, sums, &last)
	Label("done")
	VZEROUPPER()
	RET()
}

// columns adds all rows to the sums of some vectors of columns, or of the last
// columns, and goes on behind them.
func (o offset) columns(
	name string, vectors int, a, aRow reg.Register, sums [offsetParts]reg.Register, last *mask,
) {
	row, x, left := GP64(), Load(Param("x"), GP64()), Load(Param("rows"), GP64())
	MOVQ(a, row)
	bytes := o.Lanes() * o.size
	o.beginSums(name, vectors, sums, last)
	Label("rows" + name)
	VBROADCASTSD(Mem{Base: x}, o.factor())
	for g := range vectors {
		at := Mem{Base: row, Disp: g * bytes}
		if last != nil {
			o.step(o.loadLast(at, *last), g)
		} else {
			o.step(o.load(at), g)
		}
	}
	for at := 0; vectors > 1 && at < vectors*bytes; at += line {
		PREFETCHT0(Mem{Base: row, Disp: vectors*bytes + at})
	}
	ADDQ(aRow, row)
	ADDQ(Imm(8), x)
	DECQ(left)
	JNZ(LabelRef("rows" + name))
	for part, at := range sums {
		for g := range vectors {
			to := Mem{Base: at, Disp: g * o.Bytes}
			switch {
			case last == nil:
				VMOVUPD(o.part(part, g), to)
			case o.Wide:
				VMOVUPD(o.part(part, g), last.Op, to)
			default:
				VMOVUPD(last.float64s, o.reg(o.before()))
				VMASKMOVPD(o.part(part, g), o.reg(o.before()), to)
			}
		}
	}
	if last != nil {
		return
	}
	for _, at := range sums {
		ADDQ(I32(int32(vectors*o.Bytes)), at)
	}
	ADDQ(I32(int32(vectors*bytes)), a)
}

// beginSums loads the sums of some vectors of columns, or makes empty ones.
func (o offset) beginSums(
	name string, vectors int, sums [offsetParts]reg.Register, last *mask,
) {
	CMPQ(parameter("m"), Imm(0))
	JE(LabelRef("load" + name))
	for g := range vectors {
		broadcastParam("m", o.part(offsetHigh, g))
		for _, part := range []int{offsetLow, offsetRange} {
			zero := o.x(part*o.sums + g)
			VXORPS(zero, zero, zero)
		}
	}
	JMP(LabelRef("rows" + name))
	Label("load" + name)
	for part, at := range sums {
		for g := range vectors {
			from := Mem{Base: at, Disp: g * o.Bytes}
			if last != nil {
				o.loadFloat64s(from, *last, o.part(part, g))
			} else {
				VMOVUPD(from, o.part(part, g))
			}
		}
	}
}

// offsetRoundoff bounds the relative error of a rounded operation: see the
// portable body.
const offsetRoundoff = 0x1p-53 * (1 + 0x1p-20)

// offsetRound writes offsetRound.
func (v vector) offsetRound() {
	v.beginOffset("offsetRound", gen.OffsetRoundSignature())
	n, y := Load(Param("n"), GP64()), Load(Param("y"), GP64())
	sums := offset{vector: v}.outputs()
	base, unit, bound := v.broadcastQuad("base"), v.Reg(), v.Reg()
	broadcastParam("unit", unit)
	broadcastParam("bound", bound)
	// Adding the bits of 1.5·2^52 to an integer below 2^51 makes a float64.
	const middle = 0x4338000000000000
	magic, half := v.Constant(middle), v.Constant(1<<51)
	magnitude, roundoff := v.Constant(1<<63-1), v.Constant(math.Float64bits(offsetRoundoff))
	zero, done := v.Zero(), GP64()
	XORQ(done, done)
	SUBQ(Imm(uint64(v.Lanes())), n)
	JLT(LabelRef("done"))
	Label("loop")
	units, high, low, err := v.Reg(), v.Reg(), v.Reg(), v.Reg()
	VMOVUPD(Mem{Base: sums[offsetHigh]}.Idx(done, 8), units)
	VPSUBQ(base, units, units)
	VPADDQ(magic, units, high)
	VSUBPD(magic, high, high)
	VMULPD(unit, high, high)
	VMOVUPD(Mem{Base: sums[offsetLow]}.Idx(done, 8), low)
	VANDPD(magnitude, low, err)
	VMULPD(roundoff, err, err)
	VADDPD(bound, err, err)
	below, above := v.Reg(), v.Reg()
	VSUBPD(err, low, below)
	VADDPD(err, low, above)
	VADDPD(below, high, below)
	VADDPD(above, high, above)
	VPADDQ(half, units, units) // below 2^52, as the changes
	VORPD(Mem{Base: sums[offsetRange]}.Idx(done, 8), units, units)
	VPSRLQ(Imm(52), units, units)
	v.unlessCertain(below, above, zero, units, "done")
	VMOVUPD(below, Mem{Base: y}.Idx(done, 8))
	ADDQ(Imm(uint64(v.Lanes())), done)
	SUBQ(Imm(uint64(v.Lanes())), n)
	JGE(LabelRef("loop"))
	Label("done")
	Store(done, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// broadcastQuad returns a register full of a uint64 of the parameters.
func (v vector) broadcastQuad(name string) reg.VecVirtual {
	r := v.Reg()
	VPBROADCASTQ(parameter(name), r)
	return r
}

// unlessCertain jumps unless all elements of two registers are equal and not
// zero, and all bits of a third are zero.
func (v vector) unlessCertain(below, above, zero, bits Op, label string) {
	const equal, notEqual = 0, 12 // ordered
	if v.Wide {
		certain := GP32()
		VCMPPD(Imm(equal), above, below, reg.K1)
		VCMPPD(Imm(notEqual), zero, below, reg.K1, reg.K2)
		VPTESTNMQ(bits, bits, reg.K2, reg.K3)
		KMOVB(reg.K3, certain)
		CMPB(certain.As8(), Imm(0xff))
		JNE(LabelRef(label))
		return
	}
	VCMPPD(Imm(equal), above, below, above)
	nonzero, certain := v.Reg(), GP32()
	VCMPPD(Imm(notEqual), zero, below, nonzero)
	VPAND(nonzero, above, above)
	VMOVMSKPD(above, certain)
	CMPL(certain, Imm(0xf))
	JNE(LabelRef(label))
	VPTEST(bits, bits)
	JNZ(LabelRef(label))
}
