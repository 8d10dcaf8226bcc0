package f64

import "math"

// Arguments of the lanes of error and gamma functions.

func inErfc(x float64) bool   { return -erfLarge < x && x < erfcNormal }
func inGamma(x float64) bool  { return 1 <= x && x < gammaNormalEnd }
func inLgamma(x float64) bool { return tiny <= x && x < lgammaHuge }

// erfLane is Erf for |x| ≥ tiny.
func erfLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a >= erfLarge {
		return math.Copysign(1, x), true
	}
	r, ok = ziv(fusedErf(flushed(a)))
	return withSign(r, x), ok && hasProducts(x)
}

// erfcLane is Erfc for -erfLarge < x < erfcNormal.
func erfcLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-60 {
		return 1 - x, true
	}
	if x < erfcNear {
		hi, lo, e := fusedErf(math.Abs(flushed(x)))
		hi, rest := fastTwoSum(1, -withSign(hi, x))
		r, ok = ziv(hi, rest-float64(math.Copysign(1, x)*lo), float64(e*1.125)+0x1p-105)
		return r, ok && x > -erfLarge
	}
	k, hi, lo, e := fusedErfcFar(bounded(x, erfcNear, erfcNormal))
	r, ok = ziv(hi, lo, e)
	return scale(r, k), ok && inErfc(x)
}

// gammaLane is Gamma for 1 ≤ x < gammaNormalEnd.
func gammaLane(x float64) (r float64, ok bool) {
	if x < gammaLast {
		r, ok = ziv(fusedGammaNear(x))
		return r, ok && x >= 1
	}
	k, hi, lo, e := fusedGammaFar(bounded(x, gammaLast, gammaNormalEnd))
	r, ok = ziv(hi, lo, e)
	return scale(r, k), ok && inGamma(x)
}

// lgammaLane is Lgamma for tiny ≤ x < lgammaHuge, except for 1 and 2.
func lgammaLane(x float64) (r float64, ok bool) {
	if x < lgammaNear {
		r, ok = ziv(fusedLgammaBelow(bounded(x, tiny, lgammaNear)))
		return r, ok && x >= tiny
	}
	if x < gammaLast {
		r, ok = ziv(fusedLgammaProduct(x))
		return r, ok && !(x == 1 || x == 2)
	}
	r, ok = ziv(fusedLgammaFar(bounded(x, gammaLast, lgammaHuge)))
	return r, ok && inLgamma(x)
}
