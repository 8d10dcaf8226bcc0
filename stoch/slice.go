package stoch

import (
	"fmt"
	"math/bits"

	"github.com/lastbit/lastbit/internal/kernel"
)

// Slice is a slice of Numbers, stored as one slice for each sample, as vector
// instructions need them.
type Slice[T Float] struct{ r1, r2, r3 []T }

// MakeSlice returns a slice of n exact zeros.
func MakeSlice[T Float](n int) Slice[T] {
	all := make([]T, 3*n)
	return Slice[T]{all[:n:n], all[n : 2*n : 2*n], all[2*n:]}
}

// SliceOf returns a slice of exact numbers.
func SliceOf[T Float](values []T) Slice[T] {
	s := MakeSlice[T](len(values))
	copy(s.r1, values)
	copy(s.r2, values)
	copy(s.r3, values)
	return s
}

// Len returns the number of elements.
func (s Slice[T]) Len() int { return len(s.r1) }

// At returns element i.
func (s Slice[T]) At(i int) Number[T] { return Number[T]{s.r1[i], s.r2[i], s.r3[i]} }

// Set sets element i.
func (s Slice[T]) Set(i int, x Number[T]) { s.r1[i], s.r2[i], s.r3[i] = x.r1, x.r2, x.r3 }

// Copy copies the elements of from, which is as long.
func (s Slice[T]) Copy(from Slice[T]) {
	sameLength(s.Len(), from.Len())
	copy(s.r1, from.r1)
	copy(s.r2, from.r2)
	copy(s.r3, from.r3)
}

// Part returns the elements from i to j-1, in the same memory.
func (s Slice[T]) Part(i, j int) (part Slice[T]) {
	part.take(&s, i, j)
	return part
}

// take is Part without copies of slices, which take longer than a kernel does.
func (s *Slice[T]) take(from *Slice[T], i, j int) {
	s.r1, s.r2, s.r3 = from.r1[i:j:j], from.r2[i:j:j], from.r3[i:j:j]
}

// blockLen is the number of elements whose coins are tossed together.
const blockLen = 512

// vectorOp is an operation on slices.
type vectorOp uint8

const (
	addOp vectorOp = iota
	subOp
	mulOp
	divOp
	sqrtOp
	fmaOp
)

// block is a part of the operands of an operation.
type block[T Float] struct {
	dst     Slice[T]
	from    [3]Slice[T]
	filters *kernel.StochFilters[T]
	rows    int
	hash    uint64
	words   [3]kernel.StochCoins // of each sample
}

// AddSlices sets dst[i] = x[i] + y[i]. It detects cancellations. dst may be x
// or y; other overlaps are not allowed. It panics if lengths differ.
func (a *Arithmetic[T]) AddSlices(dst, x, y Slice[T]) { a.run(addOp, &dst, &x, &y, &dst) }

// SubSlices sets dst[i] = x[i] - y[i], as AddSlices adds.
func (a *Arithmetic[T]) SubSlices(dst, x, y Slice[T]) { a.run(subOp, &dst, &x, &y, &dst) }

// MulSlices sets dst[i] = x[i]·y[i], for arguments as of AddSlices. It detects
// that both are noise.
func (a *Arithmetic[T]) MulSlices(dst, x, y Slice[T]) { a.run(mulOp, &dst, &x, &y, &dst) }

// DivSlices sets dst[i] = x[i]/y[i], for arguments as of AddSlices. It detects
// that y[i] is noise.
func (a *Arithmetic[T]) DivSlices(dst, x, y Slice[T]) { a.run(divOp, &dst, &x, &y, &dst) }

// SqrtSlice sets dst[i] = √x[i], for arguments as of AddSlices. It detects that
// x[i] is noise.
func (a *Arithmetic[T]) SqrtSlice(dst, x Slice[T]) { a.run(sqrtOp, &dst, &x, &x, &dst) }

// FMASlices sets dst[i] = x[i]·y[i] + z[i], rounded once, for arguments as of
// AddSlices. It detects that x[i] and y[i] are noise, and cancellations.
func (a *Arithmetic[T]) FMASlices(dst, x, y, z Slice[T]) { a.run(fmaOp, &dst, &x, &y, &z) }

// element computes element i of a block.
func (a *Arithmetic[T]) element(op vectorOp, b *block[T], i int) Number[T] {
	x, y, c := b.from[0].At(i), b.from[1].At(i), b.coins(i)
	switch op {
	case addOp:
		return a.addSlow(x, y, c)
	case subOp:
		return a.addSlow(x, y.Neg(), c)
	case mulOp:
		return a.mulSlow(x, y, c)
	case divOp:
		return a.divSlow(x, y, c)
	case sqrtOp:
		return a.sqrtSlow(x, c)
	}
	return a.fused(x, y, b.from[2].At(i), c)
}

// whole returns the kernel of whole rows.
func whole[T Float](op vectorOp, k *kernel.Stoch[T]) kernel.StochOperation[T] {
	switch op {
	case addOp:
		return k.Add
	case subOp:
		return k.Sub
	case mulOp:
		return k.Mul
	case divOp:
		return k.Div
	case sqrtOp:
		return k.Sqrt
	}
	return k.FMA
}

// isSuspicious reports whether the rows of a block may hold an instability that
// is looked for.
func (a *Arithmetic[T]) isSuspicious(op vectorOp, b *block[T]) bool {
	factors := a.detect[SelfValidation]
	switch sums := a.detect[Cancellation]; op {
	case addOp:
		return sums && b.drops(b.filters.Sum, addRounded[T])
	case subOp:
		return sums && b.drops(b.filters.Diff, subRounded[T])
	case mulOp:
		return factors && b.spreads(0) && b.spreads(1)
	case divOp:
		return factors && b.spreads(1)
	case sqrtOp:
		return a.detect[Mathematical] && b.spreads(0)
	default:
		return factors && b.spreads(0) && b.spreads(1) ||
			sums && b.drops(b.filters.FusedSum, fusedRounded[T])
	}
}

// Axpy sets y[i] += alpha·x[i], as FMASlices does.
func (a *Arithmetic[T]) Axpy(alpha Number[T], x, y Slice[T]) {
	factors := MakeSlice[T](min(blockLen, x.Len()))
	for i := range factors.Len() {
		factors.Set(i, alpha)
	}
	sameLength(y.Len(), x.Len())
	for from := 0; from < x.Len(); from += blockLen {
		to := min(from+blockLen, x.Len())
		part := y.Part(from, to)
		a.FMASlices(part, factors.Part(0, to-from), x.Part(from, to), part)
	}
}

// sameLength panics if lengths differ.
func sameLength(dst int, from ...int) {
	for _, n := range from {
		if n != dst {
			panic(fmt.Sprintf("stoch: slices of lengths %d and %d", dst, n))
		}
	}
}

// run computes an operation block by block. Operands that it does not have are
// any of the same length. Copies of slices would take as long as a part of a
// kernel.
func (a *Arithmetic[T]) run(op vectorOp, dst, x, y, z *Slice[T]) {
	n := dst.Len()
	if x.Len() != n || y.Len() != n || z.Len() != n {
		sameLength(n, x.Len(), y.Len(), z.Len())
	}
	k := a.kernels()
	var b block[T]
	for start := 0; start < n; start += blockLen {
		end := min(start+blockLen, n)
		b.dst.take(dst, start, end)
		b.from[0].take(x, start, end)
		b.from[1].take(y, start, end)
		b.from[2].take(z, start, end)
		a.deal(&b, start)
		done := 0
		if k != nil {
			done = a.runRows(op, k, &b)
		}
		for i := done; i < end-start; i++ {
			b.dst.Set(i, a.element(op, &b, i))
		}
	}
}

// kernels returns the kernels for slices, or nil where there are none for this
// arithmetic.
func (a *Arithmetic[T]) kernels() *kernel.Stoch[T] {
	if a.rounding != UpOrDown || a.format != formatOf[T]() {
		return nil
	}
	return kernel.NewStoch[T](a.level)
}

// runRows computes whole rows, unless they are suspicious, and returns the
// number of elements computed.
func (a *Arithmetic[T]) runRows(op vectorOp, k *kernel.Stoch[T], b *block[T]) int {
	length := rowLen[T]()
	b.filters, b.rows = &k.Filters, b.dst.Len()/length
	if b.rows == 0 || a.isSuspicious(op, b) {
		return 0
	}
	f := whole(op, k)
	x, y, z := &b.from[0], &b.from[1], &b.from[2]
	f.Rows(b.dst.r1, x.r1, y.r1, z.r1, b.rows, &b.words[0])
	f.Rows(b.dst.r2, x.r2, y.r2, z.r2, b.rows, &b.words[1])
	f.Rows(b.dst.r3, x.r3, y.r3, z.r3, b.rows, &b.words[2])
	return b.rows * length
}

// rowLen returns the elements of a row of the kernels.
func rowLen[T Float]() int {
	if isSingle[T]() {
		return kernel.StochRowBytes / 4
	}
	return kernel.StochRowBytes / 8
}

// hashed is the distance of the elements that decide the coins of a block: 16
// of 512, one lane further in each row.
const hashed = 33

// deal tosses the coins of a block that begins at element start. They depend on
// the seed, the place and some elements of the operands: so they are the same
// for any schedule of goroutines, and others when the operands change.
func (a *Arithmetic[T]) deal(b *block[T], start int) {
	h := a.seed + uint64(start)*golden
	x, y := b.from[0].r1, b.from[1].r1
	for j := 0; j < len(x); j += hashed {
		// The products do not wait for the element before.
		h = bits.RotateLeft64(h, 9) ^ (bitsOf(x[j])*golden ^ bitsOf(y[j])*0xd1342543de82ef95)
	}
	if a.ops != nil {
		h += mix(a.ops.Add(1))
	}
	h = mix(h)
	b.hash = h
	for i := range b.words[0] {
		h += golden
		b.words[0][i] = mix(h ^ a.seed2)
		h += golden
		b.words[1][i] = mix(h ^ a.seed2)
		b.words[2][i] = ^b.words[1][i]
	}
	if a.independent {
		for i := range b.words[2] {
			h += golden
			b.words[2][i] = mix(h ^ a.seed2)
		}
	}
}

// coins returns the coins of element i.
func (b *block[T]) coins(i int) coins {
	rest := mix(b.hash+uint64(i)*golden) >> 3
	return coins(kernel.StochDown[T](&b.words[0], i)<<63 |
		kernel.StochDown[T](&b.words[1], i)<<62 |
		kernel.StochDown[T](&b.words[2], i)<<61 | rest)
}

// spreads reports whether samples of an operand may be noise.
func (b *block[T]) spreads(operand int) bool {
	s := &b.from[operand]
	if f := b.filters.Spread; f != nil {
		return f.Finds(s.r1, s.r2, s.r3, b.rows)
	}
	for i := range b.rows * rowLen[T]() {
		if isSpread(float64(s.r1[i]), float64(s.r2[i]), float64(s.r3[i])) {
			return true
		}
	}
	return false
}

// drops reports whether a sum of the first samples lost leading bits. sum
// returns the summands and the sum, rounded to nearest.
func (b *block[T]) drops(f kernel.StochFilter[T],
	sum func(x, y, z T) (p, q, s T)) bool {
	x, y, z := b.from[0].r1, b.from[1].r1, b.from[2].r1
	if f != nil {
		return f.Finds(x, y, z, b.rows)
	}
	for i := range b.rows * rowLen[T]() {
		if p, q, s := sum(x[i], y[i], z[i]); hasDropped(float64(p), float64(q), float64(s)) {
			return true
		}
	}
	return false
}

func addRounded[T Float](x, y, _ T) (p, q, s T) { return x, y, x + y }

func subRounded[T Float](x, y, _ T) (p, q, s T) { return x, y, x - y }

func fusedRounded[T Float](x, y, z T) (p, q, s T) {
	p = T(x * y)
	return p, z, p + z
}
