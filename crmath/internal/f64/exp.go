package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// expShift rounds to an integer: y + expShift holds the integer next to y in
// its lowest bits, for |y| < 2^51.
const expShift = 0x1.8p52

// expErr bounds the error of expReduced, with room for ziv. Expm1 adds
// expm1ErrLeast near -1.
const (
	expErr        = 0x1p-69
	expm1ErrLeast = 0x1p-106
)

// Below nearOne in magnitude, e^x, 2^x and 10^x round to 1.
const nearOne = 0x1p-56

// Exp is directed.Exp, and crmath.Exp to nearest.
func Exp(x float64, m fp.Mode) float64 {
	if magnitude(x)-magnitude(tiny) >= magnitude(708)-magnitude(tiny) {
		return expRare(x, m)
	}
	k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
	hi, lo := expReduced(k, rh, rl)
	r, ok := ziv(hi, lo, expErr)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, expErr, m); !ok {
			return expAccurate(x, m)
		}
	}
	return scale(r, k)
}

// splitSteps returns k, in the low bits of a word, and rh + rl ≈ x - k·(stepHi
// + stepLo), at most half a step: Cody and Waite's reduction (Muller2016,
// chapter 11). For exponentials |k| is below 2^18.1, stepHi has 34 bits, and
// stepLo is below 2^-43.1. k·stepHi is exact, and so is the difference a, by
// Sterbenz's lemma. k·stepLo is below 2^-25: the step's own error and the
// rounding of that product are below 2^-79 each, and the rounding of rl is
// below 2^-77. reduceSmall has bounds of its own.
func splitSteps(x, inverse, stepHi, stepLo float64) (k uint64, rh, rl float64) {
	shifted := float64(x*inverse) + expShift
	kd := shifted - expShift
	a := x - float64(kd*stepHi)
	b := float64(kd * stepLo)
	rh = a - b
	return math.Float64bits(shifted), rh, (a - rh) - b
}

// expRare is Exp where |x| is below tiny or at least 708, or x is NaN.
func expRare(x float64, m fp.Mode) float64 {
	switch {
	case x == 0:
		return 1
	case math.Abs(x) < tiny:
		return beside(1, x, m)
	case x-x != 0: // e^-Inf = 0, exactly
		return max(x, 0)
	case x > 710:
		return overflow(1, m)
	case x < -746:
		return underflow(1, m)
	}
	k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
	hi, lo := expReduced(k, rh, rl)
	r, ok := scaleFar(hi, lo, expErr, k, m)
	if !ok {
		return expAccurate(x, m)
	}
	return r
}

// expAccurate is Exp for |x| < 2^12, x ≠ 0. No result is representable or a
// midpoint.
func expAccurate(x float64, m fp.Mode) float64 {
	if math.Abs(x) < nearOne {
		return beside(1, x, m)
	}
	return wide.Exp.Rounded(x, 0, m)
}

// scale returns r·2^i for k = 256·i + j, 0 ≤ j < 256, where only the low 20
// bits of k count, and neither r nor the result is subnormal.
func scale(r float64, k uint64) float64 {
	return math.Float64frombits(math.Float64bits(r) + k>>expBits<<52)
}

// expReduced returns hi + lo ≈ 2^(j/256)·e^(rh+rl) < 2.002, where j is k modulo
// 256, for |rh| < 0x1.64p-10 and |rl| ≤ 2^-63. lo is below 2^-19. The error is
// below 14·2^-73 = 2^-69.2 if rh+rl is off by at most 2^-76.
//
// With T = T1 + T2 from the table, T1 of 26 bits, and r1 the multiple of 2^-34
// next to rh, which has 25 bits,
//
//	T·e^r = T1 + T1·r1 + (T1·((r - r1) + q) + T2 + T2·(r + q)),
//	q = e^r - 1 - r.
//
// T1·r1 is exact, and so is the sum of hi and the first part of lo. Errors, in
// units of 2^-73, with r² < 2^-19.04:
//
//	0.5   r², counted half
//	1.9   twice 2^-54 in the two sums that begin with 1/2, times r²
//	0.5   q = r²·(1/2 + …) < 2^-20
//	1.5   r·rl, which r² leaves out
//	0.1   the polynomial, with its coefficients (TestExpPolynomials)
//	0.5   (r - r1) + q < 2^-20
//	0.2   rh+rl itself
//	5.2   together; times T < 2: 10.4
//	1     the product with T1, which is below 2^-19
//	2     the two last sums, below 2^-19
//
// The small terms lose less than 2^-78.
func expReduced(k uint64, rh, rl float64) (hi, lo float64) {
	t := &expTable[k%expSteps]
	r1 := coarse(rh, 0x1.8p18)
	r2 := float64(rh * rh)
	q := float64(r2 * ((0.5 + float64(rh*expC3)) +
		float64(r2*((expC4+float64(rh*expC5))+float64(r2*expC6)))))
	p := float64(t.hi * r1)
	hi = t.hi + p
	lo = (p - (hi - t.hi)) + (float64(t.hi*(((rh-r1)+rl)+q)) + (t.lo + float64(t.lo*(rh+q))))
	return hi, lo
}

func inExp(x float64) bool { return math.Abs(x) < 708 }

// expLane is Exp for |x| < 708.
func expLane(x float64) (r float64, ok bool) {
	k, rh, rl := fusedSplit(flushed(x), expStepInverse, expStepHi, expStepLo)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok && inExp(x)
}

func expCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(tiny) >= magnitude(708)-magnitude(tiny) {
		return 1 + x, u < magnitude(tiny)
	}
	k, rh, rl := fusedSplit(x, expStepInverse, expStepHi, expStepLo)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok
}

// ExpSlice is crmath.ExpSlice.
func ExpSlice(dst, x []float64) {
	vector.MapLoop("crmath.ExpSlice", dst, x, vector.Each(FastExp), best.exp, inExp)
}

// Exp2 is directed.Exp2, and crmath.Exp2 to nearest.
func Exp2(x float64, m fp.Mode) float64 {
	if magnitude(x)-magnitude(tiny) >= magnitude(1022)-magnitude(tiny) {
		return exp2Rare(x, m)
	}
	k, r := exp2Split(x)
	rh, rl := expProduct(r, 0, ln2Hi, ln2Lo)
	hi, lo := expReduced(k, rh, rl)
	y, ok := ziv(hi, lo, expErr)
	if !ok || m != fp.NearestEven {
		if y, ok = toward(hi, lo, expErr, m); !ok {
			return exp2Accurate(x, m)
		}
	}
	return scale(y, k)
}

// exp2Split returns k, in the low bits of a word, and r = x - k/256, exactly,
// at most 1/512 in magnitude. Its product with ln 2 is right to 2^-87.
func exp2Split(x float64) (k uint64, r float64) {
	shifted := float64(x*expSteps) + expShift
	return math.Float64bits(shifted), x - float64((shifted-expShift)*(1.0/expSteps))
}

// expProduct returns rh + rl = (r + s)·(chi + clo) to 2^-86, where |r| <
// 2^-8.9, s is tiny, chi < 2.4 has 26 bits, and |clo| < 2^-25. The product of
// chi with the multiple of 2^-34 next to r is exact.
func expProduct(r, s, chi, clo float64) (rh, rl float64) {
	r1 := coarse(r, 0x1.8p18)
	return fastTwoSum(float64(r1*chi), float64(((r-r1)+s)*chi)+float64(r*clo))
}

// exp2Rare is Exp2 where |x| is below tiny or at least 1022, or x is NaN.
func exp2Rare(x float64, m fp.Mode) float64 {
	switch {
	case x == 0:
		return 1
	case math.Abs(x) < tiny:
		return beside(1, x, m)
	case x-x != 0: // 2^-Inf = 0, exactly
		return max(x, 0)
	case x >= 1024:
		return overflow(1, m)
	case x <= -1075: // the tie of 2^-1075 goes to even, which is 0
		return underflow(1, m)
	}
	k, r := exp2Split(x)
	rh, rl := expProduct(r, 0, ln2Hi, ln2Lo)
	hi, lo := expReduced(k, rh, rl)
	y, ok := scaleFar(hi, lo, expErr, k, m)
	if !ok {
		return exp2Accurate(x, m)
	}
	return y
}

// exp2Accurate is Exp2 for -1075 < x < 1024. No result is a midpoint, and only
// the powers of integers are representable.
func exp2Accurate(x float64, m fp.Mode) float64 {
	switch {
	case x == math.Trunc(x):
		return math.Ldexp(1, int(x)) //lastbit:ignore floatconv a small whole number
	case math.Abs(x) < nearOne:
		return beside(1, x, m)
	}
	return wide.Exp2.Rounded(x, 0, m)
}

func inExp2(x float64) bool { return math.Abs(x) < 1022 }

// exp2Lane is Exp2 for |x| < 1022.
func exp2Lane(x float64) (r float64, ok bool) {
	a := flushed(x)
	shifted := float64(a*expSteps) + expShift
	k := math.Float64bits(shifted)
	rh, rl := fusedProduct(a-float64((shifted-expShift)*(1.0/expSteps)), 0, math.Ln2, ln2Rest)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok && inExp2(x)
}

func exp2Call(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(tiny) >= magnitude(1022)-magnitude(tiny) {
		return 1 + x, u < magnitude(tiny)
	}
	shifted := float64(x*expSteps) + expShift
	k := math.Float64bits(shifted)
	rh, rl := fusedProduct(x-float64((shifted-expShift)*(1.0/expSteps)), 0, math.Ln2, ln2Rest)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok
}

// Exp2Slice is crmath.Exp2Slice.
func Exp2Slice(dst, x []float64) {
	vector.MapLoop("crmath.Exp2Slice", dst, x, vector.Each(FastExp2), best.exp2, inExp2)
}

// Exp10 is directed.Exp10, and crmath.Exp10 to nearest.
func Exp10(x float64, m fp.Mode) float64 {
	if magnitude(x)-magnitude(tiny) >= magnitude(307)-magnitude(tiny) {
		return exp10Rare(x, m)
	}
	// The product with ln 10 makes 2^-75.8 of the argument's error of 2^-77.
	k, r, s := splitSteps(x, exp10StepInverse, exp10StepHi, exp10StepLo)
	rh, rl := expProduct(r, s, ln10Hi, ln10Lo)
	hi, lo := expReduced(k, rh, rl)
	y, ok := ziv(hi, lo, expErr)
	if !ok || m != fp.NearestEven {
		if y, ok = toward(hi, lo, expErr, m); !ok {
			return exp10Accurate(x, m)
		}
	}
	return scale(y, k)
}

// exp10Rare is Exp10 where |x| is below tiny or at least 307, or x is NaN.
func exp10Rare(x float64, m fp.Mode) float64 {
	switch {
	case x == 0:
		return 1
	case math.Abs(x) < tiny:
		return beside(1, x, m)
	case x-x != 0: // 10^-Inf = 0, exactly
		return max(x, 0)
	case x > 308.5:
		return overflow(1, m)
	case x < -324:
		return underflow(1, m)
	}
	k, r, s := splitSteps(x, exp10StepInverse, exp10StepHi, exp10StepLo)
	rh, rl := expProduct(r, s, ln10Hi, ln10Lo)
	hi, lo := expReduced(k, rh, rl)
	y, ok := scaleFar(hi, lo, expErr, k, m)
	if !ok {
		return exp10Accurate(x, m)
	}
	return y
}

// exp10Accurate is Exp10 for |x| < 2^9. 2^x·5^x is representable or a midpoint
// exactly where x is an integer from 0 to 23, and only 10^23 is a midpoint.
func exp10Accurate(x float64, m fp.Mode) float64 {
	switch {
	case x == math.Trunc(x) && 0 <= x && x <= 22:
		return powerOfTen(x)
	case x == 23 && m == fp.NearestEven:
		return 1e23 // the tie goes to even
	case math.Abs(x) < nearOne:
		return beside(1, x, m)
	}
	return wide.Exp10.Rounded(x, 0, m)
}

// powerOfTen returns 10^k, which is exact, for integers k from 0 to 22.
func powerOfTen(k float64) float64 {
	p := 1.0
	for range int(k) { //lastbit:ignore floatconv a small whole number
		p *= 10
	}
	return p
}

func inExp10(x float64) bool { return math.Abs(x) < 307 }

// exp10Lane is Exp10 for |x| < 307.
func exp10Lane(x float64) (r float64, ok bool) {
	k, d, s := fusedSplit(flushed(x), exp10StepInverse, exp10StepHi, exp10StepLo)
	rh, rl := fusedProduct(d, s, math.Ln10, ln10Rest)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok && inExp10(x)
}

func exp10Call(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(tiny) >= magnitude(307)-magnitude(tiny) {
		return 1 + x, u < magnitude(tiny)
	}
	k, d, s := fusedSplit(x, exp10StepInverse, exp10StepHi, exp10StepLo)
	rh, rl := fusedProduct(d, s, math.Ln10, ln10Rest)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok
}

// Exp10Slice is crmath.Exp10Slice.
func Exp10Slice(dst, x []float64) {
	vector.MapLoop("crmath.Exp10Slice", dst, x, vector.Each(FastExp10), best.exp10, inExp10)
}

// Expm1 is directed.Expm1, and crmath.Expm1 to nearest.
func Expm1(x float64, m fp.Mode) float64 {
	switch {
	case magnitude(x) < magnitude(0x1p-5):
		return expm1Near0(x, m)
	case !(-37.5 < x && x < 708):
		return expm1Rare(x, m)
	}
	k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
	hi, lo := expReduced(k, rh, rl)
	// 2^i·(hi + lo) - 1 = s + t, where s and the first part of t are exact. The
	// sum in t is below 2^-18·2^i, or 2^-54, and adds one unit of 2^-73·2^i, or
	// 2^-108; ziv adds another.
	power := scale(1, k)
	s, t := twoSum(float64(hi*power), -1)
	t += float64(lo * power)
	e := float64(expErr*power) + expm1ErrLeast
	r, ok := ziv(s, t, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(s, t, e, m); !ok {
			return expm1Accurate(x, m)
		}
	}
	return r
}

// expm1Near0 is Expm1 for |x| < 2^-5.
func expm1Near0(x float64, m fp.Mode) float64 {
	if magnitude(x) < magnitude(0x1p-54) {
		if x == 0 {
			return x
		}
		return beside(x, 1, m) // x²/2 is less than half an ulp
	}
	hi, lo := expm1Small(x)
	e := expm1SmallErr(x)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, m); !ok {
			return expm1Accurate(x, m)
		}
	}
	return r
}

// expm1SmallErr returns a bound of the error of expm1Small, with room for ziv.
func expm1SmallErr(x float64) float64 {
	return float64(math.Abs(x) * (float64(float64(x*x)*0x1.68p-53) + 0x1p-70))
}

// expm1Small returns hi + lo ≈ e^x - 1 = x + x²/2 + x³·(1/6 + …), for
// 2^-54 ≤ |x| < 2^-5. With x1 = head(x), x²/2 is the sum of x1²/2, which is
// exact, and (x-x1)·(x+x1)/2, which is below 2^-25·x². Errors, in units of
// 2^-53·|x³|/6:
//
//	5.6   x², the two last sums of 1/6 + …, the two products; 1/6 + … itself
//	      (TestExpPolynomials)
//	1.2   the last sum; (x-x1)·(x+x1)/2 loses less than 2^-77·x² before it
//	1.2   ziv
//
// Together that is below 2^-53·1.4·|x³|. The smaller terms have 2^-70·|x|.
func expm1Small(x float64) (hi, lo float64) {
	x1, x2 := head(x), float64(x*x)
	h := float64(0.5 * float64(x1*x1))
	hi = x + h
	return hi, (h - (hi - x)) +
		(float64(float64(0.5*(x-x1))*(x+x1)) + float64(x2*float64(x*expm1Poly(x, x2))))
}

// expm1Poly returns (e^x - 1 - x - x²/2)/x³, with x2 = x².
func expm1Poly(x, x2 float64) float64 {
	x4 := float64(x2 * x2)
	return expm1C3 + (float64(x*expm1C4) + (float64(x2*(expm1C5+float64(x*expm1C6))) +
		float64(x4*((expm1C7+float64(x*expm1C8))+float64(x2*(expm1C9+float64(x*expm1C10)))))))
}

// expm1Rare is Expm1 where x is at most -37.5, at least 708, or NaN.
func expm1Rare(x float64, m fp.Mode) float64 {
	switch {
	case x-x != 0: // e^-Inf - 1 = -1, exactly
		return max(x, -1)
	case x > 710:
		return overflow(1, m)
	case x < 0:
		return beside(-1, 1, m)
	}
	// Here 1 is below 2^-1021 of the result.
	k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
	hi, lo := expReduced(k, rh, rl)
	r, ok := scaleFar(hi, lo, expErr, k, m)
	if !ok {
		return expm1Accurate(x, m)
	}
	return r
}

// expm1Accurate is Expm1 for 2^-54 ≤ |x| < 2^12, where no result is
// representable or a midpoint.
func expm1Accurate(x float64, m fp.Mode) float64 { return wide.Expm1.Rounded(x, 0, m) }

func inExpm1(x float64) bool { return -37.5 < x && x < 708 }

// expm1Lane is Expm1 for -37.5 < x < 708.
func expm1Lane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-54 {
		return x, true
	}
	if math.Abs(x) < 0x1p-5 {
		a := flushed(x)
		hi, lo := expm1Small(a)
		return ziv(hi, lo, expm1SmallErr(a))
	}
	k, rh, rl := fusedSplit(flushed(x), expStepInverse, expStepHi, expStepLo)
	hi, lo := fusedExp(k, rh, rl)
	power := scale(1, k)
	s, t := twoSum(float64(hi*power), -1)
	r, ok = ziv(s, t+float64(lo*power), float64(expErr*power)+expm1ErrLeast)
	return r, ok && inExpm1(x)
}

func expm1Call(x float64) (r float64, ok bool) {
	if magnitude(x) < magnitude(0x1p-5) {
		if magnitude(x) < magnitude(0x1p-54) {
			return x, true
		}
		hi, lo := expm1Small(x)
		return ziv(hi, lo, expm1SmallErr(x))
	}
	if !inExpm1(x) {
		return 0, false
	}
	k, rh, rl := fusedSplit(x, expStepInverse, expStepHi, expStepLo)
	hi, lo := fusedExp(k, rh, rl)
	power := scale(1, k)
	s, t := twoSum(float64(hi*power), -1)
	return ziv(s, t+float64(lo*power), float64(expErr*power)+expm1ErrLeast)
}

// Expm1Slice is crmath.Expm1Slice.
func Expm1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Expm1Slice", dst, x, vector.Each(FastExpm1), best.expm1, inExpm1)
}
