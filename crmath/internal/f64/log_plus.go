package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

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
// logarithm is greater than that of x by less than 2^-52.
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
