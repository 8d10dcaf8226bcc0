package f64

import "math"

// Functions for single calls of error and gamma functions.

func erfCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(tiny) >= magnitude(erfLarge)-magnitude(tiny) {
		if u >= magnitude(erfLarge) {
			return math.Copysign(1, x), x == x
		}
		return linear(x, erfSlope, erfSlopeRest)
	}
	r, ok = ziv(fusedErf(a))
	return withSign(r, x), ok
}

func erfcCall(x float64) (r float64, ok bool) {
	if x < erfcNear {
		u := magnitude(x)
		if u < magnitude(0x1p-55) {
			return 1 - x, true
		}
		hi, lo, e := fusedErf(math.Float64frombits(u))
		hi, rest := fastTwoSum(1, -withSign(hi, x))
		r, ok = ziv(hi, rest-float64(math.Copysign(1, x)*lo), float64(e*1.125)+0x1p-105)
		return r, ok && u < magnitude(erfLarge)
	}
	k, hi, lo, e := fusedErfcFar(x)
	r, ok = ziv(hi, lo, e)
	return scale(r, k), ok && x < erfcNormal
}

func gammaCall(x float64) (r float64, ok bool) {
	if x < 1 {
		if magnitude(x)-1<<52 < magnitude(0x1p-60)-1<<52 {
			return ziv(fusedGammaTiny(x))
		}
		r, ok = ziv(fusedGammaBelow(x))
		return r, ok && x >= 0x1p-60
	}
	if x < gammaLast {
		return ziv(fusedGammaNear(x))
	}
	k, hi, lo, e := fusedGammaFar(x)
	r, ok = ziv(hi, lo, e)
	return scale(r, k), ok && x < gammaNormalEnd
}

func lgammaCall(x float64) (r float64, ok bool) {
	if x < gammaLast {
		if x < lgammaNear {
			if u := magnitude(x); u < magnitude(tiny) {
				hi, lo := fusedLn(math.Float64frombits(u))
				r, ok = ziv(-hi, -lo, logErr)
				return r, ok && u >= 1<<52
			}
			r, ok = ziv(fusedLgammaBelow(x))
			return r, ok && x >= tiny
		}
		r, ok = ziv(fusedLgammaProduct(x))
		return r, ok && !(x == 1 || x == 2)
	}
	r, ok = ziv(fusedLgammaFar(x))
	return r, ok && x < lgammaLarge
}
