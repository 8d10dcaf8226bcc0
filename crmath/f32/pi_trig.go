package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// sinpiLarge bounds the arguments that functions of πx reduce: from there on
// all are even.
const sinpiLarge = 1 << 24

// sinpiReduce returns r = πx - k·π/64 for |x| < sinpiLarge, with k in the low
// bits. x - k/64 is exact, and the product with π loses 1.5·u.
func sinpiReduce(v float64) (k uint64, r float64) {
	shifted := float64(v*(sinSteps/2)) + sinShift
	return math.Float64bits(shifted), (v - float64((shifted-sinShift)*(2.0/sinSteps))) * pi
}

// isZero reports whether y is 0, whose sign sums do not give. Next to 0 no sine
// or tangent of πx is less than 2^-126 in magnitude, where x is not.
func isZero(y float64) bool { return math.Float64bits(y)<<1 == 0 }

// Sinpi returns sin(πx), correctly rounded.
//
// Special cases:
//
//	Sinpi(±0) = ±0
//	Sinpi(n) = +0 for positive integers n
//	Sinpi(-n) = -0 for positive integers n
//	Sinpi(±Inf) = NaN
//	Sinpi(NaN) = NaN
//
// The error: as for Sin, with πx = k·π/64 + r, where r has 1.5·u: 2^-43.1.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
func Sinpi(x float32) float32 { return fastSinpi(x) }

// sinpi is Sinpi without fused operations.
func sinpi(x float32) float32 {
	v := widenMost(x)
	switch a := math.Abs(v); {
	case !(a < sinpiLarge):
		return float32(float64(x) * 0)
	case a < 0x1p-126:
		return float32(f64.Sinpi(float64(x), fp.ToOdd))
	}
	k, r := sinpiReduce(v)
	k %= sinSteps
	y := ahead(sinTable[k], sinTable[k+sinSteps/4], r)
	if undecided(y) || isZero(y) {
		return float32(f64.Sinpi(float64(x), fp.ToOdd))
	}
	return float32(y)
}

func inTurn(x float32) bool { return math.Abs(float64(x)) < sinpiLarge }

// SinpiSlice is ExpSlice for Sinpi: it stores sin(πx[i]) in dst[i].
func SinpiSlice(dst, x []float32) {
	vector.MapLoop("f32.SinpiSlice", dst, x, each(Sinpi), best.sinpi, inTurn)
}

// Cospi returns cos(πx), correctly rounded.
//
// Special cases:
//
//	Cospi(±0) = 1
//	Cospi(n+1/2) = +0 for integers n
//	Cospi(±Inf) = NaN
//	Cospi(NaN) = NaN
//
// The error: as for Sinpi, with cos πx = C + (C·(cos r - 1) - S·sin r).
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
func Cospi(x float32) float32 { return fastCospi(x) }

// cospi is Cospi without fused operations.
func cospi(x float32) float32 {
	v := widenMost(x)
	if !(math.Abs(v) < sinpiLarge) {
		return float32(float64(float64(x)*0) + 1)
	}
	k, r := sinpiReduce(v)
	k %= sinSteps
	y := behind(sinTable[k], sinTable[k+sinSteps/4], r)
	if undecided(y) {
		return float32(f64.Cospi(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// CospiSlice is ExpSlice for Cospi: it stores cos(πx[i]) in dst[i].
func CospiSlice(dst, x []float32) {
	vector.MapLoop("f32.CospiSlice", dst, x, each(Cospi), best.cospi, inTurn)
}

// Tanpi returns tan(πx), correctly rounded.
//
// Special cases:
//
//	Tanpi(±0) = ±0
//	Tanpi(n) = +0 for positive even and negative odd integers n
//	Tanpi(n) = -0 for positive odd and negative even integers n
//	Tanpi(n+1/2) = +Inf for even integers n
//	Tanpi(n+1/2) = -Inf for odd integers n
//	Tanpi(±Inf) = NaN
//	Tanpi(NaN) = NaN
//
// The error: Sinpi's and Cospi's, one of them at most 2^-45, where the table
// has the larger number, and u for the quotient: 2^-42.8.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
func Tanpi(x float32) float32 { return fastTanpi(x) }

// tanpi is Tanpi without fused operations.
func tanpi(x float32) float32 {
	v := widenMost(x)
	switch a := math.Abs(v); {
	case !(a < sinpiLarge):
		return float32(float64(x) * 0)
	case a < 0x1p-126:
		return float32(f64.Tanpi(float64(x), fp.ToOdd))
	}
	k, r := sinpiReduce(v)
	k %= sinSteps
	sk, ck := sinTable[k], sinTable[k+sinSteps/4]
	y := ahead(sk, ck, r) / behind(sk, ck, r)
	if undecided(y) || isZero(y) {
		return float32(f64.Tanpi(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// TanpiSlice is ExpSlice for Tanpi: it stores tan(πx[i]) in dst[i].
func TanpiSlice(dst, x []float32) {
	vector.MapLoop("f32.TanpiSlice", dst, x, each(Tanpi), best.tanpi, inTurn)
}
