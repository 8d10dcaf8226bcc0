package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

const (
	// Γ(172) is above the largest number. Below -186, between poles at least
	// 2^-45 away, |Γ| is below 2^-1080.
	gammaLarge = 172
	gammaLeast = -186

	// Up to gammaNormalEnd, Γ(x) is below 2^1023.9. Above gammaNormalBegin,
	// |Γ(x)| is above 2^-1022.
	gammaNormalBegin = -170
	gammaNormalEnd   = 171.6

	// gammaExact is the last integer n with a representable (n-1)!: 22! has 51
	// significant bits, 23! has 56, and more have more. No factorial has 54.
	gammaExact = 23
)

// Gamma is directed.Gamma, and crmath.Gamma to nearest.
func Gamma(x float64, m fp.Mode) float64 {
	var hi, lo, e float64
	var k uint64
	switch {
	case 1 <= x && x < gammaLast:
		i, h := expansionPoint(x, 0x1.8p45)
		hi, lo, e = gammaTable[(i-gammaFirst)%uint64(len(gammaTable))].at(h, expansionErrSquare)
	case gammaLast <= x && x < gammaNormalEnd:
		k, hi, lo, e = gammaStirling(x)
	case !(gammaNormalBegin < x && x < 1) || magnitude(x) < magnitude(tiny) || x == math.Floor(x):
		return gammaRare(x, m)
	case -gammaLast < x:
		hi, lo, e = gammaShifted(x)
	default:
		k, hi, lo, e = gammaReflected(x)
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, m); !ok {
			return gammaAccurate(x, m)
		}
	}
	return scale(r, k)
}

// gammaRare is Gamma for the arguments that Gamma leaves out: integers below 1,
// and others where |x| < tiny, x ≤ gammaNormalBegin, or x ≥ gammaNormalEnd, or
// x is NaN.
func gammaRare(x float64, m fp.Mode) float64 {
	a := math.Abs(x)
	switch {
	case x != x || math.IsInf(x, -1):
		return math.NaN()
	case math.IsInf(x, 1):
		return x
	case x == 0:
		return 1 / x
	case a <= 0x1p-1024:
		return overflow(x, m)
	case x >= gammaLarge:
		return overflow(1, m)
	case x < 0 && x == math.Floor(x):
		return math.NaN()
	case x <= gammaLeast:
		return underflow(float64(gammaSign(x)), m)
	case a >= tiny:
		return gammaFar(x, m)
	case isPowerOfTwo(x):
		return gammaAccurate(x, m)
	}
	// Γ(x) and Γ(y) are 1/x and 1/y, up to 2^-199 of them. No 1/x that is not
	// representable is as close to a number or a midpoint as 2^-108 of it.
	y, e := math.Frexp(x)
	return Gamma(y*(2*tiny), m) * math.Ldexp(2*tiny, -e)
}

// gammaFar is Gamma where it may be subnormal or overflow: for gammaLeast < x ≤
// gammaNormalBegin that is not an integer, and gammaNormalEnd ≤ x < gammaLarge.
// In the former, |k| of gammaReflected is below 2^18.2, and the reduction by
// splitSteps still loses less than 2^-76.
func gammaFar(x float64, m fp.Mode) float64 {
	var k uint64
	var hi, lo, e float64
	s := float64(gammaSign(x))
	if x > 0 {
		k, hi, lo, e = gammaStirling(x)
	} else {
		k, hi, lo, e = gammaReflected(x)
	}
	r, ok := scaleAny(float64(s*hi), float64(s*lo), e, stepPower(k), mirrored(m, s))
	if !ok {
		return gammaAccurate(x, m)
	}
	return math.Copysign(r, s)
}

// isPowerOfTwo reports whether |x| is a power of two.
func isPowerOfTwo(x float64) bool {
	f, _ := math.Frexp(x)
	return math.Abs(f) == 0.5
}

// gammaSign returns the sign of Γ(x), for x that is neither 0 nor a negative
// integer.
func gammaSign(x float64) int {
	if n := math.Floor(x); n < 0 && n > -1<<53 && int64(n)&1 != 0 {
		return -1
	}
	return 1
}

// LgammaSign returns the sign that Lgamma has for x: 1 or, where Γ(x) is
// negative, -1.
func LgammaSign(x float64) int {
	if x >= 0 || x == math.Floor(x) {
		return 1
	}
	return gammaSign(x)
}

// gammaAccurate is Gamma for other arguments. Factorials of integers are
// representable up to gammaExact, and none is a midpoint. Halves of odd numbers
// have irrational results, multiples of √π. No other result is known to be
// representable or a midpoint, and none is expected to be: the precision grows
// until the result is decided. If digits are random, the likelihood that any
// argument needs more than the 320 bits of wide.GammaLast is below 2^-190.
//
// Near 0, Γ(x) = 1/x - 0.577…, and where 1/x is representable nothing but that
// constant parts Γ(x) from it.
func gammaAccurate(x float64, m fp.Mode) float64 {
	switch {
	case math.Abs(x) < 0x1p-60 && isPowerOfTwo(x):
		return beside(1/x, -1, m)
	case x > gammaExact || x != math.Floor(x):
		return wide.Gamma.Rounded(x, 0, m)
	}
	r := 1.0
	for i := 2.0; i < x; i++ {
		r *= i
	}
	return r
}

// gammaFirst is the step of 1, with which gammaTable begins.
const gammaFirst = 128

// gammaShifted returns hi + lo ≈ Γ(x) and a bound of the error, with room for
// ziv, for -gammaLast < x < 1 that is not an integer, and |x| ≥ tiny: the
// quotient of Γ(x+n), 1 < x+n < 2, and x·(x+1)·…·(x+n-1). The row of the table
// is that of x's nearest step and n. All factors are exact, as the sum of two
// numbers. Each product of such sums loses less than 2^-101 of it, and the
// quotient loses 2^-102: together less than 2^-97.
func gammaShifted(x float64) (hi, lo, e float64) {
	n := 1 - math.Floor(x)
	i, h := expansionPoint(x, 0x1.8p45)
	i += (uint64(n) - 1) * gammaFirst //lastbit:ignore floatconv n is a small whole number
	f, fl, e := gammaTable[i%uint64(len(gammaTable))].at(h, expansionErrSquare)
	p, pl := x, 0.0
	for j := 1.0; j < n; j++ {
		y, yl := twoSum(x, j)
		q, ql := twoProd(p, y)
		p, pl = fastTwoSum(q, ql+(float64(pl*y)+float64(p*yl)))
	}
	f, fl = fastTwoSum(f, fl)
	hi, lo = quotient(f, fl, p, pl)
	return hi, lo, float64(math.Abs(hi)*0x1p-97) + float64(math.Abs(e/p)*(1+0x1p-50))
}

// quotient returns hi + lo ≈ (x + xl)/(y + yl), where |xl| ≤ 2^-52·|x| and |yl|
// ≤ 2^-52·|y|. hi·y is exact up to 2^-103 of it, and so is the difference of
// its first part and x. The error is below 2^-102 of the quotient.
func quotient(x, xl, y, yl float64) (hi, lo float64) {
	hi = x / y
	p, e := twoProd(hi, y)
	return hi, (((x - p) - e) + (xl - float64(hi*yl))) / y
}

// gammaStirling returns k and hi + lo, with 2^i·(hi + lo) ≈ Γ(x) as for
// expReduced and scale, and a bound of the error of hi + lo, with room for ziv,
// for gammaLast ≤ x < gammaNormalEnd.
func gammaStirling(x float64) (k uint64, hi, lo, e float64) {
	p, t, e := lgammaStirling(x)
	k, rh, rl := splitSteps(p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl+t)
	hi, lo = expReduced(k, rh, rl)
	return k, hi, lo, float64(e*2.01) + expErr
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

// gammaReflected returns k and hi + lo as gammaStirling does, for
// gammaNormalBegin < x ≤ -gammaLast that is not an integer: π/(a·sin(πa)·Γ(a))
// with a = -x, and its sign. Products and quotients of sums of two numbers lose
// less than 2^-98.
func gammaReflected(x float64) (k uint64, hi, lo, e float64) {
	a := -x
	p, t, e := lgammaStirling(a)
	k, rh, rl := splitSteps(-p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl-t)
	eh, el := expReduced(k, rh, rl)
	eh, el = fastTwoSum(eh, el)
	n, nl := twoProd(eh, piHi)
	nl += float64(eh*piLo) + float64(el*piHi)
	d, dl, de := sinPi(a)
	hi, lo = quotient(n, nl, d, dl)
	if gammaSign(x) < 0 {
		hi, lo = -hi, -lo
	}
	return k, hi, lo, math.Abs(hi) * (float64(e*1.01) + (0x1.1p-69 + float64(de/d*(1+0x1p-40))))
}

// sinPi returns hi + lo ≈ |a·sin(πa)|, |lo| ≤ 2^-52·hi, and a bound of the
// error, for 1 ≤ a < 2^52 that is not an integer. The distance to the nearest
// integer is exact, and so is its split into steps of 1/256 and a rest. The
// angle of that is below 2^-7, and off by 2^-108.
func sinPi(a float64) (hi, lo, e float64) {
	r := math.Abs(a - math.RoundToEven(a))
	shifted := float64(r*(trigSteps/2)) + expShift
	rest := float64(r*(trigSteps/2)) - (shifted - expShift)
	rh, rl := twoProd(rest, piHi/(trigSteps/2))
	rl += float64(rest * (piLo / (trigSteps / 2)))
	sh, sl, e := sinReduced(math.Float64bits(shifted), rh, rl)
	sh, sl = fastTwoSum(sh, sl)
	hi, lo = twoProd(a, sh)
	hi, lo = fastTwoSum(hi, lo+float64(a*sl))
	return hi, lo, float64(a * (e + sinErrLeast))
}

// From lgammaLarge on, ln Γ(x) is above the largest number by half an ulp at
// least.
const lgammaLarge = 0x1.754d9278b51a8p+1014

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

// From lgammaHuge on, the terms of Stirling's series do not matter.
const lgammaHuge = 0x1p50

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
// error of the logarithm and x times that of q it adds those of the last two
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
