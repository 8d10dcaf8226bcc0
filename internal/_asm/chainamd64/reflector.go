package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// The registers of chainThreeRows and chainThreeColumns: v1, v2, t0, t1 and t2,
// then x0, x1 and x2, their sum, and a product.
const (
	reflectorX   = 5
	reflectorSum = reflectorX + 3
	reflectorRow = reflectorSum + 2
)

// beginThree begins chainThreeRows or chainThreeColumns.
func (v vector) beginThree(operation string) (n, a, aRow reg.Register) {
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainThreeSignature(v.size),
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
	n, a, aRow = Load(Param("n"), GP64()), Load(Param("a"), GP64()), v.stride("aRow")
	h := Load(Param("h"), GP64())
	for i := range reflectorX {
		v.broadcast(Mem{Base: h, Disp: i * v.size}, v.reg(i))
	}
	return n, a, aRow
}

// reflectThree reflects x0, x1 and x2, whole registers or their first elements.
func (v vector) reflectThree(r func(i int) Op, mul, add, sub func(...Op)) {
	sum, product := r(reflectorSum), r(reflectorSum+1)
	mul(r(reflectorX+1), r(0), sum)
	add(sum, r(reflectorX), sum)
	mul(r(reflectorX+2), r(1), product)
	add(product, sum, sum)
	for i := range 3 {
		mul(sum, r(2+i), product)
		sub(product, r(reflectorX+i), r(reflectorX+i))
	}
}

// reflectOne reflects three single elements.
func (v vector) reflectOne(at func(i int) Mem) {
	for i := range 3 {
		v.moveScalar(at(i), v.x(reflectorX+i))
	}
	v.reflectThree(v.x, v.mulScalar, v.addScalar, VSUBSD)
	for i := range 3 {
		v.moveScalar(v.x(reflectorX+i), at(i))
	}
}

// chainThreeRows writes chainThreeRows.
func (v vector) chainThreeRows() {
	n, a, aRow := v.beginThree("chainThreeRows")
	at := func(i int) Mem {
		if i == 0 {
			return Mem{Base: a}
		}
		return Mem{Base: a, Index: aRow, Scale: uint8(i)}
	}
	width := v.Bytes / v.size
	SUBQ(Imm(uint64(width)), n)
	JLT(LabelRef("rest"))
	Label("vector")
	for i := range 3 {
		v.move(at(i), v.reg(reflectorX+i))
	}
	v.reflectThree(v.reg, v.mul, v.add, v.sub)
	for i := range 3 {
		v.move(v.reg(reflectorX+i), at(i))
	}
	ADDQ(Imm(uint64(v.Bytes)), a)
	SUBQ(Imm(uint64(width)), n)
	JGE(LabelRef("vector"))
	Label("rest")
	ADDQ(Imm(uint64(width)), n)
	JZ(LabelRef("end"))
	Label("element")
	v.reflectOne(at)
	ADDQ(Imm(uint64(v.size)), a)
	DECQ(n)
	JNZ(LabelRef("element"))
	Label("end")
	VZEROUPPER()
	RET()
}

// chainThreeColumns writes chainThreeColumns, with AVX2. Four rows at a time
// become vectors of three columns.
func (v vector) chainThreeColumns() {
	n, a, aRow := v.beginThree("chainThreeColumns")
	aRow3 := GP64()
	LEAQ(Mem{Base: aRow, Index: aRow, Scale: 2}, aRow3)
	m := matrix{[]reg.Register{a}, aRow, aRow3}
	SUBQ(Imm(4), n)
	JLT(LabelRef("rest"))
	Label("rows")
	v.loadColumns(m)
	v.reflectThree(v.reg, v.mul, v.add, v.sub)
	v.storeColumns(m)
	LEAQ(Mem{Base: a, Index: aRow, Scale: 4}, a)
	SUBQ(Imm(4), n)
	JGE(LabelRef("rows"))
	Label("rest")
	ADDQ(Imm(4), n)
	JZ(LabelRef("end"))
	Label("row")
	v.reflectOne(func(i int) Mem { return Mem{Base: a, Disp: i * v.size} })
	ADDQ(aRow, a)
	DECQ(n)
	JNZ(LabelRef("row"))
	Label("end")
	VZEROUPPER()
	RET()
}

// loadColumns loads three columns of four rows.
func (v vector) loadColumns(m matrix) {
	for i := range 2 {
		VMOVUPD(m.row(i), v.x(reflectorRow+i))
		VINSERTF128(Imm(1), m.row(2+i), v.y(reflectorRow+i), v.y(reflectorRow+i))
	}
	third := func(row int) Mem { return m.row(row).Offset(2 * v.size) }
	VMOVSD(third(0), v.x(reflectorX+2))
	VMOVSD(third(2), v.x(reflectorSum))
	VMOVHPD(third(1), v.x(reflectorX+2), v.x(reflectorX+2))
	VMOVHPD(third(3), v.x(reflectorSum), v.x(reflectorSum))
	VINSERTF128(Imm(1), v.x(reflectorSum), v.y(reflectorX+2), v.y(reflectorX+2))
	VUNPCKLPD(v.y(reflectorRow+1), v.y(reflectorRow), v.y(reflectorX))
	VUNPCKHPD(v.y(reflectorRow+1), v.y(reflectorRow), v.y(reflectorX+1))
}

// storeColumns stores them.
func (v vector) storeColumns(m matrix) {
	VUNPCKLPD(v.y(reflectorX+1), v.y(reflectorX), v.y(reflectorRow))
	VUNPCKHPD(v.y(reflectorX+1), v.y(reflectorX), v.y(reflectorRow+1))
	VEXTRACTF128(Imm(1), v.y(reflectorX+2), v.x(reflectorSum))
	for i := range 2 {
		VMOVUPD(v.x(reflectorRow+i), m.row(i))
		VEXTRACTF128(Imm(1), v.y(reflectorRow+i), m.row(2+i))
	}
	third := func(row int) Mem { return m.row(row).Offset(2 * v.size) }
	VMOVSD(v.x(reflectorX+2), third(0))
	VMOVHPD(v.x(reflectorX+2), third(1))
	VMOVSD(v.x(reflectorSum), third(2))
	VMOVHPD(v.x(reflectorSum), third(3))
}
