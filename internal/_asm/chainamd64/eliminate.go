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

// chainReflect writes chainReflect, with AVX-512. Registers: the sums of the
// columns, the vectors of a row, the element of x.
func (v vector) chainReflect() {
	const (
		x     = 2 * gen.ChainEliminateVectors
		scale = x + 1
	)
	name := gen.Stub("chainReflect", v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainReflectSignature(v.size),
		name+" "+gen.ChainDoc("chainReflect", v.size, v.Level, "chainamd64"))
	rows, vectors := Load(Param("rows"), GP64()), Load(Param("vectors"), GP64())
	px, a := Load(Param("x"), GP64()), Load(Param("a"), GP64())
	xRow, aRow := v.stride("xRow"), v.stride("aRow")
	back, mask, count := Load(Param("back"), GP64()), GP64(), GP64()
	SHLQ(Imm(uint64(gen.Log2(v.size))), back)
	Load(Param("first"), mask)
	KMOVW(mask.As32(), reg.K1)
	Load(Param("last"), mask)
	KMOVW(mask.As32(), reg.K2)
	v.broadcast(parameter("scale"), v.reg(scale))
	at := func(i int) Mem { return Mem{Base: a, Disp: i * v.Bytes} }
	for n := gen.ChainEliminateVectors; n > 0; n-- {
		suffix := fmt.Sprint(n)
		if n > 1 {
			CMPQ(vectors, Imm(uint64(n)))
			JNE(LabelRef("not" + suffix))
		}
		row := func(i int) Op { return v.reg(gen.ChainEliminateVectors + i) }
		loadRow := func() {
			for i := range n - 1 {
				v.move(at(i), row(i))
			}
			v.moveZero(at(n-1).Idx(back, 1), reg.K2, row(n-1))
		}
		storeRow := func() {
			for i := range n - 1 {
				if i == 0 {
					v.move(row(i), reg.K1, at(i))
				} else {
					v.move(row(i), at(i))
				}
			}
			v.move(row(n-1), reg.K2, at(n-1).Idx(back, 1))
		}
		for i := range n {
			zero := v.x(i)
			VXORPS(zero, zero, zero)
		}
		MOVQ(rows, count)
		Label("sum" + suffix)
		v.broadcast(Mem{Base: px}, v.reg(x))
		loadRow()
		for i := range n {
			v.fma(row(i), v.reg(x), v.reg(i))
		}
		ADDQ(xRow, px)
		ADDQ(aRow, a)
		DECQ(count)
		JNZ(LabelRef("sum" + suffix))

		MOVQ(rows, count)
		Load(Param("x"), px)
		Load(Param("a"), a)
		v.mulScalar(Mem{Base: px}, v.x(scale), v.x(x))
		Label("row" + suffix)
		v.broadcast(v.x(x), v.reg(x))
		loadRow()
		for i := range n {
			v.subProduct(v.reg(i), v.reg(x), row(i))
		}
		ADDQ(xRow, px)
		DECQ(count)
		JZ(LabelRef("end" + suffix))
		Comment("Before the stores: it would wait for a masked one beside it.")
		v.mulScalar(Mem{Base: px}, v.x(scale), v.x(x))
		storeRow()
		ADDQ(aRow, a)
		JMP(LabelRef("row" + suffix))
		Label("end" + suffix)
		storeRow()
		VZEROUPPER()
		RET()
		if n > 1 {
			Label("not" + suffix)
		}
	}
}
