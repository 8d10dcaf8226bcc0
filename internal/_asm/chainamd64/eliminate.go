package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// chainEliminate writes chainEliminate, with AVX-512. Registers: the vectors of
// y, those of a row, the element of x.
func (v vector) chainEliminate() {
	const (
		x     = 2 * gen.ChainEliminateVectors
		scale = x + 1
	)
	name := gen.Stub("chainEliminate", v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainEliminateSignature(v.size),
		name+" "+gen.ChainDoc("chainEliminate", v.size, v.Level, "chainamd64"))
	rows, vectors := Load(Param("rows"), GP64()), Load(Param("vectors"), GP64())
	px, y, a := Load(Param("x"), GP64()), Load(Param("y"), GP64()), Load(Param("a"), GP64())
	xRow, aRow, masks := v.stride("xRow"), v.stride("aRow"), GP64()
	v.broadcast(parameter("scale"), v.reg(scale))
	back := Load(Param("back"), GP64())
	SHLQ(Imm(uint64(gen.Log2(v.size))), back)
	Comment("The elements of the first vector and of the last, and that of x.")
	Load(Param("first"), masks)
	KMOVW(masks.As32(), reg.K1)
	Load(Param("last"), masks)
	KMOVW(masks.As32(), reg.K2)
	Load(Param("own"), masks)
	KMOVW(masks.As32(), reg.K3)
	for n := gen.ChainEliminateVectors; n > 0; n-- {
		if n > 1 {
			CMPQ(vectors, Imm(uint64(n)))
			JNE(LabelRef(fmt.Sprint("not", n)))
		}
		at := func(base reg.Register, i int) Mem { return Mem{Base: base, Disp: i * v.Bytes} }
		load := func(base reg.Register, i int, to Op) {
			if i == n-1 {
				v.moveZero(at(base, i).Idx(back, 1), reg.K2, to)
			} else {
				v.move(at(base, i), to)
			}
		}
		for i := range n {
			load(y, i, v.reg(i))
		}
		row := fmt.Sprint("row", n)
		Label(row)
		v.mulScalar(Mem{Base: px}, v.x(scale), v.x(x))
		TESTQ(masks, masks)
		JNZ(LabelRef("own" + row))
		v.moveScalar(v.x(x), Mem{Base: px})
		Label("own" + row)
		v.broadcast(v.x(x), v.reg(x))
		for i := range n {
			to := v.reg(gen.ChainEliminateVectors + i)
			load(a, i, to)
			if i == 0 {
				v.subProduct(v.reg(i), v.reg(x), reg.K1, to)
			} else {
				v.subProduct(v.reg(i), v.reg(x), to)
			}
		}
		v.move(v.reg(x), reg.K3, v.reg(gen.ChainEliminateVectors))
		for i := range n {
			from := v.reg(gen.ChainEliminateVectors + i)
			if i == n-1 {
				v.move(from, reg.K2, at(a, i).Idx(back, 1))
			} else {
				v.move(from, at(a, i))
			}
		}
		ADDQ(xRow, px)
		ADDQ(aRow, a)
		DECQ(rows)
		JNZ(LabelRef(row))
		VZEROUPPER()
		RET()
		if n > 1 {
			Label(fmt.Sprint("not", n))
		}
	}
}
