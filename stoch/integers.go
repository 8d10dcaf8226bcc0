package stoch

import "math"

// Functions whose results are exact, sample by sample. Those that round to
// integers detect that the samples become different integers: a branch that
// rounding errors decide.

// Ceil returns the least integer at or above x.
func (a *Arithmetic[T]) Ceil(x Number[T]) Number[T] { return a.toInteger(math.Ceil, x) }

// Floor returns the greatest integer at or below x.
func (a *Arithmetic[T]) Floor(x Number[T]) Number[T] { return a.toInteger(math.Floor, x) }

// Round returns the nearest integer, halves away from zero.
func (a *Arithmetic[T]) Round(x Number[T]) Number[T] { return a.toInteger(math.Round, x) }

// RoundToEven returns the nearest integer, halves to even.
func (a *Arithmetic[T]) RoundToEven(x Number[T]) Number[T] {
	return a.toInteger(math.RoundToEven, x)
}

// Trunc returns the integer part of x.
func (a *Arithmetic[T]) Trunc(x Number[T]) Number[T] { return a.toInteger(math.Trunc, x) }

// Modf returns the integer part of x and the rest, both with the sign of x.
func (a *Arithmetic[T]) Modf(x Number[T]) (whole, part Number[T]) {
	return a.Trunc(x), each(func(v float64) float64 { _, f := math.Modf(v); return f }, x)
}

// Mod returns the remainder of x/y with the sign of x, as math.Mod does. It
// detects that samples have different quotients, or that y is noise.
func (a *Arithmetic[T]) Mod(x, y Number[T]) Number[T] {
	return a.remainder(math.Mod, math.Trunc, x, y)
}

// Remainder returns the IEEE 754 remainder of x/y. It detects that samples have
// different quotients, or that y is noise.
func (a *Arithmetic[T]) Remainder(x, y Number[T]) Number[T] {
	return a.remainder(math.Remainder, math.RoundToEven, x, y)
}

func (a *Arithmetic[T]) remainder(f func(x, y float64) float64, whole func(float64) float64,
	x, y Number[T]) Number[T] {
	if y.isNoise() {
		a.note(SelfValidation)
	}
	v, w := x.widen(), y.widen()
	r := Float64{f(v.r1, w.r1), f(v.r2, w.r2), f(v.r3, w.r3)}
	if q := (Float64{
		whole((v.r1 - r.r1) / w.r1), whole((v.r2 - r.r2) / w.r2), whole((v.r3 - r.r3) / w.r3),
	}); !q.isExact() && !q.IsNaN() {
		a.note(Branching)
	}
	return Number[T]{T(r.r1), T(r.r2), T(r.r3)}
}

// Copysign returns |x| with the signs of y's samples.
func (a *Arithmetic[T]) Copysign(x, y Number[T]) Number[T] {
	v, w := x.widen(), y.widen()
	r := Float64{
		math.Copysign(v.r1, w.r1), math.Copysign(v.r2, w.r2), math.Copysign(v.r3, w.r3),
	}
	if y.isNoise() {
		a.note(Branching)
	}
	return Number[T]{T(r.r1), T(r.r2), T(r.r3)}
}

// Ldexp returns x·2^n. A result below the normal numbers is rounded.
func (a *Arithmetic[T]) Ldexp(x Number[T], n int) Number[T] {
	c := a.again(a.toss(bitsOf(x.r1), uint64(n)))
	n = min(max(n, -1<<20), 1<<20)
	scale := func(v T) exact {
		e := exact{hi: float64(v)}.normalized()
		e.k += n
		return e
	}
	return Number[T]{
		a.settle(scale(x.r1), c, 0), a.settle(scale(x.r2), c, 1), a.settle(scale(x.r3), c, 2),
	}
}

// Frexp returns f and n so that x = f·2^n. n is the one of math.Frexp for the
// mean; so samples on the other side of a power of two have an f that is not
// between 1/2 and 1. It detects them.
func (a *Arithmetic[T]) Frexp(x Number[T]) (f Number[T], n int) {
	a.Logb(x)
	_, n = math.Frexp(float64(x.Mean()))
	if n == 0 {
		return x, 0
	}
	return a.Ldexp(x, -n), n
}

// Logb returns the binary exponent of each sample, as math.Logb does. It
// detects that they differ.
func (a *Arithmetic[T]) Logb(x Number[T]) Number[T] { return a.toInteger(math.Logb, x) }

// Ilogb returns the binary exponent of the mean, as math.Ilogb does. It detects
// that samples have different exponents.
func (a *Arithmetic[T]) Ilogb(x Number[T]) int {
	a.Logb(x)
	return math.Ilogb(float64(x.Mean()))
}

// Signbit reports whether x is negative or -0. It detects that samples have
// different signs; then the sign of the mean counts.
func (a *Arithmetic[T]) Signbit(x Number[T]) bool {
	first := math.Signbit(float64(x.r1))
	if math.Signbit(float64(x.r2)) == first && math.Signbit(float64(x.r3)) == first {
		return first
	}
	a.note(Branching)
	return math.Signbit(float64(x.Mean()))
}

// Nextafter returns the number of the arithmetic's format next to each sample
// of x, towards the sample of y. It detects that x - y is noise.
func (a *Arithmetic[T]) Nextafter(x, y Number[T]) Number[T] {
	a.order(x, y)
	next := func(v, w T) T { return T(a.format.after(float64(v), float64(w))) }
	return Number[T]{next(x.r1, y.r1), next(x.r2, y.r2), next(x.r3, y.r3)}
}

// after returns the number of the format next to v, towards w.
func (f format) after(v, w float64) float64 {
	switch {
	case v != v || w != w:
		return math.NaN()
	case v == w:
		return v
	case v == 0:
		return math.Copysign(math.Ldexp(1, f.minExp-f.precision+1), w)
	case math.IsInf(v, 0):
		return math.Copysign(f.max(), v)
	}
	beside := exact{hi: v}.normalized()
	if beside.lo = tiny; w < v {
		beside.lo = -tiny
	}
	low, high, _ := f.around(beside)
	if (w > v) == (v > 0) {
		return high
	}
	return low
}

// toInteger rounds samples to integers.
func (a *Arithmetic[T]) toInteger(f func(float64) float64, x Number[T]) Number[T] {
	r := each(f, x)
	switch {
	case x.isNoise():
		a.note(Mathematical)
	case !r.isExact() && !r.IsNaN():
		a.note(Branching)
	}
	return r
}

// each applies an exact function to the samples.
func each[T Float](f func(float64) float64, x Number[T]) Number[T] {
	return Number[T]{T(f(float64(x.r1))), T(f(float64(x.r2))), T(f(float64(x.r3)))}
}
