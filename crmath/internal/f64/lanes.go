package f64

//go:generate sh -c "cd ../../../internal/_asm && go run ./lanes -src ../../crmath/internal/f64 -out ../../crmath/internal/f64/lanes_amd64.s -stubs ../../crmath/internal/f64/lanes_amd64.go -pkg f64"
//go:generate sh -c "cd ../../../internal/_asm && go run ./lanes -arch arm64 -src ../../crmath/internal/f64 -out ../../crmath/internal/f64/lanes_arm64.s -stubs ../../crmath/internal/f64/lanes_arm64.go -pkg f64"

import "math"

// The vector kernels are compiled from lane functions, operation by operation:
// the fast paths without rare cases. So they have the error bounds of the fast
// paths. A product that feeds only one sum is fused with it, which takes a
// rounding out of the derivation and adds none.
//
// Where ok is false, r means nothing, and the function itself has to be called.
// All lanes take a branch when one of them needs it: branches are for arguments
// that are common in some data.

// Arguments that lanes compute. A slice whose elements are others is computed
// without a kernel.

func isNumber(x float64) bool     { return x == x }
func isFinite(x float64) bool     { return math.Abs(x) <= math.MaxFloat64 }
func areFinite(x, y float64) bool { return isFinite(x) && isFinite(y) }

// isPositiveNormal reports whether x is positive, finite and not subnormal.
func isPositiveNormal(x float64) bool { return 0x1p-1022 <= x && x <= math.MaxFloat64 }

func inExp(x float64) bool    { return math.Abs(x) < 708 }
func inExp2(x float64) bool   { return math.Abs(x) < 1022 }
func inExp10(x float64) bool  { return math.Abs(x) < 307 }
func inExpm1(x float64) bool  { return -37.5 < x && x < 708 }
func inLog1p(x float64) bool  { return -1 < x && x <= math.MaxFloat64 }
func inTrig(x float64) bool   { return math.Abs(x) < trigLarge }
func inUnit(x float64) bool   { return math.Abs(x) < 1 }
func inAcosh(x float64) bool  { return 1 < x && x <= math.MaxFloat64 }
func inCbrt(x float64) bool   { return x == 0 || isPositiveNormal(math.Abs(x)) }
func inPow(x, y float64) bool { return isPositiveNormal(x) && isFinite(y) }

func inAtan2(x, y float64) bool {
	a, b := math.Abs(x), math.Abs(y)
	return min(a, b) >= 0x1p-160 && max(a, b) < 0x1p160
}

// flushed returns x, or 0 where |x| is below tiny: products there may be
// subnormal, which takes a processor a hundred times as long, also in lanes
// whose results do not count.
func flushed(x float64) float64 {
	if math.Abs(x) < tiny {
		return 0
	}
	return x
}

// bounded returns x, or 1 where x is below least or above most, where products
// with x or its inverse may be subnormal, as for flushed. It returns NaN for
// NaN.
func bounded(x, least, most float64) float64 {
	if x < least {
		return 1
	}
	if x > most {
		return 1
	}
	return x
}

// expLane is Exp for |x| < 708.
func expLane(x float64) (r float64, ok bool) {
	k, rh, rl := fusedSplit(flushed(x), expStepInverse, expStepHi, expStepLo)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok && inExp(x)
}

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

// exp10Lane is Exp10 for |x| < 307.
func exp10Lane(x float64) (r float64, ok bool) {
	k, d, s := fusedSplit(flushed(x), exp10StepInverse, exp10StepHi, exp10StepLo)
	rh, rl := fusedProduct(d, s, math.Ln10, ln10Rest)
	hi, lo := fusedExp(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok && inExp10(x)
}

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

// logLane is Log for positive normal x.
func logLane(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if math.Abs(x-1) < 0x1p-10 {
		r := x - 1
		hi, lo := log1pSmall(r)
		return ziv(hi, lo, float64(math.Abs(r)*log1pSmallErr))
	}
	if math.Abs(x-1) < 0x1p-4 {
		m, k := logSplit(u)
		hi, lo := fusedLog0(m, float64(k*logLn2Hi))
		r, ok = ziv(hi, lo+float64(k*logLn2Lo), logErr)
		return r, ok
	}
	hi, lo := quickLn(u)
	r, ok = ziv(hi, lo, lnQuickErr)
	return r, ok && isPositiveNormal(x)
}

// log2Lane is Log2 for positive normal x.
func log2Lane(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if math.Abs(x-1) < 0x1p-10 {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		return ziv(hi, lo, float64(math.Abs(r)*(2*log1pSmallErr)))
	}
	if math.Abs(x-1) < 0x1p-4 {
		m, k := logSplit(u)
		hi, lo := fusedLog0(m, 0)
		hi, lo = fusedLogProduct(hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
		r, ok = ziv(hi, lo, logErrScaled)
		return r, ok
	}
	hi, lo := quickLb(u)
	r, ok = ziv(hi, lo, lbQuickErr)
	return r, ok && isPositiveNormal(x)
}

// log10Lane is Log10 for positive normal x.
func log10Lane(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if math.Abs(x-1) < 0x1p-10 {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		return ziv(hi, lo, float64(math.Abs(r)*log1pSmallErr))
	}
	if math.Abs(x-1) < 0x1p-4 {
		m, k := logSplit(u)
		hi, lo := fusedLog0(m, 0)
		hi, lo = fusedLogProduct(hi, lo, float64(k*logLg2Hi), invLn10Hi, invLn10Lo, invLn10)
		r, ok = ziv(hi, lo+float64(k*logLg2Lo), logErrScaled)
		return r, ok
	}
	hi, lo := quickLg(u)
	r, ok = ziv(hi, lo, lgQuickErr)
	return r, ok && isPositiveNormal(x)
}

// log1pLane is Log1p for finite x > -1.
func log1pLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-54 {
		return x, true
	}
	y := flushed(x)
	if math.Abs(x) < 0x1p-10 {
		hi, lo := log1pSmall(y)
		return ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr))
	}
	s, t := twoSum(1, y)
	u := math.Float64bits(s)
	m, k := logSplit(u)
	t *= math.Float64frombits(uint64(max(0, 1023-int64(u-logOffset)>>52)) << 52)
	hi, lo := fusedLog(m, t, float64(k*logLn2Hi))
	r, ok = ziv(hi, lo+float64(k*logLn2Lo), logErr)
	return r, ok && inLog1p(x)
}

// sinLane is Sin for |x| < trigLarge.
func sinLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < trigTiny {
		return x, true
	}
	if math.Abs(x) < trigSmall {
		return ziv(oddSmall(flushed(x), -1.0/6, 1.0/120))
	}
	k, rh, rl := fusedSplit(flushed(x), trigStepInverse, trigStepHi, trigStepLo)
	hi, lo, e := fusedSin(k, rh, rl)
	r, ok = ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
	return r, ok && inTrig(x)
}

// cosLane is Cos for |x| < trigLarge.
func cosLane(x float64) (r float64, ok bool) {
	k, rh, rl := fusedSplit(flushed(x), trigStepInverse, trigStepHi, trigStepLo)
	hi, lo, e := fusedSin(k+trigSteps/4, rh, rl)
	r, ok = ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
	return r, ok && inTrig(x)
}

// tanLane is Tan for |x| < trigLarge.
func tanLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < trigTiny {
		return x, true
	}
	if math.Abs(x) < trigSmall {
		return ziv(oddSmall(flushed(x), 1.0/3, 2.0/15))
	}
	k, rh, rl := fusedSplit(flushed(x), trigStepInverse, trigStepHi, trigStepLo)
	r, ok = ziv(tanReduced(k, rh, rl, float64(math.Abs(x)*reduceSmallErr)))
	return r, ok && inTrig(x)
}

// asinLane is Asin for |x| < 1.
func asinLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < trigSmall {
		if a < tiny {
			return x, true
		}
		return ziv(oddSmall(flushed(x), 1.0/6, 3.0/40))
	}
	if !inUnit(x) {
		return 0, false
	}
	r, ok = ziv(arc(flushed(a), asinSine))
	return withSign(r, x), ok
}

// acosLane is Acos for |x| < 1.
func acosLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-60 {
		return math.Pi/2 - x, true
	}
	if !inUnit(x) {
		return 0, false
	}
	return ziv(arc(math.Abs(flushed(x)), asinCosine+int(math.Float64bits(x)>>63)))
}

// atanLane is Atan. It computes Atan2(x, 1), whose steps serve numbers of every
// size, and has its bound.
func atanLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < tiny {
		return x, true
	}
	if a >= atanHuge {
		return math.Copysign(math.Pi/2, x), true
	}
	r, ok = atan2Ziv(bounded(a, tiny, atanHuge), 1)
	return withSign(r, x), ok
}

// atan2Ziv returns Atan2(b, x) for positive b, by the path without special
// cases.
func atan2Ziv(b, x float64) (r float64, ok bool) {
	row := atan2Row(b, x)
	q, q1, q2 := atan2Quotient(atan2Parts(b, head19(b), x, head19(x), row.sin, row.cos))
	return ziv(atan2Sum(row.hi, row.lo, q, q1, q2, float64(math.Abs(q)*atan2ErrCube)))
}

// atan2Lane is Atan2(y, x) for numbers between 2^-160 and 2^160.
func atan2Lane(x, y float64) (r float64, ok bool) {
	r, ok = atan2Ziv(math.Abs(y), x)
	return withSign(r, y), ok && inAtan2(x, y)
}

// sinhLane is Sinh for |x| < 708. Where the scale of e^-x is too small for
// float64, 0 takes its place.
func sinhLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < sinhMiddle {
		if a < tiny {
			return x, true
		}
		i, h := expansionPoint(flushed(x), 0x1.8p45+sinhMiddle)
		return ziv(sinhTable[i%uint64(len(sinhTable))].fusedAt(h, expansionErrSquare))
	}
	k, h1, l1, h2, l2, p := expPair(flushed(a))
	hi, lo := fastTwoSum(h1, -float64(h2*p))
	r, ok = ziv(hi, lo+(l1-float64(l2*p)), float64((1+p)*sinhErr))
	return withSign(scale(r, k-expSteps), x), ok && inExp(x)
}

// coshLane is Cosh for |x| < 708.
func coshLane(x float64) (r float64, ok bool) {
	a := math.Abs(flushed(x))
	k, h1, l1, h2, l2, p := expPair(a)
	hi, lo := fastTwoSum(h1, float64(h2*p))
	r, ok = ziv(hi, lo+(l1+float64(l2*p)), float64((1+p)*sinhErr))
	return scale(r, k-expSteps), ok && inExp(x)
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

// asinhLane is Asinh for finite x.
func asinhLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < 0x1p-5 {
		if a < 0x1p-27 {
			return x, true
		}
		return ziv(oddSeries(flushed(x), asinhC3, asinhC5, asinhC7, asinhC9, asinhC11, asinhC13))
	}
	a = flushed(a)
	if a >= logLarge {
		hi, lo := logScaled(0.5*a, 0, 2)
		r, ok = ziv(hi, lo, logErr)
		return withSign(r, x), ok && isFinite(x)
	}
	hi, lo := asinhReduced(a)
	r, ok = ziv(hi, lo, logErr)
	return withSign(r, x), ok
}

// acoshLane is Acosh for finite x > 1.
func acoshLane(x float64) (r float64, ok bool) {
	if x < 1+0x1p-10 {
		r, ok = ziv(acoshSmall(x - 1))
		return r, ok && x > 1
	}
	if x >= logLarge {
		hi, lo := logScaled(0.5*x, 0, 2)
		r, ok = ziv(hi, lo, logErr)
		return r, ok && x <= math.MaxFloat64
	}
	hi, lo := acoshReduced(x)
	return ziv(hi, lo, logErr)
}

// atanhLane is Atanh for |x| < 1.
func atanhLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < 0x1p-6 {
		if a < 0x1p-27 {
			return x, true
		}
		return ziv(oddSeries(flushed(x), atanhC3, atanhC5, atanhC7, atanhC9, atanhC11, 0))
	}
	hi, lo := atanhReduced(flushed(a))
	r, ok = ziv(hi, lo, atanhErr)
	return withSign(r, x), ok && inUnit(x)
}

// cbrtLane is Cbrt for zeros and normal x.
func cbrtLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a == 0 {
		return x, true
	}
	if !isPositiveNormal(a) {
		return 0, false
	}
	m, k := logSplit(math.Float64bits(a))
	// (k-1)/3 is within 1/3 of the integer q with k = 3·q + j, j from 0 to 2.
	shifted := float64((k-1)*(1.0/3)) + expShift
	j := k - float64(3*(shifted-expShift))
	y, c := cbrtNear(math.Float64frombits(m), math.Float64bits(j+expShift)%4)
	z, ok := ziv(y, c, cbrtErr)
	r = math.Float64frombits(math.Float64bits(z) + math.Float64bits(shifted)<<52)
	return withSign(r, x), ok
}

// hypotLane is Hypot for numbers between hypotLeast and hypotMost, and where
// one of them is so small that the result is the other.
func hypotLane(x, y float64) (r float64, ok bool) {
	u, v := math.Abs(x), math.Abs(y)
	a, b := max(v, u), min(u, v)
	// Of encodings: a product with a may be subnormal.
	if int64(math.Float64bits(a)-math.Float64bits(b)) >= hypotFar {
		return a, a <= math.MaxFloat64
	}
	r, ok = fusedHypot(hypotBounded(a, a, b), hypotBounded(b, a, b))
	return r, ok && a <= hypotMost && b >= hypotLeast
}

// hypotBounded returns x, or 1 where a number of 0 ≤ b ≤ a is out of bounds.
func hypotBounded(x, a, b float64) float64 {
	if a <= hypotMost && b >= hypotLeast {
		return x
	}
	return 1
}

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
