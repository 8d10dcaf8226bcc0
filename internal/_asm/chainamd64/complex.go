package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// beginComplex begins a function on complex numbers of two elements.
func (v vector) beginComplex(operation, signature string) {
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+signature,
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
}

// broadcastPair fills a register with the complex number at m.
func (v vector) broadcastPair(m Mem, to Op) {
	switch {
	case v.size == 4:
		VBROADCASTSD(m, to)
	case v.Wide:
		VBROADCASTF64X2(m, to)
	default:
		VBROADCASTF128(m, to)
	}
}

// swap exchanges the parts of numbers.
func (v vector) swap(from, to Op) {
	switch {
	case v.size == 4:
		VPERMILPS(U8(0xb1), from, to)
	case v.Wide:
		VPERMILPD(U8(0x55), from, to)
	default:
		VPERMILPD(U8(0x5), from, to)
	}
}

// parts doubles one of the parts of numbers, 0 or 1.
func (v vector) parts(part int, from, to Op) {
	switch {
	case v.size == 4 && part == 0:
		VMOVSLDUP(from, to)
	case v.size == 4:
		VMOVSHDUP(from, to)
	case part == 0:
		VMOVDDUP(from, to)
	case v.Wide:
		VPERMILPD(U8(0xff), from, to)
	default:
		VPERMILPD(U8(0xf), from, to)
	}
}

// The registers of complexRows after y's: the factors, an element of a row and
// its parts exchanged, a mask.
const (
	complexGroup   = 4
	complexFactor  = complexGroup
	complexElement = complexFactor + 2
	complexSwapped = complexElement + 1
	complexMask    = complexSwapped + 1
)

// complexRows writes complexRows.
func (v vector) complexRows() {
	v.beginComplex("complexRows", gen.ComplexRowsSignature(v.size))
	a, aRow := Load(Param("a"), GP64()), v.stride("aRow")
	y, n := Load(Param("y"), GP64()), Load(Param("n"), GP64())
	v.inGroups(n, func(name string, vectors int, mask Op) {
		v.complexColumns(name, vectors, a, aRow, y, mask)
	})
}

// inGroups calls do for n elements: in groups of vectors, in vectors, and for
// the last elements with their mask.
func (v vector) inGroups(n reg.Register, do func(name string, vectors int, mask Op)) {
	width := v.Bytes / v.size
	SUBQ(Imm(uint64(complexGroup*width)), n)
	JLT(LabelRef("few"))
	Label("group")
	do("Group", complexGroup, nil)
	SUBQ(Imm(uint64(complexGroup*width)), n)
	JGE(LabelRef("group"))
	Label("few")
	ADDQ(Imm(uint64((complexGroup-1)*width)), n)
	JLT(LabelRef("last"))
	Label("vector")
	do("Vector", 1, nil)
	SUBQ(Imm(uint64(width)), n)
	JGE(LabelRef("vector"))
	Label("last")
	ADDQ(Imm(uint64(width)), n)
	JZ(LabelRef("done"))
	do("Last", 1, v.lastMask(n, complexMask))
	Label("done")
	VZEROUPPER()
	RET()
}

// complexColumns updates some vectors of y by all rows, or its last elements,
// and goes on behind them.
func (v vector) complexColumns(name string, vectors int, a, aRow, y reg.Register, mask Op) {
	at := func(base reg.Register, g int) Mem { return Mem{Base: base, Disp: g * v.Bytes} }
	for g := range vectors {
		if mask != nil {
			v.loadMasked(at(y, g), mask, v.reg(g))
		} else {
			v.move(at(y, g), v.reg(g))
		}
	}
	row, factors, left := GP64(), Load(Param("factors"), GP64()), Load(Param("rows"), GP64())
	MOVQ(a, row)
	Label("rows" + name)
	for i := range 2 {
		v.broadcastPair(Mem{Base: factors, Disp: 2 * i * v.size}, v.reg(complexFactor+i))
	}
	for g := range vectors {
		element, swapped := v.reg(complexElement), v.reg(complexSwapped)
		if mask != nil {
			v.loadMasked(at(row, g), mask, element)
		} else {
			v.move(at(row, g), element)
		}
		v.fma(element, v.reg(complexFactor), v.reg(g))
		v.swap(element, swapped)
		v.fma(swapped, v.reg(complexFactor+1), v.reg(g))
	}
	for at := 0; vectors > 1 && at < vectors*v.Bytes; at += line {
		PREFETCHT0(Mem{Base: row, Disp: vectors*v.Bytes + at})
	}
	ADDQ(aRow, row)
	ADDQ(Imm(uint64(4*v.size)), factors)
	DECQ(left)
	JNZ(LabelRef("rows" + name))
	for g := range vectors {
		v.storeMasked(v.reg(g), mask, at(y, g))
	}
	if mask == nil {
		ADDQ(I32(int32(vectors*v.Bytes)), a)
		ADDQ(I32(int32(vectors*v.Bytes)), y)
	}
}

// complexScale writes complexScale.
func (v vector) complexScale() {
	v.beginComplex("complexScale", gen.ComplexScaleSignature(v.size))
	factors := Load(Param("factors"), GP64())
	x, n := Load(Param("x"), GP64()), Load(Param("n"), GP64())
	for i := range 2 {
		v.broadcastPair(Mem{Base: factors, Disp: 2 * i * v.size}, v.reg(complexFactor+i))
	}
	v.inGroups(n, func(_ string, vectors int, mask Op) { v.complexProducts(vectors, x, mask) })
}

// complexProducts multiplies some vectors of x, or its last elements, and goes
// on behind them.
func (v vector) complexProducts(vectors int, x reg.Register, mask Op) {
	element, swapped := v.reg(complexElement), v.reg(complexSwapped)
	for g := range vectors {
		at, product := Mem{Base: x, Disp: g * v.Bytes}, v.reg(g)
		if mask != nil {
			v.loadMasked(at, mask, element)
		} else {
			v.move(at, element)
		}
		v.swap(element, swapped)
		v.mul(element, v.reg(complexFactor), product)
		v.fma(swapped, v.reg(complexFactor+1), product)
		v.storeMasked(product, mask, at)
	}
	if mask == nil {
		ADDQ(I32(int32(vectors*v.Bytes)), x)
	}
}

// storeMasked stores a register, or its elements of a mask.
func (v vector) storeMasked(from, mask Op, to Mem) {
	switch {
	case mask == nil:
		v.move(from, to)
	case v.Wide:
		v.move(from, mask, to)
	default:
		v.maskMove(from, mask, to)
	}
}

// complexDots is complexDots being written. Registers: the lanes of each row,
// then of x, then of x with its parts exchanged, and others.
type complexDots struct {
	vector
	rows, width int // width is the number of registers of a row's lanes
	a           matrix
	from        reg.Register // x
}

func (d complexDots) lanes(row, part int) Op { return d.reg(row*d.width + part) }
func (d complexDots) swapped(part int) Op    { return d.lanes(d.rows+1, part) }
func (d complexDots) other(i int) int        { return (d.rows+2)*d.width + i }

// complexDots writes complexDots, and complexDot.
func (v vector) complexDots() { v.complexDotsOf("complexDots", v.dotsRows()) }
func (v vector) complexDot()  { v.complexDotsOf("complexDot", 1) }

// complexDotsOf writes complexDots for some rows.
func (v vector) complexDotsOf(operation string, rows int) {
	v.beginComplex(operation, gen.ComplexDotsSignature(v.size))
	d := complexDots{v, rows, gen.ChainLanesBytes / v.Bytes, v.matrix(rows, "a", "aRow"),
		Load(Param("x"), GP64())}
	n, signs := Load(Param("n"), GP64()), Load(Param("signs"), GP64())
	for i := range rows * d.width {
		x := v.x(i)
		VXORPS(x, x, x)
	}
	const perLoop = gen.ChainLanesBytes
	lanes := uint64(perLoop / v.size)
	d.broadcastPair(Mem{Base: signs}, d.reg(d.other(0)))
	SUBQ(Imm(lanes), n)
	JLT(LabelRef("rest"))
	Label("loop")
	for p := range d.width {
		v.move(Mem{Base: d.from, Disp: p * v.Bytes}, d.lanes(rows, p))
		d.exchange(p)
		for row := range rows {
			d.add2(d.a.row(row).Offset(p*v.Bytes), row, p)
		}
	}
	for _, base := range append(d.a.bases, d.from) {
		ADDQ(Imm(perLoop), base)
	}
	SUBQ(Imm(lanes), n)
	JGE(LabelRef("loop"))
	Label("rest")
	ADDQ(Imm(lanes), n)
	JZ(LabelRef("halve"))
	if v.Wide {
		d.restMasked(n)
	} else {
		d.rest(n)
	}
	Label("halve")
	sums := Load(Param("sums"), GP64())
	for row := range rows {
		d.halve(row, Mem{Base: sums, Disp: 2 * row * v.size})
	}
	VZEROUPPER()
	RET()
}

// exchange makes a vector of x with its parts exchanged and with the call's
// signs, which are the signs of the products of imaginary parts.
func (d complexDots) exchange(part int) {
	d.swap(d.lanes(d.rows, part), d.swapped(part))
	VXORPS(d.reg(d.other(0)), d.swapped(part), d.swapped(part))
}

// add2 adds the two products of each part of a vector of a row.
func (d complexDots) add2(a Op, row, part int) {
	t := d.reg(d.other(1))
	d.parts(0, a, t)
	d.fma(d.lanes(d.rows, part), t, d.lanes(row, part))
	d.parts(1, a, t)
	d.fma(d.swapped(part), t, d.lanes(row, part))
}

// restMasked adds the last products to their lanes, with AVX-512.
func (d complexDots) restMasked(n reg.Register) {
	mask := d.lastMask(n, 0)
	d.loadMasked(Mem{Base: d.from}, mask, d.lanes(d.rows, 0))
	d.exchange(0)
	a, t := d.reg(d.other(2)), d.reg(d.other(1))
	for row := range d.rows {
		d.loadMasked(d.a.row(row), mask, a)
		for part, x := range []Op{d.lanes(d.rows, 0), d.swapped(0)} {
			d.parts(part, a, t)
			d.fma(x, t, mask, d.lanes(row, 0))
		}
	}
}

// rest adds the last products to their lanes, and to the others +0·−0, which
// changes no sum.
func (d complexDots) rest(n reg.Register) {
	first, width, bits := GP64(), GP64(), GP64()
	mask, a, negZero := d.reg(d.other(2)), d.reg(d.other(2)), d.other(1)
	Comment("Elements of the first register, and of the second.")
	MOVQ(U32(uint32(d.Bytes/d.size)), width)
	MOVQ(n, first)
	CMPQ(first, width)
	CMOVQGT(width, first)
	SUBQ(first, n)
	for p, count := range []reg.Register{first, n} {
		spare := GP64()
		MOVQ(count, spare)
		d.lastMask(spare, d.other(2))
		at := func(m Mem) Mem { return m.Offset(p * d.Bytes) }
		d.loadMasked(at(Mem{Base: d.from}), mask, d.lanes(d.rows, p))
		d.exchange(p)
		MOVQ(U64(d.sign), bits)
		VMOVQ(bits, d.x(negZero))
		VPBROADCASTQ(d.x(negZero), d.y(negZero))
		VANDNPD(d.y(negZero), mask, d.y(negZero))
		for _, x := range []Op{d.lanes(d.rows, p), d.swapped(p)} {
			VANDPD(mask, x, x)
			VORPD(d.y(negZero), x, x)
		}
		for row := range d.rows {
			MOVQ(count, spare)
			d.lastMask(spare, d.other(2))
			d.loadMasked(at(d.a.row(row)), mask, a)
			d.add2(a, row, p)
		}
	}
}

// halve adds the upper half of a row's lanes to the lower until one is left,
// and stores it.
func (d complexDots) halve(row int, to Mem) {
	lanes, t := row*d.width, d.other(1)
	if d.Wide {
		VEXTRACTF64X4(Imm(1), d.reg(lanes), d.y(t))
		d.add(d.y(t), d.y(lanes), d.y(lanes))
	} else {
		d.add(d.y(lanes+1), d.y(lanes), d.y(lanes))
	}
	lower, upper := d.x(lanes), d.x(t)
	VEXTRACTF128(Imm(1), d.y(lanes), upper)
	d.add(upper, lower, lower)
	if d.size == 8 {
		VMOVUPD(lower, to)
		return
	}
	VPERMILPD(Imm(1), lower, upper)
	d.add(upper, lower, lower)
	VMOVSD(lower, to)
}
