package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
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
// The error: as for Expm1, but 128·x is exact.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
//
//go:nosplit
func Exp2m1(x float32) float32 { return fastExp2m1(x) }

// exp2m1 is Exp2m1 without fused operations.
func exp2m1(x float32) float32 {
	v := widenMost(x)
	if !within(v, 0x1p-124, 256) {
		if math.Abs(v) < 1 {
			return float32(f64.Exp2m1(float64(x), fp.ToOdd))
		}
		return expRare(x) - 1
	}
	k, f := nearestStep(float64(v * expSteps))
	y := stepMinus(pow2(k), f)
	if undecided(y) {
		return float32(f64.Exp2m1(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// exp2m1Wide is Exp2m1 for kernels of AVX-512, with its error.
//
//lint:ignore U1000 the kernels are compiled from it
func exp2m1Wide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, f := nearestStep(float64(v * fewSteps))
	y := fewMinus(k, f)
	return float32(y), within(v, 0x1p-124, 256) && !undecided(y)
}

// Exp2m1Slice is ExpSlice for Exp2m1: it stores 2^x[i] - 1 in dst[i].
func Exp2m1Slice(dst, x []float32) {
	vector.MapLoop("f32.Exp2m1Slice", dst, x, each(Exp2m1), best.exp2m1, inExp)
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
// The error: as for Expm1.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
//
//go:nosplit
func Exp10m1(x float32) float32 { return fastExp10m1(x) }

// exp10m1 is Exp10m1 without fused operations.
func exp10m1(x float32) float32 {
	v := widenMost(x)
	if !within(v, 0x1p-124, 64) {
		if math.Abs(v) < 1 {
			return float32(f64.Exp10m1(float64(x), fp.ToOdd))
		}
		return expRare(x) - 1
	}
	k, f := nearestStep(float64(v * exp10StepInverse))
	y := stepMinus(pow2(k), f)
	if undecided(y) {
		return float32(f64.Exp10m1(float64(x), fp.ToOdd))
	}
	return float32(y)
}

func inExpMinus(x float32) bool { return math.Abs(float64(x)) < 25 }

// exp10m1Wide is Exp10m1 for kernels of AVX-512, with its error.
//
//lint:ignore U1000 the kernels are compiled from it
func exp10m1Wide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, f := nearestStep(float64(v * exp10FewInverse))
	y := fewMinus(k, f)
	return float32(y), within(v, 0x1p-124, 64) && !undecided(y)
}

// Exp10m1Slice is ExpSlice for Exp10m1: it stores 10^x[i] - 1 in dst[i].
func Exp10m1Slice(dst, x []float32) {
	vector.MapLoop("f32.Exp10m1Slice", dst, x, each(Exp10m1), best.exp10m1, inExpMinus)
}
