package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

const (
	// rsqrtErr times the inverse of the root bounds the error of rsqrtRest,
	// with room for ziv.
	rsqrtErr = 0x1p-100

	// Below rsqrtLeast, products in rsqrtRest might be subnormal.
	rsqrtLeast = 0x1p-900
)

// Rsqrt is directed.Rsqrt, and crmath.Rsqrt to nearest.
func Rsqrt(x float64, m fp.Mode) float64 {
	if math.Float64bits(x)-magnitude(rsqrtLeast) >= 0x7ff<<52-magnitude(rsqrtLeast) {
		return rsqrtRare(x, m)
	}
	y := math.Sqrt(x)
	hi := 1 / y
	lo, e := rsqrtRest(x, y, hi), float64(hi*rsqrtErr)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return rsqrtSettle(x, hi, lo, e, m)
	}
	return r
}

// rsqrtRest returns 1/√x - r for y = √x and r = 1/y, both rounded. With u =
// 2^-53, s = (x-y²)/y² is below 2.01·u and t = 1 - y·r below 1.01·u, and
//
//	1/√x = r/((1-t)·√(1+s)) = r·(1 + t - s/2 + t² - t·s/2 + 3s²/8 - …).
//
// Let x be in [1, 4). With heads yh of y and rh of r, the first part of x - y²
// is exact by Sterbenz's lemma. So is the second: 2·yh·yl is a multiple of
// 2^-76, and the difference is below 2^-49. The same holds for 1 - y·r, with
// multiples of 2^-78 below 2^-25. Errors, in units of 2^-104: the products of
// tails 1 each, the last differences 0.5, the three products in s/2 0.8, the
// sum and the last product 1, the squares 1: together below 2^-101.5.
func rsqrtRest(x, y, r float64) float64 {
	yh, rh := head(y), head(r)
	yl, rl := y-yh, r-rh
	d := ((x - float64(yh*yh)) - float64(2*float64(yh*yl))) - float64(yl*yl)
	t := (((1 - float64(yh*rh)) - float64(yh*rl)) - float64(yl*rh)) - float64(yl*rl)
	return float64(r * (t - float64(float64(d*r)*float64(0.5*r))))
}

// rsqrtRare is Rsqrt where x is below rsqrtLeast, +Inf or NaN.
func rsqrtRare(x float64, m fp.Mode) float64 {
	switch {
	case x == 0:
		return math.Copysign(math.Inf(1), x)
	case x > math.MaxFloat64:
		return 0
	case !(x > 0):
		return math.NaN()
	}
	if u := math.Float64bits(x); u < 1<<52 { // as a product, that takes time
		return Rsqrt(math.Float64frombits(normalBits(u)+(200-54)<<52), m) * 0x1p100
	}
	return Rsqrt(x*0x1p200, m) * 0x1p100
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

func inRsqrt(x float64) bool { return rsqrtLeast <= x && x <= math.MaxFloat64 }

// rsqrtLane is Rsqrt for x ≥ rsqrtLeast.
func rsqrtLane(x float64) (r float64, ok bool) {
	a := bounded(x, rsqrtLeast, math.MaxFloat64)
	y := math.Sqrt(a)
	hi := 1 / y
	r, ok = ziv(hi, rsqrtRest(a, y, hi), float64(hi*rsqrtErr))
	return r, ok && inRsqrt(x)
}

// rsqrtCall has the derivation of rsqrtRest, where d and t are exact.
func rsqrtCall(x float64) (r float64, ok bool) {
	if !inRsqrt(x) {
		return 0, false
	}
	y := math.Sqrt(x)
	hi := 1 / y
	d, t := math.FMA(-y, y, x), math.FMA(-y, hi, 1)
	return ziv(hi, float64(hi*math.FMA(float64(d*hi), float64(-0.5*hi), t)), float64(hi*rsqrtErr))
}

// RsqrtSlice is crmath.RsqrtSlice.
func RsqrtSlice(dst, x []float64) {
	vector.MapLoop("crmath.RsqrtSlice", dst, x, vector.Each(FastRsqrt), best.rsqrt, inRsqrt)
}
