package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
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
// belongs to x's nearest step and n. All factors are exact, as the sum of two
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

func inGamma(x float64) bool { return 1 <= x && x < gammaNormalEnd }

// gammaLane is Gamma for 1 ≤ x < gammaNormalEnd.
func gammaLane(x float64) (r float64, ok bool) {
	if x < gammaLast {
		r, ok = ziv(fusedGammaNear(x))
		return r, ok && x >= 1
	}
	k, hi, lo, e := fusedGammaFar(bounded(x, gammaLast, gammaNormalEnd))
	r, ok = ziv(hi, lo, e)
	return scale(r, k), ok && inGamma(x)
}

func gammaCall(x float64) (r float64, ok bool) {
	if x < 1 {
		if magnitude(x)-1<<52 < magnitude(0x1p-60)-1<<52 {
			return ziv(fusedGammaTiny(x))
		}
		r, ok = ziv(fusedGammaBelow(x))
		return r, ok && x >= 0x1p-60
	}
	if x < gammaLast {
		return ziv(fusedGammaNear(x))
	}
	k, hi, lo, e := fusedGammaFar(x)
	r, ok = ziv(hi, lo, e)
	return scale(r, k), ok && x < gammaNormalEnd
}

// GammaSlice is crmath.GammaSlice.
func GammaSlice(dst, x []float64) {
	vector.MapLoop("crmath.GammaSlice", dst, x, vector.Each(FastGamma), best.gamma, inGamma)
}

// fusedGammaNear is gammaTable's expansion for 1 ≤ x < gammaLast.
func fusedGammaNear(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	return gammaTable[(i-gammaFirst)%uint64(len(gammaTable))].fusedAt(h, expansionErrSquare)
}

// fusedGammaBelow is gammaShifted for 2^-60 ≤ x < 1: Γ(x+1)/x.
func fusedGammaBelow(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	f, fl, e := gammaTable[i%uint64(len(gammaTable))].fusedAt(h, expansionErrSquare)
	f, fl = fastTwoSum(f, fl)
	inverse := 1 / x
	hi = f / x
	return hi, float64((math.FMA(-hi, x, f) + fl) * inverse),
		math.FMA(hi, 0x1p-97, float64(math.Abs(e)*float64(inverse*(1+0x1p-50))))
}

// fusedGammaTiny returns hi + lo ≈ Γ(x) and a bound of the error, with room for
// ziv, for 2^-1022 ≤ |x| < 2^-60: 1/x less Euler's constant, and less than |x|.
// The rest of the quotient is exact, and so are all but 2^-104 of hi and 2^-52
// of the constant.
func fusedGammaTiny(x float64) (hi, lo, e float64) {
	hi = 1 / x
	return hi, math.FMA(float64(math.FMA(-hi, x, 1)), hi, -eulerGamma),
		math.FMA(math.Abs(hi), 0x1p-103, 0x1p-50)
}

// eulerGamma is Euler's constant.
const eulerGamma = 0x1.2788cfc6fb619p-1

// fusedGammaFar is gammaStirling. Its terms are off by 2^-58·r³, as in
// lgammaStirling, and the sum t by 2^-72.1·x and two units of 2^-53 of itself,
// which is below 2^-21.9·x + 2^-17.5·(8/x)³. The base of fusedLog0, k·ln 2 - 1,
// is exact and above 1/4.
func fusedGammaFar(x float64) (k uint64, hi, lo, e float64) {
	r := 1 / x
	rl := float64(math.FMA(-r, x, 1) * r)
	r2 := float64(r * r)
	r3 := float64(r * r2)
	first := float64(r * stirlingFirst)
	rest := math.FMA(r3, stirlingSeries(r2),
		math.FMA(r, stirlingFirst, -first)+
			math.FMA(rl, stirlingFirst, float64(r*stirlingFirstRest)))
	m, kd := logSplit(math.Float64bits(x))
	lh, ll := fusedLog0(m, float64(kd*logLn2Hi)-1)
	s, t := fusedStirling(x, lh, ll+float64(kd*logLn2Lo))
	p, u := fastTwoSum(s, first)
	p, t = fastTwoSum(p, t+(u+rest))
	k, rh, rl := fusedSplit(p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl+t)
	hi, lo = fusedExp(k, rh, rl)
	return k, hi, lo, math.FMA(r3, 0x1.4p-57, math.FMA(x, 0x1.8p-71, expErr))
}

// fusedStirling returns s + t ≈ (x - 1/2)·(ln x - 1) + ln(2π)/2 - 1/2,
// Stirling's formula without the terms of 1/x, where lh + ll ≈ ln x - 1 ≥ 1,
// for x ≥ gammaLast. |t| is below 2^-21.9·x if ll is below 2^-22. To the error
// of the logarithm, times x, three sums add 2^-53 of that each: less than
// 2^-73.4·x.
//
// From 2^52 on, y loses a part of 1/2.
func fusedStirling(x, lh, ll float64) (s, t float64) {
	y := x - 0.5
	rest := (x - y) - 0.5
	p := float64(y * lh)
	s, t = fastTwoSum(p, stirlingHalfHi-0.5)
	return s, t + (math.FMA(y, lh, -p) + math.FMA(y, ll, math.FMA(rest, lh, stirlingHalfLo)))
}

// stirlingSeries returns c3 + c5·r² + … of lgammaStirling.
func stirlingSeries(r2 float64) float64 {
	r4 := float64(r2 * r2)
	return (stirlingC3 + float64(r2*stirlingC5)) + float64(r4*((stirlingC7+float64(r2*stirlingC9))+
		float64(r4*((stirlingC11+float64(r2*stirlingC13))+
			float64(r4*((stirlingC15+float64(r2*stirlingC17))+
				float64(r4*(stirlingC19+float64(r2*stirlingC21)))))))))
}

// 1/12 and its rest.
const (
	stirlingFirst     = 0x1.5555555555555p-4
	stirlingFirstRest = 1.0/12 - stirlingFirst
)
