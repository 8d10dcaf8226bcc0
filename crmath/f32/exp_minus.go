package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Exp2m1 returns 2^x - 1, correctly rounded.
//
// Special cases:
//
//	Exp2m1(+Inf) = +Inf
//	Exp2m1(-Inf) = -1
//	Exp2m1(NaN) = NaN
//	Exp2m1(±0) = ±0
//
// From 128 on the result is +Inf, from -25 down it is -1.
//
// The error: below 1/16 in magnitude, the polynomial's 2^-44.8, over ln 2, and
// 2·u. Elsewhere 2^(k/128) has u, the product with 2^r - 1 2^-8·u, and the
// polynomial 2^-52.4; 2^x is at most 24 times |2^x - 1|: 2^-44.2.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
func Exp2m1(x float32) float32 { return fastExp2m1(x) }

// exp2m1 is Exp2m1 without fused operations.
func exp2m1(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch a := math.Abs(v); {
	case a < 0x1p-4:
		v2 := float64(v * v)
		y = float64(v * ((exp2m1SmallC1 + float64(v*exp2m1SmallC2)) +
			float64(v2*((exp2m1SmallC3+float64(v*exp2m1SmallC4))+
				float64(v2*(exp2m1SmallC5+float64(v*exp2m1SmallC6)))))))
	case a < 256:
		shifted := float64(v*expSteps) + expShift
		r := v - float64((shifted-expShift)*(1.0/expSteps))
		t := pow2(math.Float64bits(shifted))
		y = (t - 1) + float64(float64(t*r)*((exp2m1C1+float64(r*exp2m1C2))+
			float64(float64(r*r)*(exp2m1C3+float64(r*exp2m1C4)))))
	default:
		return expRare(x) - 1
	}
	if undecided(y) || math.Abs(y) < 0x1p-126 {
		return float32(f64.Exp2m1(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// Exp10m1 returns 10^x - 1, correctly rounded.
//
// Special cases:
//
//	Exp10m1(+Inf) = +Inf
//	Exp10m1(-Inf) = -1
//	Exp10m1(NaN) = NaN
//	Exp10m1(±0) = ±0
//
// Above 38.53 the result is +Inf, below -7.52 it is -1.
//
// The error: below 1/64 in magnitude, the polynomial's 2^-44.7, over ln 10, and
// 2·u. Elsewhere as for Exp2m1, where 10^x is at most 28 times |10^x - 1|:
// 2^-44.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
func Exp10m1(x float32) float32 { return fastExp10m1(x) }

// exp10m1 is Exp10m1 without fused operations.
func exp10m1(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch a := math.Abs(v); {
	case a < 0x1p-6:
		v2 := float64(v * v)
		y = float64(v * ((exp10m1SmallC1 + float64(v*exp10m1SmallC2)) +
			float64(v2*((exp10m1SmallC3+float64(v*exp10m1SmallC4))+
				float64(v2*(exp10m1SmallC5+float64(v*exp10m1SmallC6)))))))
	case a < 64:
		shifted := float64(v*exp10StepInverse) + expShift
		kd := shifted - expShift
		r := (v - float64(kd*exp10StepHi)) - float64(kd*exp10StepLo)
		t := pow2(math.Float64bits(shifted))
		y = (t - 1) + float64(float64(t*r)*((exp10m1C1+float64(r*exp10m1C2))+
			float64(float64(r*r)*(exp10m1C3+float64(r*exp10m1C4)))))
	default:
		return expRare(x) - 1
	}
	if undecided(y) || math.Abs(y) < 0x1p-124 {
		return float32(f64.Exp10m1(float64(x), fp.ToOdd))
	}
	return float32(y)
}
