package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// cell returns k and m of a positive normal v = 2^k·m, 0.6875 ≤ m < 1.375, and
// the index of the cell of m in the tables.
func cell(v float64) (k int64, m float64, i uint64) {
	u := math.Float64bits(v)
	k = int64(u-logOffset) >> 52
	return k, math.Float64frombits(u - uint64(k)<<52), (u - logOffset) >> (52 - logBits) % logCells
}

// logFrom returns base + ln(1+r) for |r| < logRadius, within 2^-41.4·|r|, u of
// each sum, and u·r².
func logFrom(base, r float64) float64 {
	r2 := float64(r * r)
	return (base + r) + float64(r2*((logC2+float64(r*logC3))+float64(r2*(logC4+float64(r*logC5)))))
}

// fewCell returns k and m·c - 1 of a positive normal v = 2^k·m, 1 ≤ m < 2, and
// the index of m in tables of 16 cells, which kernels of AVX-512 find in two
// registers. Next to 1, k·ln 2 - ln c is 0: c is 1 in the first cell, and 1/2
// in the last.
func fewCell(v float64) (k, r float64, i uint64) {
	u := math.Float64bits(v)
	i = u >> (52 - fewBits) % fewSteps
	m := math.Float64frombits(u&(1<<52-1) | 1023<<52)
	return math.Logb(v), float64(m*logFew[i]) - 1, i
}

// fewLog is logFrom for the r of fewCell, within 2^-44.1·|r|.
func fewLog(base, r float64) float64 {
	return (base + r) + float64(float64(r*r)*fewLogRest(r))
}

// fewLogRest returns (ln(1+r) - r)/r² for these r.
func fewLogRest(r float64) float64 {
	return logFewC2 + float64(r*(logFewC3+float64(r*(logFewC4+float64(r*(logFewC5+
		float64(r*(logFewC6+float64(r*(logFewC7+float64(r*logFewC8)))))))))))
}

// fewLog2 returns base + log2(1+r) for the r of fewCell, within 2^-44·|r|.
func fewLog2(base, r float64) float64 {
	const c = math.Log2E
	return base + float64(r*(c+float64(r*(logFewC2*c+float64(r*(logFewC3*c+
		float64(r*(logFewC4*c+float64(r*(logFewC5*c+float64(r*(logFewC6*c+
			float64(r*(logFewC7*c+float64(r*(logFewC8*c))))))))))))))))
}

// fewLog10 is fewLog2 for log10(1+r).
func fewLog10(base, r float64) float64 {
	const c = math.Log10E
	return base + float64(r*(c+float64(r*(logFewC2*c+float64(r*(logFewC3*c+
		float64(r*(logFewC4*c+float64(r*(logFewC5*c+float64(r*(logFewC6*c+
			float64(r*(logFewC7*c+float64(r*(logFewC8*c))))))))))))))))
}

// isLogarithmic reports whether v is positive and finite.
func isLogarithmic(v float64) bool { return math.Float64bits(v)-1 < (1023+128)<<52-1 }

// Log returns ln x, correctly rounded.
//
// Special cases:
//
//	Log(+Inf) = +Inf
//	Log(±0) = -Inf
//	Log(x < 0) = NaN
//	Log(NaN) = NaN
//	Log(1) = +0
//
// The error: x = 2^k·m and m·c = 1 + r, exactly. Next to 1 c is 1, and only
// logFrom counts, with 2^-41.4. Elsewhere k·ln2 - ln c has up to 2·u for ln 2
// and the product, u for the sum, and u·0.37 for ln c; the result is at least
// two thirds of each of these, and 1.7·|r|; 2·u for the last sums: 2^-42
// together.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//
//go:nosplit
func Log(x float32) float32 { return fastLog(x) }

// log is Log without fused operations.
func log(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		v = widenSubnormal(x)
	}
	if math.Float64bits(v)-1 >= (1023+128)<<52-1 {
		return logRare(x)
	}
	y := logSum(v)
	if undecided(y) {
		return float32(f64.Log(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// logRare returns the logarithm of x where x is not positive, +Inf or NaN.
func logRare(x float32) float32 {
	switch {
	case x == 0:
		return float32(math.Inf(-1))
	case x < 0:
		return float32(math.NaN())
	}
	return x
}

func inLog(x float32) bool { return 0 < x && x <= math.MaxFloat32 }

// logWide is Log for kernels of AVX-512, with its error. Elsewhere than next to
// 1 the result is at least |r|.
//
//lint:ignore U1000 the kernels are compiled from it
func logWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		v = widenSubnormal(x)
	}
	k, rest, i := fewCell(v)
	y := fewLog(float64(k*ln2)+logFewLn[i], rest)
	return float32(y), isLogarithmic(v) && !undecided(y)
}

// LogSlice is ExpSlice for Log: it stores ln x[i] in dst[i].
func LogSlice(dst, x []float32) {
	vector.MapLoop("f32.LogSlice", dst, x, each(Log), best.log, inLog)
}

// Log2 returns log2 x, correctly rounded: exactly k for 2^k.
//
// Special cases:
//
//	Log2(+Inf) = +Inf
//	Log2(±0) = -Inf
//	Log2(x < 0) = NaN
//	Log2(NaN) = NaN
//	Log2(1) = +0
//
// The error: as for Log, and 1.5·u for the product with 1/ln 2: 2^-41.3.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//
//go:nosplit
func Log2(x float32) float32 { return fastLog2(x) }

// log2 is Log2 without fused operations.
func log2(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		v = widenSubnormal(x)
	}
	if math.Float64bits(v)-1 >= (1023+128)<<52-1 {
		return logRare(x)
	}
	y := log2Sum(v)
	if undecided(y) {
		return float32(f64.Log2(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// log2Wide is logWide for Log2.
//
//lint:ignore U1000 the kernels are compiled from it
func log2Wide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		v = widenSubnormal(x)
	}
	k, rest, i := fewCell(v)
	y := fewLog2(k+logFewLog2[i], rest)
	return float32(y), isLogarithmic(v) && !undecided(y)
}

// Log2Slice is ExpSlice for Log2: it stores log2 x[i] in dst[i].
func Log2Slice(dst, x []float32) {
	vector.MapLoop("f32.Log2Slice", dst, x, each(Log2), best.log2, inLog)
}

// Log10 returns log10 x, correctly rounded: exactly k for 10^k, 0 ≤ k ≤ 10.
//
// Special cases:
//
//	Log10(+Inf) = +Inf
//	Log10(±0) = -Inf
//	Log10(x < 0) = NaN
//	Log10(NaN) = NaN
//	Log10(1) = +0
//
// The error: as for Log, and 2·u for the product with 1/ln 10: 2^-41.3.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//
//go:nosplit
func Log10(x float32) float32 { return fastLog10(x) }

// log10 is Log10 without fused operations.
func log10(x float32) float32 {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		v = widenSubnormal(x)
	}
	if math.Float64bits(v)-1 >= (1023+128)<<52-1 {
		return logRare(x)
	}
	y := log10Sum(v)
	if undecided(y) {
		return float32(f64.Log10(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// log10Wide is logWide for Log10.
//
//lint:ignore U1000 the kernels are compiled from it
func log10Wide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	if math.Abs(v) < 0x1p-126 {
		v = widenSubnormal(x)
	}
	k, rest, i := fewCell(v)
	y := fewLog10(float64(k*log10of2)+logFewLog10[i], rest)
	return float32(y), isLogarithmic(v) && !undecided(y)
}

// Log10Slice is ExpSlice for Log10: it stores log10 x[i] in dst[i].
func Log10Slice(dst, x []float32) {
	vector.MapLoop("f32.Log10Slice", dst, x, each(Log10), best.log10, inLog)
}

// Log1p returns ln(1+x), correctly rounded.
//
// Special cases:
//
//	Log1p(+Inf) = +Inf
//	Log1p(±0) = ±0
//	Log1p(-1) = -Inf
//	Log1p(x < -1) = NaN
//	Log1p(NaN) = NaN
//
// The error: below 2^-7 only logFrom counts. Elsewhere 1 + x has at most 31
// bits up to 2, so that its product with c is exact as in Log; above, both add
// u, and the result is at least 1.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//
//go:nosplit
func Log1p(x float32) float32 { return fastLog1p(x) }

// log1p is Log1p without fused operations.
func log1p(x float32) float32 {
	v := widenMost(x)
	var y float64
	switch {
	case math.Abs(v) < 0x1p-7:
		if math.Abs(v) < 0x1p-126 {
			return float32(f64.Log1p(float64(x), fp.ToOdd))
		}
		y = logFrom(0, v)
	case math.Float64bits(1+v)-1 >= (1023+128)<<52-1:
		return logPlusRare(x)
	default:
		y = logSum(1 + v)
	}
	if undecided(y) {
		return float32(f64.Log1p(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// log1pWide is Log1p for kernels of AVX-512, with its error.
//
//lint:ignore U1000 the kernels are compiled from it
func log1pWide(x float32) (r float32, ok bool) {
	v := widenMost(x)
	k, rest, i := fewCell(1 + v)
	base := float64(k*ln2) + logFewLn[i]
	if math.Abs(v) < 0x1p-5 {
		base, rest = 0, v
	}
	y := fewLog(base, rest)
	return float32(y), math.Abs(v) >= 0x1p-126 && isLogarithmic(1+v) && !undecided(y)
}

// logSum returns ln v for a positive normal v, as Log does. Where v has more
// than 42 bits, the product with c adds u.
func logSum(v float64) float64 {
	k, m, i := cell(v)
	e := &logTable[i]
	return logFrom(float64(float64(k)*ln2)+e.ln, float64(m*e.c)-1)
}

// log2Sum returns log2 v for a positive normal v, as Log2 does.
func log2Sum(v float64) float64 {
	k, m, i := cell(v)
	e := &logTable[i]
	return float64(k) + float64(logFrom(e.ln, float64(m*e.c)-1)*invLn2)
}

// log10Sum returns log10 v for a positive normal v, as Log10 does.
func log10Sum(v float64) float64 {
	k, m, i := cell(v)
	e := &logTable[i]
	return float64(float64(k)*log10of2) + float64(logFrom(e.ln, float64(m*e.c)-1)*invLn10)
}

func inLog1p(x float32) bool { return -1 < x && x <= math.MaxFloat32 }

// Log1pSlice is ExpSlice for Log1p: it stores ln(1 + x[i]) in dst[i].
func Log1pSlice(dst, x []float32) {
	vector.MapLoop("f32.Log1pSlice", dst, x, each(Log1p), best.log1p, inLog1p)
}
