package f64

import "math"

// Arguments of the lanes of error and gamma functions.

func inErfc(x float64) bool   { return -erfLarge < x && x < erfcNormal }
func inGamma(x float64) bool  { return 1 <= x && x < gammaNormalEnd }
func inLgamma(x float64) bool { return tiny <= x && x < lgammaHuge }

// fusedErf is erfNear for 0 and tiny ≤ x < erfLarge.
func fusedErf(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	return erfTable[i%uint64(len(erfTable))].fusedAt(h, -expansionErrSquare)
}

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
	if x < erfcNear {
		hi, lo, e := fusedErf(math.Abs(flushed(x)))
		hi, rest := fastTwoSum(1, -withSign(hi, x))
		r, ok = ziv(hi, rest-float64(math.Copysign(1, x)*lo), float64(e*1.125)+0x1p-105)
		return r, ok && x > -erfLarge
	}
	k, hi, lo, e := erfcFar(bounded(x, erfcNear, erfcNormal))
	r, ok = ziv(hi, lo, e)
	return scale(r, k), ok && inErfc(x)
}

// gammaLane is Gamma for 1 ≤ x < gammaNormalEnd.
func gammaLane(x float64) (r float64, ok bool) {
	if x < gammaLast {
		i, h := expansionPoint(x, 0x1.8p45)
		row := &gammaTable[(i-gammaFirst)%uint64(len(gammaTable))]
		r, ok = ziv(row.fusedAt(h, expansionErrSquare))
		return r, ok && x >= 1
	}
	k, hi, lo, e := gammaStirling(x)
	r, ok = ziv(hi, lo, e)
	return scale(r, k), ok && inGamma(x)
}

// lgammaLane is Lgamma for tiny ≤ x < lgammaHuge, except for 1 and 2.
func lgammaLane(x float64) (r float64, ok bool) {
	if !inLgamma(x) || x == 1 || x == 2 {
		return 0, false
	}
	if x < lgammaNear {
		return ziv(lgammaBelow(x))
	}
	if x < gammaLast {
		return ziv(lgammaProduct(x))
	}
	if x < lgammaFar {
		return ziv(lgammaStirling(x))
	}
	return ziv(lgammaShort(x))
}
