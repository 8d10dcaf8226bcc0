package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// From lgammaLarge on, ln Γ(x) is above the largest number by half an ulp at
// least.
const lgammaLarge = 0x1.754d9278b51a8p+1014

// From lgammaHuge on, the terms of Stirling's series do not matter.
const lgammaHuge = 0x1p50

// Lgamma is directed.Lgamma, and crmath.Lgamma to nearest.
func Lgamma(x float64, m fp.Mode) (lgamma float64, sign int) {
	var hi, lo, e float64
	up := 1.0
	switch {
	case lgammaFar <= x && x < lgammaHuge:
		hi, lo, e = lgammaShort(x)
	case gammaLast <= x && x < lgammaFar:
		hi, lo, e = lgammaStirling(x)
	case lgammaNear <= x && x < gammaLast:
		if x == 1 || x == 2 {
			return 0, 1
		}
		hi, lo, e = lgammaProduct(x)
	case tiny <= x && x < lgammaNear:
		hi, lo, e = lgammaBelow(x)
	case lgammaHuge <= x && x < lgammaLarge:
		hi, lo, e = lgammaAbove(x)
		up = 0x1p100
	case !(-0x1p52 < x && x < tiny) || x == math.Floor(x):
		return lgammaRare(x, m)
	case x > -tiny:
		hi, lo = lnParts(math.Abs(x), 0)
		hi, lo, e = -hi, -lo, logErr
	default:
		hi, lo, e = lgammaNegative(x)
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, m); !ok {
			return lgammaAccurate(x, m), gammaSign(x)
		}
	}
	return float64(r * up), gammaSign(x)
}

// LgammaSign returns the sign that Lgamma has for x: 1 or, where Γ(x) is
// negative, -1.
func LgammaSign(x float64) int {
	if x >= 0 || x == math.Floor(x) {
		return 1
	}
	return gammaSign(x)
}

// lgammaRare is Lgamma where x is 0, a negative integer, at least lgammaLarge,
// infinite or NaN.
func lgammaRare(x float64, m fp.Mode) (lgamma float64, sign int) {
	switch {
	case x != x || math.IsInf(x, 0):
		return x, 1
	case x <= 0:
		return math.Inf(1), 1
	}
	return overflow(1, m), 1
}

// lgammaAbove returns hi + lo ≈ 2^-100·ln Γ(x) and a bound of the error, with
// room for ziv, for lgammaHuge ≤ x < lgammaLarge:
//
//	2^-100·(x·(ln x - 1) + (ln(2π) - ln x)/2)
//
// The logarithm and its product are off by 2^-80.5·x (powLog). The rest of
// Stirling's series, and the rounding of the term after x·(ln x - 1), below
// 2^-45·x, lose less than 2^-96·x. The last sums are below 2^-29·x and lose
// 2^-81·x.
func lgammaAbove(x float64) (hi, lo, e float64) {
	u := math.Float64bits(x)
	k := int64(u-logOffset) >> 52
	lh, ll := powLog(u-uint64(k)<<52, float64(k))
	y := float64(x * 0x1p-100)
	p, t := twoProd(y, lh)
	s, e1 := fastTwoSum(p, -y)
	constant := float64((stirlingHalfHi - float64(lh*0.5)) * 0x1p-100)
	return s, (t + float64(y*ll)) + (e1 + constant), float64(y * 0x1p-79)
}

// lgammaStirling returns hi + lo ≈ ln Γ(x), |lo| ≤ 2^-52·|hi|, and a bound of
// the error, for gammaLast ≤ x < lgammaHuge: lgammaSum with the terms
//
//	1/(12x) + c3/x³ + c5/x⁵ + …
//
// 1/x = r + rl, to 2^-105 of it; the product with r's head is exact, and the
// parts of 1/(12x) after the first, below 2^-32, lose less than 2^-84. Errors,
// in units of 2^-53·c3/x³:
//
//	5    r³·(c3 + …), where r is off by one unit, and r² and r³ are rounded
//	3    c3 + …: its first coefficient, the last sum, the product
//	0.5  the polynomial: 2^-62.9/x³ (TestStirlingPolynomial)
//	3    the last three sums, here and in lgammaSum
//
// As c3 is 1/360, that is below 2^-58·r³.
func lgammaStirling(x float64) (hi, lo, e float64) {
	r := 1 / x
	q, ql := twoProd(x, r)
	rl := float64(((1 - q) - ql) * r)
	r1 := head(r)
	r2 := float64(r * r)
	r4 := float64(r2 * r2)
	c := (stirlingC3 + float64(r2*stirlingC5)) + float64(r4*((stirlingC7+float64(r2*stirlingC9))+
		float64(r4*((stirlingC11+float64(r2*stirlingC13))+
			float64(r4*((stirlingC15+float64(r2*stirlingC17))+
				float64(r4*(stirlingC19+float64(r2*stirlingC21)))))))))
	r3 := float64(r * r2)
	rest := float64(r3*c) + (float64(((r-r1)+rl)*stirlingFirstHi) + float64(r*stirlingFirstLo))
	hi, lo = lgammaSum(x, float64(r1*stirlingFirstHi), rest)
	return hi, lo, float64(r3*0x1p-58) + float64(x*0x1p-79)
}

// From lgammaFar on, ln Γ(x) is above 2^7.6, and few terms of Stirling's series
// suffice for it.
const lgammaFar = 64

// lgammaShort is lgammaStirling for lgammaFar ≤ x < lgammaHuge, with one number
// for 1/(12x) - 1/(360x³) + 1/(1260x⁵) - 1/(1680x⁷). The terms that are left
// out are below 2^-63·r, and the first one loses four units of 2^-53 of it,
// with the last sums: less than 2^-54·r.
func lgammaShort(x float64) (hi, lo, e float64) {
	r := 1 / x
	r2 := float64(r * r)
	terms := float64(r * (1.0/12 -
		float64(r2*(1.0/360-float64(r2*(1.0/1260-float64(r2*(1.0/1680))))))))
	hi, lo = lgammaSum(x, 0, terms)
	return hi, lo, float64(r*0x1p-54) + float64(x*0x1p-79)
}

// lgammaSum returns hi + lo, |lo| ≤ 2^-52·|hi|, for gammaLast ≤ x < lgammaHuge:
//
//	(x - 1/2)·ln x - x + ln(2π)/2 + first + rest
//
// x - 1/2 is exact. The logarithm and its product are off by 2^-80.5·x
// (powLog). All sums but the last three keep their rounding errors. Except for
// rest, what these add is below 2^-29·x, and loses less than 2^-81·x.
func lgammaSum(x, first, rest float64) (hi, lo float64) {
	u := math.Float64bits(x)
	k := int64(u-logOffset) >> 52
	lh, ll := powLog(u-uint64(k)<<52, float64(k))
	y := x - 0.5
	p, t := twoProd(y, lh)
	t += float64(y * ll)
	s, e1 := fastTwoSum(p, -x)
	s, e2 := fastTwoSum(s, stirlingHalfHi)
	s, e3 := fastTwoSum(s, first)
	return fastTwoSum(s, (t+((e1+e2)+(e3+stirlingHalfLo)))+rest)
}

// lgammaProduct returns hi + lo ≈ ln Γ(x) = (x-1)·(x-2)·q and a bound of the
// error, with room for ziv, for lgammaNear ≤ x < gammaLast. x - 1 is exact, and
// x - 2 is the sum of two numbers. The products lose less than 2^-100 of them.
func lgammaProduct(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	q, ql, e := lgammaTable[(i-lgammaFirst)%uint64(len(lgammaTable))].at(h, expansionErrSquare)
	q, ql = fastTwoSum(q, ql)
	y, yl := twoSum(x, -2)
	p, pl := twoProd(x-1, y)
	pl += float64((x - 1) * yl)
	hi, lo = twoProd(p, q)
	lo += float64(p*ql) + float64(pl*q)
	return hi, lo, float64(math.Abs(p)*e) + float64(math.Abs(hi)*0x1p-99)
}

// lgammaBelow returns hi + lo ≈ ln Γ(x) = x·q - ln x and a bound of the error,
// with room for ziv, for tiny ≤ x < lgammaNear, where q = ln Γ(1+x)/x. To the
// logarithm's error and x times q's error it adds the errors of the last two
// sums, below 2^-21, and of products below 2^-53·x: less than 2^-73.
func lgammaBelow(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	q, ql, e := lgamma1pTable[i%uint64(len(lgamma1pTable))].at(h, expansionErrSquare)
	q, ql = fastTwoSum(q, ql)
	lh, ll := lnParts(x, 0)
	p, pl := twoProd(x, q)
	hi, s := twoSum(-lh, p)
	return hi, (s - ll) + (pl + float64(x*ql)), float64(x*math.Abs(e)) + 2*logErr
}

// lnParts returns hi + lo ≈ ln(x + t), to logErr, for positive x that may be
// subnormal where t is 0, and |t| of at most half an ulp.
func lnParts(x, t float64) (hi, lo float64) {
	u, shift := math.Float64bits(x), int64(0)
	if x < 0x1p-1022 {
		u, shift = logSubnormal(u)
	}
	k := int64(u-logOffset) >> 52
	kd := float64(k - shift)
	t *= math.Float64frombits(uint64(1023-k) << 52)
	hi, lo = logReduced(u-uint64(k)<<52, t, float64(kd*logLn2Hi))
	return hi, lo + float64(kd*logLn2Lo)
}

// lgammaNegative returns hi + lo ≈ ln |Γ(x)| and a bound of the error, with
// room for ziv, for -2^52 < x ≤ -tiny that is not an integer: the logarithm of
// gammaShifted, or by the reflection formula
//
//	ln π - ln |x·sin(πx)| - ln Γ(-x).
//
// A relative error of the argument of a logarithm is an absolute one of it. The
// last sums are below 2^-20, or 2^-51 of the largest part, and lose less than
// 2^-72.
func lgammaNegative(x float64) (hi, lo, e float64) {
	if x > -gammaLast {
		g, gl, ge := gammaShifted(x)
		g, gl = fastTwoSum(g, gl)
		if g < 0 {
			g, gl = -g, -gl
		}
		hi, lo = lnParts(g, gl)
		return hi, lo, float64(ge/g*(1+0x1p-40)) + 2*logErr
	}
	d, dl, de := sinPi(-x)
	lh, ll := lnParts(d, dl)
	var p, t, pe float64
	if x > -lgammaHuge {
		p, t, pe = lgammaStirling(-x)
	} else {
		p, t, pe = lgammaAbove(-x)
		p, t, pe = p*0x1p100, t*0x1p100, pe*0x1p100
	}
	s, e1 := twoSum(p, lh)
	s, e2 := twoSum(s, -lnPiHi)
	hi, lo = -s, -((t + ll) + ((e1 + e2) - lnPiLo))
	return hi, lo, pe + (float64(de/d*(1+0x1p-40)) + (float64(s*0x1p-100) + 4*logErr))
}

// lgammaAccurate is ln |Γ(x)| for finite x that is neither a pole nor 1 or 2,
// as gammaAccurate is Γ(x): ln |Γ(x)| of integers and of halves of odd numbers
// is the logarithm of an algebraic number other than 1, and irrational.
func lgammaAccurate(x float64, m fp.Mode) float64 { return wide.Lgamma.Rounded(x, 0, m) }

func inLgamma(x float64) bool { return tiny <= x && x < lgammaHuge }

// lgammaLane is Lgamma for tiny ≤ x < lgammaHuge, except for 1 and 2.
func lgammaLane(x float64) (r float64, ok bool) {
	if x < lgammaNear {
		r, ok = ziv(fusedLgammaBelow(bounded(x, tiny, lgammaNear)))
		return r, ok && x >= tiny
	}
	if x < gammaLast {
		r, ok = ziv(fusedLgammaProduct(x))
		return r, ok && !(x == 1 || x == 2)
	}
	r, ok = ziv(fusedLgammaFar(bounded(x, gammaLast, lgammaHuge)))
	return r, ok && inLgamma(x)
}

func lgammaCall(x float64) (r float64, ok bool) {
	if x < gammaLast {
		if x < lgammaNear {
			if u := magnitude(x); u < magnitude(tiny) {
				hi, lo := fusedLn(math.Float64frombits(u))
				r, ok = ziv(-hi, -lo, logErr)
				return r, ok && u >= 1<<52
			}
			r, ok = ziv(fusedLgammaBelow(x))
			return r, ok && x >= tiny
		}
		r, ok = ziv(fusedLgammaProduct(x))
		return r, ok && !(x == 1 || x == 2)
	}
	r, ok = ziv(fusedLgammaFar(x))
	return r, ok && x < lgammaLarge
}

// LgammaSlice is crmath.LgammaSlice.
func LgammaSlice(dst, x []float64) {
	vector.MapLoop("crmath.LgammaSlice", dst, x, vector.Each(FastLgamma), best.lgamma, inLgamma)
}

// fusedLgammaFar returns hi + lo ≈ ln Γ(x) and a bound of the error, with room
// for ziv, for gammaLast ≤ x < lgammaLarge. One number holds the terms of 1/x,
// which are below r/12, and from 2^60 on do not matter. ll is below 2^-16.
// Errors, in units of 2^-53·r and of 2^-53·x:
//
//	0.26  2^-13    the terms: r, the sum with c3/x² …, the product; of the
//	               logarithm
//	-     2^-14.4  three sums of fusedStirling
//	0.09  2^-16    their sum
//	0.17  2^-15    ziv
//
// Together that is below 0.52 and 2^-12.2.
func fusedLgammaFar(x float64) (hi, lo, e float64) {
	r := 1 / min(x, 0x1p60)
	r2 := float64(r * r)
	terms := float64(r * math.FMA(r2, stirlingSeries(r2), stirlingFirst))
	base, y, rest := quickLnParts(math.Float64bits(x))
	lh, ll := fastTwoSum(base-1, y)
	s, t := fusedStirling(x, lh, ll+rest)
	return s, t + terms, math.FMA(r, 0x1.2p-54, float64(x*0x1.cp-66))
}

// fusedLgammaProduct is lgammaProduct. For x ≤ 2 the sum with -2 has the larger
// summand first, and beyond it is exact.
func fusedLgammaProduct(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	q, ql, e := lgammaTable[(i-lgammaFirst)%uint64(len(lgammaTable))].fusedAt(h, expansionErrSquare)
	q, ql = fastTwoSum(q, ql)
	y, yl := fastTwoSum(-2, x)
	x1 := x - 1
	p := float64(x1 * y)
	pl := math.FMA(x1, y, -p) + float64(x1*yl)
	hi = float64(p * q)
	lo = math.FMA(p, q, -hi) + math.FMA(p, ql, float64(pl*q))
	return hi, lo, math.FMA(math.Abs(p), e, float64(math.Abs(hi)*0x1p-99))
}

// fusedLgammaBelow is lgammaBelow. |ln x| is above |x·q|.
func fusedLgammaBelow(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	q, ql, e := lgamma1pTable[i%uint64(len(lgamma1pTable))].fusedAt(h, expansionErrSquare)
	q, ql = fastTwoSum(q, ql)
	lh, ll := fusedLn(x)
	p := float64(x * q)
	hi, s := fastTwoSum(-lh, p)
	return hi, (s - ll) + math.FMA(x, ql, math.FMA(x, q, -p)), math.FMA(x, math.Abs(e), 2*logErr)
}

// fusedLn returns hi + lo ≈ ln x, to logErr, for positive normal x that is not
// within 2^-11 of 1.
func fusedLn(x float64) (hi, lo float64) {
	m, k := logSplit(math.Float64bits(x))
	hi, lo = fusedLog0(m, float64(k*logLn2Hi))
	return hi, lo + float64(k*logLn2Lo)
}
