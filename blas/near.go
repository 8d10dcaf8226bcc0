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
		err += float64(roundoff * (math.Abs(low) + math.Abs(lo)))
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
	err := float64(math.Abs(alpha) * a.err * (1 + roundoff))
	if a.lo != 0 || a.err != 0 {
		err += float64(roundoff*(math.Abs(low)+math.Abs(lo))) + tiny
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
	err := float64((a.err+float64(roundoff*math.Abs(rest)))/size*(1+0x1p-20)) +
		float64(roundoff*math.Abs(lo)) + tiny
	return near{q, lo, err}.normal()
}

// linear returns alpha·a + beta·c.
func (a near) linear(alpha, beta, c float64) near {
	if alpha != 1 {
		p, e := eft.TwoProd(alpha, a.hi)
		if !isSafe(p, alpha, a.hi) {
			return unknown
		}
		low := float64(alpha * a.lo)
		a.hi, a.lo = p, e+low
		a.err = float64(math.Abs(alpha)*a.err*(1+roundoff)) +
			float64(roundoff*(math.Abs(low)+math.Abs(a.lo))) + tiny
	}
	if beta != 0 {
		q, e := eft.TwoProd(beta, c)
		if !isSafe(q, beta, c) {
			return unknown
		}
		s, t := eft.TwoSum(a.hi, q)
		low := t + e
		a.hi, a.lo = s, low+a.lo
		a.err += float64(roundoff * (math.Abs(low) + math.Abs(a.lo)))
	}
	return a
}

// plusProduct returns a + x·y, for an x without an error.
func (a near) plusProduct(x near, y float64) near {
	p, e := eft.TwoProd(x.hi, y)
	if !isSafe(p, x.hi, y) || x.err != 0 {
		return unknown
	}
	low := math.FMA(x.lo, y, e)
	s, t := eft.TwoSum(a.hi, p)
	rest := t + low
	lo := a.lo + rest
	err := a.err + float64(roundoff*(math.Abs(low)+math.Abs(rest)+math.Abs(lo))) + tiny
	return near{s, lo, err}
}

// isZero reports whether the number is zero without an error.
func (a near) isZero() bool { return a.hi == 0 && a.lo == 0 && a.err == 0 }

// settled returns the number, rounded once, and whether that is certain: both
// ends of the range of the error are rounded to it. A zero is never certain,
// since its sign is not known.
func settled[T float32 | float64](a near) (T, bool) {
	if isDouble[T]() {
		v, ok := settled64(a)
		return T(v), ok
	}
	v, ok := settled32(a)
	return T(v), ok
}

// settled64 is settled for float64.
func settled64(a near) (float64, bool) {
	e := float64(a.err*(1+0x1p-20)) + float64(roundoff*math.Abs(a.lo))
	v := a.hi + (a.lo - e)
	return v, v == a.hi+(a.lo+e) && v != 0
}

// settled32 is settled for float32.
func settled32(a near) (float32, bool) {
	e := float64(a.err*(1+0x1p-20)) + float64(roundoff*math.Abs(a.lo))
	v := round32(a.hi, a.lo-e)
	return v, v == round32(a.hi, a.lo+e) && v != 0
}

// quickly32 is settled32 for numbers whose error is small beside float64, and
// that are not near a midpoint of two numbers of float32. The value and s have
// less than 2^8 numbers of float64 between them, so that both are on the same
// side of every midpoint if s is 2^10 away from the next.
func quickly32(a near) (float32, bool) {
	s := a.hi + a.lo
	e := a.err + float64(roundoff*math.Abs(a.lo))
	beyond := math.Float64bits(s)<<35>>35 - (1<<28 - 1<<10)
	size := math.Abs(s)
	return float32(s), beyond > 1<<11 && e <= 0x1p-46*size && size >= 0x1p-126
}

// round32 returns hi + lo, rounded once to float32.
func round32(hi, lo float64) float32 {
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
	return float32(s)
}

// isDouble reports whether T is float64. float32 rounds 1 + 2^-30.
func isDouble[T float32 | float64]() bool { return T(1)+T(1.0/(1<<30)) != 1 }
