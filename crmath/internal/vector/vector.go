// Package vector applies vector kernels to slices: the slice functions of
// crmath and crmath/f32. docs/develop/lanes.md describes the kernels.
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

// few is a number of elements that is not worth a call: vectors have up to 8
// lanes, and a partial one takes longer than as many calls of the function.
const few = 7

// A Loop stores the results of a function for all elements of x in dst, which
// is as long as x. It keeps neither.
type Loop[T float32 | float64] func(dst, x []T)

// Loop2 is a Loop of a function of two arguments.
type Loop2[T float32 | float64] func(dst, x, y []T)

// Map stores f(x[i]) in dst[i] by a kernel for f, or by f alone if k is nil. It
// panics, in the name of the function name, if dst has another length than x,
// or overlaps x without beginning where it begins. The slices do not escape.
func Map[T float32 | float64](name string, dst, x []T, f func(T) T, k Kernel[T]) {
	MapLoop(name, dst, x, Each(f), k, always)
}

// Each returns a loop that calls f.
func Each[T float32 | float64](f func(T) T) Loop[T] {
	return func(dst, x []T) {
		dst = dst[:len(x)] // spares the loop a check
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

// always is for functions without rare arguments.
func always[T float32 | float64](T) bool { return true }

// MapLoop is Map for a function that loop calls for each element. common
// reports whether a kernel is likely to have a result for x.
func MapLoop[T float32 | float64](name string, dst, x []T, loop Loop[T], k Kernel[T],
	common func(x T) bool) {
	check(name, "dst", "x", dst, x)
	if kernels && k != nil && len(x) > few {
		mix(kernel.Hide(dst), kernel.Hide(x), loop, k, common)
	} else {
		loop(kernel.Hide(dst), kernel.Hide(x))
	}
}

// mix is MapLoop with a kernel.
func mix[T float32 | float64](dst, x []T, loop Loop[T], k Kernel[T], common func(x T) bool) {
	apply(len(x), func(i, n int) uint64 { return k(&dst[i], &x[i], n) },
		func(i, j int) { loop(dst[i:j], x[i:j]) },
		func(i int) bool { return common(x[i]) })
}

// Map2 is Map for a function of two arguments.
func Map2[T float32 | float64](name string, dst, x, y []T, f func(x, y T) T, k Kernel2[T]) {
	MapLoop2(name, dst, x, y, Each2(f), k, always2)
}

// Each2 is Each for a function of two arguments.
func Each2[T float32 | float64](f func(x, y T) T) Loop2[T] {
	return func(dst, x, y []T) {
		dst, y = dst[:len(x)], y[:len(x)] // spares the loop two checks
		for i, v := range x {
			dst[i] = f(v, y[i])
		}
	}
}

// always2 is always for a function of two arguments.
func always2[T float32 | float64](x, y T) bool { return true }

// MapLoop2 is MapLoop for a function of two arguments.
func MapLoop2[T float32 | float64](name string, dst, x, y []T, loop Loop2[T], k Kernel2[T],
	common func(x, y T) bool) {
	check(name, "dst", "x", dst, x)
	check(name, "dst", "y", dst, y)
	if kernels && k != nil && len(x) > few {
		mix2(kernel.Hide(dst), kernel.Hide(x), kernel.Hide(y), loop, k, common)
	} else {
		loop(kernel.Hide(dst), kernel.Hide(x), kernel.Hide(y))
	}
}

// mix2 is MapLoop2 with a kernel.
func mix2[T float32 | float64](dst, x, y []T, loop Loop2[T], k Kernel2[T],
	common func(x, y T) bool) {
	apply(len(x), func(i, n int) uint64 { return k(&dst[i], &x[i], &y[i], n) },
		func(i, j int) { loop(dst[i:j], x[i:j], y[i:j]) },
		func(i int) bool { return common(x[i], y[i]) })
}

// apply computes n elements. kernel computes those from i to i+n, as a Kernel
// does; loop computes those from i to j.
func apply(n int, kernel func(i, n int) uint64, loop func(i, j int), common func(i int) bool) {
	p := newPace()
	for i := 0; i < n; {
		block := min(n-i, p.block)
		fails := uint64(math.MaxUint64)
		if p.isSure() || common(i) || common(i+block/2) || common(i+block-1) {
			fails = kernel(i, block)
		}
		fails &^= math.MaxUint64 << block
		for left := fails; left != 0; {
			first := bits.TrailingZeros64(left)
			end := first + bits.TrailingZeros64(^(left >> first))
			loop(i+first, i+end)
			left = left >> end << end
		}
		i += block
		if pause := min(p.after(block, fails), n-i); pause > 0 {
			loop(i, i+pause)
			i += pause
		}
	}
}

// CheckBoth panics unless two results of each element of x, named by the
// parameters of the function name, are as long as x and do not overlap, and
// each is x or does not overlap it.
func CheckBoth[T float32 | float64](name string, results [2]string, first, second, x []T) {
	check(name, results[0], "x", first, x)
	check(name, results[1], "x", second, x)
	if kernel.Overlap(first, second) || len(x) > 0 && &first[0] == &second[0] {
		panic(name + ": " + results[0] + " overlaps " + results[1] + ": pass another array")
	}
}

// check panics unless a result is as long as an argument, and is that argument
// or does not overlap it.
func check[T float32 | float64](function, result, name string, dst, x []T) {
	if len(dst) != len(x) {
		cure := result + "[:len(" + name + ")]"
		if len(dst) < len(x) {
			cure = name + "[:len(" + result + ")]"
		}
		panic(function + ": " + result + " has " + strconv.Itoa(len(dst)) + " elements and " +
			name + " has " + strconv.Itoa(len(x)) + ": pass " + cure)
	}
	if kernel.Overlap(dst, x) {
		panic(function + ": " + result + " overlaps " + name +
			", but does not begin where it begins: pass the same slice, or another array")
	}
}
