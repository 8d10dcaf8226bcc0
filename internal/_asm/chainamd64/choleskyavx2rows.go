package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// addSquaresAbove sets the sums of the squares above the block of the diagonal,
// and the sums that the squares of its rows are added to.
//
// Let q be the squares of the rows above that are equal modulo 4, q[0] the
// first. Sixteen of them are added by halves, with −0 for squares that do not
// exist. Each step adds one more, q[p], to its sibling sum.
func (k narrow) addSquaresAbove() {
	down := k.stride
	if k.isLower {
		down = GP64()
		MOVQ(U32(cholT), down)
	}
	row, to, left := GP64(), GP64(), GP64()
	for c := range narrowRows {
		MOVQ(k.above, row)
		for range c {
			ADDQ(down, row)
		}
		LEAQ(k.square(0), to)
		MOVQ(k.done, left)
		Label(k.label("square", c))
		VMOVUPD(Mem{Base: row}, k.lane(0))
		VMULPD(k.lane(0), k.lane(0), k.lane(0))
		VMOVUPD(k.lane(0), Mem{Base: to})
		LEAQ(Mem{Base: row, Index: down, Scale: narrowRows}, row)
		ADDQ(Imm(32), to)
		SUBQ(Imm(narrowRows), left)
		JNZ(LabelRef(k.label("square", c)))
		k.halve(c)
	}
	for c := range 2 {
		VMOVUPD(k.four(c), k.lane(c))
		VADDPD(k.four(c+2), k.lane(c), k.lane(c))
		VMOVUPD(k.lane(c), k.two(c))
	}
	VADDPD(k.lane(1), k.lane(0), k.reg(narrowOne))
}

// halve adds the squares of rows that are c modulo 4.
func (k narrow) halve(c int) {
	for half := 2; half <= 8; half *= 2 {
		CMPQ(k.done, Imm(uint64(4*half)))
		JLT(LabelRef(k.label("step", c*16+half/2)))
	}
	sum := k.lane(0)
	for half := 8; half > 0; half /= 2 {
		if half < 8 {
			Label(k.label("step", c*16+half))
		}
		MOVQ(k.done, k.at)
		SHLQ(Imm(3), k.at)
		ANDQ(I32(int32(2*half*32-1)), k.at)
		XORQ(I32(int32(half*32)), k.at)
		VMOVUPD(k.square(0).Idx(k.at, 1), sum)
		VMOVUPD(sum, k.sibling(half, c))
		for q := range half {
			VMOVUPD(k.square(q), sum)
			VADDPD(k.square(q+half), sum, sum)
			VMOVUPD(sum, k.square(q))
		}
	}
	VMOVUPD(sum, k.four(c))
}

// load loads the block, of some rows of a.
func (k narrow) load(rows reg.Register) {
	first := narrowAcc
	if k.isLower {
		first = narrowLane
	}
	for row := range narrowRows {
		if row > 0 {
			CMPQ(rows, Imm(uint64(row)))
			JLE(LabelRef(k.label("loaded", 0)))
		}
		VMASKMOVPD(k.inA(row), k.reg(narrowMask), k.reg(first+row))
	}
	Label(k.label("loaded", 0))
	if k.isLower {
		k.transpose(narrowLane, narrowAcc)
	}
}

// transpose transposes four registers from one on to those from another on.
func (k narrow) transpose(from, to int) {
	pairs := narrowTemp // and the next: nothing is in them
	for i := range 2 {
		a, b := k.reg(from+2*i), k.reg(from+2*i+1)
		VUNPCKLPD(b, a, k.reg(to+2*i))
		VUNPCKHPD(b, a, k.reg(to+2*i+1))
	}
	for i := range 2 {
		VPERM2F128(Imm(0x20), k.reg(to+2+i), k.reg(to+i), k.reg(pairs+i))
		VPERM2F128(Imm(0x31), k.reg(to+2+i), k.reg(to+i), k.reg(to+2+i))
		VMOVAPD(k.reg(pairs+i), k.reg(to+i))
	}
}

// addAbove subtracts the products of rows above from the rows of a block.
func (k narrow) addAbove() {
	if k.isLower {
		return
	}
	MOVQ(k.above, k.at)
	MOVQ(k.done, k.i)
	TESTQ(k.i, k.i)
	JZ(LabelRef(k.label("above", 0)))
	Label(k.label("row", 0))
	VMOVUPD(Mem{Base: k.at}.Idx(k.right, 1), k.reg(narrowTemp))
	for c := range narrowRows {
		VBROADCASTSD(Mem{Base: k.at, Disp: 8 * c}, k.lane(c))
		VFNMADD231PD(k.lane(c), k.reg(narrowTemp), k.acc(c))
	}
	ADDQ(k.stride, k.at)
	DECQ(k.i)
	JNZ(LabelRef(k.label("row", 0)))
	Label(k.label("above", 0))
}

// solve computes the rows of a block right of the diagonal's block.
func (k narrow) solve() {
	for c := range narrowRows {
		if k.isLower {
			k.subtractLanes(c)
		}
		VBROADCASTSD(k.frame.Offset(narrowInverses+8*c), k.reg(narrowScale))
		VMULPD(k.reg(narrowScale), k.acc(c), k.acc(c))
		if k.isLower {
			continue
		}
		k.store(k.acc(c), k.columns, k.inA(c), k.label("stored", c))
		if c < narrowRows-1 {
			CMPQ(k.rows, Imm(uint64(c+1)))
			JE(LabelRef(k.label("solved", 0)))
			k.subtractRow(c)
		}
	}
	if !k.isLower {
		Label(k.label("solved", 0))
		return
	}
	MOVQ(k.done, k.at)
	SHLQ(Imm(uint64(gen.Log2(cholT))), k.at)
	ADDQ(k.above, k.at)
	for c := range narrowRows {
		VMOVUPD(k.acc(c), Mem{Base: k.at, Disp: c * cholT}.Idx(k.right, 1))
	}
}

// store stores the columns of the mask, a whole register if there are 4.
func (k narrow) store(from Op, columns reg.Register, to Mem, label string) {
	CMPQ(columns, Imm(narrowRows))
	JNE(LabelRef("masked" + label))
	VMOVUPD(from, to)
	JMP(LabelRef(label))
	Label("masked" + label)
	VMASKMOVPD(from, k.reg(narrowMask), to)
	Label(label)
}

// subtractLanes subtracts the sums by lanes of the products of row c with those
// above it. Lane l has the rows that are l modulo 8.
func (k narrow) subtractLanes(c int) {
	isFirst, scale := k.part == firstRows, k.reg(narrowScale)
	if isFirst && c == 0 {
		return
	}
	for l := range 8 {
		VXORPD(k.lane(l), k.lane(l), k.lane(l))
	}
	inside := func(offset int) {
		for l := range c {
			VBROADCASTSD(k.block(l).Offset(8*c), scale)
			VFMADD231PD(scale, k.acc(l), k.lane(l+offset))
		}
	}
	if isFirst {
		inside(0)
	} else {
		k.addLanes(c, inside)
	}
	for half := 4; half > 0; half /= 2 {
		for l := range half {
			VADDPD(k.lane(l+half), k.lane(l), k.lane(l))
		}
	}
	VSUBPD(k.lane(0), k.acc(c), k.acc(c))
}

// addLanes adds the products with rows above the block to their lanes, and
// those inside.
func (k narrow) addLanes(c int, inside func(offset int)) {
	product := func(l int) {
		VBROADCASTSD(Mem{Base: k.at, Disp: l*cholT + 8*c}, k.reg(narrowScale))
		VFMADD231PD(Mem{Base: k.at, Disp: l * cholT}.Idx(k.right, 1), k.reg(narrowScale), k.lane(l))
	}
	row, rest, half, end := k.label("eight", c), k.label("rest", c), k.label("four", c),
		k.label("added", c)
	MOVQ(k.above, k.at)
	MOVQ(k.done, k.i)
	SUBQ(Imm(8), k.i)
	JLT(LabelRef(rest))
	Label(row)
	for l := range 8 {
		product(l)
	}
	ADDQ(I32(8*cholT), k.at)
	SUBQ(Imm(8), k.i)
	JGE(LabelRef(row))
	Label(rest)
	TESTQ(I32(narrowRows), k.done)
	JNZ(LabelRef(half))
	inside(0)
	JMP(LabelRef(end))
	Label(half)
	for l := range narrowRows {
		product(l)
	}
	inside(narrowRows)
	Label(end)
}

// storeColumns stores the rows of U of a block as columns of a, those below the
// diagonal, if they are.
func (k narrow) storeColumns() {
	if !k.isLower {
		return
	}
	k.transpose(narrowAcc, narrowLane)
	k.countRight()
	k.mask(k.rows)
	for row := range narrowRows {
		if row > 0 {
			CMPQ(k.columns, Imm(uint64(row)))
			JLE(LabelRef(k.label("columns", 0)))
		}
		if k.part == rightOf {
			k.store(k.lane(row), k.rows, k.inA(row), k.label("column", row))
		} else if row > 0 {
			mask := k.reg(narrowTemp)
			VANDPD(firstElements(row), k.reg(narrowMask), mask)
			VMASKMOVPD(k.lane(row), mask, k.inA(row))
		}
	}
	Label(k.label("columns", 0))
}
