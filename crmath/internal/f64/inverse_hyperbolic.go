package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// Error bounds, with room for ziv: of the short series of acosh near 1, times
// d, and of half a logarithm.
const (
	acoshSmallErr = 0x1.8p-54
	atanhErr      = logErr / 2
)

// From logLarge on, √(x²±1) is x for the logarithm of their sum: 1/(4x²) is
// below 2^-78, a quarter of the units of logReduced.
const logLarge = 0x1p38

// Asinh is directed.Asinh, and crmath.Asinh to nearest.
func Asinh(x float64, m fp.Mode) float64 {
	a := math.Abs(x)
	var hi, lo, e float64
	switch {
	case a < 0x1p-5:
		if a < 0x1p-27 {
			return asinhTiny(x, m)
		}
		hi, lo, e = oddSeries(a, asinhC3, asinhC5, asinhC7, asinhC9, asinhC11, asinhC13)
	case a < logLarge:
		hi, lo = asinhReduced(a)
		e = logErr
	case a <= math.MaxFloat64:
		hi, lo = logScaled(0.5*a, 0, 2) // half of a, so that the scale is finite
		e = logErr
	default:
		return x
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, mirrored(m, x)); !ok {
			return wide.Asinh.Rounded(x, 0, m)
		}
	}
	return math.Copysign(r, x)
}

// asinhTiny is Asinh for |x| < 2^-27, where x³/6 is less than half an ulp.
func asinhTiny(x float64, m fp.Mode) float64 {
	if x == 0 {
		return x
	}
	return beside(x, -x, m)
}

// Coefficients of Taylor's series for |x| < 2^-5, and of acosh(1+d)/√(2d) for
// 0 ≤ d < 2^-10.
const (
	asinhC3  = -1.0 / 6
	asinhC5  = 3.0 / 40
	asinhC7  = -5.0 / 112
	asinhC9  = 35.0 / 1152
	asinhC11 = -63.0 / 2816
	asinhC13 = 231.0 / 13312

	atanhC3  = 1.0 / 3
	atanhC5  = 1.0 / 5
	atanhC7  = 1.0 / 7
	atanhC9  = 1.0 / 9
	atanhC11 = 1.0 / 11

	acoshC1 = -1.0 / 12
	acoshC2 = 3.0 / 160
	acoshC3 = -5.0 / 896
	acoshC4 = 35.0 / 18432
	acoshC5 = -63.0 / 90112
)

// oddSeries returns hi + lo ≈ x + c3·x³ + c5·x⁵ + … and a bound e of its error,
// with room for ziv, for 2^-27 ≤ |x| < 2^-5, where |c3| is 1/6 or 1/3 and the
// other coefficients are smaller. Errors, in units of 2^-53·|lo|:
//
//	2     x² and x·x²
//	1.5   c3 and the sum that begins with it
//	0.2   the other terms, and those left out (TestInverseHyperbolicSeries)
//	1     the product
//	1     ziv
//
// That is below 5.8; the bound has 6.
func oddSeries(x, c3, c5, c7, c9, c11, c13 float64) (hi, lo, e float64) {
	x2 := float64(x * x)
	x4 := float64(x2 * x2)
	p := c3 + float64(x2*((c5+float64(x2*c7))+float64(x4*((c9+float64(x2*c11))+float64(x4*c13)))))
	lo = float64(float64(x*x2) * p)
	return x, lo, math.Abs(float64(lo * 0x1.8p-51))
}

// twoSquare is twoProd for x².
func twoSquare(x float64) (p, e float64) {
	p = float64(x * x)
	h := head(x)
	l := x - h
	return p, ((float64(h*h) - p) + float64(2*h*l)) + float64(l*l)
}

// sqrtRest returns √(s+t) - r for r = √s, rounded, where |t| is below 2^-42·s.
// s - r² is exact up to 2^-103·s; the square of the quotient, which is left
// out, is below 2^-87 of r.
func sqrtRest(r, s, t float64) float64 {
	p, q := twoSquare(r)
	return float64((((s - p) - q) + t) * (0.5 / r))
}

// asinhReduced returns hi + lo ≈ asinh x for 2^-5 ≤ x < logLarge, with
// logReduced's error: the sum of x and the square root, which is above x, is
// off by less than 2^-86 of itself.
func asinhReduced(x float64) (hi, lo float64) {
	s, t := twoSquare(x)
	s, u := twoSum(s, 1)
	r := math.Sqrt(s)
	rest := sqrtRest(r, s, t+u)
	s, t = fastTwoSum(r, x)
	return logScaled(s, t+rest, 0)
}

// logScaled returns hi + lo ≈ ln((s + t)·2^shift), where |t| is at most 2^-49·s
// and |s-1| at least 2^-6, with logReduced's error, which has room for ziv.
// There t may be larger than half an ulp: it is added to the last 29 bits of s.
func logScaled(s, t float64, shift int64) (hi, lo float64) {
	u := math.Float64bits(s)
	k := int64(u-logOffset) >> 52
	t *= math.Float64frombits(uint64(1023-k) << 52)
	kd := float64(k + shift)
	hi, lo = logReduced(u-uint64(k)<<52, t, float64(kd*logLn2Hi))
	return hi, lo + float64(kd*logLn2Lo)
}

// asinhLane is Asinh for finite x.
func asinhLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < 0x1p-5 {
		if a < 0x1p-27 {
			return x, true
		}
		return ziv(oddSeries(flushed(x), asinhC3, asinhC5, asinhC7, asinhC9, asinhC11, asinhC13))
	}
	a = flushed(a)
	if a >= logLarge {
		hi, lo := logScaled(0.5*a, 0, 2)
		r, ok = ziv(hi, lo, logErr)
		return withSign(r, x), ok && isFinite(x)
	}
	hi, lo := asinhReduced(a)
	r, ok = ziv(hi, lo, logErr)
	return withSign(r, x), ok
}

func asinhCall(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < 0x1p-5 {
		if a < 0x1p-27 {
			return x, true
		}
		return ziv(oddSeries(x, asinhC3, asinhC5, asinhC7, asinhC9, asinhC11, asinhC13))
	}
	if a >= logLarge {
		hi, lo := fusedLogScaled(float64(0.5*a), 0, 2)
		r, ok = ziv(hi, lo, logErr)
		return withSign(r, x), ok && isFinite(x)
	}
	s := float64(a * a)
	t := math.FMA(a, a, -s)
	s, u := twoSum(s, 1)
	h := math.Sqrt(s)
	rest := fusedRest(h, s, t+u)
	s, t = fastTwoSum(h, a)
	hi, lo := fusedLogScaled(s, t+rest, 0)
	r, ok = ziv(hi, lo, logErr)
	return withSign(r, x), ok
}

// AsinhSlice is crmath.AsinhSlice.
func AsinhSlice(dst, x []float64) {
	vector.MapLoop("crmath.AsinhSlice", dst, x, vector.Each(FastAsinh), best.asinh, isFinite)
}

// fusedRest is sqrtRest.
func fusedRest(r, s, t float64) float64 { return float64((math.FMA(-r, r, s) + t) * (0.5 / r)) }

// fusedLogScaled is logScaled.
func fusedLogScaled(s, t float64, shift int64) (hi, lo float64) {
	u := math.Float64bits(s)
	k := int64(u-logOffset) >> 52
	t *= math.Float64frombits(uint64(1023-k) << 52)
	kd := float64(k + shift)
	hi, lo = fusedLog(u-uint64(k)<<52, t, float64(kd*logLn2Hi))
	return hi, lo + float64(kd*logLn2Lo)
}

// Acosh is directed.Acosh, and crmath.Acosh to nearest.
func Acosh(x float64, m fp.Mode) float64 {
	var hi, lo, e float64
	switch {
	case !(1 < x && x <= math.MaxFloat64):
		return acoshRare(x)
	case x < 1+0x1p-10:
		hi, lo, e = acoshSmall(x - 1)
	case x < logLarge:
		hi, lo = acoshReduced(x)
		e = logErr
	default:
		hi, lo = logScaled(0.5*x, 0, 2)
		e = logErr
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, m); !ok {
			return wide.Acosh.Rounded(x, 0, m)
		}
	}
	return r
}

// acoshReduced is asinhReduced for acosh x, 1 + 2^-10 ≤ x < logLarge.
func acoshReduced(x float64) (hi, lo float64) {
	s, t := twoSquare(x)
	s, u := fastTwoSum(s, -1)
	r := math.Sqrt(s)
	rest := sqrtRest(r, s, t+u)
	s, t = fastTwoSum(x, r)
	return logScaled(s, t+rest, 0)
}

// acoshSmall returns hi + lo ≈ acosh(1+d) = √(2d)·(1 - d/12 + …) for 2^-52 ≤ d
// < 2^-10, and a bound of its error, with room for ziv. Errors, in units of
// 2^-53·√(2d)·d/12:
//
//	2     √(2d) rounded, in the product with -d/12 + …; that product
//	1     the product of d with -1/12 + …
//	1.7   -1/12 and the sum that begins with it; the terms left out
//	      (TestInverseHyperbolicSeries)
//	2     the last sum, and ziv
//
// Together that is below 7; the bound has 9. Where the rest of the square root
// is larger, the sum loses 2^-106 of the root.
func acoshSmall(d float64) (hi, lo, e float64) {
	r := math.Sqrt(2 * d)
	d2 := float64(d * d)
	p := acoshC1 + (float64(d*(acoshC2+float64(d*acoshC3))) +
		float64(d2*float64(d*(acoshC4+float64(d*acoshC5)))))
	lo = sqrtRest(r, float64(2*d), 0) + float64(r*float64(d*p))
	return r, lo, float64(r * (float64(d*acoshSmallErr) + 0x1p-104))
}

// acoshRare is Acosh where x is at most 1, +Inf or NaN.
func acoshRare(x float64) float64 {
	switch {
	case x == 1:
		return 0
	case x < 1:
		return math.NaN()
	}
	return x
}

func inAcosh(x float64) bool { return 1 < x && x <= math.MaxFloat64 }

// acoshLane is Acosh for finite x > 1.
func acoshLane(x float64) (r float64, ok bool) {
	if x < 1+0x1p-10 {
		r, ok = ziv(acoshSmall(x - 1))
		return r, ok && x > 1
	}
	if x >= logLarge {
		hi, lo := logScaled(0.5*x, 0, 2)
		r, ok = ziv(hi, lo, logErr)
		return r, ok && x <= math.MaxFloat64
	}
	hi, lo := acoshReduced(x)
	return ziv(hi, lo, logErr)
}

func acoshCall(x float64) (r float64, ok bool) {
	if x < 1+0x1p-10 {
		r, ok = ziv(acoshSmall(x - 1))
		return r, ok && x > 1
	}
	if x >= logLarge {
		hi, lo := fusedLogScaled(float64(0.5*x), 0, 2)
		r, ok = ziv(hi, lo, logErr)
		return r, ok && isFinite(x)
	}
	s := float64(x * x)
	t := math.FMA(x, x, -s)
	s, u := fastTwoSum(s, -1)
	h := math.Sqrt(s)
	rest := fusedRest(h, s, t+u)
	s, t = fastTwoSum(x, h)
	hi, lo := fusedLogScaled(s, t+rest, 0)
	return ziv(hi, lo, logErr)
}

// AcoshSlice is crmath.AcoshSlice.
func AcoshSlice(dst, x []float64) {
	vector.MapLoop("crmath.AcoshSlice", dst, x, vector.Each(FastAcosh), best.acosh, inAcosh)
}

// Atanh is directed.Atanh, and crmath.Atanh to nearest.
func Atanh(x float64, m fp.Mode) float64 {
	a := math.Abs(x)
	var hi, lo, e float64
	switch {
	case a < 0x1p-6:
		if a < 0x1p-27 {
			return atanhTiny(x, m)
		}
		hi, lo, e = oddSeries(a, atanhC3, atanhC5, atanhC7, atanhC9, atanhC11, 0)
	case a < 1:
		hi, lo = atanhReduced(a)
		e = atanhErr
	default:
		return atanhRare(x)
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, mirrored(m, x)); !ok {
			return wide.Atanh.Rounded(x, 0, m)
		}
	}
	return math.Copysign(r, x)
}

// atanhTiny is Atanh for |x| < 2^-27, where x³/3 is less than half an ulp.
func atanhTiny(x float64, m fp.Mode) float64 {
	if x == 0 {
		return x
	}
	return beside(x, x, m)
}

// atanhReduced returns hi + lo ≈ atanh x = ln((1+x)/(1-x))/2 for 2^-6 ≤ x < 1,
// with half of logReduced's error. 1 ± x is the sum of two numbers exactly, and
// so is the remainder of the quotient q, up to 2^-103 of 1+x. Together with the
// second parts it is below 2^-51·(1+x), and what it leaves out is below 2^-100
// of the quotient, which is at least 1 + 2^-5.
func atanhReduced(x float64) (hi, lo float64) {
	s, t := fastTwoSum(1, x)
	d, u := fastTwoSum(1, -x)
	q := s / d
	p, e := twoProd(q, d)
	rest := ((s - p) - e) + (t - float64(q*u))
	hi, lo = logScaled(q, float64(rest*(1/d)), 0)
	return 0.5 * hi, 0.5 * lo
}

// atanhRare is Atanh where |x| ≥ 1, or x is NaN.
func atanhRare(x float64) float64 {
	if math.Abs(x) == 1 {
		return math.Inf(int(x)) //lastbit:ignore floatconv x is 1 or -1
	}
	return math.NaN()
}

// atanhLane is Atanh for |x| < 1.
func atanhLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < 0x1p-6 {
		if a < 0x1p-27 {
			return x, true
		}
		return ziv(oddSeries(flushed(x), atanhC3, atanhC5, atanhC7, atanhC9, atanhC11, 0))
	}
	hi, lo := atanhReduced(flushed(a))
	r, ok = ziv(hi, lo, atanhErr)
	return withSign(r, x), ok && inUnit(x)
}

func atanhCall(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < 0x1p-6 {
		if a < 0x1p-27 {
			return x, true
		}
		return ziv(oddSeries(x, atanhC3, atanhC5, atanhC7, atanhC9, atanhC11, 0))
	}
	if !(a < 1) {
		return 0, false
	}
	s, t := fastTwoSum(1, a)
	d, u := fastTwoSum(1, -a)
	inv := 1 / d
	q := s / d
	rest := math.FMA(-q, d, s) + (t - float64(q*u))
	hi, lo := fusedLogScaled(q, float64(rest*inv), 0)
	r, ok = ziv(float64(0.5*hi), float64(0.5*lo), atanhErr)
	return withSign(r, x), ok
}

// AtanhSlice is crmath.AtanhSlice.
func AtanhSlice(dst, x []float64) {
	vector.MapLoop("crmath.AtanhSlice", dst, x, vector.Each(FastAtanh), best.atanh, inUnit)
}
