package f32

import "math"

// Asinh returns arsinh x = ln(x + √(x²+1)), correctly rounded.
//
// Special cases:
//
//	Asinh(±0) = ±0
//	Asinh(±Inf) = ±Inf
//	Asinh(NaN) = NaN
//
// The error: below 1/4 the polynomial's 2^-57.7, u for the last sum and u/16
// before it. Elsewhere x² is exact. The sums and the root lose 2.5·u of the
// argument of log, whose result is at least 0.247, and log's product with c one
// more u: 2^-49 together.
func Asinh(x float32) float32 { return fastAsinh(x) }

// asinh is Asinh without fused operations.
func asinh(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	var y float64
	switch {
	case a < 0.25:
		if a < 0x1p-126 {
			return x
		}
		u := float64(v * v)
		u2 := float64(u * u)
		u4 := float64(u2 * u2)
		y = v + float64(float64(v*u)*(((asinhC3+float64(u*asinhC5))+
			float64(u2*(asinhC7+float64(u*asinhC9))))+
			float64(u4*((asinhC11+float64(u*asinhC13))+
				float64(u2*(asinhC15+float64(u*asinhC17)))))))
	case a <= math.MaxFloat32:
		y = math.Copysign(logSum(a+math.Sqrt(float64(a*a)+1)), v)
	default:
		return x
	}
	if unsure(y) {
		return exceptOdd(asinhExceptions, x, y)
	}
	return float32(y)
}

// Acosh returns arcosh x = ln(x + √(x²-1)), correctly rounded.
//
// Special cases:
//
//	Acosh(+Inf) = +Inf
//	Acosh(1) = +0
//	Acosh(x < 1) = NaN
//	Acosh(NaN) = NaN
//
// The error: up to 5/4 the polynomial's 2^-59.4, 2·u for the root and the
// product, and half of u for the operations before. Above as for Asinh, where
// the difference x²-1 keeps u.
func Acosh(x float32) float32 { return fastAcosh(x) }

// acosh is Acosh without fused operations.
func acosh(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch {
	case !(1 <= v && v <= math.MaxFloat32):
		if v < 1 {
			return float32(math.NaN())
		}
		return x
	case v <= 1.25:
		t := v - 1
		t2 := float64(t * t)
		t4 := float64(t2 * t2)
		root := math.Sqrt(2 * t)
		y = root + float64(float64(root*t)*(((acoshC1+float64(t*acoshC2))+
			float64(t2*(acoshC3+float64(t*acoshC4))))+
			float64(t4*(((acoshC5+float64(t*acoshC6))+
				float64(t2*(acoshC7+float64(t*acoshC8))))+
				float64(t4*(acoshC9+float64(t*acoshC10)))))))
	default:
		y = logSum(v + math.Sqrt(float64(v*v)-1))
	}
	if unsure(y) {
		return except(acoshExceptions, x, y)
	}
	return float32(y)
}

// Atanh returns artanh x = ½·ln((1+x)/(1-x)), correctly rounded.
//
// Special cases:
//
//	Atanh(±0) = ±0
//	Atanh(±1) = ±Inf
//	Atanh(x) = NaN for |x| > 1
//	Atanh(NaN) = NaN
//
// The error: below 1/4 the polynomial's 2^-54.7, u for the last sum and u/16
// before it. Elsewhere 1+x and 1-x are exact. The quotient loses u, and log's
// product with c another, where the logarithm is at least 0.51: 2^-49.5
// together.
func Atanh(x float32) float32 { return fastAtanh(x) }

// atanh is Atanh without fused operations.
func atanh(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	var y float64
	switch {
	case a < 0x1p-12: // x³/3 is less than half an ulp
		return x
	case a < 0.25:
		u := float64(v * v)
		u2 := float64(u * u)
		u4 := float64(u2 * u2)
		y = v + float64(float64(v*u)*(((atanhC3+float64(u*atanhC5))+
			float64(u2*(atanhC7+float64(u*atanhC9))))+
			float64(u4*((atanhC11+float64(u*atanhC13))+
				float64(u2*(atanhC15+float64(u*atanhC17)))))))
	case a < 1:
		y = math.Copysign(0.5*logSum((1+a)/(1-a)), v)
	case a == 1:
		return float32(math.Inf(int(v))) //lastbit:ignore floatconv v is infinite or NaN
	default:
		return float32(math.NaN())
	}
	if unsure(y) {
		return exceptOdd(atanhExceptions, x, y)
	}
	return float32(y)
}
