package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// newDots returns the registers of the lanes of 8 rows, with AVX-512. The
// vector and the number of products are loaded later.
func (v vector) newDots() dots {
	d := dots{vector: v, rows: v.dotsRows(), parts: gen.ChainLanesBytes / v.Bytes}
	for i := range d.rows * d.parts {
		x := v.Physical(16)[i].AsX()
		VXORPS(x, x, x)
	}
	return d
}

// chainLanes writes chainLanes.
func (v vector) chainLanes() {
	name := gen.Stub("chainLanes", v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainLanesSignature(v.size),
		name+" "+gen.ChainDoc("chainLanes", v.size, v.Level, "chainamd64"))
	d := v.newDots()
	d.a = v.matrix(d.rows, "a", "aRow")
	d.from, d.n = Load(Param("x"), GP64()), Load(Param("n"), GP64())
	lanes := Load(Param("lanes"), GP64())
	d.addWhole(false)
	JZ(LabelRef("store"))
	d.restMasked()
	Label("store")
	for row := range d.rows {
		v.move(d.lanes(row, 0), Mem{Base: lanes, Disp: row * v.Bytes})
	}
	VZEROUPPER()
	RET()
}

// chainUneven writes chainUneven.
func (v vector) chainUneven() {
	name := gen.Stub("chainUneven", v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainUnevenSignature(v.size),
		name+" "+gen.ChainDoc("chainUneven", v.size, v.Level, "chainamd64"))
	d := v.newDots()
	d.a = v.matrix(d.rows, "a", "aRow")
	x := v.matrix(d.rows, "x", "xRow")
	advance := func() {
		for _, base := range append(d.a.bases, x.bases...) {
			ADDQ(Imm(gen.ChainLanesBytes), base)
		}
	}
	left, whole := Load(Param("n"), GP64()), Load(Param("whole"), GP64())
	lanes := gen.ChainLanesBytes / v.size
	TESTQ(whole, whole)
	JZ(LabelRef("first"))
	Label("loop")
	for row := range d.rows {
		v.move(x.row(row), d.xLanes(0))
		v.fma(d.a.row(row), d.xLanes(0), d.lanes(row, 0))
	}
	advance()
	SUBQ(Imm(uint64(lanes)), left)
	DECQ(whole)
	JNZ(LabelRef("loop"))
	Label("first")
	last := d.addUneven(left, x)
	Comment("Whether the first row goes on, or the last.")
	CMPQ(last, left)
	CMOVQLT(left, last)
	CMPQ(last, Imm(uint64(lanes)))
	JLE(LabelRef("halve"))
	SUBQ(Imm(uint64(lanes)), left)
	advance()
	d.addUneven(left, x)
	Label("halve")
	sums := Load(Param("sums"), GP64())
	d.halveAll(Mem{Base: sums})
	VZEROUPPER()
	RET()
}

// addUneven adds the next products of each row to its lanes: as many as are
// left of it, and at most one for each lane. It returns how many are left of
// the last row.
func (d dots) addUneven(left reg.Register, x matrix) (last reg.GPVirtual) {
	n, zero, ones, bits := GP64(), GP64(), GP64(), GP64()
	MOVQ(left, n)
	XORL(zero.As32(), zero.As32())
	MOVQ(I32(-1), ones)
	for row := range d.rows {
		if row > 0 {
			ADDQ(parameter("step"), n)
		}
		MOVQ(n, bits)
		TESTQ(bits, bits)
		CMOVQLT(zero, bits)
		BZHIQ(bits, ones, bits)
		CMPQ(parameter("rows"), Imm(uint64(row)))
		CMOVQLE(zero, bits)
		KMOVW(bits.As32(), reg.K1)
		d.loadMasked(x.row(row), reg.K1, d.xLanes(0))
		d.fma(d.a.row(row), d.xLanes(0), reg.K1, d.lanes(row, 0))
	}
	return n
}

// parameter returns the address of a parameter.
func parameter(name string) Op {
	p, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}
