package f32

import "math"

// asinPoly returns arcsin v for |v| ≤ 1/2, given u = v². The error: the
// polynomial's 2^-53.8, u for the last sum and u/4 before it, and the error of
// u: 2^-51.9.
func asinPoly(v, u float64) float64 {
	u2 := float64(u * u)
	u4 := float64(u2 * u2)
	return v + float64(float64(v*u)*((((asinC3+float64(u*asinC5))+
		float64(u2*(asinC7+float64(u*asinC9))))+
		float64(u4*((asinC11+float64(u*asinC13))+float64(u2*(asinC15+float64(u*asinC17))))))+
		float64(float64(u4*u4)*((asinC19+float64(u*asinC21))+
			float64(u2*(asinC23+float64(u*asinC25)))))))
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
// The error: up to 1/2 that of asinPoly. Above, arcsin x = π/2 - 2·arcsin √z, z
// = (1-x)/2, which is exact. The root adds u; the result is at least as large
// as the subtrahend; 1.5·u for π/2, u for the difference: 2^-50.2 together.
func Asin(x float32) float32 { return fastAsin(x) }

// asin is Asin without fused operations.
func asin(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	var y float64
	if a <= 0.5 {
		if a < 0x1p-12 { // x³/6 is less than half an ulp
			return x
		}
		y = asinPoly(v, float64(v*v))
	} else {
		if !(a <= 1) {
			return float32(math.NaN())
		}
		z := (1 - a) * 0.5
		y = math.Copysign(halfPi-2*asinPoly(math.Sqrt(z), z), v)
	}
	if unsure(y) {
		return exceptOdd(asinExceptions, x, y)
	}
	return float32(y)
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
// The error: as for Asin, with arccos x = π/2 - arcsin x. From 1/2 on it is
// 2·arcsin √z with z = (1-x)/2, and up to -1/2 π - 2·arcsin √z with z =
// (1+x)/2.
func Acos(x float32) float32 { return fastAcos(x) }

// acos is Acos without fused operations.
func acos(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	var y float64
	if a <= 0.5 {
		y = halfPi - asinPoly(v, float64(v*v))
	} else {
		if !(a <= 1) {
			return float32(math.NaN())
		}
		z := (1 - a) * 0.5
		y = 2 * asinPoly(math.Sqrt(z), z)
		if v < 0 {
			y = pi - y
		}
	}
	if unsure(y) {
		return except(acosExceptions, x, y)
	}
	return float32(y)
}
