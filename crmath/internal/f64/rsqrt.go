package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// rsqrtErr times the root's inverse bounds the error of rsqrtRest, with room
// for ziv.
const rsqrtErr = 0x1p-100

// Rsqrt is directed.Rsqrt, and crmath.Rsqrt to nearest.
func Rsqrt(x float64, m fp.Mode) float64 {
	if math.Float64bits(x)-1<<52 >= 0x7fe<<52 {
		return rsqrtRare(x, m)
	}
	hi := 1 / math.Sqrt(x)
	lo, e := rsqrtRest(x, hi), float64(hi*rsqrtErr)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return rsqrtSettle(x, hi, lo, e, m)
	}
	return r
}

// rsqrtRest returns 1/√x - r up to rsqrtErr·r, for x in the normal range and
// r = 1/√x in two rounded operations. With u = 2^-53, r is off by less than 2u
// and a little. So d = 1 - x·r² is below 4.1u = 2^-50.9, and
//
//	1/√x = r/√(1-d) = r·(1 + d/2 + 3d²/8 + …).
//
// The third term, below 2^-103.2, is left out. x·r = p + s and p·r = q + t up
// to 2^-103 each of √x and 1, and 1 - q is exact by Sterbenz's lemma. s·r and t
// are below u: the product, their sum and the difference lose 2^-105.8 at most
// each. d is off by less than 2^-101.6, and the two last products lose 2^-104.
// Together that is below 2^-101.3.
func rsqrtRest(x, r float64) float64 {
	p, s := twoProd(x, r)
	q, t := twoProd(p, r)
	return float64(float64(0.5*r) * ((1 - q) - (t + float64(s*r))))
}

// rsqrtRare is Rsqrt where x is not positive, subnormal, +Inf or NaN.
func rsqrtRare(x float64, m fp.Mode) float64 {
	switch {
	case x == 0:
		return math.Copysign(math.Inf(1), x)
	case x > math.MaxFloat64:
		return 0
	case !(x > 0):
		return math.NaN()
	}
	return Rsqrt(x*0x1p54, m) * 0x1p27
}

// rsqrtSettle is settle for Rsqrt. A result with a finite binary expansion,
// whose inverse is √x, makes x the square of a fraction with the numerator 1:
// an even power of two. Those are exact in the fast path. For other x the
// result is not a midpoint either. If y is a number of 54 bits, x·y² has 161,
// and differs from 1 by 2^-161 or more: that is decided with the second
// precision.
func rsqrtSettle(x, hi, lo, e float64, m fp.Mode) float64 {
	if u := math.Float64bits(x); u<<12 == 0 && u>>52&1 != 0 {
		return hi
	}
	return settle(wide.Rsqrt, x, hi, lo, e, m)
}
