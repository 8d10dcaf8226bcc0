package f64

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/crmath/internal/vector"
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

// Log is directed.Log, and crmath.Log to nearest.
func Log(x float64, m fp.Mode) float64 {
	u, shift := math.Float64bits(x), int64(0)
	if isNear1(u) {
		r := x - 1
		hi, lo := log1pSmall(r)
		e := log1pNearErr(r)
		y, ok := ziv(hi, lo, e)
		if !ok || m != fp.NearestEven {
			if y, ok = toward(hi, lo, e, m); !ok {
				return logAccurate(x, m)
			}
		}
		return y
	}
	if u-1<<52 >= 0x7fe<<52 {
		if u-1 >= 1<<52-1 {
			return logSpecial(x)
		}
		u, shift = logSubnormal(u)
	}
	k := int64(u-logOffset) >> 52
	kd := float64(k - shift)
	hi, lo := logReduced(u-uint64(k)<<52, 0, float64(kd*logLn2Hi))
	lo += float64(kd * logLn2Lo)
	r, ok := ziv(hi, lo, logErr)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, logErr, m); !ok {
			return logAccurate(x, m)
		}
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

// log1pNearErr is a closer bound. For small r whose last bits are 0, as next to
// x = 1, r - r²/2 may be representable or a midpoint, and r³/3 decides.
//
// In the terms of log1pSmall, r³ adds 5.8 units of 2^-53·|r|³/3, and one for
// each of the two last sums and for ziv. (r-r1)·(r+r1)/2 adds 2^-77·r², and
// 2^-78·r² in the same three places. The bits of r that hi leaves out, below
// 2^-53·|r|, add 2^-106·|r| in the last sum and in ziv.
func log1pNearErr(r float64) float64 {
	a := math.Abs(r)
	return float64(a * (float64(a*(float64(a*0x1.ap-52)+0x1p-75)) + 0x1p-104))
}

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

// logSubnormal returns the encoding of 2^shift·x, which is normal, where u
// encodes the positive subnormal number x.
func logSubnormal(u uint64) (scaled uint64, shift int64) {
	n := bits.LeadingZeros64(u) - 11
	return u << n, int64(n)
}

// logSpecial is Log where x is not positive, +Inf or NaN.
func logSpecial(x float64) float64 {
	switch {
	case x == 0:
		return math.Inf(-1)
	case x < 0:
		return math.NaN()
	}
	return x
}

// logSplit returns the encoding of m in [0.6875, 1.375), and k, where u encodes
// 2^k·m.
func logSplit(u uint64) (m uint64, k float64) {
	d := u - logOffset
	return u - d&^(1<<52-1), float64(int64(d) >> 52)
}

// logAccurate is Log for 0 < x < +Inf. Only the result of 1 is representable,
// and none is a midpoint.
func logAccurate(x float64, m fp.Mode) float64 {
	if x == 1 {
		return 0
	}
	return wide.Log.Rounded(x, 0, m)
}

// logLane is Log for positive normal x.
func logLane(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if math.Abs(x-1) < 0x1p-10 {
		r := x - 1
		hi, lo := log1pSmall(r)
		return ziv(hi, lo, float64(math.Abs(r)*log1pSmallErr))
	}
	if math.Abs(x-1) < 0x1p-4 {
		m, k := logSplit(u)
		hi, lo := fusedLog0(m, float64(k*logLn2Hi))
		r, ok = ziv(hi, lo+float64(k*logLn2Lo), logErr)
		return r, ok
	}
	hi, lo := quickLn(u)
	r, ok = ziv(hi, lo, lnQuickErr)
	return r, ok && isPositiveNormal(x)
}

func logCall(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if !isNearish(u) {
		hi, lo := quickLn(u)
		r, ok = ziv(hi, lo, lnQuickErr)
		return r, ok && u-1<<52 < 0x7fe<<52
	}
	if isNear1(u) {
		d := x - 1
		hi, lo := log1pSmall(d)
		return ziv(hi, lo, float64(math.Abs(d)*log1pSmallErr))
	}
	m, k := logSplit(u)
	hi, lo := fusedLog0(m, float64(k*logLn2Hi))
	return ziv(hi, lo+float64(k*logLn2Lo), logErr)
}

// LogSlice is crmath.LogSlice.
func LogSlice(dst, x []float64) {
	vector.MapLoop("crmath.LogSlice", dst, x, vector.Each(FastLog), best.log, isPositiveNormal)
}

// Log2 is directed.Log2, and crmath.Log2 to nearest.
func Log2(x float64, m fp.Mode) float64 {
	u, shift := math.Float64bits(x), int64(0)
	if isNear1(u) {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = logProduct(head(hi), hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		e := float64(math.Abs(r) * (2 * log1pSmallErr))
		y, ok := ziv(hi, lo, e)
		if !ok || m != fp.NearestEven {
			if y, ok = toward(hi, lo, e, m); !ok {
				return log2Accurate(x, m)
			}
		}
		return y
	}
	if u-1<<52 >= 0x7fe<<52 {
		if u-1 >= 1<<52-1 {
			return logSpecial(x)
		}
		u, shift = logSubnormal(u)
	}
	k := int64(u-logOffset) >> 52
	hi, lo := logReduced(u-uint64(k)<<52, 0, 0)
	hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo, float64(k-shift), invLn2Hi, invLn2Lo, invLn2)
	y, ok := ziv(hi, lo, logErrScaled)
	if !ok || m != fp.NearestEven {
		if y, ok = toward(hi, lo, logErrScaled, m); !ok {
			return log2Accurate(x, m)
		}
	}
	return y
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

// log2Accurate is Log2 for 0 < x < +Inf. Only the results of powers of two are
// representable, and none is a midpoint.
func log2Accurate(x float64, m fp.Mode) float64 {
	if f, k := math.Frexp(x); f == 0.5 {
		return float64(k - 1)
	}
	return wide.Log2.Rounded(x, 0, m)
}

// log2Lane is Log2 for positive normal x.
func log2Lane(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if math.Abs(x-1) < 0x1p-10 {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		return ziv(hi, lo, float64(math.Abs(r)*(2*log1pSmallErr)))
	}
	if math.Abs(x-1) < 0x1p-4 {
		m, k := logSplit(u)
		hi, lo := fusedLog0(m, 0)
		hi, lo = fusedLogProduct(hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
		r, ok = ziv(hi, lo, logErrScaled)
		return r, ok
	}
	hi, lo := quickLb(u)
	r, ok = ziv(hi, lo, lbQuickErr)
	return r, ok && isPositiveNormal(x)
}

func log2Call(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if !isNearish(u) {
		hi, lo := quickLb(u)
		r, ok = ziv(hi, lo, lbQuickErr)
		return r, ok && u-1<<52 < 0x7fe<<52
	}
	if isNear1(u) {
		d := x - 1
		hi, lo := log1pSmall(d)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		return ziv(hi, lo, float64(math.Abs(d)*(2*log1pSmallErr)))
	}
	m, k := logSplit(u)
	hi, lo := fusedLog0(m, 0)
	hi, lo = fusedLogProduct(hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
	return ziv(hi, lo, logErrScaled)
}

// Log2Slice is crmath.Log2Slice.
func Log2Slice(dst, x []float64) {
	vector.MapLoop("crmath.Log2Slice", dst, x, vector.Each(FastLog2), best.log2, isPositiveNormal)
}

// Log10 is directed.Log10, and crmath.Log10 to nearest.
func Log10(x float64, m fp.Mode) float64 {
	u, shift := math.Float64bits(x), int64(0)
	if isNear1(u) {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = logProduct(head(hi), hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		e := float64(math.Abs(r) * log1pSmallErr)
		y, ok := ziv(hi, lo, e)
		if !ok || m != fp.NearestEven {
			if y, ok = toward(hi, lo, e, m); !ok {
				return log10Accurate(x, m)
			}
		}
		return y
	}
	if u-1<<52 >= 0x7fe<<52 {
		if u-1 >= 1<<52-1 {
			return logSpecial(x)
		}
		u, shift = logSubnormal(u)
	}
	k := int64(u-logOffset) >> 52
	kd := float64(k - shift)
	hi, lo := logReduced(u-uint64(k)<<52, 0, 0)
	base := float64(kd * logLg2Hi)
	hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo, base, invLn10Hi, invLn10Lo, invLn10)
	lo += float64(kd * logLg2Lo)
	y, ok := ziv(hi, lo, logErrScaled)
	if !ok || m != fp.NearestEven {
		if y, ok = toward(hi, lo, logErrScaled, m); !ok {
			return log10Accurate(x, m)
		}
	}
	return y
}

// log10Accurate is Log10 for 0 < x < +Inf. Only the results of powers of ten
// are representable, which are those up to 10^22, and none is a midpoint.
func log10Accurate(x float64, m fp.Mode) float64 {
	for k, p := 0.0, 1.0; p <= x && k <= 22; k, p = k+1, p*10 {
		if p == x {
			return k
		}
	}
	return wide.Log10.Rounded(x, 0, m)
}

// log10Lane is Log10 for positive normal x.
func log10Lane(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if math.Abs(x-1) < 0x1p-10 {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		return ziv(hi, lo, float64(math.Abs(r)*log1pSmallErr))
	}
	if math.Abs(x-1) < 0x1p-4 {
		m, k := logSplit(u)
		hi, lo := fusedLog0(m, 0)
		hi, lo = fusedLogProduct(hi, lo, float64(k*logLg2Hi), invLn10Hi, invLn10Lo, invLn10)
		r, ok = ziv(hi, lo+float64(k*logLg2Lo), logErrScaled)
		return r, ok
	}
	hi, lo := quickLg(u)
	r, ok = ziv(hi, lo, lgQuickErr)
	return r, ok && isPositiveNormal(x)
}

func log10Call(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if !isNearish(u) {
		hi, lo := quickLg(u)
		r, ok = ziv(hi, lo, lgQuickErr)
		return r, ok && u-1<<52 < 0x7fe<<52
	}
	if isNear1(u) {
		d := x - 1
		hi, lo := log1pSmall(d)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		return ziv(hi, lo, float64(math.Abs(d)*log1pSmallErr))
	}
	m, k := logSplit(u)
	hi, lo := fusedLog0(m, 0)
	hi, lo = fusedLogProduct(hi, lo, float64(k*logLg2Hi), invLn10Hi, invLn10Lo, invLn10)
	return ziv(hi, lo+float64(k*logLg2Lo), logErrScaled)
}

// Log10Slice is crmath.Log10Slice.
func Log10Slice(dst, x []float64) {
	vector.MapLoop("crmath.Log10Slice", dst, x, vector.Each(FastLog10), best.log10,
		isPositiveNormal)
}
