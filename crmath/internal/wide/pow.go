package wide

import (
	"math"

	"github.com/lastbit/lastbit/fp"
)

// SetPow sets z to x^y = e^(y·ln x) at precision n ≤ PowLast, for positive
// finite x and |y·ln x| < 2^10. The logarithm has precision n+1: the error of
// the exponent is below 2^-53·2^(-64n), which leaves SetExp its 40 bits.
func (z *Float) SetPow(x, y float64, n int) {
	var a, b Float
	a.SetFloat64(x, n+2)
	b.SetFloat64(y, n+2)
	z.SetLog(&a, n+1)
	z.Mul(z, &b, n+2)
	z.SetExp(z, n)
}

// ExactPow returns x^y, rounded in direction m, where it is a number of 54 bits
// or fewer: representable, or a midpoint, in the normal range. No other power
// is either. x is positive and finite, y is finite.
//
// Let x = k·2^e with odd k, and y = n·2^-f with odd n. (Fast paths decide y =
// 0.)
//
//  1. k = 1: x^y = 2^(e·y), which is irrational unless e·y is an integer.
//  2. k > 1 and y < 0: for a prime p that divides k, the exponent of p in x^y
//     is negative, so that x^y has no finite binary expansion.
//  3. k > 1 and y > 0: the exponent of p in x^y is y times its exponent in k.
//     In a number of 54 bits or fewer it is an integer for each p, and so is
//     the exponent of 2, which is e·y. As n is odd, 2^f (for f > 0) divides e
//     and the exponent of each p in k: k is the 2^f-th power of an integer g.
//     Then x^y = g^n·2^(e·y) (for f ≤ 0: k^y·2^(e·y)). As g ≥ 3 and g^n < 2^54,
//     n is at most 34; as k < 2^53, f is at most 5.
//
// LauterLefevre2009 draws the same line by y and f alone.
func ExactPow(x, y float64, m fp.Mode) (float64, bool) {
	var z Float
	if !z.SetExactPow(x, y) {
		return 0, false
	}
	return z.ExactRounded(1, m), true
}

// SetExactPow sets z to the power of ExactPow, in one word.
func (z *Float) SetExactPow(x, y float64) bool {
	k, e := oddPart(x)
	for ; y != math.Trunc(y); y *= 2 {
		g := uint64(math.Sqrt(float64(k))) // k has 53 bits: exact for squares
		if g*g != k || e%2 != 0 {
			return false
		}
		k, e = g, e/2
	}
	power := uint64(1)
	if k != 1 {
		if !(0 < y && y <= 34) {
			return false
		}
		var ok bool
		if power, ok = shortPower(k, int(y)); !ok {
			return false
		}
	}
	z.SetUint(power, 1)
	z.Exp += e * int(y) //lastbit:ignore floatconv reduced arguments are in range
	return true
}
