package f64

import "math"

// Arguments of the lanes of functions of half turns.

func inTurn(x float64) bool { return math.Abs(x) < turnLarge }

// oddHalfTurns returns the rest r of k half turns with the sign of its sine.
func oddHalfTurns(r float64, k uint64) float64 {
	const bit = 63 - turnBits // from that of an odd number to the sign
	return math.Float64frombits(math.Float64bits(r) ^ k<<bit)
}

// sinpiLane is Sinpi for |x| < turnLarge that is not an integer. A zero is left
// to the function, which knows its sign.
func sinpiLane(x float64) (r float64, ok bool) {
	k, rest := splitTurn(flushed(x))
	if k%(trigSteps/2) == 0 && math.Abs(rest) < turnSmallSteps {
		r, ok = ziv(oddTurn(oddHalfTurns(rest, k), -1.0/6, 1.0/120))
		return r, ok && rest != 0 && inTurn(x)
	}
	hi, lo, e := fusedTurn(k, rest)
	r, ok = ziv(hi, lo, e)
	return r, ok && inTurn(x)
}

// cospiLane is Cospi for |x| < turnLarge that is not half of an odd number.
func cospiLane(x float64) (r float64, ok bool) {
	k, rest := splitTurn(flushed(x))
	k += trigSteps / 4
	if k%(trigSteps/2) == 0 && math.Abs(rest) < turnSmallSteps {
		r, ok = ziv(oddTurn(oddHalfTurns(rest, k), -1.0/6, 1.0/120))
		return r, ok && rest != 0 && inTurn(x)
	}
	hi, lo, e := fusedTurn(k, rest)
	r, ok = ziv(hi, lo, e)
	return r, ok && inTurn(x)
}

// fusedTurn returns hi + lo, the sine of k + rest steps, and a bound of the
// error.
func fusedTurn(k uint64, rest float64) (hi, lo, e float64) {
	rh, rl := turnProduct(rest)
	hi, lo, e = fusedSin(k, rh, rl)
	return hi, lo, e + (turnErr + sinErrLeast)
}

// tanpiLane is Tanpi for |x| < turnLarge that is neither a zero nor next to a
// pole.
func tanpiLane(x float64) (r float64, ok bool) {
	k, rest := splitTurn(flushed(x))
	if k%(trigSteps/4) == 0 && math.Abs(rest) < turnSmallSteps {
		r, ok = ziv(oddTurn(rest, 1.0/3, 2.0/15))
		return r, ok && rest != 0 && k%(trigSteps/2) == 0 && inTurn(x)
	}
	rh, rl := turnProduct(rest)
	r, ok = ziv(tanReduced(k, rh, rl, turnErr))
	return r, ok && inTurn(x)
}

// fusedOverPi is overPi.
func fusedOverPi(hi, lo, e float64) (h, l, err float64) {
	h, l = fusedLogProduct(hi, lo, 0, invPiHi, invPiLo, invPi)
	return h, l, float64(math.Abs(e)*0x1.48p-2) +
		float64((float64(math.Abs(hi)*0x1.68p-25)+math.Abs(lo))*0x1.ap-53)
}

// asinpiLane is Asinpi for tiny ≤ |x| < 1.
func asinpiLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < trigSmall {
		r, ok = ziv(fusedOverPi(oddSmall(flushed(x), 1.0/6, 3.0/40)))
		return r, ok && hasProducts(x)
	}
	if !inUnit(x) {
		return 0, false
	}
	r, ok = ziv(fusedOverPi(arc(flushed(a), asinSine)))
	return withSign(r, x), ok
}

// acospiLane is Acospi for |x| < 1.
func acospiLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-60 {
		return 0.5 - x, true
	}
	if !inUnit(x) {
		return 0, false
	}
	return ziv(fusedOverPi(arc(math.Abs(flushed(x)), asinCosine+int(math.Float64bits(x)>>63))))
}

// atanpiLane is Atanpi for |x| ≥ tiny, by the steps of atanLane.
func atanpiLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a >= atanHuge {
		return math.Copysign(0.5, x), true
	}
	a = bounded(a, tiny, atanHuge)
	row := atan2Row(a, 1)
	q, q1, q2 := atan2Quotient(atan2Parts(a, head19(a), 1, head19(1), row.sin, row.cos))
	r, ok = ziv(fusedOverPi(atan2Sum(row.hi, row.lo, q, q1, q2, float64(math.Abs(q)*atan2ErrCube))))
	return withSign(r, x), ok && hasProducts(x)
}
