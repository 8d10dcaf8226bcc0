package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// outer is chainOuter being written. Registers: the element of x, four vectors
// of a, one of y.
type outer struct {
	vector
	a, y reg.Register
	at   reg.GPVirtual // the place in a row and in y, in bytes
}

const (
	outerGroup = 4
	outerX     = 0
	outerA     = 1
	outerY     = outerA + outerGroup
)

// chainOuter writes chainOuter.
func (v vector) chainOuter() {
	name := gen.Stub("chainOuter", v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainOuterSignature(v.size),
		name+" "+gen.ChainDoc("chainOuter", v.size, v.Level, "chainamd64"))
	o := outer{v, Load(Param("a"), GP64()), Load(Param("y"), GP64()), GP64()}
	rows, n, x := Load(Param("rows"), GP64()), Load(Param("n"), GP64()), Load(Param("x"), GP64())
	aRow, whole, rest := v.stride("aRow"), GP64(), GP64()
	width := v.Bytes / v.size
	MOVQ(n, rest)
	ANDQ(Imm(uint64(width-1)), rest)
	SUBQ(rest, n)
	SHLQ(Imm(uint64(gen.Log2(v.size))), n)
	if v.Wide {
		TESTQ(rest, rest)
		JZ(LabelRef("row"))
		last := GP64()
		MOVQ(rest, last)
		v.lastMask(last, 0)
	}

	Label("row")
	v.broadcast(Mem{Base: x}, v.reg(outerX))
	XORL(o.at.As32(), o.at.As32())
	MOVQ(n, whole)
	SUBQ(I32(int32(outerGroup*v.Bytes)), whole)
	JLT(LabelRef("few"))
	Label("group")
	o.update(outerGroup)
	SUBQ(I32(int32(outerGroup*v.Bytes)), whole)
	JGE(LabelRef("group"))
	Label("few")
	ADDQ(I32(int32((outerGroup-1)*v.Bytes)), whole)
	JLT(LabelRef("last"))
	Label("vector")
	o.update(1)
	SUBQ(Imm(uint64(v.Bytes)), whole)
	JGE(LabelRef("vector"))
	Label("last")
	if v.Wide {
		TESTQ(rest, rest)
		JZ(LabelRef("next"))
		o.updateMasked()
	} else {
		o.updateParts(rest)
	}
	Label("next")
	ADDQ(aRow, o.a)
	ADDQ(Imm(uint64(v.size)), x)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// from returns the address of a vector of a row, or of y.
func (o outer) from(base reg.Register, i int) Mem {
	return Mem{Base: base, Index: o.at, Scale: 1, Disp: i * o.Bytes}
}

// update updates some vectors of a row and goes on behind them.
func (o outer) update(vectors int) {
	for i := range vectors {
		o.move(o.from(o.a, i), o.reg(outerA+i))
	}
	for i := range vectors {
		o.fma(o.from(o.y, i), o.reg(outerX), o.reg(outerA+i))
	}
	for i := range vectors {
		o.move(o.reg(outerA+i), o.from(o.a, i))
	}
	ADDQ(I32(int32(vectors*o.Bytes)), o.at)
}

// updateMasked updates the last elements of a row, with AVX-512.
func (o outer) updateMasked() {
	a, y := o.reg(outerA), o.reg(outerY)
	o.loadMasked(o.from(o.y, 0), reg.K1, y)
	o.loadMasked(o.from(o.a, 0), reg.K1, a)
	o.fma(y, o.reg(outerX), a)
	o.move(a, reg.K1, o.from(o.a, 0))
}

// updateParts updates the last elements of a row by parts of half the size: a
// masked vector that reaches into a page of memory beyond a's takes very long.
func (o outer) updateParts(rest reg.Register) {
	a, y := o.reg(outerA), o.reg(outerY)
	for bytes := o.Bytes / 2; bytes >= o.size; bytes /= 2 {
		skip := fmt.Sprint("without", bytes)
		TESTQ(I32(int32(bytes/o.size)), rest)
		JZ(LabelRef(skip))
		o.movePart(bytes, o.from(o.a, 0), a)
		o.fmaPart(bytes, o.from(o.y, 0), y, o.reg(outerX), a)
		o.movePart(bytes, a, o.from(o.a, 0))
		ADDQ(Imm(uint64(bytes)), o.at)
		Label(skip)
	}
}
