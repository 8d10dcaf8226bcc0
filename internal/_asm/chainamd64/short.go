package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// Registers of functions on vectors of few elements: two factors, a group of x,
// one of y, and two others.
const (
	shortGroup = 4
	shortX     = 2
	shortY     = shortX + shortGroup
	shortSpare = shortY + shortGroup
)

// inParts calls do for parts of x and of y, one after another: groups of
// registers, and then groups of lower halves, halves, and parts of them. do
// gets the bytes of a part, the registers of x and y that have been loaded, and
// leaves the results there. y may be nil. The first registers hold factors.
//
// Few elements never touch an upper half, which costs a VZEROUPPER.
func (v vector) inParts(n, x, y reg.Register, factors int, storeX bool, do func(bytes, i int)) {
	width, half := v.Bytes/v.size, v.Bytes/2
	some := func(bytes, count int) {
		for i := range count {
			v.movePart(bytes, Mem{Base: x, Disp: i * bytes}, v.reg(shortX+i))
			if y != nil {
				v.movePart(bytes, Mem{Base: y, Disp: i * bytes}, v.reg(shortY+i))
			}
		}
		for i := range count {
			do(bytes, i)
		}
		for i := range count {
			if storeX {
				v.movePart(bytes, v.reg(shortX+i), Mem{Base: x, Disp: i * bytes})
			}
			if y != nil {
				v.movePart(bytes, v.reg(shortY+i), Mem{Base: y, Disp: i * bytes})
			}
		}
	}
	advance := func(bytes int) {
		ADDQ(Imm(uint64(bytes)), x)
		if y != nil {
			ADDQ(Imm(uint64(bytes)), y)
		}
	}
	SUBQ(Imm(uint64(shortGroup*width)), n)
	JLT(LabelRef("few"))
	for i := range factors {
		v.broadcast(v.x(i), v.reg(i))
	}
	Label("group")
	some(v.Bytes, shortGroup)
	for range 2 { // one step would not fit in a byte
		advance(shortGroup * v.Bytes / 2)
	}
	SUBQ(Imm(uint64(shortGroup*width)), n)
	JGE(LabelRef("group"))
	VZEROUPPER()
	Label("few")
	for bytes := shortGroup * half; bytes >= v.size; bytes /= 2 {
		next := fmt.Sprint("below", bytes)
		TESTQ(U32(uint32(bytes/v.size)), n)
		JZ(LabelRef(next))
		some(min(bytes, half), max(bytes/half, 1))
		if bytes > v.size {
			advance(bytes)
		}
		Label(next)
		if bytes == shortGroup*half { // many vectors end here
			TESTQ(U32(uint32(bytes/v.size-1)), n)
			JZ(LabelRef("done"))
		}
	}
	Label("done")
	RET()
}

// shortAxpy and the others write the functions of these names.
func (v vector) shortAxpy() {
	v.beginShort("shortAxpy", gen.ShortAxpySignature(v.size))
	v.broadcastParam("alpha", 0)
	n, x, y := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	v.inParts(n, x, y, 1, false, func(bytes, i int) {
		of := func(r int) Op { return part(bytes, v.reg(r)) }
		v.fma(of(shortX+i), of(0), of(shortY+i))
	})
}

func (v vector) shortScale() {
	v.beginShort("shortScale", gen.ShortScaleSignature(v.size))
	v.broadcastParam("alpha", 0)
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	v.inParts(n, x, nil, 1, true, func(bytes, i int) {
		of := func(r int) Op { return part(bytes, v.reg(r)) }
		v.mul(of(shortX+i), of(0), of(shortX+i))
	})
}

func (v vector) shortDivide() {
	v.beginShort("shortDivide", gen.ShortScaleSignature(v.size))
	v.broadcastParam("alpha", 0)
	n, x := Load(Param("n"), GP64()), Load(Param("x"), GP64())
	v.inParts(n, x, nil, 1, true, func(bytes, i int) {
		of := func(r int) Op { return part(bytes, v.reg(r)) }
		v.div(of(0), of(shortX+i), of(shortX+i))
	})
}

func (v vector) shortRotate() {
	v.beginShort("shortRotate", gen.ShortRotateSignature(v.size))
	v.broadcastParam("c", 0)
	v.broadcastParam("s", 1)
	n, x, y := Load(Param("n"), GP64()), Load(Param("x"), GP64()), Load(Param("y"), GP64())
	v.inParts(n, x, y, 2, true, func(bytes, i int) {
		of := func(r int) Op { return part(bytes, v.reg(r)) }
		x, y, sy, sx := of(shortX+i), of(shortY+i), of(shortSpare), of(shortSpare+1)
		v.mul(y, of(1), sy)
		v.mul(x, of(1), sx)
		v.mul(x, of(0), x)
		v.mul(y, of(0), y)
		v.add(sy, x, x)
		v.sub(sx, y, y)
	})
}

// shortProducts writes the function of this name, with AVX2.
func (v vector) shortProducts() {
	v.beginShort("shortProducts", gen.ShortProductsSignature())
	n, dst := Load(Param("n"), GP64()), Load(Param("dst"), GP64())
	x, y := Load(Param("x"), GP64()), Load(Param("y"), GP64())
	width := v.Bytes / v.size
	some := func(count int) {
		for i := range count {
			VCVTPS2PD(Mem{Base: x, Disp: i * v.Bytes / 2}, v.reg(shortX+i))
			VCVTPS2PD(Mem{Base: y, Disp: i * v.Bytes / 2}, v.reg(shortY+i))
			v.mul(v.reg(shortX+i), v.reg(shortY+i), v.reg(shortX+i))
			v.move(v.reg(shortX+i), Mem{Base: dst, Disp: i * v.Bytes})
		}
		ADDQ(Imm(uint64(count*v.Bytes/2)), x)
		ADDQ(Imm(uint64(count*v.Bytes/2)), y)
		ADDQ(I32(int32(count*v.Bytes)), dst)
	}
	SUBQ(Imm(uint64(shortGroup*width)), n)
	JLT(LabelRef("few"))
	Label("group")
	some(shortGroup)
	SUBQ(Imm(uint64(shortGroup*width)), n)
	JGE(LabelRef("group"))
	Label("few")
	ADDQ(Imm(uint64((shortGroup-1)*width)), n)
	JLT(LabelRef("last"))
	Label("vector")
	some(1)
	SUBQ(Imm(uint64(width)), n)
	JGE(LabelRef("vector"))
	Label("last")
	ADDQ(Imm(uint64(width)), n)
	JZ(LabelRef("done"))
	product, factor := v.x(shortX), v.x(shortY)
	Label("element")
	VMOVSS(Mem{Base: x}, product)
	VMOVSS(Mem{Base: y}, factor)
	VCVTSS2SD(product, product, product)
	VCVTSS2SD(factor, factor, factor)
	VMULSD(factor, product, product)
	VMOVSD(product, Mem{Base: dst})
	ADDQ(Imm(4), x)
	ADDQ(Imm(4), y)
	ADDQ(Imm(8), dst)
	DECQ(n)
	JNZ(LabelRef("element"))
	Label("done")
	VZEROUPPER()
	RET()
}

// beginShort begins a function.
func (v vector) beginShort(operation, signature string) {
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+signature,
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
}

// broadcastParam fills the lower half of a register with a parameter.
func (v vector) broadcastParam(name string, register int) {
	if v.size == 4 {
		VBROADCASTSS(parameter(name), v.x(register))
	} else {
		VMOVDDUP(parameter(name), v.x(register))
	}
}
