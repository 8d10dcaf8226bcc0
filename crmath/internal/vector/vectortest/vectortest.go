// Package vectortest tests kernels against the functions that they implement.
package vectortest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/vector"
)

// bits returns the bits of a number; two NaN may differ.
func bits[T float32 | float64](x T) uint64 {
	switch x := any(x).(type) {
	case float32:
		return uint64(math.Float32bits(x))
	case float64:
		return math.Float64bits(x)
	}
	panic("no other type")
}

// Same fails where dst is not f of each element of x, bit for bit, NaN's bits
// too.
func Same[T float32 | float64](t *testing.T, what string, dst, x []T, f func(T) T) {
	t.Helper()
	for i, v := range x {
		if got, want := dst[i], f(v); bits(got) != bits(want) {
			t.Fatalf("%s(%x) = %x, element %d of %d, want %x", what, v, got, i, len(x), want)
		}
	}
}

// Same2 is Same for a function of two arguments.
func Same2[T float32 | float64](t *testing.T, what string, dst, x, y []T, f func(x, y T) T) {
	t.Helper()
	for i, v := range x {
		if got, want := dst[i], f(v, y[i]); bits(got) != bits(want) {
			t.Fatalf("%s(%x, %x) = %x, element %d of %d, want %x", what, v, y[i], got, i, len(x),
				want)
		}
	}
}

// Lengths compares a kernel with f for all lengths up to 150, the shortest by a
// call of the kernel alone, in place and
// elsewhere, at several alignments, on arguments that draw gives; elements
// beyond the slices do not change.
func Lengths[T float32 | float64](t *testing.T, what string, rng *rand.Rand, draw func(n int) []T,
	f func(T) T, kernel vector.Kernel[T]) {
	t.Helper()
	const more = 8
	for n := 1; kernel != nil && n < more; n++ {
		x, dst := draw(n), make([]T, n)
		fails := kernel(&dst[0], &x[0], n)
		few(t, what, fails, dst, func(i int) T { return f(x[i]) })
	}
	for n := range 150 {
		x, off := draw(n+more), rng.IntN(more)
		arg, dst := slices.Clone(x), make([]T, n+more)
		vector.Map(what, dst[off:off+n], arg[off:off+n], f, kernel)
		Same(t, what, dst[off:off+n], x[off:off+n], f)
		if slices.ContainsFunc(append(dst[:off:off], dst[off+n:]...),
			func(v T) bool { return v != 0 }) {
			t.Fatalf("%s writes beyond %d elements", what, n)
		}
		vector.Map(what, arg[off:off+n], arg[off:off+n], f, kernel)
		Same(t, what+" in place", arg[off:], x[off:off+n], f)
	}
}

// Lengths2 is Lengths for a function of two arguments, in place of either.
func Lengths2[T float32 | float64](t *testing.T, what string, draw func(n int) (x, y []T),
	f func(x, y T) T, kernel vector.Kernel2[T]) {
	t.Helper()
	for n := 1; kernel != nil && n < 8; n++ {
		x, y := draw(n)
		dst := make([]T, n)
		fails := kernel(&dst[0], &x[0], &y[0], n)
		few(t, what, fails, dst, func(i int) T { return f(x[i], y[i]) })
	}
	for n := range 150 {
		x, y := draw(n)
		dst := make([]T, n)
		vector.Map2(what, dst, x, y, f, kernel)
		Same2(t, what, dst, x, y, f)
		copy(dst, x)
		vector.Map2(what, dst, dst, y, f, kernel)
		Same2(t, what+" in x", dst, x, y, f)
		copy(dst, y)
		vector.Map2(what, dst, x, dst, f, kernel)
		Same2(t, what+" in y", dst, x, y, f)
	}
}

// few fails where dst, after a call of a kernel, is neither as f, nor 0 with a
// bit in fails.
func few[T float32 | float64](t *testing.T, what string, fails uint64, dst []T, f func(i int) T) {
	t.Helper()
	for i, got := range dst {
		want := f(i)
		if fails>>i&1 != 0 {
			want = 0
		}
		if bits(got) != bits(want) {
			t.Fatalf("%s: the kernel stores %x, element %d of %d, want %x (bits of failures: %b)",
				what, got, i, len(dst), want, fails)
		}
	}
}

// Undecided returns how many of the arguments that draw gives, n times as many
// as a kernel takes, it leaves to the function.
func Undecided[T float32 | float64](kernel vector.Kernel[T], n int, draw func() T) (count int) {
	for range n {
		var x, dst [vector.Most]T
		for i := range x {
			x[i] = draw()
		}
		for left := kernel(&dst[0], &x[0], vector.Most); left != 0; left &= left - 1 {
			count++
		}
	}
	return count
}

// Undecided2 is Undecided for a function of two arguments.
func Undecided2[T float32 | float64](kernel vector.Kernel2[T], n int,
	draw func() (x, y T)) (count int) {
	for range n {
		var x, y, dst [vector.Most]T
		for i := range x {
			x[i], y[i] = draw()
		}
		for left := kernel(&dst[0], &x[0], &y[0], vector.Most); left != 0; left &= left - 1 {
			count++
		}
	}
	return count
}
