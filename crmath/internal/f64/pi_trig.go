package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

const (
	// Below turnSmall from their zeros and poles, functions of πx have series
	// of their own, up to it in steps of 1/256. From turnLarge on the number of
	// steps is too large for splitTurn.
	turnSmall      = 0x1p-14
	turnSmallSteps = turnSmall * trigSteps / 2
	turnLarge      = 0x1p43

	// cos πx is closer to 1 than 2^-55 below cosTurnOne: it is less by
	// x²·π²/2.
	cosTurnOne = 0x1p-29

	// turnBits is log2 of the number of steps in half a turn.
	turnBits = 8

	// turnErr bounds the error of turnProduct.
	turnErr = 0x1p-85
)

// splitTurn returns k, the integer next to 256·x, in the low 51 bits of a word,
// and the rest r, at most 1/2, exactly, for |x| < turnLarge.
func splitTurn(x float64) (k uint64, r float64) {
	y := float64(x * (trigSteps / 2))
	shifted := y + expShift
	return math.Float64bits(shifted), y - (shifted - expShift)
}

// turnProduct returns rh + rl = r·π/256 with the bounds of reduceSmall, for
// |r| ≤ 1/2. The product of the step's first part with the multiple of 2^-26
// next to r is exact. Errors: 2^-87 and 2^-88 for the products, below 2^-33 and
// 2^-34, 2^-86 for their sum, 2^-88 for the rest of the step.
func turnProduct(r float64) (rh, rl float64) {
	r1 := coarse(r, 0x1.8p26)
	return fastTwoSum(float64(r1*trigStepHead),
		float64((r-r1)*trigStepHead)+float64(r*trigStepTail))
}

// evenPart returns x less the even number next to it, exactly; NaN for infinite
// x. Functions of πx have the same value there.
func evenPart(x float64) float64 { return x - float64(2*math.RoundToEven(float64(0.5*x))) }

// Sinpi is directed.Sinpi, and crmath.Sinpi to nearest.
func Sinpi(x float64, m fp.Mode) float64 {
	if magnitude(x)-magnitude(turnSmall) >= magnitude(turnLarge)-magnitude(turnSmall) {
		return sinpiRare(x, m)
	}
	k, r := splitTurn(x)
	if k%(trigSteps/2) == 0 && magnitude(r) < magnitude(turnSmallSteps) {
		return sinpiNear(wide.Sinpi, x, k, r, m)
	}
	rh, rl := turnProduct(r)
	hi, lo, e := sinReduced(k, rh, rl)
	e += turnErr + sinErrLeast
	y, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return sinpiSettle(wide.Sinpi, x, k, r, hi, lo, e, m)
	}
	return y
}

func inTurn(x float64) bool { return math.Abs(x) < turnLarge }

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

// oddHalfTurns returns the rest r of k half turns with the sign of its sine.
func oddHalfTurns(r float64, k uint64) float64 {
	const bit = 63 - turnBits // from the bit of an odd number to the sign
	return math.Float64frombits(math.Float64bits(r) ^ k<<bit)
}

// fusedTurn returns hi + lo, the sine of k + rest steps, and a bound of the
// error.
func fusedTurn(k uint64, rest float64) (hi, lo, e float64) {
	rh, rl := turnProduct(rest)
	hi, lo, e = fusedSin(k, rh, rl)
	return hi, lo, e + (turnErr + sinErrLeast)
}

// From turnEven on, numbers are even.
const turnEven = 0x1p53

// turnStep is the first part of a step of π/256.
const turnStep = piHi * (2.0 / trigSteps)

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

// fusedTurnSin returns hi + lo, the sine of k + r steps, and a bound of the
// error, as fusedTurn does. The angle is off by less than 2^-111, and its
// second part below 2^-60.
func fusedTurnSin(k uint64, r float64) (hi, lo, e float64) {
	rh, rl := fusedSlope(r, turnStep, piLo*(2.0/trigSteps))
	hi, lo, e = fusedSin(k, rh, rl)
	return hi, lo, e + (turnErr + sinErrLeast)
}

// SinpiSlice is crmath.SinpiSlice.
func SinpiSlice(dst, x []float64) {
	vector.MapLoop("crmath.SinpiSlice", dst, x, vector.Each(FastSinpi), best.sinpi, inTurn)
}

// Cospi is directed.Cospi, and crmath.Cospi to nearest.
func Cospi(x float64, m fp.Mode) float64 {
	if magnitude(x)-magnitude(cosTurnOne) >= magnitude(turnLarge)-magnitude(cosTurnOne) {
		return cospiRare(x, m)
	}
	k, r := splitTurn(x)
	k += trigSteps / 4
	if k%(trigSteps/2) == 0 && magnitude(r) < magnitude(turnSmallSteps) {
		return sinpiNear(wide.Cospi, x, k, r, m)
	}
	rh, rl := turnProduct(r)
	hi, lo, e := sinReduced(k, rh, rl)
	e += turnErr + sinErrLeast
	y, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return sinpiSettle(wide.Cospi, x, k, r, hi, lo, e, m)
	}
	return y
}

// sinpiNear returns the sine or cosine f of πx near a zero: the sine of k + r
// steps, where k is a number of half turns and |r| < turnSmallSteps. A zero has
// the sign of x in a sine, and none in a cosine.
func sinpiNear(f wide.Function, x float64, k uint64, r float64, m fp.Mode) float64 {
	if r == 0 {
		if f == wide.Sinpi {
			return math.Copysign(0, x)
		}
		return 0
	}
	hi, lo, e := oddTurn(r, -1.0/6, 1.0/120)
	if k%trigSteps != 0 {
		hi, lo = -hi, -lo
	}
	y, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(f, x, hi, lo, e, m)
	}
	return y
}

// oddTurn is oddSmall for r steps, a + b up to 2^-76 of it, where |r| is below
// turnSmallSteps and not below 256·tiny. The series at a leaves out b's
// part in the cube, below 2^-53·2^-24.6·|a|, and the sum with b adds 2^-79·|a|.
// With these the sum of errors in oddSmall is 2^-73.1.
func oddTurn(r, c3, c5 float64) (hi, lo, e float64) {
	a, b := headProduct(r, trigStepHead, trigStepTail)
	hi, lo, e = oddSmall(a, c3, c5)
	return hi, lo + b, e
}

// sinpiSettle is settle for the sine or cosine f of πx, the sine of k + r
// steps. By Niven's theorem the sine of a rational number of turns is rational
// only if it is 0, ±1/2 or ±1. The first and the last belong to quarter turns,
// which are exact in the fast path; ±1/2 belong to twelfths, which are not
// binary fractions. Others are irrational.
func sinpiSettle(f wide.Function, x float64, k uint64, r, hi, lo, e float64, m fp.Mode) float64 {
	if r == 0 && k%(trigSteps/4) == 0 {
		return hi
	}
	return settle(f, x, hi, lo, e, m)
}

// sinpiRare is Sinpi where |x| < turnSmall or |x| ≥ turnLarge, or x is NaN.
func sinpiRare(x float64, m fp.Mode) float64 {
	switch a := math.Abs(x); {
	case a < tiny:
		return slopeAt0(wide.Sinpi, x, turnBits, trigStepHead, trigStepTail, m)
	case a < turnSmall:
		return sinpiNear(wide.Sinpi, x, 0, float64(x*(trigSteps/2)), m)
	case a <= math.MaxFloat64 && x == math.Trunc(x):
		return math.Copysign(0, x)
	case a <= math.MaxFloat64:
		return Sinpi(evenPart(x), m)
	}
	return math.NaN()
}

// cospiRare is Cospi where |x| < cosTurnOne or |x| ≥ turnLarge, or x is NaN.
func cospiRare(x float64, m fp.Mode) float64 {
	switch a := math.Abs(x); {
	case a == 0:
		return 1
	case a < cosTurnOne:
		return beside(1, -1, m)
	case a <= math.MaxFloat64:
		return Cospi(evenPart(x), m)
	}
	return math.NaN()
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

func cospiCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	if u-magnitude(cosTurnOne) >= magnitude(turnLarge)-magnitude(cosTurnOne) {
		return 1 - min(math.Abs(x), 0x1p-60),
			u < magnitude(cosTurnOne) || u >= magnitude(turnEven) && isFinite(x)
	}
	k, s := splitTurn(x)
	return ziv(fusedTurnSin(k+trigSteps/4, s))
}

// CospiSlice is crmath.CospiSlice.
func CospiSlice(dst, x []float64) {
	vector.MapLoop("crmath.CospiSlice", dst, x, vector.Each(FastCospi), best.cospi, inTurn)
}

// Tanpi is directed.Tanpi, and crmath.Tanpi to nearest.
func Tanpi(x float64, m fp.Mode) float64 {
	if magnitude(x)-magnitude(turnSmall) >= magnitude(turnLarge)-magnitude(turnSmall) {
		return tanpiRare(x, m)
	}
	k, r := splitTurn(x)
	if k%(trigSteps/4) == 0 && magnitude(r) < magnitude(turnSmallSteps) {
		return tanpiNear(x, k, r, m)
	}
	rh, rl := turnProduct(r)
	hi, lo, e := tanReduced(k, rh, rl, turnErr)
	y, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return tanpiSettle(x, k, r, hi, lo, e, m)
	}
	return y
}

// tanpiNear is Tanpi near a zero or a pole: k is a number of quarter turns, the
// angle is k + r steps, |r| < turnSmallSteps. Zeros and poles have the signs of
// IEEE 754.
func tanpiNear(x float64, k uint64, r float64, m fp.Mode) float64 {
	pole, second := k%(trigSteps/2) != 0, k&(trigSteps/2) != 0
	switch {
	case r == 0 && pole && second:
		return math.Inf(-1)
	case r == 0 && pole:
		return math.Inf(1)
	case r == 0 && second:
		return -math.Copysign(0, x)
	case r == 0:
		return math.Copysign(0, x)
	}
	hi, lo, e := 0.0, 0.0, 0.0
	if pole {
		hi, lo, e = minusCotTurn(r)
	} else {
		hi, lo, e = oddTurn(r, 1.0/3, 2.0/15)
	}
	y, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Tanpi, x, hi, lo, e, m)
	}
	return y
}

// minusCotTurn returns hi + lo ≈ -1/tan of r steps, and a bound e of the error,
// for 2^-46 ≤ |r| < turnSmallSteps. With the angle a + b, |a| < 2^-12.3,
//
//	1/tan(a+b) = 1/(a+b) - a/3 - a³/45 - …
//
// q1, the head of q = 1/a, and the head of a have an exact product, which 1
// less is exact too; so is q1 times the rest of a, of 27 bits. With 1/(a+b) =
// q1 + q2, q2 is below 2^-24.9·|q|. Errors, over |q|: 2^-76 for a + b, 2^-77.9
// each for the sum in the remainder, the product with q, q's own error and the
// two last sums, 2^-78 for a/3, where b is left out, 2^-83 for the next term,
// ziv 2^-77.6: together below 2^-74.
func minusCotTurn(r float64) (hi, lo, e float64) {
	a, b := headProduct(r, trigStepHead, trigStepTail)
	q, a1 := 1/a, head(a)
	q1 := head(q)
	q2 := float64((((1 - float64(q1*a1)) - float64(q1*(a-a1))) - float64(q1*b)) * q)
	return -q1, float64(a*(1.0/3+float64(float64(a*a)*(1.0/45)))) - q2, math.Abs(q) * 0x1p-74
}

// tanpiSettle is settle for Tanpi, the tangent of k + r steps. By Niven's
// theorem the tangent of a rational number of turns is rational only if it is 0
// or ±1, at eighths of a turn. Others are irrational.
func tanpiSettle(x float64, k uint64, r, hi, lo, e float64, m fp.Mode) float64 {
	if r == 0 && k%(trigSteps/8) == 0 {
		return hi
	}
	return settle(wide.Tanpi, x, hi, lo, e, m)
}

// tanpiRare is Tanpi where |x| < turnSmall or |x| ≥ turnLarge, or x is NaN.
func tanpiRare(x float64, m fp.Mode) float64 {
	switch a := math.Abs(x); {
	case a < tiny:
		return slopeAt0(wide.Tanpi, x, turnBits, trigStepHead, trigStepTail, m)
	case a < turnSmall:
		return tanpiNear(x, 0, float64(x*(trigSteps/2)), m)
	case !(a <= math.MaxFloat64):
		return math.NaN()
	}
	if y := evenPart(x); y != math.Trunc(y) {
		return Tanpi(y, m)
	} else if y != 0 {
		return -math.Copysign(0, x)
	}
	return math.Copysign(0, x)
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

// TanpiSlice is crmath.TanpiSlice.
func TanpiSlice(dst, x []float64) {
	vector.MapLoop("crmath.TanpiSlice", dst, x, vector.Each(FastTanpi), best.tanpi, inTurn)
}
