package crmath

import (
	"math"
	"math/bits"
)

// widePowLast is the longest precision of powers: their logarithm has one word more.
const widePowLast = wideLast - 1

// setPow sets z to x^y = e^(y·ln x) at precision n ≤ widePowLast, for positive finite x
// and |y·ln x| < 2^10. The logarithm has precision n+1, so that the error of the exponent is
// below 2^-53·2^(-64n), which leaves setExp its 40 bits.
func (z *wide) setPow(x, y float64, n int) {
	var a, b wide
	a.setFloat64(x, n+2)
	b.setFloat64(y, n+2)
	z.setLog(&a, n+1)
	z.mul(z, &b, n+2)
	z.setExp(z, n)
}

// powAccurate is Pow for positive finite x and |y·ln x| < 2^10. The precision grows until the result is decided.
//
// It ends: powExact takes all pairs whose power is a representable number or a midpoint, and any other power differs from
// those, so that some precision tells it from the nearest. How many bits that takes is not known. Linear forms in two
// logarithms have proven bounds of some 10^13 bits; but of 2^128 pairs, whose powers have digits as random ones, one
// would need 120 bits or so (LauterLefevre2009), and that any needs more than the 896 of widePowLast has a likelihood
// below 2^-700. There the loop ends; what it then returned would be wrong if the power were on the other side of a
// midpoint that is within 2^-840 ulps.
func powAccurate(x, y float64) float64 {
	if r, ok := powExact(x, y); ok {
		return r
	}
	for n := wideFirst; ; n = min(2*n+2, widePowLast) {
		var z wide
		z.setPow(x, y, n)
		if r, ok := z.float64(n); ok || n == widePowLast {
			return r
		}
	}
}

// powExact returns x^y rounded where that is a number of 54 bits or fewer: representable, or
// a midpoint, where those are normal; and no other power is representable or a midpoint. x is
// positive and finite, y finite.
//
// Let x = m·2^e with odd m, and y = n·2^-f with odd n; y = 0 is for the fast path.
//
//  1. m = 1: x^y = 2^(e·y), which is irrational unless e·y is an integer.
//  2. m > 1 and y < 0: for a prime p that divides m, p's exponent in x^y is negative,
//     which it is in no number of finitely many bits.
//  3. m > 1 and y > 0: p's exponent in x^y is y times its exponent in m. In a number of
//     54 bits or fewer it is an integer, for each p, and so is that of 2, which is e·y. As n
//     is odd, 2^f (for f > 0) divides each of p's exponents in m, and e: m is the 2^f-th
//     power of an integer g. Then x^y = g^n·2^(e·y) (for f ≤ 0: m^y·2^(e·y)). With g ≥ 3, that g^n is
//     below 2^54 leaves n ≤ 34, and that m is below 2^53, f ≤ 5.
//
// (LauterLefevre2009 draw the same line, by y and f alone.)
func powExact(x, y float64) (float64, bool) {
	var z wide
	z.setFloat64(x, 1)
	s := bits.TrailingZeros64(z.m[0])
	m, e := z.m[0]>>s, z.exp-64+s
	for ; y != math.Trunc(y); y *= 2 {
		g := uint64(math.Sqrt(float64(m))) // m has 53 bits: exact where it is a square
		if g*g != m || e%2 != 0 {
			return 0, false
		}
		m, e = g, e/2
	}
	power := uint64(1)
	if m != 1 {
		if !(0 < y && y <= 34) {
			return 0, false
		}
		for range int(y) {
			hi, lo := bits.Mul64(power, m)
			if hi != 0 || lo >= 1<<54 {
				return 0, false
			}
			power = lo
		}
	}
	z.setUint(power, 1)
	z.exp += e * int(y)
	return z.exactFloat64(1), true
}
