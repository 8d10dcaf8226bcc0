package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
)

// Hypot returns √(x²+y²), correctly rounded.
//
// Special cases, in this order:
//
//	Hypot(±Inf, y) = +Inf
//	Hypot(x, ±Inf) = +Inf
//	Hypot(NaN, y) = NaN
//	Hypot(x, NaN) = NaN
//
// It overflows only where the result does.
//
// The error: the squares are exact, the sum has u, the root u and half of the
// sum's: 2^-52.4.
//
//go:nosplit
func Hypot(x, y float32) float32 { return fastHypot(x, y) }

// hypot is Hypot without fused operations.
func hypot(x, y float32) float32 {
	a, b := float64(x), float64(y)
	r := math.Sqrt(float64(a*a) + float64(b*b))
	if r >= 0x1p-126 && !unsure(r) {
		return float32(r)
	}
	return hypotAccurate(a, b, r)
}

// hypotAccurate is Hypot(a, b), where r is near a midpoint, NaN, or below
// 2^-126. The squares of a, b and of a midpoint m of two float32 have at most
// 50 bits. The larger of a² + b² and m² decides.
func hypotAccurate(a, b, r float64) float32 {
	switch {
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		return float32(math.Inf(1))
	case r != r || r == 0:
		return float32(r)
	}
	near := float32(r)
	other := math.Nextafter32(near, float32(math.Inf(1)))
	if float64(near) > r {
		other = math.Nextafter32(near, 0)
	}
	// Beyond the largest float32, its ulp continues up to 2^128.
	lo, hi := min(near, other), max(near, other)
	m := 0.5 * (float64(lo) + math.Min(float64(hi), 0x1p128))
	a, b = max(math.Abs(a), math.Abs(b)), min(math.Abs(a), math.Abs(b))
	// a is at least 0.7·m: both squares are multiples of the square of m's last
	// bit, and below 2^51 of it. So their difference is exact, and the sign of
	// the sum is right.
	switch d := (float64(a*a) - float64(m*m)) + float64(b*b); {
	case d < 0 || d == 0 && math.Float32bits(lo)&1 == 0:
		return lo
	}
	return hi
}

// HypotSlice is PowSlice for Hypot: it stores √(x[i]² + y[i]²) in dst[i].
func HypotSlice(dst, x, y []float32) {
	vector.MapLoop2("f32.HypotSlice", dst, x, y, each2(Hypot), best.hypot, areFinite)
}
