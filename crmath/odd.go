package crmath

import "math"

// Rounding to odd is what a second rounding needs: a result that is not representable becomes that one
// of its two neighbours whose last bit is 1. Rounded once more, to nearest, to a format of 51 bits
// or fewer, it gives what the real value would (Boldo2008).

// PowOdd returns x^y, rounded to odd, for positive finite x and finite y: for the powers of package f32, and for
// other short formats. An exact result is returned; from 2^1024 on the result is MaxFloat64, and below 2^-1074 it is
// that.
//
// A call takes some 4 µs, and up to 50 where more than 128 bits are needed. Nothing is allocated.
//
// References: Boldo2008, LauterLefevre2009
func PowOdd(x, y float64) float64 {
	if x == 1 || y == 0 {
		return 1
	}
	switch r := Pow(x, y); {
	case math.Abs(y) < 0x1p-64: // |y·ln x| < 2^-54, and no such power is representable (powExact)
		if (x < 1) == (y < 0) {
			return math.Nextafter(1, 2)
		}
		return math.Nextafter(1, 0)
	case r > math.MaxFloat64:
		return math.MaxFloat64
	case r < math.SmallestNonzeroFloat64:
		return math.SmallestNonzeroFloat64
	}
	for n := wideFirst; ; n = min(2*n+2, widePowLast) {
		var z wide
		z.setPow(x, y, n)
		r, ok := z.odd(n)
		if ok || n == widePowLast {
			return r
		}
		if r, ok := powExact(x, y); ok {
			return r // of 53 bits, or n words would have shown the 54th
		}
	}
}

// Atan2Odd returns the angle of the point (x, y), in (-π, π), rounded to odd, for finite x and y, y not 0: for
// package f32, and for other short formats. Cost as for PowOdd.
//
// References: Boldo2008
func Atan2Odd(y, x float64) float64 {
	return math.Copysign(atan2Odd(math.Abs(y), x, Atan2(math.Abs(y), x)), y)
}

// atan2Odd is Atan2Odd for positive y, near a guess.
func atan2Odd(y, x, guess float64) float64 {
	var z, a, b wide
	if guess < 0x1p-60 { // as in atan2Tiny
		const w = 3
		a.setFloat64(y, w)
		b.setFloat64(x, w)
		z.div(&a, &b, w)
		a.set(&z, w)
		a.exp -= 121
		z.sub(&z, &a, w)
		r, _ := z.odd(w)
		return r
	}
	for n := wideFirst; ; n = min(2*n+1, wideLast) {
		a.setFloat64(y, n+1)
		b.setFloat64(x, n+1)
		z.setAtan2(&a, &b, guess, n)
		if r, ok := z.odd(n); ok || n == wideLast {
			return r
		}
	}
}

// odd is float64 with rounding to odd, of a positive number.
func (x *wide) odd(n int) (float64, bool) {
	switch keep := binary64.kept(x); {
	case x.exp > binary64.emax:
		return math.MaxFloat64, true
	case keep <= 0:
		return math.SmallestNonzeroFloat64, true
	default:
		q := x.m[0] >> (64 - keep)
		zeros, ones := same(x.m[:n], keep, 0), same(x.m[:n], keep, math.MaxUint64)
		return math.Float64frombits(binary64.assemble(x, keep, q|1)), !zeros && !ones
	}
}
