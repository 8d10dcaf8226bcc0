package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// expShift rounds to an integer: y + expShift holds the integer next to y in
// its lowest bits, for |y| < 2^51.
const expShift = 0x1.8p52

// pow2 returns 2^(k/128), rounded, where only the low 19 bits of k count, as a
// two's complement.
func pow2(k uint64) float64 {
	return math.Float64frombits(math.Float64bits(expTable[k%expSteps]) + k<<(52-expBits))
}

// pow2Pair returns 2^(k/128) and 2^(-k/128), as pow2 does.
func pow2Pair(k uint64) (p, q float64) {
	q = math.Float64frombits(math.Float64bits(expTable[-k%expSteps]) - k<<(52-expBits))
	return pow2(k), q
}

// nearestStep returns f = z - k for the integer k next to z, with k in the low
// bits. The difference is exact.
func nearestStep(z float64) (k uint64, f float64) {
	shifted := z + expShift
	return math.Float64bits(shifted), z - (shifted - expShift)
}

// stepPower returns t·2^(f/128) for |f| ≤ 1/2, with an error below 2^-41.1 of
// it, and u for the sum.
func stepPower(t, f float64) float64 {
	return t + float64(float64(t*f)*(stepShortC1+float64(f*(stepShortC2+float64(f*stepShortC3)))))
}

// stepMinus returns t·2^(f/128) - 1 for |f| ≤ 1/2: for t = 1, within 2^-44 and
// 4·u of it, and elsewhere within 2^-52.5·t, u·t for the first difference, and
// u for the sum.
func stepMinus(t, f float64) float64 {
	return (t - 1) + float64(float64(t*f)*
		(stepC1+float64(f*(stepC2+float64(f*(stepC3+float64(f*stepC4)))))))
}

// few2 is pow2 for 2^(k/16).
func few2(k uint64) float64 {
	return math.Float64frombits(math.Float64bits(expFew[k%fewSteps]) + k<<(52-fewBits))
}

// fewPower returns 2^(k/16 + f/16) for |f| ≤ 1/2, with an error below 2^-46 of
// it. Only the low 16 bits of k count. Kernels of AVX-512 find its table in two
// registers.
func fewPower(k uint64, f float64) float64 {
	t := few2(k)
	return t + float64(float64(t*f)*
		(fewC1+float64(f*(fewC2+float64(f*(fewC3+float64(f*(fewC4+float64(f*fewC5)))))))))
}

// fewMinus returns 2^(k/16 + f/16) - 1 for |f| ≤ 1/2, as stepMinus does. Where
// k is not 0, the result is at least 0.021 in magnitude.
func fewMinus(k uint64, f float64) float64 {
	t := few2(k)
	return (t - 1) + float64(float64(t*f)*
		(fewMinusC1+float64(f*(fewMinusC2+float64(f*(fewMinusC3+
			float64(f*(fewMinusC4+float64(f*(fewMinusC5+float64(f*fewMinusC6)))))))))))
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
// The error: x·128/ln 2 = k + f is below 2^14 and loses 2·u, which is 2^-45.5
// of the result. The table has u, stepPower 2^-41.1 and u: 2^-41 together.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
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
	k, f := nearestStep(float64(v * expStepInverse))
	y := stepPower(pow2(k), f)
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

func inExp(x float32) bool { return math.Abs(float64(x)) < 128 }

// expWide is Exp for kernels of AVX-512. The error: x·16, with its factor,
// loses at most 2^-45.5 of the result, and fewPower 2^-46.
//
//lint:ignore U1000 the kernels are compiled from it
func expWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, f := nearestStep(float64(v * expFewInverse))
	y := fewPower(k, f)
	return float32(y), math.Abs(v) < 87.25 && !undecided(y)
}

// ExpSlice stores Exp(x[i]) in dst[i] for all i: e^x[i], correctly rounded,
// with the bits of single calls.
//
// dst has the length of x, and is x itself or does not overlap it; otherwise
// ExpSlice panics. Nothing is allocated, and the slices do not escape.
//
// On amd64 with AVX2 or AVX-512, and on arm64, vector kernels compute Exp in
// every lane, with fused operations. Undecided elements, one in 33,000, and
// rarer cases go to Exp one by one. With AVX2 or AVX-512 that takes 1/5 to 1/8
// of the time of a loop over float32(math.Exp(float64(x))); other slice
// functions take 1/4 to 1/30. Slices whose elements are all rare cases take as
// long as a loop over Exp. So do all slices on other CPUs, and under the race
// detector.
func ExpSlice(dst, x []float32) {
	vector.MapLoop("f32.ExpSlice", dst, x, each(Exp), best.exp, inExp)
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
// The error: as for Exp, but 128·x is exact.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
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
	k, f := nearestStep(float64(v * expSteps))
	y := stepPower(pow2(k), f)
	if undecided(y) {
		return float32(f64.Exp2(float64(x), fp.ToOdd))
	}
	return float32(y)
}

func inExp2(x float32) bool { return math.Abs(float64(x)) < 256 }

// exp2Wide is Exp2 for kernels of AVX-512. The error: x·16, with its factor,
// loses at most 2^-45.5 of the result, and fewPower 2^-46.
//
//lint:ignore U1000 the kernels are compiled from it
func exp2Wide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, f := nearestStep(float64(v * fewSteps))
	y := fewPower(k, f)
	return float32(y), math.Abs(v) < 126 && !undecided(y)
}

// Exp2Slice is ExpSlice for Exp2: it stores 2^x[i] in dst[i].
func Exp2Slice(dst, x []float32) {
	vector.MapLoop("f32.Exp2Slice", dst, x, each(Exp2), best.exp2, inExp2)
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
//
//go:nosplit
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
	k, f := nearestStep(float64(v * exp10StepInverse))
	y := stepPower(pow2(k), f)
	if undecided(y) {
		return float32(f64.Exp10(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// exp10Wide is Exp10 for kernels of AVX-512. The error: x·16, with its factor,
// loses at most 2^-45.5 of the result, and fewPower 2^-46.
//
//lint:ignore U1000 the kernels are compiled from it
func exp10Wide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, f := nearestStep(float64(v * exp10FewInverse))
	y := fewPower(k, f)
	return float32(y), math.Abs(v) < 37.75 && !undecided(y)
}

// Exp10Slice is ExpSlice for Exp10: it stores 10^x[i] in dst[i].
func Exp10Slice(dst, x []float32) {
	vector.MapLoop("f32.Exp10Slice", dst, x, each(Exp10), best.exp10, inExp)
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
// The error: where k is 0, as for stepMinus, and 2·u for the product. Elsewhere
// stepMinus and the table have 2^-52.5 + 3·u of e^x, which is at most 370 times
// |e^x - 1|; 2·u of x·128/ln 2 are at most 2^-45 of the result: 2^-41.7
// together.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
//
//go:nosplit
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
	k, f := nearestStep(float64(v * expStepInverse))
	y := stepMinus(pow2(k), f)
	if undecided(y) {
		return float32(f64.Expm1(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// expm1Wide is Expm1 for kernels of AVX-512, with its error.
//
//lint:ignore U1000 the kernels are compiled from it
func expm1Wide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, f := nearestStep(float64(v * expFewInverse))
	y := fewMinus(k, f)
	return float32(y), within(v, 0x1p-124, 128) && !undecided(y)
}

// Expm1Slice is ExpSlice for Expm1: it stores e^x[i] - 1 in dst[i].
func Expm1Slice(dst, x []float32) {
	vector.MapLoop("f32.Expm1Slice", dst, x, each(Expm1), best.expm1, inExp)
}
