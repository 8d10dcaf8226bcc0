package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// Log1p is directed.Log1p, and crmath.Log1p to nearest.
func Log1p(x float64, m fp.Mode) float64 {
	if magnitude(x) < magnitude(0x1p-10) {
		return log1pNear0(x, m)
	}
	if !(-1 < x && x <= math.MaxFloat64) {
		return log1pRare(x)
	}
	// 1 + x = s + t exactly, = 2^k·(m + t·2^-k).
	s, t := twoSum(1, x)
	u := math.Float64bits(s)
	k := int64(u-logOffset) >> 52
	kd := float64(k)
	t *= math.Float64frombits(uint64(max(0, 1023-k)) << 52) // 0 where t is less than 2^-1023
	hi, lo := logReduced(u-uint64(k)<<52, t, float64(kd*logLn2Hi))
	lo += float64(kd * logLn2Lo)
	y, ok := ziv(hi, lo, logErr)
	if !ok || m != fp.NearestEven {
		if y, ok = toward(hi, lo, logErr, m); !ok {
			return log1pAccurate(x, m)
		}
	}
	return y
}

// log1pNear0 is Log1p for |x| < 2^-10.
func log1pNear0(x float64, m fp.Mode) float64 {
	if magnitude(x) < magnitude(0x1p-54) {
		if x == 0 {
			return x
		}
		return beside(x, -1, m) // x²/2 is less than half an ulp
	}
	hi, lo := log1pSmall(x)
	e := log1pNearErr(x)
	y, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if y, ok = toward(hi, lo, e, m); !ok {
			return log1pAccurate(x, m)
		}
	}
	return y
}

// log1pRare is Log1p where x is at most -1, +Inf or NaN.
func log1pRare(x float64) float64 {
	switch {
	case x == -1:
		return math.Inf(-1)
	case x < -1:
		return math.NaN()
	}
	return x
}

// log1pAccurate is Log1p for -1 < x < +Inf, |x| ≥ 2^-54, where no result is
// representable or a midpoint.
func log1pAccurate(x float64, m fp.Mode) float64 { return wide.Log1p.Rounded(x, 0, m) }

func inLog1p(x float64) bool { return -1 < x && x <= math.MaxFloat64 }

// log1pLane is Log1p for finite x > -1.
func log1pLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-54 {
		return x, true
	}
	y := flushed(x)
	if math.Abs(x) < 0x1p-10 {
		hi, lo := log1pSmall(y)
		return ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr))
	}
	s, t := twoSum(1, y)
	u := math.Float64bits(s)
	m, k := logSplit(u)
	t *= math.Float64frombits(uint64(max(0, 1023-int64(u-logOffset)>>52)) << 52)
	hi, lo := fusedLog(m, t, float64(k*logLn2Hi))
	r, ok = ziv(hi, lo+float64(k*logLn2Lo), logErr)
	return r, ok && inLog1p(x)
}

func log1pCall(x float64) (r float64, ok bool) {
	if magnitude(x) < magnitude(0x1p-10) {
		if magnitude(x) < magnitude(0x1p-54) {
			return x, true
		}
		hi, lo := log1pSmall(x)
		return ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr))
	}
	if !inLog1p(x) {
		return 0, false
	}
	s, t := twoSum(1, x)
	u := math.Float64bits(s)
	m, k := logSplit(u)
	t *= math.Float64frombits(uint64(max(0, 1023-int64(u-logOffset)>>52)) << 52)
	hi, lo := fusedLog(m, t, float64(k*logLn2Hi))
	return ziv(hi, lo+float64(k*logLn2Lo), logErr)
}

// Log1pSlice is crmath.Log1pSlice.
func Log1pSlice(dst, x []float64) {
	vector.MapLoop("crmath.Log1pSlice", dst, x, vector.Each(FastLog1p), best.log1p, inLog1p)
}

// Log2p1 is directed.Log2p1, and crmath.Log2p1 to nearest.
func Log2p1(x float64, m fp.Mode) float64 {
	var hi, lo, e float64
	switch u := magnitude(x); {
	case u < magnitude(0x1p-10):
		if u < magnitude(tiny) {
			return slopeAt0(wide.Log2p1, x, 0, invLn2Hi, invLn2Lo, m)
		}
		hi, lo = log1pSmall(x)
		hi, lo = logProduct(head(hi), hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		e = float64(math.Abs(x) * (2 * log1pSmallErr))
	case -1 < x && x <= math.MaxFloat64:
		v, t, k := splitPlus1(x)
		hi, lo = logReduced(v, t, 0)
		hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
		e = logErrScaled
	default:
		return log1pRare(x)
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return log2p1Settle(x, hi, lo, e, m)
	}
	return r
}

// splitPlus1 returns the encoding u of v, t and k, with 1 + x = 2^k·(v + t), v
// in [0.6875, 1.375) and |t| at most half an ulp of it, for -1 < x < +Inf. t is
// 0 where it would be below 2^-1023.
func splitPlus1(x float64) (u uint64, t, k float64) {
	s, t := twoSum(1, x)
	u = math.Float64bits(s)
	i := int64(u-logOffset) >> 52
	down := math.Float64frombits(uint64(max(0, 1023-i)) << 52)
	return u - uint64(i)<<52, float64(t * down), float64(i)
}

// log2p1Settle is settle for Log2p1. A rational logarithm r makes 1+x = 2^r,
// which is rational only for integers r: no result is a midpoint, and it is
// representable where 1+x is a power of two. Where x is one, from 2^53 on, the
// logarithm is greater than log2 x by less than 2^-52.
func log2p1Settle(x, hi, lo, e float64, m fp.Mode) float64 {
	if s, t := twoSum(1, x); math.Float64bits(s)<<12 == 0 {
		switch k := float64(math.Ilogb(s)); {
		case t == 0:
			return k
		case s == x:
			return beside(k, 1, m)
		}
	}
	return settle(wide.Log2p1, x, hi, lo, e, m)
}

// log2p1Lane is Log2p1 for finite x > -1.
func log2p1Lane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-10 {
		hi, lo := log1pSmall(flushed(x))
		hi, lo = fusedLogProduct(hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		r, ok = ziv(hi, lo, float64(math.Abs(x)*(2*log1pSmallErr)))
		return r, ok && hasProducts(x)
	}
	u, t, k := splitPlus1(flushed(x))
	hi, lo := fusedLog(u, t, 0)
	hi, lo = fusedLogProduct(hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
	r, ok = ziv(hi, lo, logErrScaled)
	return r, ok && inLog1p(x)
}

func log2p1Call(x float64) (r float64, ok bool) {
	if u := magnitude(x); u < magnitude(0x1p-10) {
		if u < magnitude(tiny) {
			return linear(x, invLn2, invLn2Rest)
		}
		hi, lo := log1pSmall(x)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		return ziv(hi, lo, float64(math.Abs(x)*(2*log1pSmallErr)))
	}
	if !inLog1p(x) {
		return 0, false
	}
	u, t, k := splitPlus1(x)
	hi, lo := fusedLog(u, t, 0)
	hi, lo = fusedLogProduct(hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
	return ziv(hi, lo, logErrScaled)
}

// Log2p1Slice is crmath.Log2p1Slice.
func Log2p1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Log2p1Slice", dst, x, vector.Each(FastLog2p1), best.log2p1, inLog1p)
}

// Log10p1 is directed.Log10p1, and crmath.Log10p1 to nearest.
func Log10p1(x float64, m fp.Mode) float64 {
	var hi, lo, e float64
	switch u := magnitude(x); {
	case u < magnitude(0x1p-10):
		if u < magnitude(tiny) {
			return slopeAt0(wide.Log10p1, x, 0, invLn10Hi, invLn10Lo, m)
		}
		hi, lo = log1pSmall(x)
		hi, lo = logProduct(head(hi), hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		e = float64(math.Abs(x) * log1pSmallErr)
	case -1 < x && x <= math.MaxFloat64:
		v, t, k := splitPlus1(x)
		hi, lo = logReduced(v, t, 0)
		hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo, float64(k*logLg2Hi), invLn10Hi, invLn10Lo,
			invLn10)
		lo += float64(k * logLg2Lo)
		e = logErrScaled
	default:
		return log1pRare(x)
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return log10p1Settle(x, hi, lo, e, m)
	}
	return r
}

// log10p1Settle is settle for Log10p1. A rational logarithm r makes 1+x = 10^r,
// which has a finite binary expansion only for integers r from 0 on: no result
// is a midpoint, and it is representable where 1+x is a power of ten, up to
// 10^15, as 10^16 - 1 has 54 bits.
func log10p1Settle(x, hi, lo, e float64, m fp.Mode) float64 {
	if k := math.RoundToEven(hi); 0 < k && k < 16 && x == math.Pow10(int(k))-1 {
		return k
	}
	return settle(wide.Log10p1, x, hi, lo, e, m)
}

// log10p1Lane is Log10p1 for finite x > -1.
func log10p1Lane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-10 {
		hi, lo := log1pSmall(flushed(x))
		hi, lo = fusedLogProduct(hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		r, ok = ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr))
		return r, ok && hasProducts(x)
	}
	u, t, k := splitPlus1(flushed(x))
	hi, lo := fusedLog(u, t, 0)
	hi, lo = fusedLogProduct(hi, lo, float64(k*logLg2Hi), invLn10Hi, invLn10Lo, invLn10)
	r, ok = ziv(hi, lo+float64(k*logLg2Lo), logErrScaled)
	return r, ok && inLog1p(x)
}

func log10p1Call(x float64) (r float64, ok bool) {
	if u := magnitude(x); u < magnitude(0x1p-10) {
		if u < magnitude(tiny) {
			return linear(x, invLn10, invLn10Rest)
		}
		hi, lo := log1pSmall(x)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		return ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr))
	}
	if !inLog1p(x) {
		return 0, false
	}
	u, t, k := splitPlus1(x)
	hi, lo := fusedLog(u, t, 0)
	hi, lo = fusedLogProduct(hi, lo, float64(k*logLg2Hi), invLn10Hi, invLn10Lo, invLn10)
	return ziv(hi, lo+float64(k*logLg2Lo), logErrScaled)
}

// Log10p1Slice is crmath.Log10p1Slice.
func Log10p1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Log10p1Slice", dst, x, vector.Each(FastLog10p1), best.log10p1, inLog1p)
}
