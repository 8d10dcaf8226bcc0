package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// addSquaresAbove sets the sums of the squares above the block of the diagonal,
// and those that the squares of its rows are added to.
//
// Let q be the squares of the rows above that are equal modulo 8, q[0] the
// first. Their sum is ((q[0]+q[4])+(q[2]+q[6])) + ((q[1]+q[5])+(q[3]+q[7])),
// without those that do not exist.
func (k cholesky) addSquaresAbove() {
	for blocks := 1; blocks < 8; blocks++ {
		next, row := fmt.Sprint("above", blocks), fmt.Sprint("squares", blocks)
		if blocks < 7 {
			CMPQ(k.done, Imm(uint64(8*blocks)))
			JNE(LabelRef(next))
		}
		MOVQ(k.above, k.at)
		XORL(k.i.As32(), k.i.As32())
		Label(row)
		k.loadSquares(blocks)
		k.siblings(blocks)
		if k.isLower {
			ADDQ(I32(cholT), k.at)
		} else {
			ADDQ(k.stride, k.at)
		}
		ADDQ(Imm(64), k.i)
		CMPQ(k.i, I32(8*64))
		JNE(LabelRef(row))
		if blocks < 7 {
			JMP(LabelRef("sums"))
			Label(next)
		}
	}
	Label("sums")
	old := func(c int) Mem { return k.frame.Offset(cholOld + 64*c) }
	for c := range 4 {
		VMOVUPD(old(c+4), k.reg(cholEight+c))
		VADDPD(old(c), k.reg(cholEight+c), k.reg(cholFour+c))
	}
	for c := range 2 {
		VADDPD(k.reg(cholFour+c+2), k.reg(cholFour+c), k.reg(cholTwo+c))
	}
	VADDPD(k.reg(cholTwo+1), k.reg(cholTwo), k.reg(cholOne))
}

// loadSquares loads the squares of every eighth row of U.
func (k cholesky) loadSquares(blocks int) {
	MOVQ(k.at, k.x4)
	for q := range blocks {
		if k.isLower {
			VMOVUPD(Mem{Base: k.x4, Disp: 8 * q * cholT}, k.reg(q))
		} else {
			VMOVUPD(Mem{Base: k.x4}, k.reg(q))
			LEAQ(Mem{Base: k.x4, Index: k.stride, Scale: 8}, k.x4)
		}
		VMULPD(k.reg(q), k.reg(q), k.reg(q))
	}
}

// siblings stores the sums of q that another square, q[blocks], is added to,
// one after another, and the sum of q.
func (k cholesky) siblings(blocks int) {
	const none = -1
	add := func(a, b int) int {
		if a == none || b == none {
			return max(a, b)
		}
		VADDPD(k.reg(b), k.reg(a), k.reg(a))
		return a
	}
	square := func(q int) int {
		if 0 <= q && q < blocks {
			return q
		}
		return none
	}
	pair := func(q int) int { return add(square(q), square(q+4)) }
	half := 1 - blocks%2
	siblings := []int{square(blocks - 4), pair((blocks ^ 2) % 4), add(pair(half), pair(half+2))}
	sum := none
	for i, sibling := range siblings {
		if sibling == none {
			continue
		}
		VMOVUPD(k.reg(sibling), k.frame.Offset(cholSiblings+8*64*i).Idx(k.i, 1))
		sum = add(sum, sibling)
	}
	VMOVUPD(k.reg(sum), k.frame.Offset(cholOld).Idx(k.i, 1))
}

// load loads the block, of some rows of a.
func (k cholesky) load(rows reg.Register) {
	LEAQ(Mem{Base: k.x0, Index: k.stride, Scale: 4}, k.x4)
	first := cholAcc
	if k.isLower {
		first = cholLane
	}
	for row := range 8 {
		if row > 0 {
			CMPQ(rows, Imm(uint64(row)))
			JLE(LabelRef(k.label("loaded")))
		}
		VMOVUPD_Z(k.inA(row), reg.K1, k.reg(first+row))
	}
	Label(k.label("loaded"))
	if k.isLower {
		k.transpose(cholLane, cholAcc)
	}
}

// transpose transposes the registers from one on to those from another on.
func (k cholesky) transpose(from, to int) {
	for i := 0; i < 8; i += 2 {
		VUNPCKLPD(k.reg(from+i+1), k.reg(from+i), k.reg(to+i))
		VUNPCKHPD(k.reg(from+i+1), k.reg(from+i), k.reg(to+i+1))
	}
	step := func(a, b, from, low, high, to int) {
		VSHUFF64X2(Imm(0x88), k.reg(from+b), k.reg(from+a), k.reg(to+low))
		VSHUFF64X2(Imm(0xdd), k.reg(from+b), k.reg(from+a), k.reg(to+high))
	}
	for i := range 4 {
		a := i%2 + i/2*4
		step(a, a+2, to, a, a+2, from)
	}
	for i := range 4 {
		step(i, i+4, from, i, i+4, to)
	}
}

// addAbove subtracts the products of rows above from the rows of a block.
func (k cholesky) addAbove() {
	if k.isLower {
		return
	}
	row, end := k.label("row"), k.label("above")
	MOVQ(k.above, k.at)
	MOVQ(k.done, k.i)
	TESTQ(k.i, k.i)
	JZ(LabelRef(end))
	Label(row)
	VMOVUPD(Mem{Base: k.at}.Idx(k.right, 1), k.lane(0))
	for c := range 8 {
		VFNMADD231PD_BCST(Mem{Base: k.at, Disp: 8 * c}, k.lane(0), k.acc(c))
	}
	ADDQ(k.stride, k.at)
	DECQ(k.i)
	JNZ(LabelRef(row))
	Label(end)
}

// solve computes the rows of a block right of the diagonal's block.
func (k cholesky) solve() {
	for c := range 8 {
		if k.isLower {
			k.subtractLanes(c)
		}
		VMULPD_BCST(k.frame.Offset(cholInverses+8*c), k.acc(c), k.acc(c))
		if k.isLower {
			continue
		}
		VMOVUPD(k.acc(c), reg.K1, k.inA(c))
		if c < 7 {
			CMPQ(k.rows, Imm(uint64(c+1)))
			JE(LabelRef(k.label("solved")))
			k.subtractRow(c)
		}
	}
	if !k.isLower {
		Label(k.label("solved"))
		return
	}
	MOVQ(k.done, k.at)
	SHLQ(Imm(uint64(gen.Log2(cholT))), k.at)
	ADDQ(k.above, k.at)
	for c := range 8 {
		VMOVUPD(k.acc(c), Mem{Base: k.at, Disp: c * cholT}.Idx(k.right, 1))
	}
}

// subtractLanes subtracts the sums by lanes of the products of row c with those
// above it. Lane l has the rows that are l modulo 8.
func (k cholesky) subtractLanes(c int) {
	isFirst, element := k.part == firstRows, func(row int) Mem {
		return k.frame.Offset(cholBlock + 64*row + 8*c)
	}
	if isFirst && c == 0 {
		return
	}
	lanes := [8]Op{}
	for l := range lanes {
		lanes[l] = k.reg(cholZero)
		if l < c || !isFirst {
			lanes[l] = k.lane(l)
			VPXORQ(k.lane(l), k.lane(l), k.lane(l))
		}
	}
	if !isFirst {
		row, end := k.label(fmt.Sprint("lanes", c)), k.label(fmt.Sprint("inside", c))
		MOVQ(k.above, k.at)
		MOVQ(k.done, k.i)
		if k.part == rightOf {
			TESTQ(k.i, k.i)
			JZ(LabelRef(end))
		}
		Label(row)
		for l := range lanes {
			VMOVUPD(Mem{Base: k.at, Disp: l * cholT}.Idx(k.right, 1), k.reg(cholTemp))
			VFMADD231PD_BCST(Mem{Base: k.at, Disp: l*cholT + 8*c}, k.reg(cholTemp), lanes[l])
		}
		ADDQ(I32(8*cholT), k.at)
		SUBQ(Imm(8), k.i)
		JNZ(LabelRef(row))
		Label(end)
	}
	for l := range c {
		VFMADD231PD_BCST(element(l), k.acc(l), lanes[l])
	}
	for half := 4; half > 0; half /= 2 {
		for l := range half {
			VADDPD(lanes[l+half], lanes[l], k.lane(l))
			lanes[l] = k.lane(l)
		}
	}
	VSUBPD(lanes[0], k.acc(c), k.acc(c))
}

// storeColumns stores the rows of U of a block as columns of a, those below the
// diagonal, if they are.
func (k cholesky) storeColumns() {
	if !k.isLower {
		return
	}
	k.mask(k.rows, reg.K1)
	k.transpose(cholAcc, cholLane)
	k.countRight()
	for row := range 8 {
		if row > 0 {
			CMPQ(k.at, Imm(uint64(row)))
			JLE(LabelRef(k.label("stored")))
		}
		if k.part == rightOf {
			VMOVUPD(k.lane(row), reg.K1, k.inA(row))
		} else if row > 0 {
			MOVL(U32(1<<row-1), k.i.As32())
			KMOVW(k.i.As32(), reg.K2)
			KANDW(reg.K1, reg.K2, reg.K2)
			VMOVUPD(k.lane(row), reg.K2, k.inA(row))
		}
	}
	Label(k.label("stored"))
}
