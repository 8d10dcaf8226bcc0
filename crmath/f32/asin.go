package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// quintic holds the coefficients of a function near a point.
type quintic struct{ c0, c1, c2, c3, c4, c5 float64 }

// at returns the function's value at the distance h from the point.
func (t *quintic) at(h float64) float64 {
	h2 := float64(h * h)
	return (t.c0 + float64(h*t.c1)) +
		float64(h2*((t.c2+float64(h*t.c3))+float64(h2*(t.c4+float64(h*t.c5)))))
}

// acosUnit rounds to multiples of 1/64, and counts them.
const acosUnit = 0x1.8p46

// arc returns arccos a for 0 ≤ a ≤ 1, times the scale: with x = c + h for a
// point c of a table, the product of √(1-x) and the other factor, which is
// analytic up to 1. The error: 2^-51.4 for the factor, whose polynomial has
// 2^-52 (TestArcRows), u for the root, and 2·u for the products: 2^-50.4.
func arc(a, scale float64) float64 {
	shifted := a + acosUnit
	row := &acosTable[math.Float64bits(shifted)%uint64(len(acosTable))]
	return float64(float64(math.Sqrt(1-a)*scale) * row.at(a-(shifted-acosUnit)))
}

// asinSmall returns arcsin v for |v| < 1/128, with the polynomial's 2^-49.3 and
// u for the last sum.
func asinSmall(v float64) float64 {
	u := float64(v * v)
	return v + float64(float64(v*u)*(asinC3+float64(u*asinC5)))
}

// fewArc returns arcsin a for 0 ≤ a ≤ 1/2, and arccos(a)/2 = arcsin √((1-a)/2)
// for 1/2 < a ≤ 1. The error: 1-a is exact, the root has u, its product with
// the polynomial 2^-41.8 of the result, and the last sum u: 2^-41.7.
func fewArc(a float64) float64 {
	t, root := float64(a*a), a
	if a > 0.5 {
		t = float64(0.5 * (1 - a))
		root = math.Sqrt(t)
	}
	t2 := float64(t * t)
	t4 := float64(t2 * t2)
	low := (asinFewC3 + float64(t*asinFewC5)) + float64(t2*(asinFewC7+float64(t*asinFewC9)))
	high := (asinFewC11 + float64(t*asinFewC13)) + float64(t2*(asinFewC15+float64(t*asinFewC17)))
	return root + float64(float64(root*t)*(low+float64(t4*(high+float64(t4*asinFewC19)))))
}

// fewAsin returns arcsin a for 0 ≤ a ≤ 1. From 1/2 on it is π/2 - 2·fewArc(a),
// and the latter at most twice the result, with u for π/2 and for the
// difference: 2^-40.7.
func fewAsin(a float64) float64 {
	y := fewArc(a)
	if a > 0.5 {
		y = halfPi - float64(2*y)
	}
	return y
}

// fewAcos returns arccos v for |v| ≤ 1. The error of fewArc counts at most
// once, with u for π and the difference: 2^-41.6.
func fewAcos(v float64) float64 {
	a := math.Abs(v)
	y := fewArc(a)
	switch {
	case a <= 0.5:
		y = halfPi - withSign(y, v)
	case v < 0:
		y = pi - float64(2*y)
	default:
		y = 2 * y
	}
	return y
}

// Asin returns arcsin x, correctly rounded.
//
// Special cases:
//
//	Asin(±0) = ±0
//	Asin(±1) = ±π/2
//	Asin(x) = NaN for |x| > 1
//	Asin(NaN) = NaN
//
// The error: below 1/128, as for asinSmall. Elsewhere arcsin x = π/2 - arccos
// x, where the latter is at most 201 times the result: 2^-42.7.
//
//go:nosplit
func Asin(x float32) float32 { return fastAsin(x) }

// asin is Asin without fused operations.
func asin(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch a := math.Abs(v); {
	case a < 0x1p-12: // x³/6 is less than half an ulp
		return x
	case a < 0x1p-7:
		y = asinSmall(v)
	case a <= 1:
		y = withSign(halfPi-arc(a, 1), v)
	default:
		return float32(math.NaN())
	}
	if undecided(y) {
		return float32(f64.Asin(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// asinWide is Asin for kernels of AVX-512, with the error of fewAsin.
//
//lint:ignore U1000 the kernels are compiled from it
func asinWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	a := math.Abs(v)
	y := withSign(fewAsin(a), v)
	return float32(y), a >= 0x1p-126 && a <= 1 && !undecided(y)
}

// AsinSlice is ExpSlice for Asin: it stores arcsin x[i] in dst[i].
func AsinSlice(dst, x []float32) {
	vector.MapLoop("f32.AsinSlice", dst, x, each(Asin), best.asin, inUnit)
}

// Acos returns arccos x, correctly rounded.
//
// Special cases:
//
//	Acos(1) = +0
//	Acos(-1) = π
//	Acos(±0) = π/2
//	Acos(x) = NaN for |x| > 1
//	Acos(NaN) = NaN
//
// The error: as for arc. For negative x, π - arccos |x| is at least as large as
// both: u for π, and u for the difference: 2^-50 together.
//
//go:nosplit
func Acos(x float32) float32 { return fastAcos(x) }

// acos is Acos without fused operations.
func acos(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	if !(a <= 1) {
		return float32(math.NaN())
	}
	y := acosBase[math.Float64bits(v)>>63] + withSign(arc(a, 1), v)
	if undecided(y) {
		return float32(f64.Acos(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// acosWide is Acos for kernels of AVX-512, with the error of fewAcos.
//
//lint:ignore U1000 the kernels are compiled from it
func acosWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	y := fewAcos(v)
	return float32(y), math.Abs(v) <= 1 && !undecided(y)
}

// acosBase holds what arccos x adds to ±arccos |x|, for positive and negative
// x.
var acosBase = [2]float64{0, pi}

// AcosSlice is ExpSlice for Acos: it stores arccos x[i] in dst[i].
func AcosSlice(dst, x []float32) {
	vector.MapLoop("f32.AcosSlice", dst, x, each(Acos), best.acos, inUnit)
}
