package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// dots is chainDots being written. Registers: the lanes of each row, then of x,
// then others.
type dots struct {
	vector
	rows, parts int // parts is the number of registers of a row's lanes
	a           matrix
	from, n     reg.Register // x, and the number of products left
}

func (d dots) lanes(row, part int) Op { return d.reg(row*d.parts + part) }
func (d dots) xLanes(part int) Op     { return d.lanes(d.rows, part) }
func (d dots) other(i int) int        { return (d.rows+1)*d.parts + i }
func (d dots) at(m Mem, part int) Mem { return m.Offset(part * d.Bytes) }

// dotsRows returns the rows of chainDots.
func (v vector) dotsRows() int {
	if v.Wide {
		return gen.ChainDotsRowsAVX512
	}
	return gen.ChainDotsRows
}

// chainDots writes chainDots, and chainDot.
func (v vector) chainDots() { v.dotsOf("chainDots", v.dotsRows()) }
func (v vector) chainDot()  { v.dotsOf("chainDot", 1) }

// dotsOf writes chainDots for some rows.
func (v vector) dotsOf(operation string, rows int) {
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainDotsSignature(v.size),
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
	d := dots{v, rows, gen.ChainLanesBytes / v.Bytes, v.matrix(rows, "a", "aRow"),
		Load(Param("x"), GP64()), Load(Param("n"), GP64())}
	sums := Load(Param("sums"), GP64())
	for i := range d.rows * d.parts {
		x := v.Physical(16)[i].AsX()
		VXORPS(x, x, x)
	}
	d.addWhole(d.Wide)
	JZ(LabelRef("halve"))
	if v.Wide {
		d.restMasked()
	} else {
		d.rest()
	}
	Label("halve")
	if v.Wide {
		d.halveAll(Mem{Base: sums})
	} else {
		for row := range d.rows {
			d.halve(row)
			v.moveScalar(d.x(row*d.parts), Mem{Base: sums, Disp: row * v.size})
		}
	}
	VZEROUPPER()
	RET()
}

// farRow is the size of rows from which on chainDots fetches them ahead, by
// aheadOfDots bytes. A processor follows eight rows by itself, but begins anew
// on each page; shorter rows are in its caches more often than not.
const (
	farRow      = 8 << 10
	aheadOfDots = 512
)

// addWhole adds the products of whole groups of lanes. It leaves the number of
// the others, and compares it with zero. With far it fetches long rows ahead.
func (d dots) addWhole(far bool) {
	lanes := uint64(gen.ChainLanesBytes / d.size)
	if far {
		CMPQ(d.n, U32(uint32(farRow/d.size)))
		JGE(LabelRef("far"))
	}
	SUBQ(Imm(lanes), d.n)
	JLT(LabelRef("rest"))
	Label("loop")
	d.addGroup(0)
	SUBQ(Imm(lanes), d.n)
	JGE(LabelRef("loop"))
	if far {
		JMP(LabelRef("rest"))
		Label("far")
		SUBQ(Imm(lanes), d.n)
		Label("farLoop")
		d.addGroup(aheadOfDots)
		SUBQ(Imm(lanes), d.n)
		JGE(LabelRef("farLoop"))
	}
	Label("rest")
	ADDQ(Imm(lanes), d.n)
}

// addGroup adds the products of a group of lanes, and fetches elements some
// bytes ahead of it unless they are 0.
func (d dots) addGroup(ahead int) {
	for p := range d.parts {
		d.move(d.at(Mem{Base: d.from}, p), d.xLanes(p))
	}
	for row := range d.rows {
		for p := range d.parts {
			d.fma(d.at(d.a.row(row), p), d.xLanes(p), d.lanes(row, p))
		}
		if ahead > 0 {
			PREFETCHT0(d.a.row(row).Offset(ahead))
		}
	}
	for _, base := range append(d.a.bases, d.from) {
		ADDQ(Imm(gen.ChainLanesBytes), base)
	}
}

// rest adds the last products to their lanes, and to the others +0·−0,
// which changes no sum.
func (d dots) rest() {
	masks := []int{d.other(0), d.other(1)}
	a, negZero := d.reg(d.other(2)), d.other(3)
	first, width, bits := GP64(), GP64(), GP64()
	Comment("Elements of the first register, and of the second.")
	MOVQ(U32(uint32(d.Bytes/d.size)), width)
	MOVQ(d.n, first)
	CMPQ(first, width)
	CMOVQGT(width, first)
	SUBQ(first, d.n)
	d.lastMask(first, masks[0])
	d.lastMask(d.n, masks[1])
	MOVQ(U64(d.sign), bits)
	VMOVQ(bits, d.x(negZero))
	VPBROADCASTQ(d.x(negZero), d.y(negZero))
	for p, mask := range masks {
		d.loadMasked(d.at(Mem{Base: d.from}, p), d.reg(mask), d.xLanes(p))
		VANDNPD(d.y(negZero), d.reg(mask), a)
		VORPD(a, d.xLanes(p), d.xLanes(p))
		for row := range d.rows {
			d.loadMasked(d.at(d.a.row(row), p), d.reg(mask), a)
			d.fma(a, d.xLanes(p), d.lanes(row, p))
		}
	}
}

// restMasked adds the last products to their lanes, with AVX-512.
func (d dots) restMasked() {
	mask := d.lastMask(d.n, 0)
	d.loadMasked(Mem{Base: d.from}, mask, d.xLanes(0))
	for row := range d.rows {
		d.fma(d.a.row(row), d.xLanes(0), mask, d.lanes(row, 0))
	}
}

// halveAll halves the lanes of eight rows of one register each, and stores the
// sums.
func (d dots) halveAll(sums Mem) {
	low, high := d.reg(d.other(0)), d.reg(d.other(1))
	d.halveEight(0, low, high, d.add)
	if d.size == 8 {
		d.move(d.reg(0), sums)
		return
	}
	VMOVSHDUP(d.reg(0), high)
	d.add(high, d.reg(0), d.reg(0))
	VPMOVQD(d.reg(0), sums)
}

// halveEight halves the lanes of eight registers of AVX-512, from the first on.
// Each step puts the halves of two registers side by side: after three steps,
// the sums of all as lanes of 64 bits are in the first register.
func (v vector) halveEight(first int, low, high Op, add func(...Op)) {
	step := func(split func(a, b Op), a, b int) {
		split(v.reg(first+a), v.reg(first+b))
		add(low, high, v.reg(first+a))
	}
	for _, part := range [][2]uint64{{0x44, 0xee}, {0x88, 0xdd}} {
		shuffle := func(a, b Op) {
			VSHUFF64X2(Imm(part[0]), b, a, low)
			VSHUFF64X2(Imm(part[1]), b, a, high)
		}
		if part[0] == 0x44 {
			for _, a := range []int{0, 1, 4, 5} {
				step(shuffle, a, a+2)
			}
		} else {
			step(shuffle, 0, 4)
			step(shuffle, 1, 5)
		}
	}
	step(func(a, b Op) {
		VUNPCKLPD(b, a, low)
		VUNPCKHPD(b, a, high)
	}, 0, 1)
}

// halve adds the upper half of a row's lanes to the lower until one is left.
func (d dots) halve(row int) {
	lanes, t := row*d.parts, d.other(0)
	d.add(d.y(lanes+1), d.y(lanes), d.y(lanes))
	VEXTRACTF128(Imm(1), d.y(lanes), d.x(t))
	d.add(d.x(t), d.x(lanes), d.x(lanes))
	VPERMILPD(Imm(1), d.x(lanes), d.x(t))
	if d.size == 4 {
		d.add(d.x(t), d.x(lanes), d.x(lanes))
		VMOVSHDUP(d.x(lanes), d.x(t))
	}
	d.addScalar(d.x(t), d.x(lanes), d.x(lanes))
}
