package stoch

import (
	"fmt"
	"math/bits"
	"unsafe"

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

// Part returns the elements from i to j-1, in the same memory.
func (s Slice[T]) Part(i, j int) Slice[T] {
	return Slice[T]{s.r1[i:j:j], s.r2[i:j:j], s.r3[i:j:j]}
}

// blockLen is the number of elements whose coins are tossed together.
const blockLen = 512

// vectorOp is an operation on slices. element computes one element; whole
// returns the kernel of whole rows; suspicious reports whether rows may hold an
// instability that is looked for.
type vectorOp[T Float] struct {
	element    func(a *Arithmetic[T], x, y, z Number[T], c coins) Number[T]
	whole      func(k *kernel.Stoch[T]) func(dst, x, y, z *T, rows int, coins *uint64)
	suspicious func(a *Arithmetic[T], b *block[T]) bool
}

// block is a part of the operands of an operation.
type block[T Float] struct {
	dst     Slice[T]
	from    [3]Slice[T] // empty if the operation does not have it
	filters *kernel.StochFilters[T]
	rows    int
	hash    uint64
	words   [3]kernel.StochCoins // of each sample
}

// AddSlices sets dst[i] = x[i] + y[i]. It detects cancellations. dst may be x
// or y; other overlaps are not allowed. It panics if lengths differ.
func (a *Arithmetic[T]) AddSlices(dst, x, y Slice[T]) {
	a.run(vectorOp[T]{
		element: func(a *Arithmetic[T], x, y, _ Number[T], c coins) Number[T] {
			return a.addSlow(x, y, c)
		},
		whole: func(k *kernel.Stoch[T]) func(dst, x, y, z *T, rows int, coins *uint64) {
			return k.Add
		},
		suspicious: func(a *Arithmetic[T], b *block[T]) bool {
			return a.detect[Cancellation] && b.drops(b.filters.Sum, addRounded[T])
		},
	}, dst, x, y)
}

// SubSlices sets dst[i] = x[i] - y[i], as AddSlices adds.
func (a *Arithmetic[T]) SubSlices(dst, x, y Slice[T]) {
	a.run(vectorOp[T]{
		element: func(a *Arithmetic[T], x, y, _ Number[T], c coins) Number[T] {
			return a.addSlow(x, y.Neg(), c)
		},
		whole: func(k *kernel.Stoch[T]) func(dst, x, y, z *T, rows int, coins *uint64) {
			return k.Sub
		},
		suspicious: func(a *Arithmetic[T], b *block[T]) bool {
			return a.detect[Cancellation] && b.drops(b.filters.Diff, subRounded[T])
		},
	}, dst, x, y)
}

// MulSlices sets dst[i] = x[i]·y[i]. It detects that both are noise. Its
// arguments are those of AddSlices.
func (a *Arithmetic[T]) MulSlices(dst, x, y Slice[T]) {
	a.run(vectorOp[T]{
		element: func(a *Arithmetic[T], x, y, _ Number[T], c coins) Number[T] {
			return a.mulSlow(x, y, c)
		},
		whole: func(k *kernel.Stoch[T]) func(dst, x, y, z *T, rows int, coins *uint64) {
			return k.Mul
		},
		suspicious: func(a *Arithmetic[T], b *block[T]) bool {
			return a.detect[SelfValidation] && b.spreads(0) && b.spreads(1)
		},
	}, dst, x, y)
}

// DivSlices sets dst[i] = x[i]/y[i]. It detects that y[i] is noise. Its
// arguments are those of AddSlices.
func (a *Arithmetic[T]) DivSlices(dst, x, y Slice[T]) {
	a.run(vectorOp[T]{
		element: func(a *Arithmetic[T], x, y, _ Number[T], c coins) Number[T] {
			return a.divSlow(x, y, c)
		},
		whole: func(k *kernel.Stoch[T]) func(dst, x, y, z *T, rows int, coins *uint64) {
			return k.Div
		},
		suspicious: func(a *Arithmetic[T], b *block[T]) bool {
			return a.detect[SelfValidation] && b.spreads(1)
		},
	}, dst, x, y)
}

// SqrtSlice sets dst[i] to the square root of x[i]. It detects that x[i] is
// noise. Its arguments are those of AddSlices.
func (a *Arithmetic[T]) SqrtSlice(dst, x Slice[T]) {
	a.run(vectorOp[T]{
		element: func(a *Arithmetic[T], x, _, _ Number[T], c coins) Number[T] {
			return a.sqrtSlow(x, c)
		},
		whole: func(k *kernel.Stoch[T]) func(dst, x, y, z *T, rows int, coins *uint64) {
			return k.Sqrt
		},
		suspicious: func(a *Arithmetic[T], b *block[T]) bool {
			return a.detect[Mathematical] && b.spreads(0)
		},
	}, dst, x)
}

// FMASlices sets dst[i] = x[i]·y[i] + z[i], rounded once. It detects that x[i]
// and y[i] are noise, and cancellations. Its arguments are those of AddSlices.
func (a *Arithmetic[T]) FMASlices(dst, x, y, z Slice[T]) {
	a.run(vectorOp[T]{
		element: (*Arithmetic[T]).fused,
		whole: func(k *kernel.Stoch[T]) func(dst, x, y, z *T, rows int, coins *uint64) {
			return k.FMA
		},
		suspicious: func(a *Arithmetic[T], b *block[T]) bool {
			return a.detect[SelfValidation] && b.spreads(0) && b.spreads(1) ||
				a.detect[Cancellation] && b.drops(b.filters.FusedSum, fusedRounded[T])
		},
	}, dst, x, y, z)
}

// Axpy sets y[i] += alpha·x[i], as FMASlices does.
func (a *Arithmetic[T]) Axpy(alpha Number[T], x, y Slice[T]) {
	factors := MakeSlice[T](min(blockLen, x.Len()))
	for i := range factors.Len() {
		factors.Set(i, alpha)
	}
	sameLength(y, x)
	for from := 0; from < x.Len(); from += blockLen {
		to := min(from+blockLen, x.Len())
		part := y.Part(from, to)
		a.FMASlices(part, factors.Part(0, to-from), x.Part(from, to), part)
	}
}

// sameLength panics if the slices have different lengths.
func sameLength[T Float](dst Slice[T], from ...Slice[T]) {
	for _, s := range from {
		if s.Len() != dst.Len() {
			panic(fmt.Sprintf("stoch: slices of lengths %d and %d", dst.Len(), s.Len()))
		}
	}
}

// run computes an operation block by block.
func (a *Arithmetic[T]) run(op vectorOp[T], dst Slice[T], from ...Slice[T]) {
	sameLength(dst, from...)
	k := a.kernels()
	b := new(block[T])
	for start := 0; start < dst.Len(); start += blockLen {
		end := min(start+blockLen, dst.Len())
		b.dst = dst.Part(start, end)
		for i, s := range from {
			b.from[i] = s.Part(start, end)
		}
		a.deal(b, start)
		done := 0
		if k != nil {
			done = a.runRows(op, k, b)
		}
		for i := done; i < end-start; i++ {
			b.dst.Set(i, op.element(a, b.at(0, i), b.at(1, i), b.at(2, i), b.coins(a, i)))
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
func (a *Arithmetic[T]) runRows(op vectorOp[T], k *kernel.Stoch[T], b *block[T]) int {
	length := rowLen[T]()
	b.filters, b.rows = &k.Filters, b.dst.Len()/length
	if b.rows == 0 || op.suspicious(a, b) {
		return 0
	}
	f := op.whole(k)
	x, y, z := &b.from[0], &b.from[1], &b.from[2]
	f(data(b.dst.r1), data(x.r1), data(y.r1), data(z.r1), b.rows, &b.words[0][0])
	f(data(b.dst.r2), data(x.r2), data(y.r2), data(z.r2), b.rows, &b.words[1][0])
	f(data(b.dst.r3), data(x.r3), data(y.r3), data(z.r3), b.rows, &b.words[2][0])
	return b.rows * length
}

// rowLen returns the elements of a row of the kernels.
func rowLen[T Float]() int {
	if isSingle[T]() {
		return kernel.StochRowBytes / 4
	}
	return kernel.StochRowBytes / 8
}

// data returns the address of the first element, or nil.
func data[T Float](s []T) *T { return unsafe.SliceData(s) }

// hashed is the distance of the elements that decide the coins of a block: 16
// of 512, one lane further in each row.
const hashed = 33

// deal tosses the coins of a block that begins at element start. They depend on
// the seed, the place and some elements of the operands: so they are the same
// for any schedule of goroutines, and others when the operands change.
func (a *Arithmetic[T]) deal(b *block[T], start int) {
	h := a.seed + uint64(start)*golden
	for i, s := range b.from {
		x := s.r1
		for j := 0; j < len(x); j += hashed {
			h = bits.RotateLeft64(h, 9+i) ^ bitsOf(x[j])*golden
		}
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
	if a.mirror == 0 {
		for i := range b.words[2] {
			h += golden
			b.words[2][i] = mix(h ^ a.seed2)
		}
	}
}

// coins returns the coins of element i.
func (b *block[T]) coins(a *Arithmetic[T], i int) coins {
	rest := mix(b.hash+uint64(i)*golden) >> 3
	return coins(kernel.StochDown[T](&b.words[0], i)<<63 |
		kernel.StochDown[T](&b.words[1], i)<<62 |
		kernel.StochDown[T](&b.words[2], i)<<61 | rest)
}

// at returns element i of an operand, or 0 if the operation does not have it.
func (b *block[T]) at(operand, i int) Number[T] {
	if s := b.from[operand]; s.Len() > 0 {
		return s.At(i)
	}
	return Number[T]{}
}

// spreads reports whether samples of an operand may be noise.
func (b *block[T]) spreads(operand int) bool {
	s := b.from[operand]
	if f := b.filters.Spread; f != nil {
		return f(data(s.r1), data(s.r2), data(s.r3), b.rows) != 0
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
func (b *block[T]) drops(f func(x, y, z *T, rows int) uint64,
	sum func(x, y, z T) (p, q, s T)) bool {
	x, y, z := b.from[0].r1, b.from[1].r1, b.from[2].r1
	if f != nil {
		return f(data(x), data(y), data(z), b.rows) != 0
	}
	for i := range b.rows * rowLen[T]() {
		third := T(0)
		if len(z) > 0 {
			third = z[i]
		}
		if p, q, s := sum(x[i], y[i], third); hasDropped(float64(p), float64(q), float64(s)) {
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
