package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// cornerWidth is the number of columns of a corner.
const cornerWidth = 8

// chainCorner writes chainCorner, or chainCornerOuter, with AVX-512. Registers:
// y, a row, the element of x.
func (v vector) chainCorner(operation string, isOuter bool) {
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainCornerSignature(v.size),
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
	rows, aRow := Load(Param("rows"), GP64()), v.stride("aRow")
	px, py, a := Load(Param("x"), GP64()), Load(Param("y"), GP64()), Load(Param("a"), GP64())
	y, row, x, all, masks := v.corner(0), v.corner(1), v.corner(2), GP64(), GP64()
	Load(Param("masks"), masks)
	Load(Param("all"), all)
	KMOVW(all.As32(), reg.K2)
	v.moveZero(Mem{Base: py}, reg.K2, y)
	Label("row")
	KMOVB(masks.As32(), reg.K1)
	SHRQ(Imm(8), masks)
	v.broadcast(Mem{Base: px}, x)
	v.moveZero(Mem{Base: a}, reg.K1, row)
	if isOuter {
		v.fma(y, x, row)
		v.move(row, reg.K1, Mem{Base: a})
	} else {
		v.fma(row, x, reg.K1, y)
	}
	ADDQ(aRow, a)
	ADDQ(Imm(uint64(v.size)), px)
	DECQ(rows)
	JNZ(LabelRef("row"))
	if !isOuter {
		v.move(y, reg.K2, Mem{Base: py})
	}
	VZEROUPPER()
	RET()
}

// corner returns a register, or its half, that holds the columns of a corner.
func (v vector) corner(i int) Op {
	if cornerWidth*v.size == v.Bytes {
		return v.reg(i)
	}
	return v.y(i)
}
