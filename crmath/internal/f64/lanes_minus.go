package f64

import "math"

// Arguments of the lanes of exponentials less 1, logarithms of 1+x and Rsqrt.

func inExp2m1(x float64) bool  { return -64 < x && x < 1022 }
func inExp10m1(x float64) bool { return -20 < x && x < 307 }
func inRsqrt(x float64) bool   { return rsqrtLeast <= x && x <= math.MaxFloat64 }

// hasProducts reports whether products of x with constants and their rests are
// normal.
func hasProducts(x float64) bool { return math.Abs(x) >= tiny }

// minus1Ziv rounds 2^i·(hi + lo) - 1 for the parts of a power, as Exp2m1 does
// after expMinus1.
func minus1Ziv(k uint64, hi, lo float64) (r float64, ok bool) {
	power := scale(1, k)
	s, t := twoSum(float64(hi*power), -1)
	return ziv(s, t+float64(lo*power), float64(expErr*power)+expm1ErrLeast)
}

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

// log2p1Lane is Log2p1 for finite x > -1.
func log2p1Lane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-10 {
		hi, lo := log1pSmall(flushed(x))
		hi, lo = fusedLogProduct(hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		r, ok = ziv(hi, lo, float64(math.Abs(x)*(2*log1pSmallErr)))
		return r, ok && hasProducts(x)
	}
	u, t, k := splitPlus1(flushed(x))
	hi, lo := fusedLog(u, t, 0)
	hi, lo = fusedLogProduct(hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
	r, ok = ziv(hi, lo, logErrScaled)
	return r, ok && inLog1p(x)
}

// log10p1Lane is Log10p1 for finite x > -1.
func log10p1Lane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-10 {
		hi, lo := log1pSmall(flushed(x))
		hi, lo = fusedLogProduct(hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		r, ok = ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr))
		return r, ok && hasProducts(x)
	}
	u, t, k := splitPlus1(flushed(x))
	hi, lo := fusedLog(u, t, 0)
	hi, lo = fusedLogProduct(hi, lo, float64(k*logLg2Hi), invLn10Hi, invLn10Lo, invLn10)
	r, ok = ziv(hi, lo+float64(k*logLg2Lo), logErrScaled)
	return r, ok && inLog1p(x)
}

// rsqrtLane is Rsqrt for x ≥ rsqrtLeast.
func rsqrtLane(x float64) (r float64, ok bool) {
	a := bounded(x, rsqrtLeast, math.MaxFloat64)
	y := math.Sqrt(a)
	hi := 1 / y
	r, ok = ziv(hi, rsqrtRest(a, y, hi), float64(hi*rsqrtErr))
	return r, ok && inRsqrt(x)
}
