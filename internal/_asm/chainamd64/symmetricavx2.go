package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// triangle is chainTriangleTimes or chainTriangleUpdate being written, for
// float64 with AVX2. Blocks have 4 rows and columns; the blocks of the diagonal
// are masked.
type triangle struct {
	vector
	isLower bool
	n, last reg.GPVirtual // last is the last block of columns, in bytes
	block   reg.GPVirtual // the block of rows, in bytes of columns
	left    reg.GPVirtual // columns of the block
	a, aRow reg.Register
	px, py  reg.Register
	rows    [4]reg.GPVirtual // addresses of rows
	at, end reg.GPVirtual
	frame   Mem
}

// Places in the frame of chainTriangleTimes: x, −0 behind; alpha⊗x; the sums of
// rows with the diagonal.
const (
	triangleX     = 0
	triangleF     = triangleX + 8*gen.ChainTriangleOrder
	triangleD     = triangleF + 8*gen.ChainTriangleOrder
	triangleFrame = triangleD + 8*gen.ChainTriangleOrder
)

// Registers by their numbers: two of lanes for each of four rows, the vector of
// x, others, alpha, and the mask of the columns of the block.
const (
	triangleVector = 8
	triangleOther  = 9
	triangleThird  = 10
	triangleSum    = 11
	triangleAlpha  = 14
	triangleMask   = 15
)

// beginTriangle begins a function.
func (v vector) beginTriangle(operation, signature string, isLower bool, frame int) triangle {
	if isLower {
		operation += "Lower"
	} else {
		operation += "Upper"
	}
	name := gen.Stub(operation, v.size, v.Level)
	gen.Begin(name, 0, "func"+signature,
		name+" "+gen.ChainDoc(operation, v.size, v.Level, "chainamd64"))
	k := triangle{vector: v, isLower: isLower, n: GP64(), last: GP64(), block: GP64(),
		left: GP64(), at: GP64(), end: GP64()}
	Load(Param("n"), k.n)
	k.px, k.py = Load(Param("x"), GP64()), Load(Param("y"), GP64())
	k.a, k.aRow = Load(Param("a"), GP64()), v.stride("aRow")
	if frame > 0 {
		k.frame = AllocLocal(frame)
	}
	LEAQ(Mem{Base: k.n, Disp: -1}, k.last)
	SHRQ(Imm(2), k.last)
	SHLQ(Imm(5), k.last)
	return k
}

// eachBlock calls do for each block, with its mask.
func (k *triangle) eachBlock(name string, do func()) {
	XORL(k.block.As32(), k.block.As32())
	Label(name)
	k.mask()
	do()
	ADDQ(Imm(32), k.block)
	CMPQ(k.block, k.last)
	JLE(LabelRef(name))
}

// mask sets the mask of the columns of the block.
func (k *triangle) mask() {
	four, count := GP64(), GP64()
	k.columnsFrom(k.block, k.left)
	MOVQ(U32(4), four)
	CMPQ(k.left, four)
	CMOVQGT(four, k.left)
	MOVQ(k.left, count)
	k.lastMask(count, triangleMask)
}

// columnsFrom sets n to the number of columns from a place on.
func (k *triangle) columnsFrom(place, n reg.GPVirtual) {
	MOVQ(place, n)
	SHRQ(Imm(3), n)
	NEGQ(n)
	ADDQ(k.n, n)
}

// blockRow sets row to the address of a row of the block, at most the last row
// of all.
func (k *triangle) blockRow(i int, row reg.GPVirtual) {
	top := GP64()
	MOVQ(k.block, row)
	SHRQ(Imm(3), row)
	if i > 0 {
		ADDQ(Imm(uint64(i)), row)
		LEAQ(Mem{Base: k.n, Disp: -1}, top)
		CMPQ(row, top)
		CMOVQGT(top, row)
	}
	IMULQ(k.aRow, row)
	ADDQ(k.a, row)
}

// firstElements is the mask of the first elements of a register.
func firstElements(n int) Mem { return gen.MaskTable().Offset(gen.MaskMiddle - 8*n) }

// keepOffDiagonal takes the elements beside the diagonal in row p of a block
// from product, and the others from sum.
func (k *triangle) keepOffDiagonal(p int, product, sum Op) {
	mask := k.reg(triangleThird)
	if k.isLower {
		VMOVUPD(firstElements(p), mask)
		VBLENDVPD(mask, product, sum, sum)
	} else {
		VMOVUPD(firstElements(p+1), mask)
		VBLENDVPD(mask, sum, product, sum)
	}
}

// chainTriangleTimes writes chainTriangleTimesUpper or chainTriangleTimesLower.
func (v vector) chainTriangleTimes(isLower bool) {
	k := v.beginTriangle("chainTriangleTimes", gen.ChainTriangleTimesSignature(v.size), isLower,
		triangleFrame)
	v.broadcast(parameter("alpha"), v.reg(triangleAlpha))
	k.eachBlock("copy", k.copy)
	for i := range k.rows {
		k.rows[i] = GP64()
	}
	k.eachBlock("dots", k.dots)
	k.eachBlock("sums", k.sums)
	VZEROUPPER()
	RET()
}

// inFrame returns the address of an array's part for the block.
func (k *triangle) inFrame(array int) Mem { return k.frame.Offset(array).Idx(k.block, 1) }

// copy copies a block of x, and its product with alpha.
func (k *triangle) copy() {
	x, zero, bits := k.reg(triangleVector), k.reg(triangleOther), GP64()
	MOVQ(U64(k.sign), bits)
	VMOVQ(bits, k.x(triangleOther))
	k.broadcast(k.x(triangleOther), zero)
	VMASKMOVPD(Mem{Base: k.px}.Idx(k.block, 1), k.reg(triangleMask), x)
	VBLENDVPD(k.reg(triangleMask), x, zero, x)
	VMOVUPD(x, k.inFrame(triangleX))
	k.mul(k.reg(triangleAlpha), x, x)
	VMOVUPD(x, k.inFrame(triangleF))
}

// dots computes the sums of four rows by lanes, and adds the products of the
// diagonal.
func (k *triangle) dots() {
	for i, row := range k.rows {
		k.blockRow(i, row)
		for part := range 2 {
			VXORPD(k.reg(2*i+part), k.reg(2*i+part), k.reg(2*i+part))
		}
	}
	MOVQ(k.block, k.at)
	if k.isLower {
		XORL(k.at.As32(), k.at.As32())
	} else {
		k.addDiagonal(0)
	}
	Label("walk")
	for part := range 2 {
		to := part
		if !k.isLower {
			to = 1 - part
			ADDQ(Imm(32), k.at)
			CMPQ(k.at, k.last)
			JG(LabelRef("walked"))
			JE(LabelRef(fmt.Sprint("tail", to)))
		} else {
			CMPQ(k.at, k.block)
			JE(LabelRef(fmt.Sprint("tail", to)))
		}
		VMOVUPD(k.frame.Offset(triangleX).Idx(k.at, 1), k.reg(triangleVector))
		for i, row := range k.rows {
			k.fma(Mem{Base: row}.Idx(k.at, 1), k.reg(triangleVector), k.reg(2*i+to))
		}
		if k.isLower {
			ADDQ(Imm(32), k.at)
		}
	}
	JMP(LabelRef("walk"))
	for part := range 2 {
		Label(fmt.Sprint("tail", part))
		if k.isLower {
			k.addDiagonal(part)
		} else {
			k.addTail(part)
		}
		if part == 0 {
			JMP(LabelRef("walked"))
		}
	}
	Label("walked")
	k.halveFour()
	k.addDiagonals()
}

// addDiagonal adds the products in the block of the diagonal to lanes.
func (k *triangle) addDiagonal(part int) {
	VMOVUPD(k.inFrame(triangleX), k.reg(triangleVector))
	for i, row := range k.rows {
		sum, product := k.reg(2*i+part), k.reg(triangleOther)
		VMASKMOVPD(Mem{Base: row}.Idx(k.block, 1), k.reg(triangleMask), k.reg(triangleSum))
		VMOVAPD(sum, product)
		k.fma(k.reg(triangleSum), k.reg(triangleVector), product)
		k.keepOffDiagonal(i, product, sum)
	}
}

// addTail adds the products of the last columns to lanes.
func (k *triangle) addTail(part int) {
	n, mask := GP64(), triangleThird
	k.columnsFrom(k.last, n)
	k.lastMask(n, mask)
	VMOVUPD(k.frame.Offset(triangleX).Idx(k.last, 1), k.reg(triangleVector))
	for i, row := range k.rows {
		VMASKMOVPD(Mem{Base: row}.Idx(k.last, 1), k.reg(mask), k.reg(triangleOther))
		k.fma(k.reg(triangleOther), k.reg(triangleVector), k.reg(2*i+part))
	}
}

// halveFour halves the lanes of four rows.
func (k *triangle) halveFour() {
	for i := range 4 {
		k.add(k.reg(2*i+1), k.reg(2*i), k.reg(2*i))
	}
	for i := 0; i < 8; i += 4 {
		VPERM2F128(Imm(0x20), k.reg(i+2), k.reg(i), k.reg(i+1))
		VPERM2F128(Imm(0x31), k.reg(i+2), k.reg(i), k.reg(i+3))
		k.add(k.reg(i+3), k.reg(i+1), k.reg(i))
	}
	Comment("Sums of rows 0, 2, 1 and 3.")
	VUNPCKLPD(k.reg(4), k.reg(0), k.reg(1))
	VUNPCKHPD(k.reg(4), k.reg(0), k.reg(2))
	k.add(k.reg(2), k.reg(1), k.reg(0))
	VPERMPD(Imm(0xd8), k.reg(0), k.reg(triangleSum))
}

// addDiagonals adds the products of the diagonal to the sums of four rows.
func (k *triangle) addDiagonals() {
	sum := k.reg(triangleSum)
	for i := range 2 {
		at := func(p int) Mem {
			return Mem{Base: k.rows[2*i+p], Disp: 8 * (2*i + p)}.Idx(k.block, 1)
		}
		skip := fmt.Sprint("diagonal", i)
		VXORPD(k.x(i), k.x(i), k.x(i))
		for p := range 2 {
			if i+p > 0 {
				k.jumpBehind(2*i+p, skip)
			}
			if p == 0 {
				VMOVSD(at(p), k.x(i))
			} else {
				VMOVHPD(at(p), k.x(i), k.x(i))
			}
		}
		Label(skip)
	}
	VINSERTF128(Imm(1), k.x(1), k.reg(0), k.reg(0))
	k.fma(k.inFrame(triangleX), k.reg(0), sum)
	VMOVUPD(sum, k.inFrame(triangleD))
}

// jumpBehind jumps if the block has no row p.
func (k *triangle) jumpBehind(p int, label string) {
	row := GP64()
	MOVQ(k.block, row)
	SHRQ(Imm(3), row)
	ADDQ(Imm(uint64(p)), row)
	CMPQ(row, k.n)
	JGE(LabelRef(label))
}

// sums computes the elements of y of a block.
func (k *triangle) sums() {
	y, row, i := k.reg(triangleSum), k.rows[0], k.rows[1]
	rows, factor := k.rows[2], k.reg(triangleVector)
	VXORPD(y, y, y)
	add := func() {
		VBROADCASTSD(k.frame.Offset(triangleF).Idx(i, 8), factor)
		VMASKMOVPD(Mem{Base: row}.Idx(k.block, 1), k.reg(triangleMask), k.reg(triangleOther))
	}
	if k.isLower {
		VMOVUPD(k.inFrame(triangleD), factor)
		k.fma(factor, k.reg(triangleAlpha), y)
	}
	XORL(i.As32(), i.As32())
	MOVQ(k.block, rows)
	SHRQ(Imm(3), rows)
	MOVQ(k.a, row)
	if k.isLower {
		MOVQ(rows, i)
		k.blockRow(0, row)
		MOVQ(k.n, rows)
		k.corner(row, i, y, add)
	}
	Label("rows")
	CMPQ(i, rows)
	JGE(LabelRef("summed"))
	add()
	k.fma(k.reg(triangleOther), factor, y)
	INCQ(i)
	ADDQ(k.aRow, row)
	JMP(LabelRef("rows"))
	Label("summed")
	if !k.isLower {
		k.corner(row, i, y, add)
		VMOVUPD(k.inFrame(triangleD), factor)
		k.fma(factor, k.reg(triangleAlpha), y)
	}
	k.storeElements(0, triangleSum, k.left, "y", func(column int) Mem {
		return Mem{Base: k.py, Disp: 8 * column}.Idx(k.block, 1)
	})
}

// corner adds the rows of the diagonal's block to y.
func (k *triangle) corner(row, i reg.GPVirtual, y Op, add func()) {
	end := "corner"
	for p := range 4 {
		CMPQ(i, k.n)
		JGE(LabelRef(end))
		if k.isLower && p > 0 || !k.isLower && p < 3 {
			product := k.reg(triangleAlpha - 1)
			add()
			VMOVAPD(y, product)
			k.fma(k.reg(triangleOther), k.reg(triangleVector), product)
			k.keepOffDiagonal(p, product, y)
		}
		INCQ(i)
		ADDQ(k.aRow, row)
	}
	Label(end)
}

// chainTriangleUpdate writes chainTriangleUpdateUpper or
// chainTriangleUpdateLower.
func (v vector) chainTriangleUpdate(isLower bool) {
	signature := gen.ChainTriangleUpdateSignature(v.size)
	k := v.beginTriangle("chainTriangleUpdate", signature, isLower, 0)
	row := GP64()
	k.eachBlock("block", func() {
		k.blockRow(0, row)
		for p := range 4 {
			if p > 0 {
				k.jumpBehind(p, "last")
			}
			k.updateRow(p, row)
			ADDQ(k.aRow, row)
		}
		Label("last")
	})
	VZEROUPPER()
	RET()
}

// updateRow subtracts x[i]·y and then y[i]·x from row p of a block.
func (k *triangle) updateRow(p int, row reg.GPVirtual) {
	name := fmt.Sprint("row", p)
	v, x, y := k.reg(triangleVector), k.reg(0), k.reg(1)
	VBROADCASTSD(Mem{Base: k.px, Disp: 8 * p}.Idx(k.block, 1), x)
	VBROADCASTSD(Mem{Base: k.py, Disp: 8 * p}.Idx(k.block, 1), y)
	load := func(mask Op) {
		other := k.reg(triangleOther)
		VMASKMOVPD(Mem{Base: row}.Idx(k.at, 1), mask, v)
		VMASKMOVPD(Mem{Base: k.py}.Idx(k.at, 1), mask, other)
		k.subProduct(other, x, v)
		VMASKMOVPD(Mem{Base: k.px}.Idx(k.at, 1), mask, other)
		k.subProduct(other, y, v)
	}
	diagonal := func() {
		MOVQ(k.block, k.at)
		load(k.reg(triangleMask))
		k.storeDiagonal(p, row, name)
	}
	if k.isLower {
		XORL(k.at.As32(), k.at.As32())
		MOVQ(k.block, k.end)
	} else {
		diagonal()
		ADDQ(Imm(32), k.at)
		MOVQ(k.last, k.end)
	}
	Label(name)
	CMPQ(k.at, k.end)
	JGE(LabelRef("end" + name))
	VMOVUPD(Mem{Base: row}.Idx(k.at, 1), v)
	VFNMADD231PD(Mem{Base: k.py}.Idx(k.at, 1), x, v)
	VFNMADD231PD(Mem{Base: k.px}.Idx(k.at, 1), y, v)
	VMOVUPD(v, Mem{Base: row}.Idx(k.at, 1))
	ADDQ(Imm(32), k.at)
	JMP(LabelRef(name))
	Label("end" + name)
	if k.isLower {
		diagonal()
		return
	}
	JG(LabelRef("whole" + name))
	n, count := GP64(), GP64()
	k.columnsFrom(k.last, n)
	MOVQ(n, count)
	k.lastMask(count, triangleThird)
	load(k.reg(triangleThird))
	k.storeElements(0, triangleVector, n, "tail"+name, func(column int) Mem {
		return Mem{Base: row, Disp: 8 * column}.Idx(k.last, 1)
	})
	Label("whole" + name)
}

// storeDiagonal stores the columns of row p of the diagonal's block that are in
// the triangle.
func (k *triangle) storeDiagonal(p int, row reg.GPVirtual, name string) {
	v, high := k.reg(triangleVector), k.x(triangleOther)
	to := func(column int) Mem { return Mem{Base: row, Disp: 8 * column}.Idx(k.block, 1) }
	if k.isLower {
		switch p {
		case 0:
			VMOVSD(k.x(triangleVector), to(0))
		case 1:
			VMOVUPD(k.x(triangleVector), to(0))
		case 2:
			VEXTRACTF128(Imm(1), v, high)
			VMOVUPD(k.x(triangleVector), to(0))
			VMOVSD(high, to(2))
		case 3:
			VMOVUPD(v, to(0))
		}
		return
	}
	k.storeElements(p, triangleVector, k.left, name, to)
}

// storeElements stores the elements of a vector from the first on and before n,
// by parts: a load would wait for a masked store.
func (k *triangle) storeElements(
	first, vector int, n reg.Register, name string, to func(column int) Mem,
) {
	v, low, high := k.reg(vector), k.x(vector), k.x(triangleOther)
	all, one := "stored"+name, "one"+name
	switch first {
	case 0:
		CMPQ(n, Imm(1))
		JE(LabelRef(one))
		VMOVUPD(low, to(0))
	case 1:
		VMOVHPD(low, to(1))
	}
	if first < 2 {
		CMPQ(n, Imm(2))
		JLE(LabelRef(all))
	}
	VEXTRACTF128(Imm(1), v, high)
	if first == 3 {
		VMOVHPD(high, to(3))
	} else {
		VMOVSD(high, to(2))
		CMPQ(n, Imm(3))
		JE(LabelRef(all))
		VMOVHPD(high, to(3))
	}
	if first == 0 {
		JMP(LabelRef(all))
		Label(one)
		VMOVSD(low, to(0))
	}
	Label(all)
}
