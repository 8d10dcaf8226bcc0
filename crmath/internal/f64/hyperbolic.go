package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// sinhErr, times the sum of their scales, bounds the error of the sum of two
// exponentials, with room for ziv.
const sinhErr = 0x1.2p-69

// From sinhSingle on, e^-2x is below 2^-75 and does not count: it is a quarter
// of a unit of sinhErr's 18.
const sinhSingle = 26

// The table of Sinh ends at sinhMiddle, that of Tanh at tanhLarge, where e^-2x
// is so small that a float64 holds enough of its square.
const (
	sinhMiddle = 1
	tanhLarge  = 3
)

// Sinh is crmath.Sinh.
func Sinh(x float64) float64 {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u < magnitude(sinhMiddle) {
		if u < magnitude(tiny) {
			return x
		}
		i, h := expansionPoint(x, 0x1.8p45+sinhMiddle)
		hi, lo, e := sinhTable[i%uint64(len(sinhTable))].at(h, expansionErrSquare)
		r, ok := ziv(hi, lo, e)
		if !ok {
			return wide.Sinh.Rounded(x, 0, fp.NearestEven)
		}
		return r
	}
	if u >= magnitude(708) {
		return sinhRare(x)
	}
	k, rh, rl := splitSteps(a, expStepInverse, expStepHi, expStepLo)
	if a >= sinhSingle {
		hi, lo := expReduced(k, rh, rl)
		if r, ok := ziv(hi, lo, sinhErr); ok {
			return math.Copysign(scale(r, k-expSteps), x)
		}
		return wide.Sinh.Rounded(x, 0, fp.NearestEven)
	}
	h1, l1, h2, l2 := expBoth(k, rh, rl)
	p := scaleBetween(k)
	hi, lo := fastTwoSum(h1, -float64(h2*p))
	lo += l1 - float64(l2*p)
	if r, ok := ziv(hi, lo, float64((1+p)*sinhErr)); ok {
		return math.Copysign(scale(r, k-expSteps), x)
	}
	return wide.Sinh.Rounded(x, 0, fp.NearestEven)
}

// sinhRare is Sinh where |x| ≥ 708, or x is NaN.
func sinhRare(x float64) float64 {
	switch {
	case x != x:
		return x
	case math.Abs(x) > 711:
		return math.Inf(int(math.Copysign(1, x)))
	}
	return wide.Sinh.Rounded(x, 0, fp.NearestEven)
}

// Cosh is crmath.Cosh.
func Cosh(x float64) float64 {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(tiny) >= magnitude(708)-magnitude(tiny) {
		return coshRare(a)
	}
	k, rh, rl := splitSteps(a, expStepInverse, expStepHi, expStepLo)
	if a >= sinhSingle {
		hi, lo := expReduced(k, rh, rl)
		if r, ok := ziv(hi, lo, sinhErr); ok {
			return scale(r, k-expSteps)
		}
		return wide.Cosh.Rounded(a, 0, fp.NearestEven)
	}
	h1, l1, h2, l2 := expBoth(k, rh, rl)
	p := scaleBetween(k)
	hi, lo := fastTwoSum(h1, float64(h2*p))
	lo += l1 + float64(l2*p)
	if r, ok := ziv(hi, lo, float64((1+p)*sinhErr)); ok {
		return scale(r, k-expSteps)
	}
	return wide.Cosh.Rounded(a, 0, fp.NearestEven)
}

// coshRare is Cosh where 0 ≤ x < tiny or x ≥ 708, or x is NaN.
func coshRare(x float64) float64 {
	switch {
	case x < tiny:
		return 1
	case x != x:
		return x
	case x > 711:
		return math.Inf(1)
	}
	return wide.Cosh.Rounded(x, 0, fp.NearestEven)
}

// expBoth returns h1 + l1 ≈ 2^(j/256)·e^(rh+rl), where j is k modulo 256, and
// h2 + l2, the same for -k, -rh and -rl, each with an error below 14·2^-73; the
// rest is as for expReduced. In e^±r - 1 - r = q the even terms are the same
// and the odd ones differ in sign. Their errors, in the units of expReduced and
// in place of its first, second, third and fifth line:
//
//	0.5   r², counted half
//	1     2^-54 in the sum that begins with 1/2, times r²
//	0.5   that product, below 2^-20
//	0.5   q < 2^-20, the sum of both kinds
//	0.1   the polynomial: that of expReduced, whose interval is symmetric
//
// That is less by 0.4. The odd terms are below 2^-31, and their errors do not
// matter.
//
// Let p, at most 1, be the scale of the second exponential. In units of
// 2^-73·(1 + p), Sinh and Cosh lose 14, and 1 for each of the two sums of the
// parts below 2^-19 and for ziv, and 0.25 for e^-x where it is left out: below
// 18.
func expBoth(k uint64, rh, rl float64) (h1, l1, h2, l2 float64) {
	t, u := &expTable[k%expSteps], &expTable[-k%expSteps]
	r1 := coarse(rh, 0x1.8p18)
	r2 := float64(rh * rh)
	even := float64(r2 * (0.5 + float64(r2*(expC4+float64(r2*expC6)))))
	odd := float64(float64(rh*r2) * (expC3 + float64(r2*expC5)))
	rest := (rh - r1) + rl
	q := even + odd
	p := float64(t.hi * r1)
	h1 = t.hi + p
	l1 = (p - (h1 - t.hi)) + (float64(t.hi*(rest+q)) + (t.lo + float64(t.lo*(rh+q))))
	q = even - odd
	p = float64(u.hi * r1)
	h2 = u.hi - p
	l2 = ((u.hi - h2) - p) + (float64(u.hi*(q-rest)) + (u.lo + float64(u.lo*(q-rh))))
	return h1, l1, h2, l2
}

// scaleBetween returns the power of two that scales e^-x where 1 scales e^x.
// Their exponents are k and -k, rounded down to multiples of 256.
func scaleBetween(k uint64) float64 {
	return math.Float64frombits((1023 + (-k)>>expBits - k>>expBits) << 52)
}

// Tanh is crmath.Tanh.
func Tanh(x float64) float64 {
	u := magnitude(x)
	if u-magnitude(tiny) >= magnitude(tanhLarge)-magnitude(tiny) {
		return tanhRare(x)
	}
	i, h := expansionPoint(x, 0x1.8p45+tanhLarge)
	hi, lo, e := tanhTable[i%uint64(len(tanhTable))].at(h, -expansionErrSquare)
	r, ok := ziv(hi, lo, e)
	if !ok {
		return wide.Tanh.Rounded(x, 0, fp.NearestEven)
	}
	return r
}

// tanhRare is Tanh where |x| < tiny or |x| ≥ tanhLarge, or x is NaN.
func tanhRare(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < tiny || x != x:
		return x
	case !(a < 19.1): // 2/(e^2x + 1) is below 2^-54
		return math.Copysign(1, x)
	}
	r, ok := ziv(tanhNear1(a))
	if !ok {
		return wide.Tanh.Rounded(x, 0, fp.NearestEven)
	}
	return math.Copysign(r, x)
}

// tanhNear1 returns hi + lo ≈ tanh x = 1 - y + y²/(2+y) with y = 2·e^-2x, and a
// bound of its error with room for ziv, for tanhLarge ≤ x < 19.1. Errors, in
// units of 2^-53·c, c = y²/(2+y):
//
//	5     y, which counts twice; y², 2+y, the quotient
//	2     two sums, whose other parts are below 2^-18·y
//	1     ziv
//
// The exponential adds 2^-69.2·y, the same sums add 2^-71·y, and 2^-106 where
// the bits that 1 - y rounds off, 2^-54, are larger than these.
func tanhNear1(x float64) (hi, lo, e float64) {
	k, rh, rl := splitSteps(float64(-2*x), expStepInverse, expStepHi, expStepLo)
	h, l := expReduced(k, rh, rl)
	p := scale(2, k)
	h = float64(h * p)
	l = float64(l * p)
	y := h + l
	c := float64(y*y) / (2 + y)
	hi, lo = fastTwoSum(1, -h)
	return hi, lo + (c - l), float64(c*0x1p-50) + (float64(y*0x1p-68) + 0x1p-105)
}
