package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// Error bounds, with room for ziv: of logReduced, and of its product with a
// constant.
const (
	logErr       = 0x1p-73
	logErrScaled = 0x1.2p-72
)

// isNear1 reports whether u encodes a number in [1-2^-10, 1+2^-10).
func isNear1(u uint64) bool {
	const first, end = 0x3feff8 << 40, 0x3ff004 << 40
	return u-first < end-first
}

// Log is crmath.Log.
func Log(x float64) float64 {
	u := math.Float64bits(x)
	if isNear1(u) {
		r := x - 1
		hi, lo := log1pSmall(r)
		if y, ok := ziv(hi, lo, float64(math.Abs(r)*log1pSmallErr)); ok {
			return y
		}
		return logAccurate(x)
	}
	if u-1<<52 >= 0x7fe<<52 {
		return logRare(x)
	}
	k := int64(u-logOffset) >> 52
	kd := float64(k)
	hi, lo := logReduced(u-uint64(k)<<52, 0, float64(kd*logLn2Hi))
	lo += float64(kd * logLn2Lo)
	r, ok := ziv(hi, lo, logErr)
	if !ok {
		return logAccurate(x)
	}
	return r
}

// logReduced returns hi + lo ≈ base + ln(m+t), where u encodes m in [0.6875,
// 1.375), |t| is at most half an ulp of m, and base is a multiple of 2^-42
// below 2^10: 0, or at least 1/4. Where base is 0, |m-1| ≥ 2^-11, or m = 1 and
// t = 0. The error is below 7·2^-76 < 2^-73.1, and |lo| is below 2^-22.
//
// With c from the table, m·c = 1 + r, |r| < 2^-8. m is cut into m1, of 24 bits,
// and m2. a = m1·c - 1 is a multiple of 2^-33 below 2^-8, so that it, its
// square, and its sum with base and the table's first part are exact. b = (m2 +
// t)·c is below 2^-23.
//
//	ln(m+t) = -ln c + a - a²/2 + (b - b·(a + b/2) + r³·(1/3 - …))
//
// Errors, in units of 2^-76, half an ulp of a number below 2^-22:
//
//	1     m2 + t and its product with c, where t is not 0; below 2^-23
//	0.5   b - b·(a + b/2); the product is below 2^-31
//	0.9   r³·(1/3 - …) < 2^-25.5: r, r², r³, the two last sums of 1/3 - …,
//	      the product
//	0.2   the polynomial, with its coefficients (TestLogPolynomials)
//	3     three sums below 2^-22, one of them the caller's
//	1     ziv
//
// Together that is below 6.7. The table's second parts and k·logLn2Lo < 2^-34
// add less than 2^-86.
func logReduced(u uint64, t, base float64) (hi, lo float64) {
	e := &logTable[(u-logOffset)>>(52-logBits)%logCells]
	m1 := math.Float64frombits(u &^ (1<<29 - 1))
	m2 := (math.Float64frombits(u) - m1) + t
	a := float64(m1*e.c) - 1
	b := float64(m2 * e.c)
	s := (base + e.hi) + a
	h := float64(0.5 * float64(a*a))
	hi = s - h
	r := a + b
	r2 := float64(r * r)
	p := (logC3 + float64(r*logC4)) +
		float64(r2*((logC5+float64(r*logC6))+float64(r2*(logC7+float64(r*logC8)))))
	return hi, (((s - hi) - h) + e.lo) +
		((b - float64(b*(a+float64(0.5*b)))) + float64(float64(r*r2)*p))
}

// log1pSmallErr times |r| bounds the error of log1pSmall(r), with room for ziv.
const log1pSmallErr = 0x1p-70

// log1pSmall returns hi + lo ≈ ln(1+r) for |r| ≤ 2^-10, where r is 0 or |r| ≥
// 2^-120. With r1 = head(r), r²/2 is the sum of r1²/2, which is exact, and
// (r-r1)·(r+r1)/2, which is below 2^-25·r². Errors, in units of 2^-53·|r|³/3:
//
//	5.8   r², r·(1/3 - …) and its last two sums, the product; 1/3 - … itself
//	      (TestLogPolynomials)
//	2.4   the last sum, and ziv
//
// Together that is 2.8·2^-53·|r|³ < 2^-71.5·|r|. All else is less than
// 2^-75·|r|.
func log1pSmall(r float64) (hi, lo float64) {
	r1, r2 := head(r), float64(r*r)
	h := float64(0.5 * float64(r1*r1))
	hi = r - h
	p := (log1pC3 + float64(r*log1pC4)) +
		float64(r2*((log1pC5+float64(r*log1pC6))+float64(r2*log1pC7)))
	return hi, ((r - hi) - h) +
		(float64(r2*float64(r*p)) - float64(float64(0.5*(r-r1))*(r+r1)))
}

// logRare is Log where x is not positive, subnormal, +Inf or NaN.
func logRare(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	case !(x <= math.MaxFloat64):
		return x // +Inf, NaN
	}
	m, k := logSubnormal(x)
	hi, lo := logReduced(m, 0, float64(k*logLn2Hi))
	if r, ok := ziv(hi, lo+float64(k*logLn2Lo), logErr); ok {
		return r
	}
	return logAccurate(x)
}

// logSubnormal returns the encoding of m in [0.6875, 1.375), and k, where
// x = 2^k·m is subnormal.
func logSubnormal(x float64) (m uint64, k float64) {
	const scale = 54
	m, k = logSplit(math.Float64bits(x * (1 << scale)))
	return m, k - scale
}

// logSplit returns the encoding of m in [0.6875, 1.375), and k, where u encodes
// 2^k·m.
func logSplit(u uint64) (m uint64, k float64) {
	d := u - logOffset
	return u - d&^(1<<52-1), float64(int64(d) >> 52)
}

// logAccurate is Log for 0 < x < +Inf. Only the result of 1 is representable,
// and none is a midpoint.
func logAccurate(x float64) float64 { return wide.Log.Rounded(x, 0, fp.NearestEven) }

// Log2 is crmath.Log2.
func Log2(x float64) float64 {
	u := math.Float64bits(x)
	if isNear1(u) {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = logProduct(head(hi), hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		if y, ok := ziv(hi, lo, float64(math.Abs(r)*(2*log1pSmallErr))); ok {
			return y
		}
		return log2Accurate(x)
	}
	if u-1<<52 >= 0x7fe<<52 {
		if !(x > 0 && x < 0x1p-1022) {
			return logRare(x)
		}
		m, k := logSubnormal(x)
		hi, lo := logReduced(m, 0, 0)
		hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
		if y, ok := ziv(hi, lo, logErrScaled); ok {
			return y
		}
		return log2Accurate(x)
	}
	k := int64(u-logOffset) >> 52
	hi, lo := logReduced(u-uint64(k)<<52, 0, 0)
	hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo, float64(k), invLn2Hi, invLn2Lo, invLn2)
	if y, ok := ziv(hi, lo, logErrScaled); ok {
		return y
	}
	return log2Accurate(x)
}

// logProduct returns rh + rl = base + (hi + lo)·c, where c = chi + clo, chi has
// 26 bits, h1 is a head of hi with 26 bits at most, and base is 0 or above hi·c
// in magnitude. The product of chi and h1 is exact.
//
// After logReduced, |hi| < 0.38, |lo| < 2^-22, c < 1.45, and h1 is a multiple
// of 2^-26. In units of 2^-76, the error is 4.7·1.45 from before, and 2 each
// for lo·c, for the three sums, all below 2^-21, and for ziv: below 17. For
// log10 k·logLg2Lo is one more, but c is below 1/2, and the error below 8.
//
// After log1pSmall, lo is below 2^-21·|hi|, and hi - h1 is below 2^-25·|hi|.
// The error is 1.45·2^-71.5·|hi| from before, and 5 times 2^-73.8·|hi| for the
// same sums: less than 2^-69.8·|hi|. For log10 it is less by 1/3.
func logProduct(h1, hi, lo, base, chi, clo, c float64) (rh, rl float64) {
	rh, rl = fastTwoSum(base, float64(h1*chi))
	return rh, rl + (float64((hi-h1)*chi) + (float64(hi*clo) + float64(lo*c)))
}

// log2Accurate is Log2 for 0 < x < +Inf. The fast path decides representable
// results, except those of subnormal powers of two, which are exact here too.
// No result is a midpoint.
func log2Accurate(x float64) float64 { return wide.Log2.Rounded(x, 0, fp.NearestEven) }

// Log10 is crmath.Log10.
func Log10(x float64) float64 {
	u := math.Float64bits(x)
	if isNear1(u) {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = logProduct(head(hi), hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		if y, ok := ziv(hi, lo, float64(math.Abs(r)*log1pSmallErr)); ok {
			return y
		}
		return log10Accurate(x)
	}
	if u-1<<52 >= 0x7fe<<52 {
		if !(x > 0 && x < 0x1p-1022) {
			return logRare(x)
		}
		m, k := logSubnormal(x)
		hi, lo := logReduced(m, 0, 0)
		base := float64(k * logLg2Hi)
		hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo, base, invLn10Hi, invLn10Lo, invLn10)
		if y, ok := ziv(hi, lo+float64(k*logLg2Lo), logErrScaled); ok {
			return y
		}
		return log10Accurate(x)
	}
	k := int64(u-logOffset) >> 52
	kd := float64(k)
	hi, lo := logReduced(u-uint64(k)<<52, 0, 0)
	base := float64(kd * logLg2Hi)
	hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo, base, invLn10Hi, invLn10Lo, invLn10)
	if y, ok := ziv(hi, lo+float64(kd*logLg2Lo), logErrScaled); ok {
		return y
	}
	return log10Accurate(x)
}

// log10Accurate is Log10 for 0 < x < +Inf. No result is a midpoint.
func log10Accurate(x float64) float64 { return wide.Log10.Rounded(x, 0, fp.NearestEven) }

// Log1p is crmath.Log1p.
func Log1p(x float64) float64 {
	if magnitude(x) < magnitude(0x1p-10) {
		if magnitude(x) < magnitude(0x1p-54) {
			return x // x²/2 is less than half an ulp
		}
		hi, lo := log1pSmall(x)
		if y, ok := ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr)); ok {
			return y
		}
		return log1pAccurate(x)
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
	if y, ok := ziv(hi, lo+float64(kd*logLn2Lo), logErr); ok {
		return y
	}
	return log1pAccurate(x)
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
func log1pAccurate(x float64) float64 { return wide.Log1p.Rounded(x, 0, fp.NearestEven) }
