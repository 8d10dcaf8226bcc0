package f64

import "math"

// Parts of error and gamma functions with fused operations, as in fused.go.

// fusedErf is erfNear for 0 and tiny ≤ x < erfLarge.
func fusedErf(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	return erfTable[i%uint64(len(erfTable))].fusedAt(h, -expansionErrSquare)
}

// 2/√π, the derivative of erf at 0.
const (
	erfSlope     = 0x1.20dd750429b6dp+0
	erfSlopeRest = 2/math.SqrtPi - erfSlope
)

// fusedErfcFar is erfcFar.
func fusedErfcFar(x float64) (k uint64, hi, lo, e float64) {
	i := math.Float64bits(x) >> (52 - erfcBits)
	centre := math.Float64frombits(i<<(52-erfcBits) | 1<<(51-erfcBits))
	t := &erfcTable[(i-erfcFirst)%uint64(len(erfcTable))]
	gh, gl, ge := t.fusedAt(x-centre, expansionErrSquare)
	gh, gl = fastTwoSum(gh, gl)
	p := float64(x * x)
	k, rh, rl := fusedSplit(-p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl-math.FMA(x, x, -p))
	eh, el := fusedExp(k, rh, rl)
	eh, el = fastTwoSum(eh, el)
	hi = float64(eh * gh)
	lo = math.FMA(eh, gh, -hi) + math.FMA(eh, gl, float64(el*gh))
	return k, hi, lo, float64(eh*ge) + float64(gh*0x1p-69)
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

// 1/12 and its rest.
const (
	stirlingFirst     = 0x1.5555555555555p-4
	stirlingFirstRest = 1.0/12 - stirlingFirst
)

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
