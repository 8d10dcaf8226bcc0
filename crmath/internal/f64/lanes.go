package f64

//go:generate sh -c "cd ../../../internal/_asm && go run ./lanes -src ../../crmath/internal/f64 -lanes expLane,exp2Lane,expm1Lane,logLane,log2Lane,log10Lane,log1pLane,sinLane,cosLane,tanLane,powLane -out ../../crmath/internal/f64/lanes_amd64.s -stubs ../../crmath/internal/f64/lanes_amd64.go -pkg f64"

import "math"

// The vector kernels are compiled from lane functions, operation by operation:
// the fast paths without rare cases. So they have the error bounds of the fast
// paths. A product that feeds only one sum is fused with it, which takes a
// rounding out of the derivation and adds none.
//
// Where ok is false, r means nothing, and the function itself has to be called.
// All lanes take a branch when one of them needs it: branches are for arguments
// that are common in some data.

// expLane is Exp for |x| < 708.
func expLane(x float64) (r float64, ok bool) {
	k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
	hi, lo := expReduced(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok && math.Abs(x) < 708
}

// exp2Lane is Exp2 for |x| < 1022.
func exp2Lane(x float64) (r float64, ok bool) {
	shifted := float64(x*expSteps) + expShift
	k := math.Float64bits(shifted)
	rh, rl := expProduct(x-float64((shifted-expShift)*(1.0/expSteps)), 0, ln2Hi, ln2Lo)
	hi, lo := expReduced(k, rh, rl)
	r, ok = ziv(hi, lo, expErr)
	return scale(r, k), ok && math.Abs(x) < 1022
}

// expm1Lane is Expm1 for -37.5 < x < 708.
func expm1Lane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-54 {
		return x, true
	}
	if math.Abs(x) < 0x1p-5 {
		hi, lo := expm1Small(x)
		return ziv(hi, lo, expm1SmallErr(x))
	}
	k, rh, rl := splitSteps(x, expStepInverse, expStepHi, expStepLo)
	hi, lo := expReduced(k, rh, rl)
	power := scale(1, k)
	s, t := twoSum(float64(hi*power), -1)
	r, ok = ziv(s, t+float64(lo*power), float64(expErr*power)+expm1ErrLeast)
	return r, ok && -37.5 < x && x < 708
}

// logLane is Log for positive normal x.
func logLane(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if math.Abs(x-1) < 0x1p-10 {
		r := x - 1
		hi, lo := log1pSmall(r)
		return ziv(hi, lo, float64(math.Abs(r)*log1pSmallErr))
	}
	m, k := logSplit(u)
	hi, lo := logReduced(m, 0, float64(k*logLn2Hi))
	r, ok = ziv(hi, lo+float64(k*logLn2Lo), logErr)
	return r, ok && isPositiveNormal(x)
}

// isPositiveNormal reports whether x is positive, finite and not subnormal.
func isPositiveNormal(x float64) bool { return 0x1p-1022 <= x && x <= math.MaxFloat64 }

// log2Lane is Log2 for positive normal x.
func log2Lane(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if math.Abs(x-1) < 0x1p-10 {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = logProduct(head(hi), hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		return ziv(hi, lo, float64(math.Abs(r)*(2*log1pSmallErr)))
	}
	m, k := logSplit(u)
	hi, lo := logReduced(m, 0, 0)
	hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
	r, ok = ziv(hi, lo, logErrScaled)
	return r, ok && isPositiveNormal(x)
}

// log10Lane is Log10 for positive normal x.
func log10Lane(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if math.Abs(x-1) < 0x1p-10 {
		r := x - 1
		hi, lo := log1pSmall(r)
		hi, lo = logProduct(head(hi), hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		return ziv(hi, lo, float64(math.Abs(r)*log1pSmallErr))
	}
	m, k := logSplit(u)
	hi, lo := logReduced(m, 0, 0)
	hi, lo = logProduct(coarse(hi, 0x1.8p26), hi, lo,
		float64(k*logLg2Hi), invLn10Hi, invLn10Lo, invLn10)
	r, ok = ziv(hi, lo+float64(k*logLg2Lo), logErrScaled)
	return r, ok && isPositiveNormal(x)
}

// log1pLane is Log1p for finite x > -1.
func log1pLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-54 {
		return x, true
	}
	if math.Abs(x) < 0x1p-10 {
		hi, lo := log1pSmall(x)
		return ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr))
	}
	s, t := twoSum(1, x)
	u := math.Float64bits(s)
	m, k := logSplit(u)
	t *= math.Float64frombits(uint64(max(0, 1023-int64(u-logOffset)>>52)) << 52)
	hi, lo := logReduced(m, t, float64(k*logLn2Hi))
	r, ok = ziv(hi, lo+float64(k*logLn2Lo), logErr)
	return r, ok && -1 < x && x <= math.MaxFloat64
}

// sinLane is Sin for |x| < trigLarge.
func sinLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < trigTiny {
		return x, true
	}
	if math.Abs(x) < trigSmall {
		return ziv(oddSmall(x, -1.0/6, 1.0/120))
	}
	k, rh, rl := reduceSmall(x)
	hi, lo, e := sinReduced(k, rh, rl)
	r, ok = ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
	return r, ok && math.Abs(x) < trigLarge
}

// cosLane is Cos for |x| < trigLarge.
func cosLane(x float64) (r float64, ok bool) {
	k, rh, rl := reduceSmall(x)
	hi, lo, e := sinReduced(k+trigSteps/4, rh, rl)
	r, ok = ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
	return r, ok && math.Abs(x) < trigLarge
}

// tanLane is Tan for |x| < trigLarge.
func tanLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < trigTiny {
		return x, true
	}
	if math.Abs(x) < trigSmall {
		return ziv(oddSmall(x, 1.0/3, 2.0/15))
	}
	k, rh, rl := reduceSmall(x)
	r, ok = ziv(tanReduced(k, rh, rl, float64(math.Abs(x)*reduceSmallErr)))
	return r, ok && math.Abs(x) < trigLarge
}

// powLane is Pow for positive normal x and normal results.
func powLane(x, y float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	m, k := logSplit(u)
	hi, lo := powLog(m, k)
	p, t := twoProd(y, hi)
	near := math.Abs(p) < 708
	p, t = fastTwoSum(p, t+float64(y*lo))
	j, rh, rl := splitSteps(p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl+t)
	hi, lo = expReduced(j, rh, rl)
	r, ok = ziv(hi, lo,
		expErr+min(float64(math.Abs(p)*powErrRelative), float64(math.Abs(y)*powErrFactor)))
	return scale(r, j), ok && near && isPositiveNormal(x)
}
