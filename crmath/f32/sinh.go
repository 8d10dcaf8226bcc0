package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// sinhcosh returns halves of the even part of 2^(f/128), within 2^-41.1, and of
// the odd part, within 2^-43.8 and 2·u of itself, for |f| ≤ 1/2.
func sinhcosh(f float64) (c, s float64) {
	f2 := float64(f * f)
	return 0.5 + float64(f2*coshC2), float64(f * (sinhC1 + float64(f2*sinhC3)))
}

// Sinh returns sinh x = (e^x - e^-x)/2, correctly rounded.
//
// Special cases:
//
//	Sinh(±0) = ±0
//	Sinh(±Inf) = ±Inf
//	Sinh(NaN) = NaN
//
// Above 89.41 in magnitude the result is ±Inf.
//
// The error: with x = (k + f)·ln 2/128, r the part of f, and p and q the powers
// 2^(±k/128), each within u,
//
//	sinh x = (p - q)·(cosh r)/2 + (p + q)·(sinh r)/2,
//
// and p + q is at most 740 times the result, or p - q is 0: 370·u for p and q,
// 2^-41.1 for cosh r, 2^-43.8 for sinh r, 2^-45.5 for f, less than 8·u for all
// else: 2^-40.6 together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
func Sinh(x float32) float32 { return fastSinh(x) }

// sinh is Sinh without fused operations.
func sinh(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	if a < 0x1p-12 { // x³/6 is less than half an ulp
		return x
	}
	if !(a < 128) {
		return x * float32(math.Inf(1))
	}
	k, f := nearestStep(float64(v * expStepInverse))
	c, s := sinhcosh(f)
	p, q := pow2Pair(k)
	y := float64((p-q)*c) + float64((p+q)*s)
	if undecided(y) {
		return float32(f64.Sinh(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// fewHalves returns, with x = (k + f)·ln 2/16, half the sum and half the
// difference of 2^(±k/16), and the even and the odd part of 2^(f/16): those
// within 2 ulps, and these within 2^-44 of them.
func fewHalves(v float64) (sum, difference, even, odd float64) {
	k, f := nearestStep(float64(v * expFewInverse))
	p, q := few2(k), few2(-k)
	f2 := float64(f * f)
	return p + q, p - q, 0.5 + float64(f2*(coshFewC2+float64(f2*coshFewC4))),
		float64(f * (sinhFewC1 + float64(f2*(sinhFewC3+float64(f2*sinhFewC5)))))
}

// sinhWide is Sinh for kernels of AVX-512. The error: p + q is at most 93 times
// the result, or p - q is 0: as for Sinh, and less.
//
//lint:ignore U1000 the kernels are compiled from it
func sinhWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	sum, difference, even, odd := fewHalves(v)
	y := float64(difference*even) + float64(sum*odd)
	return float32(y), within(v, 0x1p-12, 128) && !undecided(y)
}

// SinhSlice is ExpSlice for Sinh: it stores sinh x[i] in dst[i].
func SinhSlice(dst, x []float32) {
	vector.MapLoop("f32.SinhSlice", dst, x, each(Sinh), best.sinh, inExp)
}

// Cosh returns cosh x = (e^x + e^-x)/2, correctly rounded.
//
// Special cases:
//
//	Cosh(±0) = 1
//	Cosh(±Inf) = +Inf
//	Cosh(NaN) = NaN
//
// Above 89.41 in magnitude the result is +Inf.
//
// The error: as for Sinh, with p + q and p - q exchanged, and u for p and q:
// 2^-40.9 together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
func Cosh(x float32) float32 { return fastCosh(x) }

// cosh is Cosh without fused operations.
func cosh(x float32) float32 {
	v := widenMost(x)
	if !(math.Abs(v) < 128) {
		return float32(math.Abs(float64(x)) * math.Inf(1))
	}
	k, f := nearestStep(float64(v * expStepInverse))
	c, s := sinhcosh(f)
	p, q := pow2Pair(k)
	y := float64((p+q)*c) + float64((p-q)*s)
	if undecided(y) {
		return float32(f64.Cosh(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// coshWide is Cosh for kernels of AVX-512, with the error of fewHalves.
//
//lint:ignore U1000 the kernels are compiled from it
func coshWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	sum, difference, even, odd := fewHalves(v)
	y := float64(sum*even) + float64(difference*odd)
	return float32(y), math.Abs(v) < 128 && !undecided(y)
}

// CoshSlice is ExpSlice for Cosh: it stores cosh x[i] in dst[i].
func CoshSlice(dst, x []float32) {
	vector.MapLoop("f32.CoshSlice", dst, x, each(Cosh), best.cosh, inExp)
}

// Tanh returns tanh x = (e^x - e^-x)/(e^x + e^-x), correctly rounded.
//
// Special cases:
//
//	Tanh(±0) = ±0
//	Tanh(±Inf) = ±1
//	Tanh(NaN) = NaN
//
// Above 9.02 in magnitude the result is ±1.
//
// The error: with m = e^2x - 1, tanh x is m/(m+2). Expm1's error for m counts
// 2/(m+2) times, at most twice where m is near -1; the sum and the quotient
// have 2·u: 2^-41.6 together.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
//
//go:nosplit
func Tanh(x float32) float32 { return fastTanh(x) }

// tanh is Tanh without fused operations.
func tanh(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	if a < 0x1p-12 { // x³/3 is less than half an ulp
		return x
	}
	if !(a < 10) {
		if x != x {
			return x
		}
		return float32(withSign(1, v))
	}
	k, f := nearestStep(float64(v * (2 * expStepInverse)))
	m := stepMinus(pow2(k), f)
	y := m / (m + 2)
	if undecided(y) {
		return float32(f64.Tanh(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// tanhWide is Tanh for kernels of AVX-512, with its error.
//
//lint:ignore U1000 the kernels are compiled from it
func tanhWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, f := nearestStep(float64(v * (2 * expFewInverse)))
	m := fewMinus(k, f)
	y := m / (m + 2)
	return float32(y), within(v, 0x1p-12, 10) && !undecided(y)
}

// TanhSlice is ExpSlice for Tanh: it stores tanh x[i] in dst[i].
func TanhSlice(dst, x []float32) {
	vector.MapLoop("f32.TanhSlice", dst, x, each(Tanh), best.tanh, isNumber)
}
