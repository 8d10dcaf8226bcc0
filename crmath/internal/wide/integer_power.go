package wide

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
)

// SetPown sets z to x^k at precision n ≤ PowLast, for positive finite x and
// |k·ln x| < 2^10, as SetPow does.
func (z *Float) SetPown(x float64, k, n int) {
	var a Float
	a.SetFloat64(x, n+2)
	z.SetLog(&a, n+1)
	z.expMultiple(k, n)
}

// SetCompound sets z to (1+x)^k at precision n ≤ PowLast, for -1 < x < +Inf and
// |k·ln(1+x)| < 2^10, as SetPow does.
func (z *Float) SetCompound(x float64, k, n int) {
	var a Float
	a.SetFloat64(x, n+2)
	z.SetLog1p(&a, n+1)
	z.expMultiple(k, n)
}

// expMultiple sets z, a logarithm of precision n+1, to e^(k·z) at precision n.
func (z *Float) expMultiple(k, n int) {
	var b Float
	b.SetInt(int64(k), n+2)
	z.Mul(z, &b, n+2)
	z.SetExp(z, n)
}

// SetRootn sets z to x^(1/k) at precision n ≤ PowLast, for positive finite x
// and k ≠ 0, as SetPow does.
func (z *Float) SetRootn(x float64, k, n int) {
	var a Float
	a.SetFloat64(x, n+2)
	z.SetLog(&a, n+1)
	a.SetInt(int64(k), n+2)
	z.Div(z, &a, n+2)
	z.SetExp(z, n)
}

// ExactRoot returns x^(1/n), rounded in direction m, where it has a finite
// binary expansion; x is positive and finite, and n is not 0. No other root is
// representable or a midpoint.
//
// Let x = k·2^e with odd k. If the root is g·2^f with odd g, its n-th power is
// x, so that n divides e and k is g^n: for k = 1 any such n will do, for k > 1
// and n < 0 none, and for n > 0 those where k, which is below 2^53 < 3^34, is
// the n-th power of an integer.
func ExactRoot(x float64, n int, m fp.Mode) (float64, bool) {
	k, e := oddPart(x)
	if e%n != 0 {
		return 0, false
	}
	g := uint64(1)
	if k != 1 {
		if n < 1 || n > 33 {
			return 0, false
		}
		// The estimate is off by much less than 1/2 where g is an integer.
		//lastbit:ignore libm the integer is checked below
		g = uint64(math.Round(math.Pow(float64(k), 1/float64(n))))
		if power, ok := shortPower(g, n); !ok || power != k {
			return 0, false
		}
	}
	var z Float
	z.SetUint(g, 1)
	z.Exp += e / n
	return z.ExactRounded(1, m), true
}

// oddPart returns odd k and e with x = k·2^e, for positive finite x.
func oddPart(x float64) (k uint64, e int) {
	var z Float
	z.SetFloat64(x, 1)
	s := bits.TrailingZeros64(z.M[0])
	return z.M[0] >> s, z.Exp - 64 + s
}

// shortPower returns k^n for n ≥ 0, and whether it has 54 bits or fewer.
func shortPower(k uint64, n int) (power uint64, ok bool) {
	power = 1
	for range n {
		hi, lo := bits.Mul64(power, k)
		if hi != 0 || lo >= 1<<54 {
			return 0, false
		}
		power = lo
	}
	return power, true
}

// RoundedBeside rounds in direction m a number that differs from x, of one
// word, by a tiny part of it: larger in magnitude if away.
func (x *Float) RoundedBeside(away bool, m fp.Mode) float64 {
	const w = 3
	var z, d Float
	z.Set(x, 1)
	d.Set(x, 1)
	d.Exp -= 120
	if away {
		z.Add(&z, &d, w)
	} else {
		z.Sub(&z, &d, w)
	}
	r, _ := z.Rounded(w, m)
	return r
}
