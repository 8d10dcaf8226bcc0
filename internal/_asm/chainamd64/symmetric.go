package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// symmetric is chainSymmetric being written, for float64 with AVX-512.
type symmetric struct {
	vector
	isLower        bool
	all            reg.GPVirtual // the mask of all rows
	n, px, py, a   reg.Register
	aRow, row      reg.Register // row is the address of a row
	numberOfPasses int
}

// The registers: rows of the triangle, the lanes of their sums, and these. A
// few sums make room for numbers later.
const (
	symmetricSums     = 8
	symmetricDot      = symmetricSums + 1
	symmetricHalf     = symmetricSums + 2
	symmetricAlpha    = symmetricSums + 3
	symmetricX        = symmetricSums + 8
	symmetricY        = symmetricX + 1
	symmetricDiagonal = symmetricX + 2
	symmetricTau      = symmetricX + 3
	symmetricLow      = symmetricX + 4
	symmetricHigh     = symmetricX + 5
	symmetricFactor   = symmetricX + 6
	symmetricOther    = symmetricX + 7
	symmetricZero     = symmetricX + 8
)

// chainSymmetric writes chainSymmetricUpper or chainSymmetricLower.
func (v vector) chainSymmetric(isLower bool) {
	operation := "chainSymmetricUpper"
	if isLower {
		operation = "chainSymmetricLower"
	}
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, attr.NOSPLIT, "func"+gen.ChainSymmetricSignature(v.size),
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
	s := symmetric{vector: v, isLower: isLower, n: Load(Param("n"), GP64()), all: GP64(),
		px: Load(Param("x"), GP64()), py: Load(Param("y"), GP64()),
		a: Load(Param("a"), GP64()), aRow: v.stride("aRow"), row: GP64()}
	MOVQ(I32(-1), s.all)
	BZHIQ(s.n, s.all, s.all)
	KMOVB(s.all.As32(), reg.K7)
	v.moveZero(Mem{Base: s.px}, reg.K7, v.reg(symmetricX))
	v.broadcast(parameter("tau"), v.reg(symmetricTau))
	for _, i := range []int{symmetricY, symmetricDiagonal, symmetricZero} {
		s.clear(i)
	}
	for i := range gen.ChainSymmetricOrder {
		s.clear(symmetricSums + i)
	}
	s.each(s.load)
	v.halveEight(symmetricSums, v.reg(symmetricLow), v.reg(symmetricHigh), v.add)
	sums := v.reg(symmetricSums)
	v.fma(v.reg(symmetricX), v.reg(symmetricDiagonal), sums)
	v.fma(v.reg(symmetricTau), sums, v.reg(symmetricY))
	if isLower {
		s.each(func(i int) {
			s.masks(i)
			s.addRow(i)
		})
	}
	s.addMultiple()
	s.each(s.update)
	VZEROUPPER()
	RET()
}

func (s *symmetric) clear(i int) { VPXORQ(s.reg(i), s.reg(i), s.reg(i)) }

// each calls do for each row. The row's address is in s.row.
func (s *symmetric) each(do func(i int)) {
	s.numberOfPasses++
	end := fmt.Sprint("end", s.numberOfPasses)
	MOVQ(s.a, s.row)
	for i := range gen.ChainSymmetricOrder {
		if i > 0 {
			CMPQ(s.n, Imm(uint64(i)))
			JEQ(LabelRef(end))
			ADDQ(s.aRow, s.row)
		}
		do(i)
	}
	Label(end)
}

// masks makes the masks of a row of the triangle: with the diagonal in K1, and
// without it in K2.
func (s *symmetric) masks(i int) {
	before := uint32(1)<<i - 1
	with, without := ^before, ^(2*before + 1)
	if s.isLower {
		with, without = 2*before+1, before
	}
	for k, mask := range []uint32{with, without} {
		bits := GP32()
		MOVL(U32(mask&(1<<gen.ChainSymmetricOrder-1)), bits)
		ANDL(s.all.As32(), bits)
		KMOVB(bits, []reg.Register{reg.K1, reg.K2}[k])
	}
}

// load loads a row, and multiplies it by x: the lanes of the sum beside the
// diagonal. A row of an upper triangle is added to y, too.
func (s *symmetric) load(i int) {
	row, sum := s.reg(i), s.reg(symmetricSums+i)
	s.masks(i)
	s.moveZero(Mem{Base: s.row}, reg.K1, row)
	KXORB(reg.K1, reg.K2, reg.K3)
	VMOVAPD(row, reg.K3, s.reg(symmetricDiagonal))
	if s.isLower {
		s.fma(s.reg(symmetricX), row, reg.K2, sum)
		return
	}
	s.addRow(i)
	if i == gen.ChainSymmetricOrder-1 {
		return
	}
	Comment("Lanes begin beside the diagonal. Those without a product have +0·+0.")
	shift, x, a := Imm(uint64(i+1)), s.reg(symmetricOther), s.reg(symmetricFactor)
	VALIGNQ(shift, s.reg(symmetricX), s.reg(symmetricZero), x)
	VALIGNQ(shift, row, s.reg(symmetricZero), a)
	s.fma(x, a, sum)
}

// addRow adds a row beside the diagonal, times tau⊗x[i], to y.
func (s *symmetric) addRow(i int) {
	factor := s.reg(symmetricFactor)
	s.broadcast(Mem{Base: s.px, Disp: i * s.size}, factor)
	s.mul(s.reg(symmetricTau), factor, factor)
	s.fma(s.reg(i), factor, reg.K2, s.reg(symmetricY))
}

// addMultiple adds (−½⊗tau⊗(y·x))·x to y, and stores y. The sum has the tree of
// package ordered: lanes without a product are −0. A factor of zero adds
// nothing.
func (s *symmetric) addMultiple() {
	dot, half, alpha, bits := s.x(symmetricDot), s.x(symmetricHalf), s.x(symmetricAlpha), GP64()
	MOVQ(U64(s.sign), bits)
	VPBROADCASTQ(bits, s.reg(symmetricDot))
	s.mul(s.reg(symmetricX), s.reg(symmetricY), reg.K7, s.reg(symmetricDot))
	VEXTRACTF64X4(Imm(1), s.reg(symmetricDot), s.y(symmetricHalf))
	s.add(s.y(symmetricHalf), s.y(symmetricDot), s.y(symmetricDot))
	VEXTRACTF128(Imm(1), s.y(symmetricDot), half)
	s.add(half, dot, dot)
	VPERMILPD(Imm(1), dot, half)
	s.addScalar(half, dot, dot)
	MOVQ(U64(math.Float64bits(-0.5)), bits)
	VMOVQ(bits, alpha)
	s.mulScalar(parameter("tau"), alpha, alpha)
	s.mulScalar(dot, alpha, alpha)
	VMOVQ(alpha, bits)
	ADDQ(bits, bits)
	JZ(LabelRef("store"))
	VBROADCASTSD(alpha, s.reg(symmetricAlpha))
	s.fma(s.reg(symmetricX), s.reg(symmetricAlpha), s.reg(symmetricY))
	Label("store")
	s.move(s.reg(symmetricY), Mem{Base: s.py})
}

// update subtracts x[i]·y and then y[i]·x from a row, and stores it.
func (s *symmetric) update(i int) {
	factor := s.reg(symmetricFactor)
	s.masks(i)
	s.broadcast(Mem{Base: s.px, Disp: i * s.size}, factor)
	s.subProduct(s.reg(symmetricY), factor, s.reg(i))
	s.broadcast(Mem{Base: s.py, Disp: i * s.size}, factor)
	s.subProduct(s.reg(symmetricX), factor, s.reg(i))
	s.move(s.reg(i), reg.K1, Mem{Base: s.row})
}
