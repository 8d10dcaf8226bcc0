package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Asinh returns arsinh x = ln(x + √(x²+1)), correctly rounded.
//
// Special cases:
//
//	Asinh(±0) = ±0
//	Asinh(±Inf) = ±Inf
//	Asinh(NaN) = NaN
//
// The error: below 1/64 the polynomial's 2^-57.9, and u for the last sum.
// Elsewhere x² is exact. The sums and the root lose 2.5·u of the argument of
// logSum, and its product with c one more u; its result is at least 0.0156,
// and has 2^-42: 2^-41.8 together.
//
//go:nosplit
func Asinh(x float32) float32 { return fastAsinh(x) }

// asinh is Asinh without fused operations.
func asinh(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	var y float64
	switch {
	case a < 0x1p-12: // x³/6 is less than half an ulp
		return x
	case a < 0x1p-6:
		u := float64(v * v)
		y = v + float64(float64(v*u)*((asinhC3+float64(u*asinhC5))+float64(float64(u*u)*asinhC7)))
	case a <= math.MaxFloat32:
		y = withSign(logSum(a+math.Sqrt(float64(a*a)+1)), v)
	default:
		return x
	}
	if undecided(y) {
		return float32(f64.Asinh(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// AsinhSlice is ExpSlice for Asinh: it stores arsinh x[i] in dst[i].
func AsinhSlice(dst, x []float32) {
	vector.MapLoop("f32.AsinhSlice", dst, x, each(Asinh), best.asinh, isFinite)
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
// The error: up to 1 + 2^-8 the polynomial's 2^-45.9, and 2·u for the root and
// the product. Above as for Asinh, where the result is at least 0.088, the
// polynomial has 2^-45.7 of it, and the difference x²-1 keeps u: 2^-45
// together.
//
//go:nosplit
func Acosh(x float32) float32 { return fastAcosh(x) }

// acosh is Acosh without fused operations.
func acosh(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch {
	case math.Float64bits(v)-1023<<52 >= 128<<52:
		if v < 1 {
			return float32(math.NaN())
		}
		return x
	case math.Abs(v) <= 1+0x1p-8:
		t := v - 1
		root := math.Sqrt(2 * t)
		y = root + float64(float64(root*t)*((acoshC1+float64(t*acoshC2))+
			float64(float64(t*t)*acoshC3)))
	default:
		y = logSum(v + math.Sqrt(float64(v*v)-1))
	}
	if undecided(y) {
		return float32(f64.Acosh(float64(x), fp.ToOdd))
	}
	return float32(y)
}

func inAcosh(x float32) bool { return 1 <= x && x <= math.MaxFloat32 }

// AcoshSlice is ExpSlice for Acosh: it stores arcosh x[i] in dst[i].
func AcoshSlice(dst, x []float32) {
	vector.MapLoop("f32.AcoshSlice", dst, x, each(Acosh), best.acosh, inAcosh)
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
// The error: below 1/64 the polynomial's 2^-56, and u for the last sum.
// Elsewhere 1+x and 1-x are exact. The quotient loses u, and logSum's product
// with c another, where the logarithm is at least 0.031; the polynomial has
// 2^-44.2 of that: 2^-43.8 together.
//
//go:nosplit
func Atanh(x float32) float32 { return fastAtanh(x) }

// atanh is Atanh without fused operations.
func atanh(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	var y float64
	switch {
	case a < 0x1p-12: // x³/3 is less than half an ulp
		return x
	case a < 0x1p-6:
		u := float64(v * v)
		y = v + float64(float64(v*u)*((atanhC3+float64(u*atanhC5))+float64(float64(u*u)*atanhC7)))
	case a < 1:
		y = withSign(0.5, v) * logSum((1+a)/(1-a))
	case a == 1:
		return float32(math.Inf(int(v))) //lastbit:ignore floatconv v is infinite or NaN
	default:
		return float32(math.NaN())
	}
	if undecided(y) {
		return float32(f64.Atanh(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// atanhWide is Atanh for kernels of AVX-512, with the error of logWide, and u
// for the quotient: 2^-43.4.
//
//lint:ignore U1000 the kernels are compiled from it
func atanhWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	a := math.Abs(v)
	k, rest, i := fewCell((1 + a) / (1 - a))
	y := float64(withSign(0.5, v) * fewLog(float64(k*ln2)+logFewLn[i], rest))
	if a < 0x1p-6 {
		u := float64(v * v)
		y = v + float64(float64(v*u)*((atanhC3+float64(u*atanhC5))+float64(float64(u*u)*atanhC7)))
	}
	return float32(y), a >= 0x1p-126 && a < 1 && !undecided(y)
}

// AtanhSlice is ExpSlice for Atanh: it stores artanh x[i] in dst[i].
func AtanhSlice(dst, x []float32) {
	vector.MapLoop("f32.AtanhSlice", dst, x, each(Atanh), best.atanh, inUnit)
}
