// Command chainamd64 writes internal/kernel's kernels of products with matrices
// for amd64: tiles, updates and dot products with AVX2 and AVX-512; copies of
// panels with AVX2.
//
// # Contract of a tile
//
//	func(vectors, k int, a *T, aRow, aCol int, b *T, bRow int, c *T, cRow int, next *T)
//
// A tile has R rows and C = vectors·V columns, V the elements of a register;
// vectors is 1, 2 or 3, and k at least 1. For i < R and j < C,
//
//	c[i·cRow + j] = fma(a[i·aRow + p·aCol], b[p·bRow + j], c[i·cRow + j])    p = 0, …, k−1
//
// one after another: the summation tree of an element is the chain over
// ascending p, whatever R and V are. Strides are numbers of elements, of either
// sign. Any alignment; no element besides these is read or written. next is an
// address of the next tile's c, which is fetched into the cache; so are the
// next rows of b.
//
// # Contract of the copies
//
//	func(dst *T, dstRow int, src *T, srcRow int, rows, cols int, alpha T)
//
//	chainPackRows      dst[i·dstRow + j] = alpha⊗src[i·srcRow + j]    any rows and cols
//	chainPackColumns   dst[j·dstRow + i] = alpha⊗src[i·srcRow + j]    4 rows of whole registers
//
// for i < rows and j < cols.
//
// # Contract of the others
//
//	func(rows, n int, a *T, aRow int, x, y *T)
//
// chainAxpy updates y by 1, 2, 4 or 8 rows: for j < n,
//
//	y[j] = fma(x[i], a[i·aRow + j], y[j])    i = 0, …, rows−1, one after another
//
//	func(n int, a *T, aRow int, x, sums *T)
//
// chainDots sets sums[i], for 4 rows, or 8 with AVX-512, and chainDot for one,
// to the sum of the
// products of row i of a and x[:n]. It adds by L lanes, 8 of float64 or 16 of
// float32:
//
//	lane(l) = fma(a[i·aRow + j], x[j], lane(l))    j = l, l+L, l+2L, …, from +0 on
//	half(l) = lane(l) ⊕ lane(l + L/2), then L/4, …, 1
//
//	func(n int, a *T, aRow int, x, lanes *T)
//
// chainLanes stores the L lanes of each of 8 rows, before they are halved.
//
//	func(rows, n, step, whole int, a *T, aRow int, x *T, xRow int, sums *T)
//
// chainUneven is chainDots for at most 8 rows: row i has n + i·step products,
// the first L·whole ≤ n and at most 2L others, with the vector x[i·xRow:]. With
// fewer than 8 rows whole is 0, and the other sums are +0.
//
//	func(rows, n int, x, y, a *T, aRow int)
//
// chainOuter updates rows ≥ 1 rows of a by a product each: for j < n,
//
//	a[i·aRow + j] = fma(x[i], y[j], a[i·aRow + j])    i = 0, …, rows−1
//
//	func(rows, n int, scale T, x *T, xRow int, y, a *T, aRow, keep int)
//
// chainEliminate subtracts products from n elements of rows ≥ 1 rows of a. n is
// at least 1 and at most the elements of 8 vectors. scale⊗x is stored in x if
// keep is 0.
//
//	a[i·aRow + j] = fma(−(scale⊗x[i·xRow]), y[j], a[i·aRow + j])    i = 0, …, rows−1
//
//	func(rows, n int, scale T, x *T, xRow int, a *T, aRow int)
//
// chainReflect is chainEliminate with a chain for each y[j], over i from +0 on.
//
//	y[j] = fma(x[i·xRow], a[i·aRow + j], y[j])    i = 0, …, rows−1
//
//	func(rows int, x, y, a *T, aRow, all int, masks uint64)
//
// chainCorner and chainCornerOuter are chainAxpy and chainOuter for at most 8
// rows of 8 columns. Byte i of masks selects the columns of row i. all is the
// mask of the elements of y.
//
//	func(n int, a *float64, aRow int) int
//	func(n int, a *float64, aRow int, t *float64) int
//
// chainCholeskyUpper and chainCholeskyLower replace a triangle of a matrix of
// 1 ≤ n ≤ 64 rows by its Cholesky factor, by the trees of kernel.Chain's
// CholeskyUpper and CholeskyLower. They stop before a pivot that is not
// positive and finite, and return the number of rows, or columns, that are
// done. t is room for 60 rows of 64 elements; it is not used if n ≤ 8. Elements
// of the other triangle are read, but not used.
//
//	func(n int, tau float64, x, y, a *float64, aRow int)
//
// chainSymmetricUpper and chainSymmetricLower apply a reflection from both
// sides to a triangle of 1 ≤ n ≤ 8 rows: see kernel.Chain's ReflectSymmetric. x
// and y have 8 elements.
//
//	func(rows, vectors int, c, s *float64, step int, a *float64, aRow, last int)
//
// chainRotate applies rows ≥ 1 rotations to the vectors of neighbouring rows of
// a, at least 1 and at most 4 in each: for each of their columns, and its
// elements x and y in row i and the next,
//
//	x = s[i·step]⊗y ⊕ c[i·step]⊗x
//	y = c[i·step]⊗y ⊖ s[i·step]⊗x         i = 0, …, rows−1, one after another
//
// with −s in place of s for a negative step, and unless c is 1 and s is ±0. The
// last vector is the elements from last on, and may overlap with the one before
// it.
//
//	func(n int, h *[5]float64, a *float64, aRow int)
//
// chainThreeRows and chainThreeColumns reflect n columns of 3 rows, or n rows
// of 3 columns. For the elements x, with the numbers v1, v2, t0, t1 and t2 of
// h,
//
//	sum  = (x[0] ⊕ v1⊗x[1]) ⊕ v2⊗x[2]
//	x[i] = x[i] ⊖ sum⊗t[i]
//
//	func(n int, alpha T, x, y *T)
//	func(n int, alpha T, x *T)
//	func(n int, c, s T, x, y *T)
//
// shortAxpy, shortScale or shortDivide, and shortRotate update vectors of n
// elements:
//
//	y[i] = fma(alpha, x[i], y[i])
//	x[i] = alpha⊗x[i], or x[i]⊘alpha
//	x[i], y[i] = c⊗x[i] ⊕ s⊗y[i], c⊗y[i] ⊖ s⊗x[i]
//
//	func(n int, x, y *float32, dst *float64)
//
// shortProducts stores the n exact products x[i]·y[i] in dst.
//
//	func(n int, x, y, sums *float64)
//
// chainCompensated stores 8 sums and their corrections in sums[:16], for a
// positive multiple n of 8. For j = l, l+8, l+16, …, with both from +0 on:
//
//	p + e = x[j]·y[j] and t + d = sums[l] + p exactly, p and t rounded
//	sums[l] = t, sums[8 + l] = sums[8 + l] ⊕ (d ⊕ e)
//
//	func(n int, a *T, aRow int, x *float64, m float64, high *uint64, low *float64,
//		changes *uint64)
//	func(rows, n int, a *T, aRow int, x *float64, m float64, high *uint64, low *float64,
//		changes *uint64)
//
// offsetDots and offsetRows add products nearly: see kernel.OffsetSums. The
// first adds the products of rows of a and x, as many rows as chainDots, by the
// lanes of a register, each from m on. high becomes the integer sum of the
// lanes' bits, low the sum of their rests, and changes the or of their changes;
// its bits below 52 may be zero. The second adds x[i] times row i to high, low
// and changes, for rows ≥ 1 rows; unless m is 0, it starts from m instead of
// what they hold. No order of additions is promised.
//
//	func(n int, high *uint64, low *float64, changes *uint64, base uint64, unit, bound float64,
//		y *float64) int
//
// offsetRound sets y to sums, rounded once, a register of them after another,
// as long as all of a register are certain. It returns how many it has set: see
// offsetRoundGeneric.
//
//	func(rows, n int, a *T, aRow int, factors, y *T)
//	func(n int, a *T, aRow int, x, signs, sums *T)
//
// complexRows is chainAxpy, and complexDots and complexDot for one row are
// chainDots, for complex numbers of two elements: n, an even number, and aRow
// count elements. Each row has four factors f: for even j < n,
//
//	y[j]   = fma(f[2], a[j+1], fma(f[0], a[j], y[j]))
//	y[j+1] = fma(f[3], a[j], fma(f[1], a[j+1], y[j+1]))
//
// for the rows one after another. For a lane of a sum, of 64 bytes in all,
//
//	re = fma(a[j+1], ±x[j+1], fma(a[j], x[j], re))
//	im = fma(a[j+1], ±x[j], fma(a[j], x[j+1], im))
//
// where the first ± is the sign of signs[0] and the second is the sign of
// signs[1], both ±0. The lanes are halved as by chainDots. Four rows, or eight
// with AVX-512, have two sums each.
//
//	func(n int, factors, x *T)
//
// complexScale multiplies x by a factor f: for even j < n,
//
//	x[j]   = fma(f[2], x[j+1], f[0]⊗x[j])
//	x[j+1] = fma(f[3], x[j], f[1]⊗x[j+1])
//
// # Method
//
// All accumulators of a tile stay in registers: with AVX-512 8 rows of 3
// registers, which leaves 3 for b and 5 for elements of a; with AVX2 4 rows of
// 3, which leaves 3 and 1. An instruction adds V products; b is loaded once for
// all rows, and an element of a is loaded into all lanes of a register.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

// format is an element type and the instructions for it.
type format struct {
	size                      int
	sign                      uint64 // −0, as often as it fits
	move, broadcast, mul, fma func(...Op)
	moveScalar, mulScalar     func(...Op)
	unpackLow, unpackHigh     func(...Op)
	add, addScalar, fmaScalar func(...Op)
	sub, div                  func(...Op)
	maskMove                  func(from, mask, to Op)
	// moveZero clears the elements that its mask leaves out.
	moveZero   func(mem, mask, dst Op)
	subProduct func(...Op) // the last operand less the product of the others
}

var formats = []format{
	{8, 1 << 63, VMOVUPD, VBROADCASTSD, VMULPD, VFMADD231PD, VMOVSD, VMULSD, VUNPCKLPD,
		VUNPCKHPD, VADDPD, VADDSD, VFMADD231SD, VSUBPD, VDIVPD,
		VMASKMOVPD, VMOVUPD_Z, VFNMADD231PD},
	{4, 1<<63 | 1<<31, VMOVUPS, VBROADCASTSS, VMULPS, VFMADD231PS, VMOVSS, VMULSS, VUNPCKLPS,
		VUNPCKHPS, VADDPS, VADDSS, VFMADD231SS, VSUBPS, VDIVPS,
		VMASKMOVPS, VMOVUPS_Z, VFNMADD231PS},
}

func main() {
	ConstraintExpr("!purego")
	for _, f := range formats {
		tile{format: f, Set: gen.AVX512, rows: gen.ChainRowsAVX512,
			vectors: gen.ChainVectorsAVX512, spare: 5}.write()
		tile{format: f, Set: gen.AVX2, rows: gen.ChainRowsAVX2,
			vectors: gen.ChainVectorsAVX2, spare: 1}.write()
	}
	for _, f := range formats {
		f.packRows()
		f.packColumns()
	}
	for _, f := range formats {
		vector{f, gen.AVX512}.chainAxpy()
		vector{f, gen.AVX2}.chainAxpy()
		vector{f, gen.AVX512}.chainDots()
		vector{f, gen.AVX2}.chainDots()
		vector{f, gen.AVX2}.chainDot()
		vector{f, gen.AVX512}.chainUneven()
		vector{f, gen.AVX512}.chainLanes()
		vector{f, gen.AVX2}.chainEliminate()
		vector{f, gen.AVX2}.chainReflect()
		vector{f, gen.AVX512}.chainCorner("chainCorner", false)
		vector{f, gen.AVX512}.chainCorner("chainCornerOuter", true)
		vector{f, gen.AVX512}.chainOuter()
		vector{f, gen.AVX2}.chainOuter()
		vector{f, gen.AVX2}.shortAxpy()
		vector{f, gen.AVX2}.shortScale()
		vector{f, gen.AVX2}.shortDivide()
		vector{f, gen.AVX2}.shortRotate()
		for _, set := range []gen.Set{gen.AVX512, gen.AVX2} {
			vector{f, set}.offsetDots()
			vector{f, set}.offsetRows()
			vector{f, set}.complexRows()
			vector{f, set}.complexScale()
			vector{f, set}.complexDots()
			vector{f, set}.complexDot()
		}
	}
	vector{formats[0], gen.AVX512}.offsetRound()
	vector{formats[0], gen.AVX2}.offsetRound()
	vector{formats[0], gen.AVX2}.shortProducts()
	vector{formats[0], gen.AVX512}.chainCholesky(false)
	vector{formats[0], gen.AVX512}.chainCholesky(true)
	vector{formats[0], gen.AVX2}.narrowCholesky(false)
	vector{formats[0], gen.AVX2}.narrowCholesky(true)
	vector{formats[0], gen.AVX512}.chainSymmetric(false)
	vector{formats[0], gen.AVX512}.chainSymmetric(true)
	for _, isLower := range []bool{false, true} {
		vector{formats[0], gen.AVX2}.chainTriangleTimes(isLower)
		vector{formats[0], gen.AVX2}.chainTriangleUpdate(isLower)
	}
	vector{formats[0], gen.AVX512}.chainRotate()
	vector{formats[0], gen.AVX2}.chainRotate()
	vector{formats[0], gen.AVX2}.chainThreeRows()
	vector{formats[0], gen.AVX2}.chainThreeColumns()
	chainCompensated(gen.AVX512)
	chainCompensated(gen.AVX2)
	Generate()
}

const (
	line = 64 // bytes of the cache
	// ahead is the number of rows of b between a row that is used and the one
	// that is fetched into the first level of the cache.
	ahead = 8
)

// tile is the function of a tile being written.
type tile struct {
	format
	gen.Set
	rows, vectors int // of the accumulators
	spare         int // registers for elements of a
}

// Registers, by their numbers: accumulators, then b, then a.
func (t tile) reg(i int) Op       { return t.Physical(t.rows*t.vectors + t.vectors + t.spare)[i] }
func (t tile) acc(row, v int) Op  { return t.reg(row*t.vectors + v) }
func (t tile) b(v int) Op         { return t.reg(t.rows*t.vectors + v) }
func (t tile) a(row int) Op       { return t.reg((t.rows+1)*t.vectors + row%t.spare) }
func (t tile) at(m Mem, v int) Op { return m.Offset(v * t.Bytes) }

// matrix is the address of rows. The rows of a group of four are at its base
// plus a multiple of the stride.
type matrix struct {
	bases           []reg.Register // of row 0, of row 4
	stride, stride3 reg.Register   // in bytes, once and three times
}

// row returns the address of a row.
func (m matrix) row(i int) Mem {
	base := Mem{Base: m.bases[i/4]}
	switch i % 4 {
	case 1:
		return base.Idx(m.stride, 1)
	case 2:
		return base.Idx(m.stride, 2)
	case 3:
		return base.Idx(m.stride3, 1)
	}
	return base
}

// matrix loads the address of a matrix of some rows.
func (f format) matrix(rows int, base, stride string) matrix {
	m := matrix{stride: f.stride(stride), stride3: GP64()}
	LEAQ(Mem{Base: m.stride, Index: m.stride, Scale: 2}, m.stride3)
	for i := 0; i < rows; i += 4 {
		m.bases = append(m.bases, GP64())
		if i == 0 {
			Load(Param(base), m.bases[0])
			continue
		}
		LEAQ(Mem{Base: m.bases[i/4-1], Index: m.stride, Scale: 4}, m.bases[i/4])
	}
	return m
}

// stride loads a stride, in bytes.
func (f format) stride(name string) reg.Register {
	s := Load(Param(name), GP64())
	SHLQ(Imm(uint64(gen.Log2(f.size))), s)
	return s
}

// write writes the function.
func (t tile) write() {
	name := gen.Stub("chainTile", t.size, t.Level)
	gen.Begin(name, NOSPLIT, "func"+gen.ChainTileSignature(t.size),
		name+" "+gen.ChainDoc("chainTile", t.size, t.Level, "chainamd64"))
	c, next := t.matrix(t.rows, "c", "cRow"), Load(Param("next"), GP64())
	t.fetch(next, c.stride)
	a, b := t.matrix(t.rows, "a", "aRow"), Load(Param("b"), GP64())
	aCol, bRow := t.stride("aCol"), t.stride("bRow")
	k, vectors := Load(Param("k"), GP64()), Load(Param("vectors"), GP64())
	for v := t.vectors; v > 0; v-- {
		if v > 1 {
			CMPQ(vectors, Imm(uint64(v)))
			JNE(LabelRef(fmt.Sprint("not", v)))
		}
		t.each(v, func(row, i int) { t.move(t.at(c.row(row), i), t.acc(row, i)) })
		Label(fmt.Sprint("loop", v))
		for i := range v {
			t.move(Mem{Base: b, Disp: i * t.Bytes}, t.b(i))
		}
		for row := range t.rows {
			if at := row * line; at < v*t.Bytes {
				PREFETCHT0(Mem{Base: b, Index: bRow, Scale: ahead, Disp: at})
			}
			t.broadcast(a.row(row), t.a(row))
			for i := range v {
				t.fma(t.b(i), t.a(row), t.acc(row, i))
			}
		}
		for _, base := range a.bases {
			ADDQ(aCol, base)
		}
		ADDQ(bRow, b)
		DECQ(k)
		JNZ(LabelRef(fmt.Sprint("loop", v)))
		t.each(v, func(row, i int) { t.move(t.acc(row, i), t.at(c.row(row), i)) })
		VZEROUPPER()
		RET()
		if v > 1 {
			Label(fmt.Sprint("not", v))
		}
	}
}

// each calls f for the accumulators of the first v vectors of each row.
func (t tile) each(v int, f func(row, i int)) {
	for row := range t.rows {
		for i := range v {
			f(row, i)
		}
	}
}

// fetch brings the lines of a tile into the cache.
func (t tile) fetch(c, stride reg.Register) {
	for row := range t.rows {
		for at := 0; at < t.vectors*t.Bytes; at += line {
			PREFETCHT0(Mem{Base: c, Disp: at})
		}
		PREFETCHT0(Mem{Base: c, Disp: t.vectors*t.Bytes - 1})
		if row < t.rows-1 {
			ADDQ(stride, c)
		}
	}
}
