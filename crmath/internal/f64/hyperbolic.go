package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// sinhErr, times the sum of their scales, bounds the error of the sum of two
// exponentials, with room for ziv. One scale is 1, the other at most 1: where
// both count, twice sinhErr takes less time to compute.
const sinhErr = 0x1.2p-69

// From sinhSingle on, e^-2x is below 2^-75 and does not count: it is a quarter
// of a unit of sinhErr's 18.
const sinhSingle = 26

// Kernels compute Sinh by its series below sinhSeries. sinhSmallErr, times the
// argument, bounds that error, with room for ziv.
const (
	sinhSeries   = 0x1p-3
	sinhSmallErr = 0x1p-69
)

// The table of Sinh ends at sinhMiddle, the table of Tanh at tanhLarge, where
// e^-2x is so small that a float64 holds enough of its square.
const (
	sinhMiddle = 1
	tanhLarge  = 3
)

// Sinh is directed.Sinh, and crmath.Sinh to nearest.
func Sinh(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u < magnitude(sinhMiddle) {
		if u < magnitude(tiny) {
			return sinhTiny(x, m)
		}
		i, h := expansionPoint(x, 0x1.8p45+sinhMiddle)
		hi, lo, e := sinhTable[i%uint64(len(sinhTable))].at(h, expansionErrSquare)
		r, ok := ziv(hi, lo, e)
		if !ok || m != fp.NearestEven {
			if r, ok = toward(hi, lo, e, m); !ok {
				return sinhAccurate(x, m)
			}
		}
		return r
	}
	if u >= magnitude(708) {
		return sinhRare(x, m)
	}
	k, rh, rl := splitSteps(a, expStepInverse, expStepHi, expStepLo)
	var hi, lo, e float64
	if a >= sinhSingle {
		hi, lo = expReduced(k, rh, rl)
		e = sinhErr
	} else {
		h1, l1, h2, l2 := expBoth(k, rh, rl)
		p := scaleBetween(k)
		hi, lo = fastTwoSum(h1, -float64(h2*p))
		lo += l1 - float64(l2*p)
		e = 2 * sinhErr
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, mirrored(m, x)); !ok {
			return sinhAccurate(x, m)
		}
	}
	return math.Copysign(scale(r, k-expSteps), x)
}

// sinhTiny is Sinh for |x| < 2^-27, where x³/6 is less than half an ulp.
func sinhTiny(x float64, m fp.Mode) float64 {
	if x == 0 {
		return x
	}
	return beside(x, x, m)
}

// sinhRare is Sinh where |x| ≥ 708, or x is NaN.
func sinhRare(x float64, m fp.Mode) float64 {
	switch {
	case x-x != 0:
		return x
	case math.Abs(x) > 711:
		return overflow(x, m)
	}
	// sinh x = e^|x|/2, up to the sign, to 2^-2042
	k, rh, rl := splitSteps(math.Abs(x), expStepInverse, expStepHi, expStepLo)
	hi, lo := expReduced(k, rh, rl)
	r, ok := scaleFar(hi, lo, sinhErr, k-expSteps, mirrored(m, x))
	if !ok {
		return sinhAccurate(x, m)
	}
	return math.Copysign(r, x)
}

// sinhAccurate is Sinh for 0 < |x| < 2^12, where no result is representable or
// a midpoint.
func sinhAccurate(x float64, m fp.Mode) float64 {
	if math.Abs(x) < 0x1p-27 {
		return sinhTiny(x, m)
	}
	return wide.Sinh.Rounded(x, 0, m)
}

// sinhLane is Sinh for |x| < 708. Where the scale of e^-x is too small for
// float64, 0 takes its place. From sinhSeries on, e^x and e^-x leave at least a
// quarter when they are subtracted.
func sinhLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < sinhSeries {
		if a < tiny {
			return x, true
		}
		hi, lo := sinhSmall(flushed(x))
		return ziv(hi, lo, float64(a*sinhSmallErr))
	}
	k, h1, l1, h2, l2, p := expPair(flushed(a))
	hi, lo := fastTwoSum(h1, -float64(h2*p))
	r, ok = ziv(hi, lo+(l1-float64(l2*p)), float64((1+p)*sinhErr))
	return withSign(scale(r, k-expSteps), x), ok && inExp(x)
}

// sinhSmall returns sinh x for tiny ≤ |x| < sinhSeries as hi + lo, by its
// Taylor series, whose first term left out is below 2^-82·|x|. The error: the
// terms from x⁵/120 on have 3·u of themselves, 2^-70.3·|x|, and the products
// with x³, which are computed to twice the precision, 2^-100·|x|.
func sinhSmall(x float64) (hi, lo float64) {
	const sixth, sixthRest = 0x1.5555555555555p-3, 1.0/6 - 0x1.5555555555555p-3
	u := float64(x * x)
	q := float64(u * (1.0/120 + float64(u*(1.0/5040+float64(u*(1.0/362880+
		float64(u*(1.0/39916800+float64(u*(1.0/6227020800))))))))))
	t, rest := fastTwoSum(sixth, q)
	cube := float64(x * u)
	cubeRest := math.FMA(x, u, -cube) + float64(x*math.FMA(x, x, -u))
	p := float64(cube * t)
	pRest := math.FMA(cube, t, -p) + (float64(cube*(rest+sixthRest)) + float64(cubeRest*t))
	hi, lo = fastTwoSum(x, p)
	return hi, lo + pRest
}

func sinhCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u < magnitude(sinhMiddle) {
		if u < magnitude(tiny) {
			return x, true
		}
		i, h := expansionPoint(x, 0x1.8p45+sinhMiddle)
		return ziv(sinhTable[i%uint64(len(sinhTable))].fusedAt(h, expansionErrSquare))
	}
	k, rh, rl := fusedSplit(a, expStepInverse, expStepHi, expStepLo)
	if u >= magnitude(sinhSingle) {
		hi, lo := fusedExp(k, rh, rl)
		r, ok = ziv(hi, lo, sinhErr)
		return withSign(scale(r, k-expSteps), x), ok && u < magnitude(708)
	}
	h1, l1, h2, l2 := fusedExpBoth(k, rh, rl)
	p := scaleBetween(k)
	hi, lo := fastTwoSum(h1, -float64(h2*p))
	r, ok = ziv(hi, lo+(l1-float64(l2*p)), 2*sinhErr)
	return withSign(scale(r, k-expSteps), x), ok
}

// SinhSlice is crmath.SinhSlice.
func SinhSlice(dst, x []float64) {
	vector.MapLoop("crmath.SinhSlice", dst, x, vector.Each(FastSinh), best.sinh, inExp)
}

// Cosh is directed.Cosh, and crmath.Cosh to nearest.
func Cosh(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(tiny) >= magnitude(708)-magnitude(tiny) {
		return coshRare(a, m)
	}
	k, rh, rl := splitSteps(a, expStepInverse, expStepHi, expStepLo)
	var hi, lo, e float64
	if a >= sinhSingle {
		hi, lo = expReduced(k, rh, rl)
		e = sinhErr
	} else {
		h1, l1, h2, l2 := expBoth(k, rh, rl)
		p := scaleBetween(k)
		hi, lo = fastTwoSum(h1, float64(h2*p))
		lo += l1 + float64(l2*p)
		e = 2 * sinhErr
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, m); !ok {
			return coshAccurate(a, m)
		}
	}
	return scale(r, k-expSteps)
}

// coshRare is Cosh where 0 ≤ x < tiny or x ≥ 708, or x is NaN.
func coshRare(x float64, m fp.Mode) float64 {
	switch {
	case x == 0:
		return 1
	case x-x != 0:
		return x
	case x > 711:
		return overflow(1, m)
	case x < tiny:
		return beside(1, 1, m)
	}
	// cosh x = e^x/2 to 2^-2042
	k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
	hi, lo := expReduced(k, rh, rl)
	r, ok := scaleFar(hi, lo, sinhErr, k-expSteps, m)
	if !ok {
		return coshAccurate(x, m)
	}
	return r
}

// coshAccurate is Cosh for 0 < x < 2^12, where no result is representable or a
// midpoint. Below 2^-27, x²/2 is less than half an ulp of 1.
func coshAccurate(x float64, m fp.Mode) float64 {
	if x < 0x1p-27 {
		return beside(1, 1, m)
	}
	return wide.Cosh.Rounded(x, 0, m)
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
//	0.1   the polynomial: as in expReduced, whose interval is symmetric
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

// coshLane is Cosh for |x| < 708.
func coshLane(x float64) (r float64, ok bool) {
	a := math.Abs(flushed(x))
	k, h1, l1, h2, l2, p := expPair(a)
	hi, lo := fastTwoSum(h1, float64(h2*p))
	r, ok = ziv(hi, lo+(l1+float64(l2*p)), float64((1+p)*sinhErr))
	return scale(r, k-expSteps), ok && inExp(x)
}

func coshCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(tiny) >= magnitude(sinhSingle)-magnitude(tiny) {
		if u < magnitude(tiny) {
			return 1 + a, true
		}
		k, rh, rl := fusedSplit(a, expStepInverse, expStepHi, expStepLo)
		hi, lo := fusedExp(k, rh, rl)
		r, ok = ziv(hi, lo, sinhErr)
		return scale(r, k-expSteps), ok && u < magnitude(708)
	}
	k, rh, rl := fusedSplit(a, expStepInverse, expStepHi, expStepLo)
	h1, l1, h2, l2 := fusedExpBoth(k, rh, rl)
	p := scaleBetween(k)
	hi, lo := fastTwoSum(h1, float64(h2*p))
	r, ok = ziv(hi, lo+(l1+float64(l2*p)), 2*sinhErr)
	return scale(r, k-expSteps), ok
}

// CoshSlice is crmath.CoshSlice.
func CoshSlice(dst, x []float64) {
	vector.MapLoop("crmath.CoshSlice", dst, x, vector.Each(FastCosh), best.cosh, inExp)
}

// expPair returns the parts of e^x and of e^-x for 0 ≤ x < 708, as expBoth
// does, the former's power of two in k, and the scale of the latter, or 0 where
// e^-x does not count.
func expPair(x float64) (k uint64, h1, l1, h2, l2, p float64) {
	k, rh, rl := fusedSplit(x, expStepInverse, expStepHi, expStepLo)
	h1, l1, h2, l2 = fusedExpBoth(k, rh, rl)
	if x < sinhSingle {
		p = scaleBetween(k)
	}
	return k, h1, l1, h2, l2, p
}

// fusedExpBoth is expBoth.
func fusedExpBoth(k uint64, rh, rl float64) (h1, l1, h2, l2 float64) {
	t, u := &expTable[k%expSteps], &expTable[-k%expSteps]
	r2 := float64(rh * rh)
	even := float64(r2 * (0.5 + float64(r2*(expC4+float64(r2*expC6)))))
	cube, odd := float64(rh*r2), expC3+float64(r2*expC5)
	q := math.FMA(cube, odd, even)
	h1 = math.FMA(t.hi, rh, t.hi)
	l1 = math.FMA(t.hi, rh, t.hi-h1) + math.FMA(t.hi, rl+q, math.FMA(t.lo, rh+q, t.lo))
	q = math.FMA(-cube, odd, even)
	h2 = math.FMA(-u.hi, rh, u.hi)
	l2 = math.FMA(-u.hi, rh, u.hi-h2) + math.FMA(u.hi, q-rl, math.FMA(u.lo, q-rh, u.lo))
	return h1, l1, h2, l2
}

// Tanh is directed.Tanh, and crmath.Tanh to nearest.
func Tanh(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(tiny) >= magnitude(tanhLarge)-magnitude(tiny) {
		return tanhRare(x, m)
	}
	i, h := expansionPoint(x, 0x1.8p45+tanhLarge)
	hi, lo, e := tanhTable[i%uint64(len(tanhTable))].at(h, -expansionErrSquare)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, m); !ok {
			return tanhAccurate(x, m)
		}
	}
	return r
}

// tanhRare is Tanh where |x| < tiny or |x| ≥ tanhLarge, or x is NaN.
func tanhRare(x float64, m fp.Mode) float64 {
	a := math.Abs(x)
	switch {
	case x == 0 || x != x:
		return x
	case a > math.MaxFloat64:
		return math.Copysign(1, x)
	case a < tiny:
		return beside(x, -x, m)
	case a >= 19.1: // 2/(e^2x + 1) is below 2^-54
		return beside(math.Copysign(1, x), -x, m)
	}
	hi, lo, e := tanhNear1(a)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, mirrored(m, x)); !ok {
			return tanhAccurate(x, m)
		}
	}
	return math.Copysign(r, x)
}

// tanhAccurate is Tanh for 0 < |x| < 19.1, where no result is representable or
// a midpoint. Below 2^-27, x³/3 is less than half an ulp.
func tanhAccurate(x float64, m fp.Mode) float64 {
	if math.Abs(x) < 0x1p-27 {
		return beside(x, -x, m)
	}
	return wide.Tanh.Rounded(x, 0, m)
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

// tanhLane is Tanh.
func tanhLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a >= tanhLarge {
		if a >= 19.1 {
			return math.Copysign(1, x), true
		}
		r, ok = ziv(fusedTanhNear1(bounded(a, tanhLarge, 19.1)))
		return withSign(r, x), ok
	}
	if a < tiny {
		return x, true
	}
	i, h := expansionPoint(flushed(x), 0x1.8p45+tanhLarge)
	return ziv(tanhTable[i%uint64(len(tanhTable))].fusedAt(h, -expansionErrSquare))
}

func tanhCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(tiny) >= magnitude(tanhLarge)-magnitude(tiny) {
		if u < magnitude(tiny) {
			return x, true
		}
		r, ok = ziv(fusedTanhNear1(a))
		return withSign(r, x), ok && a < 19.1
	}
	i, h := expansionPoint(x, 0x1.8p45+tanhLarge)
	return ziv(tanhTable[i%uint64(len(tanhTable))].fusedAt(h, -expansionErrSquare))
}

// TanhSlice is crmath.TanhSlice.
func TanhSlice(dst, x []float64) {
	vector.MapLoop("crmath.TanhSlice", dst, x, vector.Each(FastTanh), best.tanh, isNumber)
}

// fusedTanhNear1 is tanhNear1.
func fusedTanhNear1(x float64) (hi, lo, e float64) {
	k, rh, rl := fusedSplit(float64(-2*x), expStepInverse, expStepHi, expStepLo)
	h, l := fusedExp(k, rh, rl)
	p := scale(2, k)
	h = float64(h * p)
	l = float64(l * p)
	y := h + l
	c := float64(y*y) / (2 + y)
	hi, lo = fastTwoSum(1, -h)
	return hi, lo + (c - l), math.FMA(c, 0x1p-50, math.FMA(y, 0x1p-68, 0x1p-105))
}
