package stoch

import (
	"cmp"
	"math"
)

// The discrete stochastic relations ([Chesneaux1994]). With X and Y the means:
//
//	x = y  if x - y is a computational zero
//	x < y  if X < Y and x - y is not a computational zero
//	x ≤ y  if X ≤ Y or x - y is a computational zero
//
// So of x < y, x = y and x > y exactly one holds, unless one is NaN. A
// comparison is an instability if the difference is noise.

// A difference that is not a computational zero has samples of one sign: they
// are at most 2/√3 deviations away from their mean, which is more than 2.4
// deviations away from 0. So that sign decides, and no mean is rounded.

// Equal reports whether x = y.
func (a *Arithmetic[T]) Equal(x, y Number[T]) bool { return a.order(x, y) == 0 }

// Less reports whether x < y.
func (a *Arithmetic[T]) Less(x, y Number[T]) bool { return a.order(x, y) < 0 }

// LessEqual reports whether x ≤ y.
func (a *Arithmetic[T]) LessEqual(x, y Number[T]) bool { return a.order(x, y) <= 0 }

// Cmp returns -1 if x < y, 0 if x = y, and 1 if x > y. As in package cmp, NaN
// is equal to NaN, and less than anything else.
func (a *Arithmetic[T]) Cmp(x, y Number[T]) int {
	if x.IsNaN() || y.IsNaN() {
		return cmp.Compare(x.Mean(), y.Mean())
	}
	return cmp.Compare(a.order(x, y), 0)
}

// Max returns the larger of x and y, x if they are equal, and NaN if one is.
func (a *Arithmetic[T]) Max(x, y Number[T]) Number[T] {
	if !x.IsNaN() && (y.IsNaN() || a.Less(x, y)) {
		return y
	}
	return x
}

// Min returns the smaller of x and y, x if they are equal, and NaN if one is.
func (a *Arithmetic[T]) Min(x, y Number[T]) Number[T] {
	if !x.IsNaN() && (y.IsNaN() || a.Less(y, x)) {
		return y
	}
	return x
}

// Dim returns x - y, or 0 if that is not positive.
func (a *Arithmetic[T]) Dim(x, y Number[T]) Number[T] {
	if a.LessEqual(x, y) {
		return Number[T]{}
	}
	return a.Sub(x, y)
}

// order returns a number with the sign of x - y: 0 if that is a computational
// zero, and NaN if a sample is NaN. It notes noise.
//
//go:nosplit
func (a *Arithmetic[T]) order(x, y Number[T]) T {
	d := Number[T]{x.r1 - y.r1, x.r2 - y.r2, x.r3 - y.r3}
	if isSpread(float64(d.r1), float64(d.r2), float64(d.r3)) {
		return a.orderRare(x, y)
	}
	return d.r1
}

// orderRare is order where x - y may be noise or not finite.
//
//go:noinline
func (a *Arithmetic[T]) orderRare(x, y Number[T]) T {
	if x.IsNaN() || y.IsNaN() {
		return T(math.NaN())
	}
	d := Number[T]{difference(x.r1, y.r1), difference(x.r2, y.r2), difference(x.r3, y.r3)}
	if x.isFinite() && y.isFinite() && !d.isFinite() { // halves do not overflow
		d = Number[T]{T(x.r1/2) - T(y.r1/2), T(x.r2/2) - T(y.r2/2), T(x.r3/2) - T(y.r3/2)}
	}
	if d.isNoise() {
		a.note(Branching)
		return 0
	}
	return d.r1
}

// difference returns x - y, also of equal infinities.
func difference[T Float](x, y T) T {
	if x == y {
		return 0
	}
	return x - y
}
