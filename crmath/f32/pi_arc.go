package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Asinpi returns arcsin(x)/π, correctly rounded.
//
// Special cases:
//
//	Asinpi(±0) = ±0
//	Asinpi(±1) = ±1/2
//	Asinpi(x) = NaN for |x| > 1
//	Asinpi(NaN) = NaN
//
// The error: as for Asin, and 1.5·u for 1/π: 2^-42.6.
//
//go:nosplit
func Asinpi(x float32) float32 { return fastAsinpi(x) }

// asinpi is Asinpi without fused operations.
func asinpi(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch a := math.Abs(v); {
	case a < 0x1p-7:
		if a < 0x1p-124 {
			return float32(f64.Asinpi(float64(x), fp.ToOdd))
		}
		y = float64(asinSmall(v) * invPi)
	case a <= 1:
		y = withSign(0.5-arc(a, invPi), v)
	default:
		return float32(math.NaN())
	}
	if undecided(y) {
		return float32(f64.Asinpi(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// AsinpiSlice is ExpSlice for Asinpi: it stores arcsin(x[i])/π in dst[i].
func AsinpiSlice(dst, x []float32) {
	vector.MapLoop("f32.AsinpiSlice", dst, x, each(Asinpi), best.asinpi, inUnit)
}

// Acospi returns arccos(x)/π, correctly rounded.
//
// Special cases:
//
//	Acospi(1) = +0
//	Acospi(-1) = 1
//	Acospi(x) = NaN for |x| > 1
//	Acospi(NaN) = NaN
//
// The error: as for arc, or, for negative x, u for the difference, where the
// result is at least as large: 2^-50.
//
//go:nosplit
func Acospi(x float32) float32 { return fastAcospi(x) }

// acospi is Acospi without fused operations.
func acospi(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	if !(a <= 1) {
		return float32(math.NaN())
	}
	y := acospiBase[math.Float64bits(v)>>63] + withSign(arc(a, invPi), v)
	if undecided(y) {
		return float32(f64.Acospi(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// acospiBase is acosBase over π.
var acospiBase = [2]float64{0, 1}

// AcospiSlice is ExpSlice for Acospi: it stores arccos(x[i])/π in dst[i].
func AcospiSlice(dst, x []float32) {
	vector.MapLoop("f32.AcospiSlice", dst, x, each(Acospi), best.acospi, inUnit)
}

// Atanpi returns arctan(x)/π, correctly rounded.
//
// Special cases:
//
//	Atanpi(±0) = ±0
//	Atanpi(±1) = ±1/4
//	Atanpi(±Inf) = ±1/2
//	Atanpi(NaN) = NaN
//
// The error: as for Atan, and 1.5·u.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
func Atanpi(x float32) float32 { return fastAtanpi(x) }

// atanpi is Atanpi without fused operations.
func atanpi(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	var y float64
	switch {
	case !(a < atanTabled):
		if x != x {
			return x
		}
		y = halfPi + atanSmall(-1/a)
	case a < 0x1p-124:
		return float32(f64.Atanpi(float64(x), fp.ToOdd))
	default:
		y = atanUpTo14(a)
	}
	y = withSign(y*invPi, v)
	if undecided(y) {
		return float32(f64.Atanpi(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// atanpiLane is Atanpi by arctan.
//
//lint:ignore U1000 internal/_asm/lanes compiles it
func atanpiLane(x float32) (r float32, ok bool) {
	v := float64(x)
	y := float64(math.Copysign(arctan(math.Abs(v)), v) * invPi)
	return float32(y), x == x && !undecided(y) && math.Abs(v) >= 0x1p-124
}

// AtanpiSlice is ExpSlice for Atanpi: it stores arctan(x[i])/π in dst[i].
func AtanpiSlice(dst, x []float32) {
	vector.MapLoop("f32.AtanpiSlice", dst, x, each(Atanpi), best.atanpi, isNumber)
}
