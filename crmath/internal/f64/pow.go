package f64

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// Error bounds of the exponent y·ln x, times 2.01, which bounds a power before
// it is scaled: relative, and for |y|.
const (
	powErrRelative = 0x1.7p-70
	powErrFactor   = 0x1.7p-80
)

// Below powTiny, y·ln x is below 2^-90. A product with y may be subnormal,
// which takes time.
const powTiny = 0x1p-100

// Pow is directed.Pow, and crmath.Pow to nearest.
func Pow(x, y float64, m fp.Mode) float64 {
	if y == 2 && m == fp.NearestEven {
		return float64(x * x) // one rounding, as in the root below
	}
	u, shift := math.Float64bits(x), 0
	if u-1<<52 >= 0x7fe<<52 {
		if u-1 >= 1<<52-1 {
			return powRare(x, y, m)
		}
		shift = bits.LeadingZeros64(u) - 11 // subnormal
		u <<= shift
	}
	if y == 0.5 && m == fp.NearestEven {
		return math.Sqrt(x)
	}
	k := int64(u-logOffset) >> 52
	hi, lo := powLog(u-uint64(k)<<52, float64(k-int64(shift)))
	if magnitude(y) < magnitude(powTiny) {
		if y == 0 || x == 1 {
			return 1
		}
		return powNear1(x, y, m)
	}
	p := float64(y * hi)
	far := magnitude(p)-magnitude(tiny) >= magnitude(708)-magnitude(tiny)
	if far {
		if r, ok := powFar(x, y, p, m); ok {
			return r
		}
	}
	// y·ln x = p + t, where t is below 2^-19·|p|.
	p, t := twoProd(y, hi)
	p, t = fastTwoSum(p, t+float64(y*lo))
	// p + t = j·ln2/256 + rh + rl. Even where rh is below rl, fastTwoSum's
	// error is less than 2^-96.
	j, rh, rl := splitSteps(p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl+t)
	hi, lo = expReduced(j, rh, rl)
	e := expErr + min(float64(math.Abs(p)*powErrRelative), float64(math.Abs(y)*powErrFactor))
	if far {
		r, ok := scaleFar(hi, lo, e, j, m)
		if !ok {
			return powAccurate(x, y, m)
		}
		return r
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, m); !ok {
			return powAccurate(x, y, m)
		}
	}
	return scale(r, j)
}

// powLog returns hi + lo ≈ k·ln 2 + ln m, where u encodes m in [0.6875, 1.375)
// and k is an integer below 2^11. Its error, together with the errors of the
// two last operations in the product with y, is below 2^-80.5, and below
// 2^-70.5 of the logarithm. |lo| is below 2^-30, and below 2^-20 of the
// logarithm.
//
// With c from the table, m·c = 1 + r, |r| < 2^-10. m is rounded to m1, of 24
// bits; the rest m2 may be negative. a = m1·c - 1 is a multiple of 2^-35 below
// 2^-9.9, so that it is exact, and so are its square and its sum with
// k·logLn2Hi and the table's first part, multiples of 2^-42 below 2^10. b =
// m2·c ≤ 2^-24·c, of 41 bits, is exact too. Where c is 1, a is 0 or at least
// 2·|b|, so that a ≤ 2·|r|.
//
//	ln m = -ln c + a - a²/2 + b + (r³·(1/3 - …) - b·(a + b/2))
//
// The sums of all terms but that in parentheses keep their rounding errors.
// Other errors, in units of 2^-74·|r|:
//
//	5.6   r³·(1/3 - …) < 2^-21.5·|r|: 8.3 units of 2^-53 of it for r (which
//	      counts three times), r², r³, the two last sums of 1/3 - …, its
//	      coefficients (TestLogPolynomials), the product
//	0.4   b·(a + b/2) ≤ 1.5·2^-24·|r|
//	3     three sums below 2^-21·|r|
//	2     lo·y, and the sum after that
//
// Together that is 11 = 2^3.5. Where c is 1 and k is 0, r is the logarithm up
// to 2^-10 of it, and all terms of the table are 0. Elsewhere |r| < 2^-10.4 and
// the logarithm is at least 2^-10.1, or |r| < 2^-10.7 and it is at least 2^-11.
// The table's second parts and k·logLn2Lo < 2^-33 add less than 2^-86 there,
// and the cube of r makes the bound smaller by more than that.
func powLog(u uint64, k float64) (hi, lo float64) {
	e := &powLogTable[(u-logOffset)>>(52-powLogBits)%powLogCells]
	m1 := math.Float64frombits((u + 1<<28) &^ (1<<29 - 1))
	a := float64(m1*e.c) - 1
	b := float64((math.Float64frombits(u) - m1) * e.c)
	s := (float64(k*logLn2Hi) + e.hi) + a
	h := float64(0.5 * float64(a*a))
	d, d1 := fastTwoSum(s, -h)
	hi, d2 := fastTwoSum(d, b)
	r := a + b
	r2 := float64(r * r)
	p := (log1pC3 + float64(r*log1pC4)) +
		float64(r2*((log1pC5+float64(r*log1pC6))+float64(r2*log1pC7)))
	return hi, ((d1 + d2) + (e.lo + float64(k*logLn2Lo))) +
		(float64(float64(r*r2)*p) - float64(b*(a+float64(0.5*b))))
}

// powRare is Pow where x is negative, ±0, infinite or NaN.
func powRare(x, y float64, m fp.Mode) float64 {
	switch {
	case y == 0:
		return 1
	case x != x || y != y:
		return math.NaN()
	}
	//lastbit:ignore floatconv below 2^53
	odd := math.Abs(y) < 1<<53 && y == math.Trunc(y) && int64(y)&1 != 0
	negative := odd && math.Signbit(x)
	if negative {
		m = mirrored(m, x)
	}
	var r float64
	switch a := math.Abs(x); {
	case a == 0 || a > math.MaxFloat64:
		if (a == 0) == (y < 0) {
			r = math.Inf(1)
		}
	case y != math.Trunc(y): // x is negative
		return math.NaN()
	default:
		r = Pow(a, y, m)
	}
	if negative {
		return -r
	}
	return r
}

// powFar is Pow for positive finite x, where p is y·ln x up to 2^-18 of it, and
// below tiny or at least 708 in magnitude, infinite or NaN; so may y be. It
// returns false for results near the ends of the range.
func powFar(x, y, p float64, m fp.Mode) (r float64, ok bool) {
	switch {
	case x == 1 || y == 0:
		return 1, true
	case math.Abs(p) < tiny:
		return powNear1(x, y, m), true
	case y-y != 0: // the powers of infinite y are 0 and +Inf, exactly
		return max(p, 0), true
	case p > 710:
		return overflow(1, m), true
	case p < -746:
		return underflow(1, m), true
	}
	return 0, false
}

// powNear1 is Pow where |y·ln x| is below 2^-56, but not 0.
func powNear1(x, y float64, m fp.Mode) float64 {
	if (x > 1) == (y > 0) {
		return beside(1, 1, m)
	}
	return beside(1, -1, m)
}

// powAccurate is Pow for positive finite x and |y·ln x| < 2^10. Where |y| is
// below 2^-66 the logarithm's 2^9.6 makes a power less than 2^-56 away from 1.
// Elsewhere the precision grows until the result is decided.
//
// It ends. wide.ExactPow takes all pairs whose power is representable or a
// midpoint, and some precision distinguishes any other power from those. The
// number of bits that this takes is not known. Linear forms in two logarithms
// have proven bounds of some 10^13 bits. But if the powers of the 2^128 pairs
// had random digits, the worst would need 120 bits or so (LauterLefevre2009),
// and the likelihood that any needs more than the 896 of wide.PowLast is below
// 2^-700. The loop ends there. Its result would be wrong if the power were on
// the other side of a midpoint, or of a representable number, within 2^-840
// ulps.
func powAccurate(x, y float64, m fp.Mode) float64 {
	switch {
	case x == 1 || y == 0:
		return 1
	case math.Abs(y) < 0x1p-66:
		return powNear1(x, y, m)
	}
	if r, ok := wide.TryPow(x, y, m); ok {
		return r
	}
	if r, ok := wide.ExactPow(x, y, m); ok {
		return r
	}
	for n := wide.First; ; n = wide.LongerPow(n) {
		var z wide.Float
		z.SetPow(x, y, n)
		if r, ok := z.Rounded(n, m); ok || n == wide.PowLast {
			return r
		}
	}
}

func inPow(x, y float64) bool { return isPositiveNormal(x) && isFinite(y) }

// powLane is Pow for positive normal x and normal results.
func powLane(x, y float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	m, k := logSplit(u)
	hi, lo := powLog(m, k)
	y = flushed(y)
	p := float64(y * hi)
	t := math.FMA(y, hi, -p)
	near := math.Abs(p) < 708
	p, t = fastTwoSum(p, t+float64(y*lo))
	j, rh, rl := fusedSplit(p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl+t)
	hi, lo = fusedExp(j, rh, rl)
	r, ok = ziv(hi, lo,
		expErr+min(float64(math.Abs(p)*powErrRelative), float64(math.Abs(y)*powErrFactor)))
	return scale(r, j), ok && near && isPositiveNormal(x)
}

func powCall(x, y float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if u-1<<52 >= 0x7fe<<52 {
		return 0, false
	}
	if magnitude(y) < magnitude(powTiny) {
		return 1, true
	}
	m, k := logSplit(u)
	hi, lo := powLog(m, k)
	p := float64(y * hi)
	if magnitude(p)-magnitude(tiny) >= magnitude(708)-magnitude(tiny) {
		return 1 + p, magnitude(p) < magnitude(tiny)
	}
	t := math.FMA(y, hi, -p)
	p, t = fastTwoSum(p, t+float64(y*lo))
	j, rh, rl := fusedSplit(p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl+t)
	hi, lo = fusedExp(j, rh, rl)
	r, ok = ziv(hi, lo,
		expErr+min(float64(math.Abs(p)*powErrRelative), float64(math.Abs(y)*powErrFactor)))
	return scale(r, j), ok
}

// PowSlice is crmath.PowSlice.
func PowSlice(dst, x, y []float64) {
	vector.MapLoop2("crmath.PowSlice", dst, x, y, vector.Each2(FastPow), best.pow, inPow)
}
