package f64

//go:generate sh -c "cd ../../../internal/_asm && go run ./lanes -calls -src ../../crmath/internal/f64 -out ../../crmath/internal/f64/calls_amd64.s -stubs ../../crmath/internal/f64/calls_amd64.go -pkg f64"

import "math"

// The functions for single calls, FastExp and so on, are compiled from these
// for amd64, operation by operation. They are the fast paths to nearest, with
// fused operations, and have the error bounds of the fast paths. Where ok is
// false, r means nothing, and the function itself takes over.
//
// Go's math.FMA looks for the instruction in every call, and keeps values out
// of registers for the case that it is missing. Here one test at the beginning
// chooses.

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

func logCall(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if !isNearish(u) {
		hi, lo := quickLn(u)
		r, ok = ziv(hi, lo, lnQuickErr)
		return r, ok && u-1<<52 < 0x7fe<<52
	}
	if isNear1(u) {
		d := x - 1
		hi, lo := log1pSmall(d)
		return ziv(hi, lo, float64(math.Abs(d)*log1pSmallErr))
	}
	m, k := logSplit(u)
	hi, lo := fusedLog0(m, float64(k*logLn2Hi))
	return ziv(hi, lo+float64(k*logLn2Lo), logErr)
}

func log2Call(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if !isNearish(u) {
		hi, lo := quickLb(u)
		r, ok = ziv(hi, lo, lbQuickErr)
		return r, ok && u-1<<52 < 0x7fe<<52
	}
	if isNear1(u) {
		d := x - 1
		hi, lo := log1pSmall(d)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		return ziv(hi, lo, float64(math.Abs(d)*(2*log1pSmallErr)))
	}
	m, k := logSplit(u)
	hi, lo := fusedLog0(m, 0)
	hi, lo = fusedLogProduct(hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
	return ziv(hi, lo, logErrScaled)
}

func log10Call(x float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if !isNearish(u) {
		hi, lo := quickLg(u)
		r, ok = ziv(hi, lo, lgQuickErr)
		return r, ok && u-1<<52 < 0x7fe<<52
	}
	if isNear1(u) {
		d := x - 1
		hi, lo := log1pSmall(d)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		return ziv(hi, lo, float64(math.Abs(d)*log1pSmallErr))
	}
	m, k := logSplit(u)
	hi, lo := fusedLog0(m, 0)
	hi, lo = fusedLogProduct(hi, lo, float64(k*logLg2Hi), invLn10Hi, invLn10Lo, invLn10)
	return ziv(hi, lo+float64(k*logLg2Lo), logErrScaled)
}

func log1pCall(x float64) (r float64, ok bool) {
	if magnitude(x) < magnitude(0x1p-10) {
		if magnitude(x) < magnitude(0x1p-54) {
			return x, true
		}
		hi, lo := log1pSmall(x)
		return ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr))
	}
	if !inLog1p(x) {
		return 0, false
	}
	s, t := twoSum(1, x)
	u := math.Float64bits(s)
	m, k := logSplit(u)
	t *= math.Float64frombits(uint64(max(0, 1023-int64(u-logOffset)>>52)) << 52)
	hi, lo := fusedLog(m, t, float64(k*logLn2Hi))
	return ziv(hi, lo+float64(k*logLn2Lo), logErr)
}

func sinCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(trigSmall) >= magnitude(trigLarge)-magnitude(trigSmall) {
		if u < magnitude(trigTiny) {
			return x, true
		}
		r, ok = ziv(oddSmall(x, -1.0/6, 1.0/120))
		return r, ok && u < magnitude(trigSmall)
	}
	k, rh, rl := fusedSplit(x, trigStepInverse, trigStepHi, trigStepLo)
	hi, lo, e := fusedSin(k, rh, rl)
	return ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
}

func cosCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(trigTiny) >= magnitude(trigLarge)-magnitude(trigTiny) {
		return 1 - min(math.Abs(x), 0x1p-60), u < magnitude(trigTiny)
	}
	k, rh, rl := fusedSplit(x, trigStepInverse, trigStepHi, trigStepLo)
	hi, lo, e := fusedSin(k+trigSteps/4, rh, rl)
	return ziv(hi, lo, e+(float64(math.Abs(x)*reduceSmallErr)+sinErrLeast))
}

func tanCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(trigSmall) >= magnitude(trigLarge)-magnitude(trigSmall) {
		if u < magnitude(trigTiny) {
			return x, true
		}
		r, ok = ziv(oddSmall(x, 1.0/3, 2.0/15))
		return r, ok && u < magnitude(trigSmall)
	}
	k, rh, rl := fusedSplit(x, trigStepInverse, trigStepHi, trigStepLo)
	return ziv(tanReduced(k, rh, rl, float64(math.Abs(x)*reduceSmallErr)))
}

func asinCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(trigSmall) >= magnitude(1)-magnitude(trigSmall) {
		if u < magnitude(tiny) {
			return x, true
		}
		r, ok = ziv(oddSmall(x, 1.0/6, 3.0/40))
		return r, ok && u < magnitude(trigSmall)
	}
	if u > magnitude(asinDirect) {
		h, l := fusedHalf(a)
		r, ok = ziv(fusedArc(h, l, asinSine+asinRoot, 2*asinErrSquare))
		return withSign(r, x), ok
	}
	r, ok = ziv(fusedArc(a, 0, asinSine, asinErrSquare))
	return withSign(r, x), ok
}

func acosCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(tiny) >= magnitude(1)-magnitude(tiny) {
		return math.Pi/2 - x, u < magnitude(tiny)
	}
	form := asinCosine + int(math.Float64bits(x)>>63)
	if u > magnitude(asinDirect) {
		h, l := fusedHalf(a)
		return ziv(fusedArc(h, l, form+asinRoot, 2*asinErrSquare))
	}
	return ziv(fusedArc(a, 0, form, asinErrSquare))
}

func atanCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(atanMiddle) < magnitude(atanLarge)-magnitude(atanMiddle) {
		row := &atanTable[0][atanRow(u)+1]
		q, q1, q2 := atanQuotient(a, head19(a), row.sin)
		hi, lo := atanSum(row.hi, row.lo, q, q1, q2)
		r, ok = ziv(hi, lo, atanErr)
		return withSign(r, x), ok
	}
	if u >= magnitude(atanLarge) {
		if u >= magnitude(atanHuge) {
			return math.Copysign(math.Pi/2, x), x == x
		}
		r, ok = ziv(atanInverse(a))
		return withSign(r, x), ok
	}
	if u < magnitude(tiny) {
		return x, true
	}
	i, h := expansionPoint(x, 0x1.8p45+atanMiddle)
	return ziv(atanNear[i%uint64(len(atanNear))].fusedAt(h, -expansionErrSquare))
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

func asinhCall(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < 0x1p-5 {
		if a < 0x1p-27 {
			return x, true
		}
		return ziv(oddSeries(x, asinhC3, asinhC5, asinhC7, asinhC9, asinhC11, asinhC13))
	}
	if a >= logLarge {
		hi, lo := fusedLogScaled(float64(0.5*a), 0, 2)
		r, ok = ziv(hi, lo, logErr)
		return withSign(r, x), ok && isFinite(x)
	}
	s := float64(a * a)
	t := math.FMA(a, a, -s)
	s, u := twoSum(s, 1)
	h := math.Sqrt(s)
	rest := fusedRest(h, s, t+u)
	s, t = fastTwoSum(h, a)
	hi, lo := fusedLogScaled(s, t+rest, 0)
	r, ok = ziv(hi, lo, logErr)
	return withSign(r, x), ok
}

func acoshCall(x float64) (r float64, ok bool) {
	if x < 1+0x1p-10 {
		r, ok = ziv(acoshSmall(x - 1))
		return r, ok && x > 1
	}
	if x >= logLarge {
		hi, lo := fusedLogScaled(float64(0.5*x), 0, 2)
		r, ok = ziv(hi, lo, logErr)
		return r, ok && isFinite(x)
	}
	s := float64(x * x)
	t := math.FMA(x, x, -s)
	s, u := fastTwoSum(s, -1)
	h := math.Sqrt(s)
	rest := fusedRest(h, s, t+u)
	s, t = fastTwoSum(x, h)
	hi, lo := fusedLogScaled(s, t+rest, 0)
	return ziv(hi, lo, logErr)
}

func atanhCall(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < 0x1p-6 {
		if a < 0x1p-27 {
			return x, true
		}
		return ziv(oddSeries(x, atanhC3, atanhC5, atanhC7, atanhC9, atanhC11, 0))
	}
	if !(a < 1) {
		return 0, false
	}
	s, t := fastTwoSum(1, a)
	d, u := fastTwoSum(1, -a)
	inv := 1 / d
	q := s / d
	rest := math.FMA(-q, d, s) + (t - float64(q*u))
	hi, lo := fusedLogScaled(q, float64(rest*inv), 0)
	r, ok = ziv(float64(0.5*hi), float64(0.5*lo), atanhErr)
	return withSign(r, x), ok
}

func cbrtCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-1<<52 >= 0x7fe<<52 {
		return 0, false
	}
	m, k := logSplit(u)
	// (k-1)/3 is within 1/3 of the integer q with k = 3·q + j, j from 0 to 2.
	shifted := math.FMA(k-1, 1.0/3, expShift)
	j := k - float64(3*(shifted-expShift))
	y, c := fusedCbrt(math.Float64frombits(m), math.Float64bits(j+expShift)%4)
	z, ok := ziv(y, c, cbrtErr)
	r = math.Float64frombits(math.Float64bits(z) + math.Float64bits(shifted)<<52)
	return withSign(r, x), ok
}

func powCall(x, y float64) (r float64, ok bool) {
	u := math.Float64bits(x)
	if u-1<<52 >= 0x7fe<<52 {
		return 0, false
	}
	if magnitude(y) < magnitude(powTiny) {
		return 1, true
	}
	m, k := logSplit(u)
	hi, lo := powLog(m, k)
	p := float64(y * hi)
	if magnitude(p)-magnitude(tiny) >= magnitude(708)-magnitude(tiny) {
		return 1 + p, magnitude(p) < magnitude(tiny)
	}
	t := math.FMA(y, hi, -p)
	p, t = fastTwoSum(p, t+float64(y*lo))
	j, rh, rl := fusedSplit(p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl+t)
	hi, lo = fusedExp(j, rh, rl)
	r, ok = ziv(hi, lo,
		expErr+min(float64(math.Abs(p)*powErrRelative), float64(math.Abs(y)*powErrFactor)))
	return scale(r, j), ok
}

func atan2Call(x, y float64) (r float64, ok bool) {
	u, v := magnitude(y), magnitude(x)
	const span = (atan2Most - atan2Least) << 52
	if u-atan2Least<<52 >= span || v-atan2Least<<52 >= span {
		return 0, false
	}
	r, ok = atan2Ziv(math.Float64frombits(u), x)
	return withSign(r, y), ok
}

// hypotCall compares with b before it multiplies: products of other numbers may
// be subnormal.
func hypotCall(x, y float64) (r float64, ok bool) {
	u, v := math.Abs(x), math.Abs(y)
	a, b := max(v, u), min(u, v) // with x or y, one of them is NaN in the kernel too
	if !(b >= float64((a+hypotLeast*0x1p28)*0x1p-28)) {
		i, k := math.Float64bits(u), math.Float64bits(v)
		return max(u, v), i-k+hypotFar >= 2*hypotFar && areFinite(x, y)
	}
	return fusedHypot(a, b)
}
