package blas

import (
	"math"

	"github.com/lastbit/lastbit/internal/eft"
)

// near is a real number that is known nearly: hi + lo, with an error of at most
// err. An err of +Inf or NaN makes no claim.
type near struct{ hi, lo, err float64 }

// The magnitudes that the error-free transformations hold for, with room.
const (
	minSafe = 0x1p-900
	maxSafe = 0x1p1000

	// tiny bounds the errors of underflow from above: 2^-1074 for each
	// operation.
	tiny = 0x1p-1000

	// roundoff bounds the relative error of a rounded operation, with room for
	// the rounding of the bounds themselves.
	roundoff = 0x1p-53 * (1 + 0x1p-20)
)

// unknown is a number that nothing is known about.
var unknown = near{err: math.Inf(1)}

// isSafe reports whether the product p of factors x and y has an error that is
// a float64: it is neither too large nor too small.
func isSafe(p, x, y float64) bool {
	a := math.Abs(p)
	return a >= minSafe && a <= maxSafe || p == 0 && (x == 0 || y == 0)
}

// times returns x·y, without an error.
func times(x, y float64) near {
	p, e := eft.TwoProd(x, y)
	if !isSafe(p, x, y) {
		return unknown
	}
	return near{p, e, 0}
}

// plus returns a + b.
func (a near) plus(b near) near {
	s, t := eft.TwoSum(a.hi, b.hi)
	low := a.lo + b.lo
	lo := t + low
	err := a.err + b.err
	if a.lo != 0 || b.lo != 0 {
		err += roundoff * (math.Abs(low) + math.Abs(lo))
	}
	return near{s, lo, err}.normal()
}

// normal returns the same number with a lo that is small beside hi.
func (a near) normal() near {
	a.hi, a.lo = eft.TwoSum(a.hi, a.lo)
	return a
}

// scaled returns alpha·a.
func (a near) scaled(alpha float64) near {
	if alpha == 1 {
		return a
	}
	p, e := eft.TwoProd(alpha, a.hi)
	if !isSafe(p, alpha, a.hi) {
		return unknown
	}
	low := float64(alpha * a.lo)
	lo := e + low
	err := math.Abs(alpha) * a.err * (1 + roundoff)
	if a.lo != 0 || a.err != 0 {
		err += roundoff*(math.Abs(low)+math.Abs(lo)) + tiny
	}
	return near{p, lo, err}.normal()
}

// over returns a/d.
func (a near) over(d float64) near {
	if d == 1 {
		return a
	}
	q := a.hi / d
	r := math.FMA(-q, d, a.hi)
	size := math.Abs(d)
	if m := math.Abs(q); !(m >= minSafe && m <= maxSafe) || !(size >= minSafe && size <= maxSafe) ||
		!(math.Abs(a.hi) >= minSafe) {
		return unknown
	}
	rest := r + a.lo
	lo := rest / d
	err := (a.err+roundoff*math.Abs(rest))/size*(1+0x1p-20) + roundoff*math.Abs(lo) + tiny
	return near{q, lo, err}.normal()
}

// isZero reports whether the number is zero without an error.
func (a near) isZero() bool { return a.hi == 0 && a.lo == 0 && a.err == 0 }

// settled returns the number, rounded once, and whether that is certain: both
// ends of the range of the error are rounded to it. A zero is never certain,
// since its sign is not known.
func settled[T float32 | float64](a near) (T, bool) {
	e := a.err*(1+0x1p-20) + roundoff*math.Abs(a.lo)
	v := roundPair[T](a.hi, a.lo-e)
	return v, v == roundPair[T](a.hi, a.lo+e) && v != 0
}

// roundPair returns hi + lo, rounded once.
func roundPair[T float32 | float64](hi, lo float64) T {
	if isDouble[T]() {
		return T(hi + lo)
	}
	s, t := eft.TwoSum(hi, lo)
	if b := math.Float64bits(s); t != 0 && b&1 == 0 {
		// Round to odd, so that the second rounding knows the side.
		if (t < 0) == (s < 0) {
			b++
		} else {
			b--
		}
		s = math.Float64frombits(b)
	}
	return T(s)
}

// isDouble reports whether T is float64. float32 rounds 1 + 2^-30.
func isDouble[T float32 | float64]() bool { return T(1)+T(1.0/(1<<30)) != 1 }
