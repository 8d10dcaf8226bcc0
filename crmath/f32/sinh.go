package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// sinhcosh returns the even part of e^r, less 1, and the odd part, for
// |r| < ln 2/256. The next terms are below 2^-60.
func sinhcosh(r float64) (c, s float64) {
	r2 := float64(r * r)
	return float64(r2 * (0.5 + float64(r2*(1.0/24)))),
		r + float64(float64(r*r2)*(1.0/6+float64(r2*(1.0/120))))
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
// The error: with p and q the halves of 2^(±k/128), each within u,
//
//	sinh x = (p - q) + ((p - q)·(cosh r - 1) + (p + q)·sinh r),
//
// and p + q is at most 370 times the result, or p - q is 0: 370·u for p and q,
// u each for p - q and the last sum, less than u for all else: 2^-44.4
// together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Sinh(x float32) float32 { return fastSinh(x) }

// sinh is Sinh without fused operations.
func sinh(x float32) float32 {
	a := math.Abs(widenMost(x))
	if a < 0x1p-12 { // x³/6 is less than half an ulp
		return x
	}
	if !(a < 128) {
		return x * float32(math.Inf(1))
	}
	shifted := float64(a*expStepInverse) + expShift
	k := math.Float64bits(shifted)
	kd := shifted - expShift
	c, s := sinhcosh((a - float64(kd*expStepHi)) - float64(kd*expStepLo))
	p, q := pow2(k-expSteps), pow2(-k-expSteps)
	y := math.Copysign((p-q)+(float64((p-q)*c)+float64((p+q)*s)), float64(x))
	if undecided(y) {
		return float32(f64.Sinh(float64(x), fp.ToOdd))
	}
	return float32(y)
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
// The error: as for Sinh, with p + q and p - q exchanged: u for p and q, 2·u
// for sums, less than u for all else: 2^-51 together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Cosh(x float32) float32 { return fastCosh(x) }

// cosh is Cosh without fused operations.
func cosh(x float32) float32 {
	a := math.Abs(widenMost(x))
	if !(a < 128) {
		return float32(math.Abs(float64(x)) * math.Inf(1))
	}
	shifted := float64(a*expStepInverse) + expShift
	k := math.Float64bits(shifted)
	kd := shifted - expShift
	c, s := sinhcosh((a - float64(kd*expStepHi)) - float64(kd*expStepLo))
	p, q := pow2(k-expSteps), pow2(-k-expSteps)
	y := (p + q) + (float64((p+q)*c) + float64((p-q)*s))
	if undecided(y) {
		return float32(f64.Cosh(float64(x), fp.ToOdd))
	}
	return float32(y)
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
// The error: with m = e^2x - 1, tanh x is m/(m+2). The error of Expm1 for m,
// and 2·u for the sum and the quotient: 2^-42.1 together.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
func Tanh(x float32) float32 { return fastTanh(x) }

// tanh is Tanh without fused operations.
func tanh(x float32) float32 {
	a := math.Abs(widenMost(x))
	if a < 0x1p-12 { // x³/3 is less than half an ulp
		return x
	}
	if !(a < 10) {
		if x != x {
			return x
		}
		return float32(math.Copysign(1, float64(x)))
	}
	a *= 2
	shifted := float64(a*expStepInverse) + expShift
	kd := shifted - expShift
	t := pow2(math.Float64bits(shifted))
	m := (t - 1) + float64(t*expPoly((a-float64(kd*expStepHi))-float64(kd*expStepLo)))
	y := math.Copysign(m/(m+2), float64(x))
	if undecided(y) {
		return float32(f64.Tanh(float64(x), fp.ToOdd))
	}
	return float32(y)
}
