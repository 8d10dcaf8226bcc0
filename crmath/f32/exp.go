package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// expShift rounds to an integer: y + expShift holds the integer next to y in
// its lowest bits, for |y| < 2^51.
const expShift = 0x1.8p52

// pow2 returns 2^(k/128), rounded, where only the low 18 bits of k count, as a
// two's complement.
func pow2(k uint64) float64 {
	return math.Float64frombits(math.Float64bits(expTable[k%expSteps]) + k>>expBits<<52)
}

// expPoly returns e^r - 1 for |r| < ln 2/256, with an error below 2^-51.4, and
// 2^-42.9 of itself.
func expPoly(r float64) float64 {
	r2 := float64(r * r)
	return r + float64(r2*((expC2+float64(r*expC3))+float64(r2*expC4)))
}

// Exp returns e^x, correctly rounded.
//
// Special cases:
//
//	Exp(+Inf) = +Inf
//	Exp(-Inf) = 0
//	Exp(NaN) = NaN
//	Exp(±0) = 1
//
// Above 88.72 the result is +Inf. Below -87.33 it is subnormal, and rounded
// once; below -103.97 it is 0.
//
// The error: x - k·ln2/128 is off by less than 2^-61, as the first product is
// exact. The table has u, the product with it 2^-8·u, the sum u, expPoly
// 2^-51.4: 2^-50.6 together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Exp(x float32) float32 { return fastExp(x) }

// exp is Exp without fused operations.
func exp(x float32) float32 {
	v := widenMost(x)
	if a := math.Abs(v); !(a < 87.25) {
		if a < 128 {
			return float32(f64.Exp(float64(x), fp.ToOdd))
		}
		return expRare(x)
	}
	shifted := float64(v*expStepInverse) + expShift
	kd := shifted - expShift
	t := pow2(math.Float64bits(shifted))
	y := t + float64(t*expPoly((v-float64(kd*expStepHi))-float64(kd*expStepLo)))
	if undecided(y) {
		return float32(f64.Exp(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// expRare returns b^x for b > 2 where |x| ≥ 128, or x is NaN.
func expRare(x float32) float32 {
	switch {
	case x > 0:
		return float32(math.Inf(1))
	case x < 0:
		return 0
	}
	return x
}

// exp2Poly returns 2^r - 1 for |r| ≤ 1/256, with an error below 2^-52.4, and
// 2^-43.8 of itself.
func exp2Poly(r float64) float64 {
	return float64(r * ((exp2ShortC1 + float64(r*exp2ShortC2)) +
		float64(float64(r*r)*(exp2ShortC3+float64(r*exp2ShortC4)))))
}

// exp10Poly returns 10^r - 1 for |r| < log10(2)/256, likewise.
func exp10Poly(r float64) float64 {
	return float64(r * ((exp10ShortC1 + float64(r*exp10ShortC2)) +
		float64(float64(r*r)*(exp10ShortC3+float64(r*exp10ShortC4)))))
}

// Exp2 returns 2^x, correctly rounded.
//
// Special cases:
//
//	Exp2(+Inf) = +Inf
//	Exp2(-Inf) = 0
//	Exp2(NaN) = NaN
//	Exp2(±0) = 1
//
// From 128 on the result is +Inf. Below -126 it is subnormal, and rounded once;
// from -150 down it is 0.
//
// The error: x - k/128 is exact; the rest is as for Exp.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Exp2(x float32) float32 { return fastExp2(x) }

// exp2 is Exp2 without fused operations.
func exp2(x float32) float32 {
	v := widenMost(x)
	if a := math.Abs(v); !(a < 126) {
		if a < 256 {
			return float32(f64.Exp2(float64(x), fp.ToOdd))
		}
		return expRare(x)
	}
	shifted := float64(v*expSteps) + expShift
	r := v - float64((shifted-expShift)*(1.0/expSteps))
	t := pow2(math.Float64bits(shifted))
	y := t + float64(t*exp2Poly(r))
	if undecided(y) {
		return float32(f64.Exp2(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// Exp10 returns 10^x, correctly rounded.
//
// Special cases:
//
//	Exp10(+Inf) = +Inf
//	Exp10(-Inf) = 0
//	Exp10(NaN) = NaN
//	Exp10(±0) = 1
//
// Above 38.53 the result is +Inf. Below -37.92 it is subnormal, and rounded
// once; below -45.15 it is 0.
//
// The error: as for Exp.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
func Exp10(x float32) float32 { return fastExp10(x) }

// exp10 is Exp10 without fused operations.
func exp10(x float32) float32 {
	v := widenMost(x)
	if a := math.Abs(v); !(a < 37.75) {
		if a < 64 {
			return float32(f64.Exp10(float64(x), fp.ToOdd))
		}
		return expRare(x)
	}
	shifted := float64(v*exp10StepInverse) + expShift
	kd := shifted - expShift
	r := (v - float64(kd*exp10StepHi)) - float64(kd*exp10StepLo)
	t := pow2(math.Float64bits(shifted))
	y := t + float64(t*exp10Poly(r))
	if undecided(y) {
		return float32(f64.Exp10(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// Expm1 returns e^x - 1, correctly rounded.
//
// Special cases:
//
//	Expm1(+Inf) = +Inf
//	Expm1(-Inf) = -1
//	Expm1(NaN) = NaN
//	Expm1(±0) = ±0
//
// Above 88.72 the result is +Inf, below -17.33 it is -1.
//
// The error: where k is 0, that of expPoly. Elsewhere the table has u, the last
// sum u, and expPoly 2^-51.4; e^x is at most 370 times |e^x - 1|: 2^-42.1
// together.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
func Expm1(x float32) float32 { return fastExpm1(x) }

// expm1 is Expm1 without fused operations.
func expm1(x float32) float32 {
	v := widenMost(x)
	if !within(v, 0x1p-124, 128) {
		if math.Abs(v) < 1 {
			return float32(f64.Expm1(float64(x), fp.ToOdd))
		}
		return expRare(x) - 1
	}
	shifted := float64(v*expStepInverse) + expShift
	kd := shifted - expShift
	t := pow2(math.Float64bits(shifted))
	y := (t - 1) + float64(t*expPoly((v-float64(kd*expStepHi))-float64(kd*expStepLo)))
	if undecided(y) {
		return float32(f64.Expm1(float64(x), fp.ToOdd))
	}
	return float32(y)
}
