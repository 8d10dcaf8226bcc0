// Package vector applies vector kernels to slices: the slice functions of
// crmath and crmath/f32. docs/lanes.md describes the kernels.
package vector

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/lastbit/lastbit/internal/kernel"
)

// A Kernel computes a function of 1 to Most elements. For each of them, bit i
// of fails is set if dst[i] was left unchanged, because its rounding is not
// decided or the argument is rare: the caller calls the function. The bits
// above mean nothing.
type Kernel[T float32 | float64] func(dst, x *T, n int) (fails uint64)

// Kernel2 is a Kernel of a function of two arguments.
type Kernel2[T float32 | float64] func(dst, x, y *T, n int) (fails uint64)

// Most bounds the elements of one call of a kernel.
const Most = 64

// few is a number of elements that is not worth a call.
const few = 2

// Map stores f(x[i]) in dst[i] by a kernel for f, or by f alone if k is nil. It
// panics, in the name of the function name, if dst has another length than x,
// or overlaps x without beginning where it begins. The slices do not escape.
func Map[T float32 | float64](name string, dst, x []T, f func(T) T, k Kernel[T]) {
	check(name, "x", dst, x)
	if kernels && k != nil && len(x) > few {
		apply(kernel.Hide(dst), kernel.Hide(x), f, k)
		return
	}
	oneByOne(dst, x, f)
}

// oneByOne is Map without a kernel.
func oneByOne[T float32 | float64](dst, x []T, f func(T) T) {
	dst = dst[:len(x)] // spares the loop a check
	for i, v := range x {
		dst[i] = f(v)
	}
}

// apply is Map with a kernel.
func apply[T float32 | float64](dst, x []T, f func(T) T, k Kernel[T]) {
	for p := newPace(); len(x) > 0; {
		n := min(len(x), p.block)
		fails := k(&dst[0], &x[0], n) &^ (math.MaxUint64 << n)
		for left := fails; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			dst[i] = f(x[i])
		}
		dst, x = dst[n:], x[n:]
		pause := min(p.after(n, fails), len(x))
		oneByOne(dst[:pause], x[:pause], f)
		dst, x = dst[pause:], x[pause:]
	}
}

// Map2 is Map for a function of two arguments.
func Map2[T float32 | float64](name string, dst, x, y []T, f func(x, y T) T, k Kernel2[T]) {
	check(name, "x", dst, x)
	check(name, "y", dst, y)
	if kernels && k != nil && len(x) > few {
		apply2(kernel.Hide(dst), kernel.Hide(x), kernel.Hide(y), f, k)
		return
	}
	oneByOne2(dst, x, y, f)
}

// oneByOne2 is Map2 without a kernel.
func oneByOne2[T float32 | float64](dst, x, y []T, f func(x, y T) T) {
	dst, y = dst[:len(x)], y[:len(x)] // spares the loop two checks
	for i, v := range x {
		dst[i] = f(v, y[i])
	}
}

// apply2 is Map2 with a kernel.
func apply2[T float32 | float64](dst, x, y []T, f func(x, y T) T, k Kernel2[T]) {
	for p := newPace(); len(x) > 0; {
		n := min(len(x), p.block)
		fails := k(&dst[0], &x[0], &y[0], n) &^ (math.MaxUint64 << n)
		for left := fails; left != 0; left &= left - 1 {
			i := bits.TrailingZeros64(left)
			dst[i] = f(x[i], y[i])
		}
		dst, x, y = dst[n:], x[n:], y[n:]
		pause := min(p.after(n, fails), len(x))
		oneByOne2(dst[:pause], x[:pause], y[:pause], f)
		dst, x, y = dst[pause:], x[pause:], y[pause:]
	}
}

// check panics unless dst is as long as an argument, and is that argument or
// does not overlap it.
func check[T float32 | float64](function, name string, dst, x []T) {
	if len(dst) != len(x) {
		cure := "dst[:len(" + name + ")]"
		if len(dst) < len(x) {
			cure = name + "[:len(dst)]"
		}
		panic(function + ": dst has " + strconv.Itoa(len(dst)) + " elements and " +
			name + " has " + strconv.Itoa(len(x)) + ": pass " + cure)
	}
	if kernel.Overlap(dst, x) {
		panic(function + ": dst overlaps " + name + ", but does not begin where it begins: " +
			"pass the same slice, or another array")
	}
}
