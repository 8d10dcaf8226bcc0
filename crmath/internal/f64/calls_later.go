package f64

import "math"

// Functions for single calls of exponentials less 1, logarithms of 1+x, angles
// in half turns and Rsqrt.

// fusedSlope returns hi + lo = x·(c + rest), where c + rest is a constant to
// 106 bits, with an error below 2^-102 of it, where lo is not subnormal.
func fusedSlope(x, c, rest float64) (hi, lo float64) {
	hi = float64(x * c)
	return hi, math.FMA(x, c, -hi) + float64(x*rest)
}

// linear returns a function of the slope c + rest at 0, for |x| < 2^-40 where
// its next term is below 2^-100.3 of the first.
//
// It computes with 2^600 times the numbers. There, the smallest normal number
// is linearUnit. Results below that are rounded as parts of a sum with it, as
// in roundSubnormal. Next to it, others may be rounded to too many bits, and
// mean nothing.
func linear(x, c, rest float64) (r float64, ok bool) {
	const linearUnit = 0x1p-422
	a, up := math.Abs(x), 0x1p600
	if a < 0x1p-1022 { // as a product, that takes time
		a, up = float64(int64(math.Float64bits(a))), 0x1p-474
	}
	hi, lo := fusedSlope(float64(a*up), c, rest)
	base, scale := 0.0, int64(600<<52)
	if hi < linearUnit {
		base, scale = linearUnit, int64(601<<52)
	}
	s, t := fastTwoSum(base, hi)
	y, ok := ziv(s, t+lo, float64(hi*0x1p-99)+float64(base*0x1p-104))
	r = math.Float64frombits(math.Float64bits(y) - uint64(scale))
	return withSign(r, x), ok && y >= linearUnit
}

// Below oddLinear, linear holds for the functions of half turns and arcs in
// them, whose next term is the cube: less than 3.3·x² of the first.
const oddLinear = 0x1p-51

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

func log2p1Call(x float64) (r float64, ok bool) {
	if u := magnitude(x); u < magnitude(0x1p-10) {
		if u < magnitude(tiny) {
			return linear(x, invLn2, invLn2Rest)
		}
		hi, lo := log1pSmall(x)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn2Hi, invLn2Lo, invLn2)
		return ziv(hi, lo, float64(math.Abs(x)*(2*log1pSmallErr)))
	}
	if !inLog1p(x) {
		return 0, false
	}
	u, t, k := splitPlus1(x)
	hi, lo := fusedLog(u, t, 0)
	hi, lo = fusedLogProduct(hi, lo, k, invLn2Hi, invLn2Lo, invLn2)
	return ziv(hi, lo, logErrScaled)
}

func log10p1Call(x float64) (r float64, ok bool) {
	if u := magnitude(x); u < magnitude(0x1p-10) {
		if u < magnitude(tiny) {
			return linear(x, invLn10, invLn10Rest)
		}
		hi, lo := log1pSmall(x)
		hi, lo = fusedLogProduct(hi, lo, 0, invLn10Hi, invLn10Lo, invLn10)
		return ziv(hi, lo, float64(math.Abs(x)*log1pSmallErr))
	}
	if !inLog1p(x) {
		return 0, false
	}
	u, t, k := splitPlus1(x)
	hi, lo := fusedLog(u, t, 0)
	hi, lo = fusedLogProduct(hi, lo, float64(k*logLg2Hi), invLn10Hi, invLn10Lo, invLn10)
	return ziv(hi, lo+float64(k*logLg2Lo), logErrScaled)
}

// From turnEven on, numbers are even.
const turnEven = 0x1p53

// turnStep is the first part of a step of π/256.
const turnStep = piHi * (2.0 / trigSteps)

// fusedTurnSin returns hi + lo, the sine of k + r steps, and a bound of the
// error, as fusedTurn does. The angle is off by less than 2^-111, and its
// second part below 2^-60.
func fusedTurnSin(k uint64, r float64) (hi, lo, e float64) {
	rh, rl := fusedSlope(r, turnStep, piLo*(2.0/trigSteps))
	hi, lo, e = fusedSin(k, rh, rl)
	return hi, lo, e + (turnErr + sinErrLeast)
}

func sinpiCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(turnSmall) >= magnitude(turnLarge)-magnitude(turnSmall) {
		if u < magnitude(oddLinear) {
			return linear(x, piHi, piLo)
		}
		if u >= magnitude(turnEven) {
			return math.Copysign(0, x), isFinite(x)
		}
		r, ok = ziv(oddTurn(float64(x*(trigSteps/2)), -1.0/6, 1.0/120))
		return r, ok && u < magnitude(turnSmall)
	}
	return ziv(fusedTurnSin(splitTurn(x)))
}

func cospiCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(cosTurnOne) >= magnitude(turnLarge)-magnitude(cosTurnOne) {
		return 1 - min(math.Abs(x), 0x1p-60),
			u < magnitude(cosTurnOne) || u >= magnitude(turnEven) && isFinite(x)
	}
	k, s := splitTurn(x)
	return ziv(fusedTurnSin(k+trigSteps/4, s))
}

func tanpiCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(turnSmall) >= magnitude(turnLarge)-magnitude(turnSmall) {
		if u < magnitude(oddLinear) {
			return linear(x, piHi, piLo)
		}
		if u >= magnitude(turnEven) {
			return math.Copysign(0, x), isFinite(x)
		}
		r, ok = ziv(oddTurn(float64(x*(trigSteps/2)), 1.0/3, 2.0/15))
		return r, ok && u < magnitude(turnSmall)
	}
	k, s := splitTurn(x)
	rh, rl := fusedSlope(s, turnStep, piLo*(2.0/trigSteps))
	return ziv(tanReduced(k, rh, rl, turnErr))
}

// 1/π less its first part.
const invPiRest = 1/math.Pi - invPi

func asinpiCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(trigSmall) >= magnitude(1)-magnitude(trigSmall) {
		if u < magnitude(oddLinear) {
			return linear(x, invPi, invPiRest)
		}
		r, ok = ziv(fusedOverPi(oddSmall(x, 1.0/6, 3.0/40)))
		return r, ok && u < magnitude(trigSmall)
	}
	if u > magnitude(asinDirect) {
		h, l := fusedHalf(a)
		r, ok = ziv(fusedOverPi(fusedArc(h, l, asinSine+asinRoot, 2*asinErrSquare)))
		return withSign(r, x), ok
	}
	r, ok = ziv(fusedOverPi(fusedArc(a, 0, asinSine, asinErrSquare)))
	return withSign(r, x), ok
}

func acospiCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(acosHalf) >= magnitude(1)-magnitude(acosHalf) {
		return 0.5 - x, u < magnitude(acosHalf)
	}
	form := asinCosine + int(math.Float64bits(x)>>63)
	if u > magnitude(asinDirect) {
		h, l := fusedHalf(a)
		return ziv(fusedOverPi(fusedArc(h, l, form+asinRoot, 2*asinErrSquare)))
	}
	return ziv(fusedOverPi(fusedArc(a, 0, form, asinErrSquare)))
}

func atanpiCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(atanMiddle) < magnitude(atanLarge)-magnitude(atanMiddle) {
		row := &atanTable[0][atanRow(u)+1]
		q, q1, q2 := atanQuotient(a, head19(a), row.sin)
		hi, lo := atanSum(row.hi, row.lo, q, q1, q2)
		r, ok = ziv(fusedOverPi(hi, lo, atanErr))
		return withSign(r, x), ok
	}
	if u >= magnitude(atanLarge) {
		if u >= magnitude(atanHuge) {
			return math.Copysign(0.5, x), x == x
		}
		r, ok = ziv(fusedOverPi(atanInverse(a)))
		return withSign(r, x), ok
	}
	if u < magnitude(oddLinear) {
		return linear(x, invPi, invPiRest)
	}
	i, h := expansionPoint(x, 0x1.8p45+atanMiddle)
	return ziv(fusedOverPi(atanNear[i%uint64(len(atanNear))].fusedAt(h, -expansionErrSquare)))
}

// rsqrtCall has the derivation of rsqrtRest, where d and t are exact.
func rsqrtCall(x float64) (r float64, ok bool) {
	if !inRsqrt(x) {
		return 0, false
	}
	y := math.Sqrt(x)
	hi := 1 / y
	d, t := math.FMA(-y, y, x), math.FMA(-y, hi, 1)
	return ziv(hi, float64(hi*math.FMA(float64(d*hi), float64(-0.5*hi), t)), float64(hi*rsqrtErr))
}
