package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Log2p1 returns log2(1 + x), correctly rounded.
//
// Special cases:
//
//	Log2p1(+Inf) = +Inf
//	Log2p1(±0) = ±0
//	Log2p1(-1) = -Inf
//	Log2p1(x < -1) = NaN
//	Log2p1(NaN) = NaN
//
// The error: below 2^-7 logFrom's 2^-41.4, and 1.5·u for 1/ln 2. Elsewhere
// log2Sum's error, and u for 1 + x above 2, where the result is at least 1.5.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//
//go:nosplit
func Log2p1(x float32) float32 { return fastLog2p1(x) }

// log2p1 is Log2p1 without fused operations.
func log2p1(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch {
	case math.Abs(v) < 0x1p-7:
		if math.Abs(v) < 0x1p-124 {
			return float32(f64.Log2p1(float64(x), fp.ToOdd))
		}
		y = float64(logFrom(0, v) * invLn2)
	case math.Float64bits(1+v)-1 >= (1023+128)<<52-1:
		return logPlusRare(x)
	default:
		y = log2Sum(1 + v)
	}
	if undecided(y) {
		return float32(f64.Log2p1(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// Log2p1Slice is ExpSlice for Log2p1: it stores log2(1 + x[i]) in dst[i].
func Log2p1Slice(dst, x []float32) {
	vector.MapLoop("f32.Log2p1Slice", dst, x, each(Log2p1), best.log2p1, inLog1p)
}

// Log10p1 returns log10(1 + x), correctly rounded.
//
// Special cases:
//
//	Log10p1(+Inf) = +Inf
//	Log10p1(±0) = ±0
//	Log10p1(-1) = -Inf
//	Log10p1(x < -1) = NaN
//	Log10p1(NaN) = NaN
//
// The error: as for Log2p1, with log10Sum.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//
//go:nosplit
func Log10p1(x float32) float32 { return fastLog10p1(x) }

// log10p1 is Log10p1 without fused operations.
func log10p1(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch {
	case math.Abs(v) < 0x1p-7:
		if math.Abs(v) < 0x1p-124 {
			return float32(f64.Log10p1(float64(x), fp.ToOdd))
		}
		y = float64(logFrom(0, v) * invLn10)
	case math.Float64bits(1+v)-1 >= (1023+128)<<52-1:
		return logPlusRare(x)
	default:
		y = log10Sum(1 + v)
	}
	if undecided(y) {
		return float32(f64.Log10p1(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// logPlusRare returns the logarithm of 1 + x where x ≤ -1, or x is +Inf or NaN.
func logPlusRare(x float32) float32 {
	switch {
	case x == -1:
		return float32(math.Inf(-1))
	case x < -1:
		return float32(math.NaN())
	}
	return x
}

// Log10p1Slice is ExpSlice for Log10p1: it stores log10(1 + x[i]) in dst[i].
func Log10p1Slice(dst, x []float32) {
	vector.MapLoop("f32.Log10p1Slice", dst, x, each(Log10p1), best.log10p1, inLog1p)
}
