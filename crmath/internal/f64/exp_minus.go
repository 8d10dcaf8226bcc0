package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// headProduct returns hi + lo = x·(chi + clo), where chi has 26 bits and |clo|
// is at most 2^-26·|chi|, for |x| ≥ tiny, or 0. As |x-h| < 2^-25·|x|,
// the products lose 2^-53 of 2^-25 and 2^-26, clo 2^-53 of 2^-26, and their sum
// 2^-53 of 1.5·2^-25: less than 2^-76 of the result. |lo| is at most
// 2^-53·|hi|.
func headProduct(x, chi, clo float64) (hi, lo float64) {
	h := head(x)
	return fastTwoSum(float64(h*chi), float64((x-h)*chi)+float64(x*clo))
}

// Exp2m1 is directed.Exp2m1, and crmath.Exp2m1 to nearest.
func Exp2m1(x float64, m fp.Mode) float64 {
	var hi, lo, e float64
	switch u := magnitude(x); {
	case u < magnitude(0x1p-5):
		if u < magnitude(tiny) {
			return slopeAt0(wide.Exp2m1, x, 0, ln2Hi, ln2Lo, m)
		}
		hi, lo, e = expm1Product(headProduct(x, ln2Hi, ln2Lo))
	case -64 < x && x < 1022:
		shifted := float64(x*expSteps) + expShift
		rh, rl := expProduct(x-float64((shifted-expShift)*(1.0/expSteps)), 0, ln2Hi, ln2Lo)
		hi, lo, e = expMinus1(math.Float64bits(shifted), rh, rl)
	default:
		return exp2m1Rare(x, m)
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return exp2m1Settle(x, hi, lo, e, m)
	}
	return r
}

// expm1Product returns hi + lo ≈ e^(a+b) - 1 = (e^a - 1) + b·e^a, and a bound e
// of the error, for the results of headProduct, 2^-201 < |a| < 2^-5. To the
// error of expm1Small b·e^a adds nothing to speak of, the sum with it less than
// 1.2·2^-53·|a³|/6, and the error of a + b 2^-76 of it.
func expm1Product(a, b float64) (hi, lo, e float64) {
	hi, lo = expm1Small(a)
	lo += b + float64(b*hi)
	return hi, lo, float64(math.Abs(a) * (float64(float64(a*a)*0x1.9cp-53) + 0x1p-70))
}

// expMinus1 returns hi + lo = 2^i·(h + l) - 1 and a bound e of the error, for
// the h + l of expReduced and k = 256·i + j, -2^14 < k < 2^18. As in Expm1, hi
// and the first part of lo are exact.
func expMinus1(k uint64, rh, rl float64) (hi, lo, e float64) {
	h, l := expReduced(k, rh, rl)
	power := scale(1, k)
	hi, lo = twoSum(float64(h*power), -1)
	return hi, lo + float64(l*power), float64(expErr*power) + expm1ErrLeast
}

// exp2m1Rare is Exp2m1 where x is at most -64, at least 1022, or NaN.
func exp2m1Rare(x float64, m fp.Mode) float64 {
	switch {
	case x-x != 0: // 2^-Inf - 1 = -1, exactly
		return max(x, -1)
	case x >= 1024:
		return overflow(1, m)
	case x <= -64:
		return beside(-1, 1, m)
	}
	shifted := float64(x*expSteps) + expShift
	rh, rl := expProduct(x-float64((shifted-expShift)*(1.0/expSteps)), 0, ln2Hi, ln2Lo)
	if r, ok := powerFar(math.Float64bits(shifted), rh, rl, m); ok && x != math.Trunc(x) {
		return r
	}
	return exp2m1Settle(x, 0, 0, math.Inf(1), m)
}

// powerFar is scaleFar for the parts of a power above 2^1000, where 1 does not
// count.
func powerFar(k uint64, rh, rl float64, m fp.Mode) (r float64, ok bool) {
	hi, lo := expReduced(k, rh, rl)
	return scaleFar(hi, lo, expErr, k, m)
}

// exp2m1Settle is settle for Exp2m1. 2^x is rational if and only if x is an
// integer, where both summands are exact: of 2^x - 1, with |x| bits,
// representable up to |x| = 53 and a midpoint for 54.
func exp2m1Settle(x, hi, lo, e float64, m fp.Mode) float64 {
	if x == math.Trunc(x) {
		//lastbit:ignore floatconv a small whole number
		return fp.Binary64.Add(math.Ldexp(1, int(x)), -1, m)
	}
	return settle(wide.Exp2m1, x, hi, lo, e, m)
}

func inExp2m1(x float64) bool { return -64 < x && x < 1022 }

// exp2m1Lane is Exp2m1 for -64 < x < 1022.
func exp2m1Lane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-5 {
		r, ok = ziv(expm1Product(headProduct(flushed(x), ln2Hi, ln2Lo)))
		return r, ok && hasProducts(x)
	}
	a := flushed(x)
	shifted := float64(a*expSteps) + expShift
	k := math.Float64bits(shifted)
	rh, rl := fusedProduct(a-float64((shifted-expShift)*(1.0/expSteps)), 0, math.Ln2, ln2Rest)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = minus1Ziv(k, hi, lo)
	return r, ok && inExp2m1(x)
}

func exp2m1Call(x float64) (r float64, ok bool) {
	if u := magnitude(x); u < magnitude(0x1p-5) {
		if u < magnitude(tiny) {
			return linear(x, math.Ln2, ln2Rest)
		}
		return ziv(expm1Product(fusedSlope(x, math.Ln2, ln2Rest)))
	}
	if x <= -64 {
		return max(x, -1), true // a power below 2^-54 less 1
	}
	if !inExp2m1(x) {
		return 0, false
	}
	shifted := float64(x*expSteps) + expShift
	k := math.Float64bits(shifted)
	rh, rl := fusedProduct(x-float64((shifted-expShift)*(1.0/expSteps)), 0, math.Ln2, ln2Rest)
	hi, lo := fusedExp(k, rh, rl)
	return minus1Ziv(k, hi, lo)
}

// Exp2m1Slice is crmath.Exp2m1Slice.
func Exp2m1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Exp2m1Slice", dst, x, vector.Each(FastExp2m1), best.exp2m1, inExp2m1)
}

// minus1Ziv rounds 2^i·(hi + lo) - 1 for the parts of a power, as Exp2m1 does
// after expMinus1.
func minus1Ziv(k uint64, hi, lo float64) (r float64, ok bool) {
	power := scale(1, k)
	s, t := twoSum(float64(hi*power), -1)
	return ziv(s, t+float64(lo*power), float64(expErr*power)+expm1ErrLeast)
}

// Exp10m1 is directed.Exp10m1, and crmath.Exp10m1 to nearest.
func Exp10m1(x float64, m fp.Mode) float64 {
	var hi, lo, e float64
	switch u := magnitude(x); {
	case u < magnitude(0x1p-7):
		if u < magnitude(tiny) {
			return slopeAt0(wide.Exp10m1, x, 0, ln10Hi, ln10Lo, m)
		}
		hi, lo, e = expm1Product(headProduct(x, ln10Hi, ln10Lo))
	case -20 < x && x < 307:
		k, r, s := splitSteps(x, exp10StepInverse, exp10StepHi, exp10StepLo)
		rh, rl := expProduct(r, s, ln10Hi, ln10Lo)
		hi, lo, e = expMinus1(k, rh, rl)
	default:
		return exp10m1Rare(x, m)
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return exp10m1Settle(x, hi, lo, e, m)
	}
	return r
}

// exp10m1Rare is Exp10m1 where x is at most -20, at least 307, or NaN.
func exp10m1Rare(x float64, m fp.Mode) float64 {
	switch {
	case x-x != 0: // 10^-Inf - 1 = -1, exactly
		return max(x, -1)
	case x > 308.3: // 10^308.3 is above 2^1024.1
		return overflow(1, m)
	case x <= -20: // 10^-20 < 2^-66
		return beside(-1, 1, m)
	}
	k, r, s := splitSteps(x, exp10StepInverse, exp10StepHi, exp10StepLo)
	rh, rl := expProduct(r, s, ln10Hi, ln10Lo)
	if z, ok := powerFar(k, rh, rl, m); ok {
		return z
	}
	return exp10m1Settle(x, 0, 0, math.Inf(1), m)
}

// exp10m1Settle is settle for Exp10m1. 10^x has a finite binary expansion if
// and only if x is an integer from 0 on. 10^x - 1 is odd: representable up to
// 10^15 - 1 < 2^53, a midpoint for 10^16 - 1 < 2^54, and neither after that. Up
// to x = 22 both summands are representable.
func exp10m1Settle(x, hi, lo, e float64, m fp.Mode) float64 {
	if 0 < x && x <= 22 && x == math.Trunc(x) {
		return fp.Binary64.Add(math.Pow10(int(x)), -1, m)
	}
	return settle(wide.Exp10m1, x, hi, lo, e, m)
}

func inExp10m1(x float64) bool { return -20 < x && x < 307 }

// exp10m1Lane is Exp10m1 for -20 < x < 307.
func exp10m1Lane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-7 {
		r, ok = ziv(expm1Product(headProduct(flushed(x), ln10Hi, ln10Lo)))
		return r, ok && hasProducts(x)
	}
	k, d, s := fusedSplit(flushed(x), exp10StepInverse, exp10StepHi, exp10StepLo)
	rh, rl := fusedProduct(d, s, math.Ln10, ln10Rest)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = minus1Ziv(k, hi, lo)
	return r, ok && inExp10m1(x)
}

func exp10m1Call(x float64) (r float64, ok bool) {
	if u := magnitude(x); u < magnitude(0x1p-7) {
		if u < magnitude(tiny) {
			return linear(x, math.Ln10, ln10Rest)
		}
		return ziv(expm1Product(fusedSlope(x, math.Ln10, ln10Rest)))
	}
	if x <= -20 {
		return max(x, -1), true // a power below 2^-54 less 1
	}
	if !inExp10m1(x) {
		return 0, false
	}
	k, d, s := fusedSplit(x, exp10StepInverse, exp10StepHi, exp10StepLo)
	rh, rl := fusedProduct(d, s, math.Ln10, ln10Rest)
	hi, lo := fusedExp(k, rh, rl)
	return minus1Ziv(k, hi, lo)
}

// Exp10m1Slice is crmath.Exp10m1Slice.
func Exp10m1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Exp10m1Slice", dst, x, vector.Each(FastExp10m1), best.exp10m1, inExp10m1)
}
