package stoch

import "cmp"

// The discrete stochastic relations ([Chesneaux1994]). With X and Y the means:
//
//	x = y  if x - y is a computational zero
//	x < y  if X < Y and x - y is not a computational zero
//	x ≤ y  if X ≤ Y or x - y is a computational zero
//
// So of x < y, x = y and x > y exactly one holds, unless one is NaN. A
// comparison is an instability if the difference is noise.

// Equal reports whether x = y.
func (a *Arithmetic[T]) Equal(x, y Number[T]) bool { return a.isZeroDifference(x, y) }

// Less reports whether x < y.
func (a *Arithmetic[T]) Less(x, y Number[T]) bool {
	return !a.isZeroDifference(x, y) && x.Mean() < y.Mean()
}

// LessEqual reports whether x ≤ y.
func (a *Arithmetic[T]) LessEqual(x, y Number[T]) bool {
	return a.isZeroDifference(x, y) || x.Mean() <= y.Mean()
}

// Cmp returns -1 if x < y, 0 if x = y, and 1 if x > y. As in package cmp, NaN
// is equal to NaN, and less than anything else.
func (a *Arithmetic[T]) Cmp(x, y Number[T]) int {
	if x.IsNaN() || y.IsNaN() {
		return cmp.Compare(x.Mean(), y.Mean())
	}
	if a.isZeroDifference(x, y) {
		return 0
	}
	return cmp.Compare(x.Mean(), y.Mean())
}

// Max returns the larger of x and y, x if they are equal.
func (a *Arithmetic[T]) Max(x, y Number[T]) Number[T] {
	if !x.IsNaN() && (y.IsNaN() || a.Less(x, y)) {
		return y
	}
	return x
}

// Min returns the smaller of x and y, x if they are equal.
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

// isZeroDifference reports whether x - y is a computational zero, and notes
// noise.
func (a *Arithmetic[T]) isZeroDifference(x, y Number[T]) bool {
	d := Number[T]{difference(x.r1, y.r1), difference(x.r2, y.r2), difference(x.r3, y.r3)}
	if d.isNoise() {
		a.note(Branching)
		return true
	}
	return d == Number[T]{}
}

// difference returns x - y, also of equal infinities.
func difference[T Float](x, y T) T {
	if x == y {
		return 0
	}
	return x - y
}
