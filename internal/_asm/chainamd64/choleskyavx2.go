package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// narrow is chainCholeskyUpper or chainCholeskyLower being written, with AVX2:
// cholesky with blocks of 4 rows and columns. Squares are summed separately for
// rows that are equal modulo 4.
type narrow struct {
	vector
	isLower bool
	part    string // of the function: the first rows, later ones, blocks right of them

	left, done      reg.GPVirtual // rows from the first of the block on; those above
	rows, columns   reg.GPVirtual // rows of the block that have a pivot; its columns
	diagonal        reg.GPVirtual // the first element of the rows in a
	stride, stride3 reg.GPVirtual
	above           reg.GPVirtual // the first row of U, in the columns of the diagonal
	right           reg.GPVirtual // bytes from there to the columns of this block
	x0              reg.GPVirtual // row 0 of the block in a
	i, at           reg.GPVirtual
	frame           Mem
}

// narrowRows is the number of rows of a block.
const narrowRows = 4

// Places in the frame: the rows of the diagonal's block; the inverses of its
// pivots; 1 and +Inf; squares of every fourth row; for each row modulo 4, the
// sums of squares that another square is added to, one after another; the sums
// of all for rows modulo 4 and modulo 2; rows of U of few columns of a.
const (
	narrowBlock    = 0
	narrowInverses = narrowBlock + 4*32
	narrowUnit     = narrowInverses + 32
	narrowInf      = narrowUnit + 8
	narrowSquares  = narrowInf + 8
	narrowSiblings = narrowSquares + 16*32
	narrowFour     = narrowSiblings + 4*4*32
	narrowTwo      = narrowFour + 4*32
	narrowT        = narrowTwo + 2*32
	narrowFrame    = narrowT + 4*cholT
)

// Registers by their numbers. The lanes are anything else at times.
const (
	narrowAcc   = 0
	narrowLane  = 4
	narrowTemp  = 12
	narrowScale = 13
	narrowOne   = 14 // the sums of all squares
	narrowMask  = 15 // of the columns of the block
)

// narrowCholesky writes chainCholeskyUpper or chainCholeskyLower.
func (v vector) narrowCholesky(isLower bool) {
	operation := "chainCholeskyUpper"
	if isLower {
		operation = "chainCholeskyLower"
	}
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, 0, "func"+gen.ChainCholeskySignature(v.size, isLower),
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
	k := narrow{vector: v, isLower: isLower, left: GP64(), done: GP64(), rows: GP64(),
		columns: GP64(), diagonal: GP64(), stride: v.stride("aRow").(reg.GPVirtual),
		stride3: GP64(), above: GP64(), right: GP64(), x0: GP64(), i: GP64(), at: GP64(),
		frame: AllocLocal(narrowFrame)}
	LEAQ(Mem{Base: k.stride, Index: k.stride, Scale: 2}, k.stride3)
	Load(Param("n"), k.left)
	Load(Param("a"), k.diagonal)
	MOVQ(k.diagonal, k.above)
	if isLower {
		Load(Param("t"), k.above)
		LEAQ(k.frame.Offset(narrowT), k.at)
		CMPQ(k.left, Imm(8))
		CMOVQLE(k.at, k.above)
	}
	k.begin()
	k.blocks()
	ADDQ(k.rows, k.done)
	Store(k.done, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// begin writes numbers to the frame: squares that do not exist are −0.
func (k narrow) begin() {
	XORL(k.done.As32(), k.done.As32())
	MOVQ(U64(0x3ff<<52), k.at)
	MOVQ(k.at, k.frame.Offset(narrowUnit))
	MOVQ(U64(0x7ff<<52), k.at)
	MOVQ(k.at, k.frame.Offset(narrowInf))
	CMPQ(k.left, Imm(narrowRows))
	JLE(LabelRef("block"))
	MOVQ(U64(1<<63), k.at)
	VMOVQ(k.at, k.x(narrowTemp))
	VBROADCASTSD(k.x(narrowTemp), k.reg(narrowTemp))
	for q := range 16 {
		VMOVUPD(k.reg(narrowTemp), k.frame.Offset(narrowSquares+32*q))
	}
}

// blocks writes the loop over four rows.
func (k narrow) blocks() {
	first, later, right := k, k, k
	first.part, later.part, right.part = firstRows, laterRows, rightOf
	Label("block")
	MOVQ(U32(narrowRows), k.rows)
	CMPQ(k.left, k.rows)
	CMOVQLT(k.left, k.rows)
	MOVQ(k.rows, k.columns)
	XORL(k.right.As32(), k.right.As32())
	MOVQ(k.diagonal, k.x0)
	k.mask(k.rows)
	first.load(k.rows)
	TESTQ(k.done, k.done)
	JZ(LabelRef("first"))
	k.addSquaresAbove()
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
	ADDQ(Imm(32), k.right)
	k.countRight()
	JLE(LabelRef("next"))
	if k.isLower {
		LEAQ(Mem{Base: k.x0, Index: k.stride, Scale: narrowRows}, k.x0)
		right.load(k.columns)
	} else {
		ADDQ(Imm(32), k.x0)
		k.mask(k.columns)
		right.load(k.rows)
	}
	right.addAbove()
	right.solve()
	right.storeColumns()
	JMP(LabelRef("right"))

	Label("next")
	CMPQ(k.rows, Imm(narrowRows))
	JNE(LabelRef("end"))
	SUBQ(Imm(narrowRows), k.left)
	JLE(LabelRef("end"))
	ADDQ(Imm(narrowRows), k.done)
	ADDQ(Imm(32), k.above)
	LEAQ(Mem{Base: k.diagonal, Index: k.stride, Scale: narrowRows, Disp: 32}, k.diagonal)
	JMP(LabelRef("block"))
	Label("end")
}

// countRight sets columns to the number of columns of U from this block on, at
// most 4, and compares it with zero before.
func (k narrow) countRight() {
	MOVQ(k.right, k.i)
	SHRQ(Imm(3), k.i)
	MOVQ(U32(narrowRows), k.columns)
	NEGQ(k.i)
	ADDQ(k.left, k.i)
	CMPQ(k.i, k.columns)
	CMOVQLT(k.i, k.columns)
	TESTQ(k.i, k.i)
}

// mask sets the mask of the first n elements.
func (k narrow) mask(n reg.Register) {
	MOVQ(n, k.i)
	k.lastMask(k.i, narrowMask)
}

func (k narrow) acc(row int) Op     { return k.reg(narrowAcc + row) }
func (k narrow) lane(row int) Op    { return k.reg(narrowLane + row) }
func (k narrow) block(row int) Mem  { return k.frame.Offset(narrowBlock + 32*row) }
func (k narrow) square(row int) Mem { return k.frame.Offset(narrowSquares + 32*row) }
func (k narrow) four(row int) Mem   { return k.frame.Offset(narrowFour + 32*row) }
func (k narrow) two(row int) Mem    { return k.frame.Offset(narrowTwo + 32*row) }

// sibling returns the place of a sum of squares for row c modulo 4 that another
// square is added to: the sum of the rows 4·half away.
func (k narrow) sibling(half, c int) Mem {
	return k.frame.Offset(narrowSiblings + 4*32*gen.Log2(half) + 32*c)
}

func (k narrow) label(name string, i int) string { return fmt.Sprint(name, i, k.part) }

// inA returns the address of a row of the block in a.
func (k narrow) inA(row int) Mem {
	return matrix{[]reg.Register{k.x0}, k.stride, k.stride3}.row(row)
}

// factor finds the pivots of the block of the diagonal, and its rows.
func (k narrow) factor() {
	pivot, scale := k.x(narrowTemp), k.x(narrowScale)
	for c := range narrowRows {
		if k.isLower {
			k.subtractLanes(c)
		}
		VMOVSD(k.inA(c).Offset(8*c), pivot)
		if c > 0 || k.part != firstRows {
			k.element(narrowOne, c, scale)
			VSUBSD(scale, pivot, pivot)
		}
		Comment("A pivot is positive and finite.")
		VXORPD(scale, scale, scale)
		VUCOMISD(scale, pivot)
		JLS(LabelRef(k.label("end", c)))
		VUCOMISD(k.frame.Offset(narrowInf), pivot)
		JCC(LabelRef(k.label("end", c)))
		VSQRTSD(pivot, pivot, pivot)
		VMOVSD(pivot, k.inA(c).Offset(8*c))
		VMOVSD(k.frame.Offset(narrowUnit), scale)
		VDIVSD(pivot, scale, scale)
		VMOVSD(scale, k.frame.Offset(narrowInverses+8*c))
		if c == narrowRows-1 {
			break
		}
		CMPQ(k.rows, Imm(uint64(c+1)))
		JE(LabelRef(k.label("end", narrowRows)))
		VBROADCASTSD(scale, k.reg(narrowScale))
		VMULPD(k.reg(narrowScale), k.acc(c), k.acc(c))
		VMOVUPD(k.acc(c), k.block(c))
		k.addSquares(c)
		if !k.isLower {
			k.storeBeside(c)
			k.subtractRow(c)
		}
	}
	JMP(LabelRef(k.label("end", narrowRows)))
	for c := range narrowRows {
		Label(k.label("end", c))
		MOVQ(U32(uint32(c)), k.rows)
		if c < narrowRows-1 {
			JMP(LabelRef(k.label("end", narrowRows)))
		}
	}
	Label(k.label("end", narrowRows))
}

// element puts an element of a register into another.
func (k narrow) element(from, i int, to Op) {
	low := k.x(from)
	if i >= 2 {
		VEXTRACTF128(Imm(1), k.reg(from), to)
		low = to
	}
	switch {
	case i%2 == 1:
		VPERMILPD(Imm(1), low, to)
	case i == 0:
		VMOVAPD(low, to)
	}
}

// storeBeside stores row c of the diagonal's block, without the diagonal.
func (k narrow) storeBeside(c int) {
	VMOVUPD(firstElements(c+1), k.lane(0))
	VANDNPD(k.reg(narrowMask), k.lane(0), k.lane(0))
	VMASKMOVPD(k.acc(c), k.lane(0), k.inA(c))
}

// subtractRow subtracts the products with row c from the rows below it.
func (k narrow) subtractRow(c int) {
	for below := c + 1; below < narrowRows; below++ {
		VBROADCASTSD(k.block(c).Offset(8*below), k.lane(below))
		VFNMADD231PD(k.lane(below), k.acc(c), k.acc(below))
	}
}

// addSquares adds the squares of row c of the block of the diagonal.
func (k narrow) addSquares(c int) {
	square, isFirst := k.reg(narrowTemp), k.part == firstRows
	VMULPD(k.acc(c), k.acc(c), square)
	if !isFirst {
		for half := 2; half <= 8; half *= 2 {
			CMPQ(k.done, Imm(uint64(4*half)))
			JLT(LabelRef(k.label("half", c*16+half/2)))
		}
		for half := 8; half > 0; half /= 2 {
			if half < 8 {
				Label(k.label("half", c*16+half))
			}
			VADDPD(k.sibling(half, c), square, square)
		}
	}
	VMOVUPD(square, k.four(c))
	if c >= 2 || !isFirst {
		VADDPD(k.four((c+2)%4), square, square)
	}
	VMOVUPD(square, k.two(c%2))
	if c >= 1 || !isFirst {
		VADDPD(k.two((c+1)%2), square, k.reg(narrowOne))
	} else {
		VMOVAPD(square, k.reg(narrowOne))
	}
}
