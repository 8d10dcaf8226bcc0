package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// cholesky is chainCholeskyUpper or chainCholeskyLower being written, with
// AVX-512. Both compute the rows of U, with A = UᵀU, eight at a time: first
// their block on the diagonal, whose pivots are found one after another, then
// the blocks right of it. A block has 8 columns, and is in the registers of
// acc. The rows of U are in a, or in t if they are columns of a.
type cholesky struct {
	vector
	isLower bool
	part    string // of the function: the first rows, later ones, blocks right of them

	left, done      reg.GPVirtual // rows from the first of the block on; those above
	rows            reg.GPVirtual // rows of the block that have a pivot
	diagonal        reg.GPVirtual // the first element of the rows in a
	stride, stride3 reg.GPVirtual
	above           reg.GPVirtual // the first row of U, in the columns of the diagonal
	right           reg.GPVirtual // bytes from there to the columns of this block
	x0, x4          reg.GPVirtual // rows 0 and 4 of the block in a
	i, at           reg.GPVirtual
	frame           Mem
}

// The parts of the function.
const (
	firstRows = "First"
	laterRows = "Later"
	rightOf   = "Right"
)

// cholT is the size of a row of t in bytes.
const cholT = 8 * gen.ChainCholeskyOrder

// Places in the frame: the rows of the diagonal's block; the inverses of its
// pivots; the sums of squares that the square in a row of it is added to, one
// after another; the sums of squares above it for each row modulo 8.
const (
	cholBlock    = 0
	cholInverses = cholBlock + 8*64
	cholSiblings = cholInverses + 64
	cholOld      = cholSiblings + 3*8*64
	cholFrame    = cholOld + 8*64
)

// Registers by their numbers. Sums of squares are by package ordered's tree.
const (
	cholAcc   = 0
	cholLane  = 8  // eight for lanes, or for anything
	cholEight = 16 // four sums: of rows 4 to 7 modulo 8, then of rows 0 to 3
	cholFour  = 20 // four sums, of rows modulo 4
	cholTwo   = 24
	cholOne   = 26 // the sum of all
	cholUnit  = 27
	cholInf   = 28
	cholZero  = 29
	cholTemp  = 30
	cholScale = 31
)

// chainCholesky writes chainCholeskyUpper or chainCholeskyLower.
func (v vector) chainCholesky(isLower bool) {
	operation := "chainCholeskyUpper"
	if isLower {
		operation = "chainCholeskyLower"
	}
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, 0, "func"+gen.ChainCholeskySignature(v.size, isLower),
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
	k := cholesky{vector: v, isLower: isLower, left: GP64(), done: GP64(), rows: GP64(),
		diagonal: GP64(), stride: v.stride("aRow").(reg.GPVirtual), stride3: GP64(),
		above: GP64(), right: GP64(), x0: GP64(), x4: GP64(), i: GP64(), at: GP64(),
		frame: AllocLocal(cholFrame)}
	LEAQ(Mem{Base: k.stride, Index: k.stride, Scale: 2}, k.stride3)
	Load(Param("n"), k.left)
	Load(Param("a"), k.diagonal)
	if isLower {
		Load(Param("t"), k.above)
	} else {
		MOVQ(k.diagonal, k.above)
	}
	XORL(k.done.As32(), k.done.As32())
	MOVQ(U64(0x3ff<<52), k.at)
	VMOVQ(k.at, k.x(cholUnit))
	MOVQ(U64(0x7ff<<52), k.at)
	VMOVQ(k.at, k.x(cholInf))
	VPXORQ(k.reg(cholZero), k.reg(cholZero), k.reg(cholZero))
	k.blocks()
	ADDQ(k.rows, k.done)
	Store(k.done, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// blocks writes the loop over eight rows.
func (k cholesky) blocks() {
	first, later, right := k, k, k
	first.part, later.part, right.part = firstRows, laterRows, rightOf
	Label("block")
	MOVQ(U32(8), k.rows)
	CMPQ(k.left, k.rows)
	CMOVQLT(k.left, k.rows)
	XORL(k.right.As32(), k.right.As32())
	TESTQ(k.done, k.done)
	JZ(LabelRef("load"))
	k.addSquaresAbove()
	Label("load")
	k.mask(k.rows, reg.K1)
	MOVQ(k.diagonal, k.x0)
	first.load(k.rows)
	TESTQ(k.done, k.done)
	JZ(LabelRef("first"))
	later.addAbove()
	later.factor()
	JMP(LabelRef("factored"))
	Label("first")
	first.factor()
	Label("factored")
	TESTQ(k.rows, k.rows)
	JZ(LabelRef("end"))
	first.storeColumns()

	Label("right")
	ADDQ(Imm(64), k.right)
	k.countRight()
	JLE(LabelRef("next"))
	if k.isLower {
		LEAQ(Mem{Base: k.x0, Index: k.stride, Scale: 8}, k.x0)
		MOVL(U32(0xff), k.i.As32())
		KMOVW(k.i.As32(), reg.K1)
		right.load(k.at)
	} else {
		ADDQ(Imm(64), k.x0)
		k.mask(k.at, reg.K1)
		right.load(k.rows)
	}
	right.addAbove()
	right.solve()
	right.storeColumns()
	JMP(LabelRef("right"))

	Label("next")
	CMPQ(k.rows, Imm(8))
	JNE(LabelRef("end"))
	SUBQ(Imm(8), k.left)
	JLE(LabelRef("end"))
	ADDQ(Imm(8), k.done)
	ADDQ(Imm(64), k.above)
	LEAQ(Mem{Base: k.diagonal, Index: k.stride, Scale: 8, Disp: 64}, k.diagonal)
	JMP(LabelRef("block"))
	Label("end")
}

// countRight sets at to the number of columns of U from this block on, at most
// 8, and compares it with zero before.
func (k cholesky) countRight() {
	MOVQ(k.right, k.i)
	SHRQ(Imm(3), k.i)
	MOVQ(U32(8), k.at)
	NEGQ(k.i)
	ADDQ(k.left, k.i)
	CMPQ(k.i, k.at)
	CMOVQLT(k.i, k.at)
	TESTQ(k.i, k.i)
}

// mask sets a mask of the first n elements.
func (k cholesky) mask(n reg.Register, mask reg.Register) {
	MOVQ(n, reg.RCX)
	MOVL(U32(1), k.i.As32())
	SHLQ(reg.CL, k.i)
	DECQ(k.i)
	KMOVW(k.i.As32(), mask)
}

func (k cholesky) acc(row int) Op  { return k.reg(cholAcc + row) }
func (k cholesky) lane(row int) Op { return k.reg(cholLane + row) }

func (k cholesky) label(name string) string { return name + k.part }

// inA returns the address of a row of the block in a.
func (k cholesky) inA(row int) Mem {
	return matrix{[]reg.Register{k.x0, k.x4}, k.stride, k.stride3}.row(row)
}

// factor finds the pivots of the block of the diagonal, and its rows.
func (k cholesky) factor() {
	pivot, scale := k.x(cholTemp), k.x(cholScale)
	for c := range 8 {
		if k.isLower {
			k.subtractLanes(c)
		}
		VMOVSD(k.inA(c).Offset(8*c), pivot)
		if c > 0 || k.part != firstRows {
			VALIGNQ(Imm(uint64(c)), k.reg(cholOne), k.reg(cholOne), k.reg(cholScale))
			VSUBSD(scale, pivot, pivot)
		}
		Comment("A pivot is positive and finite.")
		VUCOMISD(k.x(cholZero), pivot)
		JLS(LabelRef(k.label(fmt.Sprint("end", c))))
		VUCOMISD(pivot, k.x(cholInf))
		JLS(LabelRef(k.label(fmt.Sprint("end", c))))
		VSQRTSD(pivot, pivot, pivot)
		VMOVSD(pivot, k.inA(c).Offset(8*c))
		VDIVSD(pivot, k.x(cholUnit), scale)
		VMOVSD(scale, k.frame.Offset(cholInverses+8*c))
		if c == 7 {
			break
		}
		CMPQ(k.rows, Imm(uint64(c+1)))
		JE(LabelRef(k.label("end")))
		VBROADCASTSD(scale, k.reg(cholScale))
		VMULPD(k.reg(cholScale), k.acc(c), k.acc(c))
		VMOVUPD(k.acc(c), k.frame.Offset(cholBlock+64*c))
		k.addSquares(c)
		if !k.isLower {
			MOVL(U32(0xff&(0xfe<<c)), k.i.As32())
			KMOVW(k.i.As32(), reg.K2)
			KANDW(reg.K1, reg.K2, reg.K2)
			VMOVUPD(k.acc(c), reg.K2, k.inA(c))
			k.subtractRow(c)
		}
	}
	JMP(LabelRef(k.label("end")))
	for c := range 8 {
		Label(k.label(fmt.Sprint("end", c)))
		MOVQ(U32(uint32(c)), k.rows)
		JMP(LabelRef(k.label("end")))
	}
	Label(k.label("end"))
}

// subtractRow subtracts the products with row c from the rows below it.
func (k cholesky) subtractRow(c int) {
	for below := c + 1; below < 8; below++ {
		VFNMADD231PD_BCST(k.frame.Offset(cholBlock+64*c+8*below), k.acc(c), k.acc(below))
	}
}

// addSquares adds the squares of row c of the block of the diagonal.
func (k cholesky) addSquares(c int) {
	square, isFirst := k.reg(cholTemp), k.part == firstRows
	VMULPD(k.acc(c), k.acc(c), square)
	if !isFirst {
		k.addSiblings(c, square)
	}
	eight, four := k.reg(cholEight+c%4), k.reg(cholFour+c%4)
	if c < 4 && isFirst {
		VMOVAPD(square, four)
	} else {
		VADDPD(eight, square, four)
	}
	if c < 4 {
		VMOVAPD(square, eight)
	}
	two := k.reg(cholTwo + c%2)
	if c < 2 && isFirst {
		VMOVAPD(four, two)
	} else {
		VADDPD(k.reg(cholFour+c%2+2), k.reg(cholFour+c%2), two)
	}
	if c < 1 && isFirst {
		VMOVAPD(two, k.reg(cholOne))
	} else {
		VADDPD(k.reg(cholTwo), k.reg(cholTwo+1), k.reg(cholOne))
	}
}

// addSiblings adds the sums of squares above, in the rows that are equal to c
// modulo 8, to the square of row c.
func (k cholesky) addSiblings(c int, square Op) {
	sibling := func(i int) Mem { return k.frame.Offset(cholSiblings + 8*64*i + 64*c) }
	two, one := k.label(fmt.Sprint("two", c)), k.label(fmt.Sprint("one", c))
	CMPQ(k.done, Imm(16))
	JLT(LabelRef(one))
	CMPQ(k.done, Imm(32))
	JLT(LabelRef(two))
	VADDPD(sibling(0), square, square)
	Label(two)
	VADDPD(sibling(1), square, square)
	Label(one)
	VADDPD(sibling(2), square, square)
}
