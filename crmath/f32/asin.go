package f32

import "math"

// asinPoly returns asin v for |v| ≤ 1/2, given u = v². The error: the polynomial's 2^-53.8, u for the last
// sum and u/4 before it, and what u itself is off: 2^-51.9.
func asinPoly(v, u float64) float64 {
	u2 := float64(u * u)
	u4 := float64(u2 * u2)
	return v + float64(float64(v*u)*((((asinC3+float64(u*asinC5))+float64(u2*(asinC7+float64(u*asinC9))))+
		float64(u4*((asinC11+float64(u*asinC13))+float64(u2*(asinC15+float64(u*asinC17))))))+
		float64(float64(u4*u4)*((asinC19+float64(u*asinC21))+float64(u2*(asinC23+float64(u*asinC25)))))))
}

// Asin returns the angle in [-π/2, π/2] whose sine is x, correctly rounded.
//
// Special cases: Asin(±0) = ±0, Asin(|x| > 1) = NaN, Asin(NaN) = NaN.
//
// The error: up to 1/2 that of asinPoly. Else asin x = π/2 - 2·asin √z, z = (1-x)/2, which is exact: the
// root adds u; the result is at least as large as what is subtracted; 1.5·u for π/2, u for the
// difference: 2^-50.2 together.
func Asin(x float32) float32 {
	v := float64(x)
	a := math.Abs(v)
	var y float64
	if a <= 0.5 {
		if x == 0 {
			return x
		}
		y = asinPoly(v, float64(v*v))
	} else {
		z := (1 - a) * 0.5 // negative above 1: the root is NaN
		y = math.Copysign(halfPi-2*asinPoly(math.Sqrt(z), z), v)
	}
	if unsure(y) {
		return exceptOdd(asinExceptions, x, y)
	}
	return float32(y)
}

// Acos returns the angle in [0, π] whose cosine is x, correctly rounded.
//
// Special cases: Acos(|x| > 1) = NaN, Acos(NaN) = NaN, Acos(1) = +0.
//
// The error: as for Asin, with acos x = π/2 - asin x, or from 1/2 on 2·asin √z with z = (1-x)/2, or up to
// -1/2 π - 2·asin √z with z = (1+x)/2.
func Acos(x float32) float32 {
	v := float64(x)
	a := math.Abs(v)
	var y float64
	if a <= 0.5 {
		y = halfPi - asinPoly(v, float64(v*v))
	} else {
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
