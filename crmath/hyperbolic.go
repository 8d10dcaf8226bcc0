package crmath

import "math"

// sinhErr, times the sum of their scales, bounds the error of the sum of two exponentials, and has
// room for ziv.
const sinhErr = 0x1.2p-69

// sinhSingle is where e^-2x, below 2^-75, no longer counts: it is a quarter of a unit of
// sinhErr's 18.
const sinhSingle = 26

// Sinh returns sinh x = (e^x - e^-x)/2, correctly rounded.
//
// Special cases: Sinh(±0) = ±0, Sinh(±Inf) = ±Inf, Sinh(NaN) = NaN. Above 710.48 in
// magnitude the result is ±Inf; below 2^-27 it is x.
//
// At most one call in 500 needs the accurate path, near ±1/32; mostly fewer than one in
// 10,000. It takes some 2 µs, as do all with |x| ≥ 708. Nothing is allocated.
//
// References: Tang1989, Ziv1991, LefevreMuller2001
func Sinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-5:
		if a < 0x1p-27 {
			return x // x³/6 is less than half an ulp
		}
		if r, ok := ziv(oddSeries(x, sinhC3, sinhC5, sinhC7, sinhC9, sinhC11, 0)); ok {
			return r
		}
		return kernelSinh.accurate(x)
	case !(a < 708):
		return sinhRare(x)
	}
	k, rh, rl := expSplit(a, expStepInverse, expStepHi, expStepLo)
	if a >= sinhSingle {
		hi, lo := expReduced(k, rh, rl)
		if r, ok := ziv(hi, lo, sinhErr); ok {
			return math.Copysign(scale(r, k-expSteps), x)
		}
		return kernelSinh.accurate(x)
	}
	h1, l1, h2, l2 := expBoth(k, rh, rl)
	p := scaleBetween(k)
	hi, lo := fastTwoSum(h1, -float64(h2*p))
	lo += l1 - float64(l2*p)
	if r, ok := ziv(hi, lo, float64((1+p)*sinhErr)); ok {
		return math.Copysign(scale(r, k-expSteps), x)
	}
	return kernelSinh.accurate(x)
}

// sinhRare is Sinh where |x| ≥ 708, or x is NaN.
func sinhRare(x float64) float64 {
	switch {
	case x != x:
		return x
	case math.Abs(x) > 711:
		return math.Inf(int(math.Copysign(1, x)))
	}
	return kernelSinh.accurate(x)
}

// Cosh returns cosh x = (e^x + e^-x)/2, correctly rounded.
//
// Special cases: Cosh(±0) = 1, Cosh(±Inf) = +Inf, Cosh(NaN) = NaN. Above 710.48 in
// magnitude the result is +Inf.
//
// About one call in 20,000 needs the accurate path, which takes some 2 µs, as do all with
// |x| ≥ 708. Nothing is allocated.
//
// References: Tang1989, Ziv1991, LefevreMuller2001
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if !(a < 708) {
		return coshRare(a)
	}
	k, rh, rl := expSplit(a, expStepInverse, expStepHi, expStepLo)
	if a >= sinhSingle {
		hi, lo := expReduced(k, rh, rl)
		if r, ok := ziv(hi, lo, sinhErr); ok {
			return scale(r, k-expSteps)
		}
		return kernelCosh.accurate(a)
	}
	h1, l1, h2, l2 := expBoth(k, rh, rl)
	p := scaleBetween(k)
	hi, lo := fastTwoSum(h1, float64(h2*p))
	lo += l1 + float64(l2*p)
	if r, ok := ziv(hi, lo, float64((1+p)*sinhErr)); ok {
		return scale(r, k-expSteps)
	}
	return kernelCosh.accurate(a)
}

// coshRare is Cosh where x ≥ 708, or x is NaN.
func coshRare(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 711:
		return math.Inf(1)
	}
	return kernelCosh.accurate(x)
}

// expBoth returns h1 + l1 ≈ 2^(j/256)·e^(rh+rl), where j is k modulo 256, and h2 + l2, the
// same for -k, -rh and -rl, each with an error below 14·2^-73, and as expReduced otherwise. Of
// e^±r - 1 - r = q, the even terms are the same and the odd ones differ in sign. They lose,
// in the units of expReduced and in place of its first, second, third and fifth line,
//
//	0.5   r², of which half counts
//	1     2^-54 in the sum that begins with 1/2, times r²
//	0.5   that product, below 2^-20
//	0.5   q < 2^-20, the sum of both kinds
//	0.1   the polynomial: that of expReduced, whose interval is symmetric
//
// which is less by 0.4. The odd terms are below 2^-31, and lose nothing that matters.
//
// In units of 2^-73·(1 + p), where p, at most 1, is what the second is scaled by, what Sinh
// and Cosh make of it loses 14, and 1 for each of the two sums of the parts below 2^-19,
// and for ziv, and 0.25 for e^-x where it is left out: below 18.
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

// scaleBetween returns by what power of two e^-x is scaled when e^x is by 1: k and -k, rounded down to
// multiples of 256, tell their exponents.
func scaleBetween(k uint64) float64 {
	return math.Float64frombits((1023 + (-k)>>expBits - k>>expBits) << 52)
}

// Coefficients of Taylor's series, for |x| < 2^-5.
const (
	sinhC3  = 1.0 / 6
	sinhC5  = 1.0 / 120
	sinhC7  = 1.0 / 5040
	sinhC9  = 1.0 / 362880
	sinhC11 = 1.0 / 39916800

	tanhC3  = -1.0 / 3
	tanhC5  = 2.0 / 15
	tanhC7  = -17.0 / 315
	tanhC9  = 62.0 / 2835
	tanhC11 = -1382.0 / 155925
)

// oddSeries returns hi + lo ≈ x + c3·x³ + c5·x⁵ + … and a bound e of its error, with room for
// ziv, for 2^-27 ≤ |x| < 2^-5, where |c3| is 1/6 or 1/3 and the others are smaller. What is
// lost, in units of 2^-53·|lo|:
//
//	2     x² and x·x²
//	1.5   c3 and the sum that begins with it
//	0.2   the other terms, and those left out (TestHyperbolicSeries)
//	1     the product
//	1     ziv
//
// below 5.8, and the bound has 6.
func oddSeries(x, c3, c5, c7, c9, c11, c13 float64) (hi, lo, e float64) {
	x2 := float64(x * x)
	x4 := float64(x2 * x2)
	p := c3 + float64(x2*((c5+float64(x2*c7))+float64(x4*((c9+float64(x2*c11))+float64(x4*c13)))))
	lo = float64(float64(x*x2) * p)
	return x, lo, math.Abs(float64(lo * 0x1.8p-51))
}

// tanhLarge is where the table ends, and e^-2x so small that a plain float64 is enough for its square.
const tanhLarge = 3

// Tanh returns tanh x = (e^x - e^-x)/(e^x + e^-x), correctly rounded.
//
// Special cases: Tanh(±0) = ±0, Tanh(±Inf) = ±1, Tanh(NaN) = NaN. From 19.1 on in magnitude
// the result is ±1; below 2^-27 it is x.
//
// At most one call in 1000 needs the accurate path, near ±1/64; mostly fewer than one in
// 10,000. It takes some 2 µs. Nothing is allocated.
//
// References: Tang1989, Ziv1991, LefevreMuller2001
func Tanh(x float64) float64 {
	a := math.Abs(x)
	var hi, lo, e float64
	switch {
	case a < 0x1p-6:
		if a < 0x1p-27 {
			return x // x³/3 is less than half an ulp
		}
		hi, lo, e = oddSeries(a, tanhC3, tanhC5, tanhC7, tanhC9, tanhC11, 0)
	case a < tanhLarge:
		hi, lo, e = tanhReduced(a)
	case a < 19.1:
		hi, lo, e = tanhNear1(a)
	case x != x:
		return x
	default: // 2/(e^2x + 1) is below 2^-54
		return math.Copysign(1, x)
	}
	if r, ok := ziv(hi, lo, e); ok {
		return math.Copysign(r, x)
	}
	return kernelTanh.accurate(x)
}

// tanhReduced returns hi + lo ≈ tanh x for 2^-6 ≤ x < tanhLarge, and a bound of its error with
// room for ziv.
//
// With x = c + r, exactly, |r| ≤ 2^-7, tanh c = T and its derivative D = D1 + D2 from the table,
// D1 of 26 bits, and r1 the multiple of 2^-33 next to r,
//
//	tanh x = T + D1·r1 + (D1·(r-r1) + D2·r) + r²·(c2 + c3·r + …).
//
// D1·r1 is exact, and as T ≥ 2^-6.1, what the first sum rounds off is kept. What is lost, in
// units of 2^-53·|w|, w = r²·(c2 + …), where c2 = -T·D and |c3·r| = |D·(1/3 - T²)·r| < |c2|/6:
//
//	4.8   r², c2, the sum that begins with it, 0.6 for those after that, the product
//	2     the sums with w
//	1     ziv
//
// and 2^-75 for the polynomial (TestTanhTable) and, with 2^-85, the products and sums below 2^-33.
func tanhReduced(x float64) (hi, lo, e float64) {
	shifted := x + 0x1.8p52/(1<<tanhBits)
	t := &tanhTable[math.Float64bits(shifted)%256]
	r := x - (shifted - 0x1.8p52/(1<<tanhBits))
	r1 := coarse(r, 0x1.8p19)
	r2 := float64(r * r)
	w := float64(r2 * (t.c2 + (float64(r*t.c3) + float64(r2*((t.c4+float64(r*t.c5))+float64(r2*((t.c6+float64(r*t.c7))+float64(r2*t.c8))))))))
	hi, s := fastTwoSum(t.hi, float64(t.slopeHi*r1))
	lo = s + (w + (t.lo + (float64(t.slopeHi*(r-r1)) + float64(t.slopeLo*r))))
	return hi, lo, float64(math.Abs(w)*0x1p-50) + 0x1p-75
}

// tanhNear1 returns hi + lo ≈ tanh x = 1 - y + y²/(2+y) with y = 2·e^-2x, and a bound of its error
// with room for ziv, for tanhLarge ≤ x < 19.1. What is lost, in units of 2^-53·c, c = y²/(2+y):
//
//	5     y, which counts twice; y², 2+y, the quotient
//	2     two sums, the other parts of which are below 2^-18·y
//	1     ziv
//
// and 2^-69.2·y for the exponential, and 2^-71·y for the same sums, and 2^-106 where what 1 - y
// rounds off, 2^-54, is larger than these.
func tanhNear1(x float64) (hi, lo, e float64) {
	k, rh, rl := expSplit(float64(-2*x), expStepInverse, expStepHi, expStepLo)
	h, l := expReduced(k, rh, rl)
	p := scale(2, k)
	h = float64(h * p)
	l = float64(l * p)
	y := h + l
	c := float64(y*y) / (2 + y)
	hi, lo = fastTwoSum(1, -h)
	return hi, lo + (c - l), float64(c*0x1p-50) + (float64(y*0x1p-68) + 0x1p-105)
}
