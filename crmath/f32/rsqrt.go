package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Rsqrt returns 1/√x, correctly rounded.
//
// Special cases:
//
//	Rsqrt(±0) = ±Inf
//	Rsqrt(+Inf) = +0
//	Rsqrt(x) = NaN for x < 0
//	Rsqrt(NaN) = NaN
//
// The error: u/2 for the root, times the quotient, and u for that: 2^-52.
//
//go:nosplit
func Rsqrt(x float32) float32 { return fastRsqrt(x) }

// rsqrt is Rsqrt without fused operations.
func rsqrt(x float32) float32 {
	v := float64(x)
	y := 1 / math.Sqrt(v)
	if undecided(y) || math.Float64bits(v)-1 >= (1023+128)<<52-1 {
		return float32(f64.Rsqrt(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// RsqrtSlice is ExpSlice for Rsqrt: it stores 1/√x[i] in dst[i].
func RsqrtSlice(dst, x []float32) {
	vector.MapLoop("f32.RsqrtSlice", dst, x, each(Rsqrt), best.rsqrt, inLog)
}
