// Package vector applies kernels to slices.
package vector

import (
	"math"
	"math/bits"
	"strconv"

	"github.com/lastbit/lastbit/internal/kernel"
)

// A Kernel computes a function of 1 to Most elements. Bit i of fails, for each of them, says that
// dst[i] is as it was, because its rounding is not decided or the argument is a rare one: the
// function has to be called. The bits above mean nothing.
type Kernel[T float32 | float64] func(dst, x *T, n int) (fails uint64)

// Kernel2 is a Kernel of a function of two arguments.
type Kernel2[T float32 | float64] func(dst, x, y *T, n int) (fails uint64)

// Most is how many elements a kernel takes.
const Most = 64

// few is how many elements are not worth a call.
const few = 2

// Map stores f(x[i]) in dst[i] by a kernel for f; nil stands for none. It panics where dst has
// another length than x, or overlaps it without beginning where it begins: name is the
// function that says so.
func Map[T float32 | float64](name string, dst, x []T, f func(T) T, kernel Kernel[T]) {
	check(name, "x", dst, x)
	for kernel != nil && len(x) > few {
		n := min(len(x), Most)
		for fails := kernel(&dst[0], &x[0], n) &^ (math.MaxUint64 << n); fails != 0; fails &= fails - 1 {
			i := bits.TrailingZeros64(fails)
			dst[i] = f(x[i])
		}
		dst, x = dst[n:], x[n:]
	}
	for i, v := range x {
		dst[i] = f(v)
	}
}

// Map2 is Map for a function of two arguments.
func Map2[T float32 | float64](name string, dst, x, y []T, f func(x, y T) T, kernel Kernel2[T]) {
	check(name, "x", dst, x)
	check(name, "y", dst, y)
	for kernel != nil && len(x) > few {
		n := min(len(x), Most)
		for fails := kernel(&dst[0], &x[0], &y[0], n) &^ (math.MaxUint64 << n); fails != 0; fails &= fails - 1 {
			i := bits.TrailingZeros64(fails)
			dst[i] = f(x[i], y[i])
		}
		dst, x, y = dst[n:], x[n:], y[n:]
	}
	for i, v := range x {
		dst[i] = f(v, y[i])
	}
}

// check panics where dst and an argument do not go together.
func check[T float32 | float64](function, name string, dst, x []T) {
	if len(dst) != len(x) {
		panic(function + ": dst has " + strconv.Itoa(len(dst)) + " elements and " + name + " has " + strconv.Itoa(len(x)) + ": pass dst[:len(" + name + ")]")
	}
	if kernel.Overlap(dst, x) {
		panic(function + ": dst overlaps " + name + ", but does not begin where it begins: pass the same slice, or another array")
	}
}
