// Package odd rounds powers and angles to odd, for a second rounding to a
// shorter format.
//
// Rounding to odd turns a result that is not representable into the neighbour
// whose last bit is 1. Rounded once more, to nearest, to a format of 51 bits or
// fewer, that gives the same as one rounding of the real value (Boldo2008).
package odd

import (
	"math"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// Pow returns x^y, rounded to odd, for positive finite x and finite y. Exact
// results are returned unchanged. From 2^1024 on the result is MaxFloat64;
// below 2^-1074 it is 2^-1074.
//
// A call takes some 4 µs, and up to 50 where it needs more than 128 bits.
// Nothing is allocated.
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
//   - [LauterLefevre2009] Christoph Lauter and Vincent Lefèvre. An Efficient
//     Rounding Boundary Test for pow(x, y) in Double Precision. IEEE
//     Transactions on Computers 58(2):197–207, 2009.
func Pow(x, y float64) float64 {
	if x == 1 || y == 0 {
		return 1
	}
	switch r := crmath.Pow(x, y); {
	case math.Abs(y) < 0x1p-64:
		// |y·ln x| < 2^-54, and no such power is representable (wide.ExactPow).
		if (x < 1) == (y < 0) {
			return math.Nextafter(1, 2)
		}
		return math.Nextafter(1, 0)
	case r > math.MaxFloat64:
		return math.MaxFloat64
	case r < math.SmallestNonzeroFloat64:
		return math.SmallestNonzeroFloat64
	}
	for n := wide.First; ; n = wide.LongerPow(n) {
		var z wide.Float
		z.SetPow(x, y, n)
		r, ok := z.Rounded(n, fp.ToOdd)
		if ok || n == wide.PowLast {
			return r
		}
		if r, ok := wide.ExactPow(x, y); ok {
			return r // of 53 bits, or n words would have shown the 54th
		}
	}
}

// Atan2 returns the angle of the point (x, y), in (-π, π), rounded to odd, for
// finite x and finite y other than 0. It costs as much as Pow.
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
func Atan2(y, x float64) float64 {
	a := math.Abs(y)
	return math.Copysign(atan2(a, x, crmath.Atan2(a, x)), y)
}

// atan2 is Atan2 for positive y, near a guess.
func atan2(y, x, guess float64) float64 {
	var z, a, b wide.Float
	if guess < wide.TinyAngle {
		z.SetTinyAngle(y, x)
		r, _ := z.Rounded(wide.TinyWords, fp.ToOdd)
		return r
	}
	for n := wide.First; ; n = wide.Longer(n) {
		a.SetFloat64(y, n+1)
		b.SetFloat64(x, n+1)
		z.SetAtan2(&a, &b, guess, n)
		if r, ok := z.Rounded(n, fp.ToOdd); ok || n == wide.Last {
			return r
		}
	}
}
