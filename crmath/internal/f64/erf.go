package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// From erfLarge on, erfc x is below 2^-55: erf x is 1, and erfc -x is 2, less a
// number below a quarter of an ulp. Below erfcNormal, erfc x is above 2^-1019,
// and from erfcEnd on below 2^-1076.
const (
	erfLarge   = 6
	erfcNormal = 26.5
)

// erfcNear is the argument from which Erfc takes its own table.
const erfcNear = 0.5

// Erf is directed.Erf, and crmath.Erf to nearest.
func Erf(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(tiny) >= magnitude(erfLarge)-magnitude(tiny) {
		return erfRare(x, m)
	}
	hi, lo, e := erfNear(math.Float64frombits(u))
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		s := math.Copysign(1, x)
		if r, ok = toward(float64(s*hi), float64(s*lo), e, m); !ok {
			return erfAccurate(x, m)
		}
		return r
	}
	return math.Copysign(r, x)
}

// erfNear returns hi + lo ≈ erf x and a bound of the error, with room for ziv,
// for tiny ≤ x < erfLarge. The second derivative and erf x differ in sign.
func erfNear(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	return erfTable[i%uint64(len(erfTable))].at(h, -expansionErrSquare)
}

// erfRare is Erf where |x| < tiny, |x| ≥ erfLarge, or x is NaN.
func erfRare(x float64, m fp.Mode) float64 {
	switch {
	case x == 0 || x != x:
		return x
	case math.IsInf(x, 0):
		return math.Copysign(1, x)
	case math.Abs(x) >= erfLarge:
		return beside(math.Copysign(1, x), -x, m)
	}
	// erf x and erf y are 2/√π times x and y, up to 2^-398 of them.
	y, i := split(math.Abs(x))
	hi, lo, e := erfNear(y * tiny)
	r, ok := scaleAny(hi, lo, e, i+erfTinyBits, mirrored(m, x))
	if !ok {
		return erfAccurate(x, m)
	}
	return withSign(r, x)
}

// erfTinyBits is -log2 of tiny.
const erfTinyBits = 200

// erfAccurate is Erf for 0 < |x| < erfLarge. No result is known to be
// representable or a midpoint, and none is expected to be: the precision grows
// until the result is decided.
func erfAccurate(x float64, m fp.Mode) float64 { return wide.Erf.Rounded(x, 0, m) }

// erfLane is Erf for |x| ≥ tiny.
func erfLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a >= erfLarge {
		return math.Copysign(1, x), true
	}
	r, ok = ziv(fusedErf(flushed(a)))
	return withSign(r, x), ok && hasProducts(x)
}

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

// ErfSlice is crmath.ErfSlice.
func ErfSlice(dst, x []float64) {
	vector.MapLoop("crmath.ErfSlice", dst, x, vector.Each(FastErf), best.erf, isNumber)
}

// fusedErf is erfNear for 0 and tiny ≤ x < erfLarge.
func fusedErf(x float64) (hi, lo, e float64) {
	i, h := expansionPoint(x, 0x1.8p45)
	return erfTable[i%uint64(len(erfTable))].fusedAt(h, -expansionErrSquare)
}

// 2/√π, the derivative of erf at 0.
const (
	erfSlope     = 0x1.20dd750429b6dp+0
	erfSlopeRest = 2/math.SqrtPi - erfSlope
)

// Erfc is directed.Erfc, and crmath.Erfc to nearest.
func Erfc(x float64, m fp.Mode) float64 {
	var hi, lo, e float64
	var k uint64
	switch a := math.Abs(x); {
	case erfcNear <= x && x < erfcNormal:
		k, hi, lo, e = erfcFar(x)
	case -erfLarge < x && x < erfcNear && a >= 0x1p-55:
		hi, lo, e = erfcSum(x, a)
	default:
		return erfcRare(x, m)
	}
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if r, ok = toward(hi, lo, e, m); !ok {
			return erfcAccurate(x, m)
		}
	}
	return scale(r, k)
}

// erfcSum returns hi + lo ≈ erfc x = 1 - erf x and a bound of the error, with
// room for ziv, for -erfLarge < x < erfcNear and a = |x| ≥ 2^-55. To the ten
// units of expansion.at the last sum adds one, and 2^-107 where erf x is small.
func erfcSum(x, a float64) (hi, lo, e float64) {
	hi, lo, e = erfNear(a)
	s := math.Copysign(1, x)
	hi, rest := fastTwoSum(1, -float64(s*hi))
	return hi, rest - float64(s*lo), float64(e*1.125) + 0x1p-105
}

// erfcFar returns k and hi + lo, with 2^i·(hi + lo) ≈ erfc x as for expReduced
// and scale, and a bound of the error of hi + lo, with room for ziv, for
// erfcNear ≤ x < erfcEnd.
//
// It multiplies e^(-x²) by e^x²·erfc x, from a table. x² = p + q; then -p = k
// steps and rh + rl, and q < 2^-43 adds to rl. k is below 2^18.1. The sum of rl
// and q, both below 2^-43, loses less than 2^-96. |rh| is below 0x1.64p-10 as
// expReduced requires. Both factors are normalized; their product loses less
// than 2^-100 of it: products of second parts, and the roundings of the others.
// So the error is
//
//	2^-69.2·g   of expReduced, where g is the second factor, and the first is
//	            above 0.99
//	e·h         of the expansion, where h is the first factor
//
// Here e has room for ziv.
func erfcFar(x float64) (k uint64, hi, lo, e float64) {
	i := math.Float64bits(x) >> (52 - erfcBits)
	centre := math.Float64frombits(i<<(52-erfcBits) | 1<<(51-erfcBits))
	t := &erfcTable[(i-erfcFirst)%uint64(len(erfcTable))]
	gh, gl, ge := t.at(x-centre, expansionErrSquare)
	gh, gl = fastTwoSum(gh, gl)
	p, q := twoProd(x, x)
	k, rh, rl := splitSteps(-p, expStepInverse, expStepHi, expStepLo)
	rh, rl = twoSum(rh, rl-q)
	eh, el := expReduced(k, rh, rl)
	eh, el = fastTwoSum(eh, el)
	hi, lo = twoProd(eh, gh)
	return k, hi, lo + (float64(eh*gl) + float64(el*gh)), float64(eh*ge) + float64(gh*0x1p-69)
}

// erfcRare is Erfc where x ≤ -erfLarge, x ≥ erfcNormal, |x| < 2^-55, or x is
// NaN. In the third case the result differs from 1 by less than 2^-54.
func erfcRare(x float64, m fp.Mode) float64 {
	switch {
	case x != x:
		return x
	case x == 0:
		return 1
	case math.Abs(x) < 1:
		return beside(1, -x, m)
	case math.IsInf(x, 0):
		return 1 - math.Copysign(1, x)
	case x < 0:
		return beside(2, x, m)
	case x >= erfcEnd:
		return underflow(1, m)
	}
	k, hi, lo, e := erfcFar(x)
	r, ok := scaleAny(hi, lo, e, stepPower(k), m)
	if !ok {
		return erfcAccurate(x, m)
	}
	return r
}

// erfcAccurate is Erfc for the other arguments. As in erfAccurate, the
// precision grows until the result is decided.
func erfcAccurate(x float64, m fp.Mode) float64 { return wide.Erfc.Rounded(x, 0, m) }

func inErfc(x float64) bool { return -erfLarge < x && x < erfcNormal }

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

// ErfcSlice is crmath.ErfcSlice.
func ErfcSlice(dst, x []float64) {
	vector.MapLoop("crmath.ErfcSlice", dst, x, vector.Each(FastErfc), best.erfc, inErfc)
}

// fusedErfcFar is erfcFar.
func fusedErfcFar(x float64) (k uint64, hi, lo, e float64) {
	i := math.Float64bits(x) >> (52 - erfcBits)
	centre := math.Float64frombits(i<<(52-erfcBits) | 1<<(51-erfcBits))
	t := &erfcTable[(i-erfcFirst)%uint64(len(erfcTable))]
	gh, gl, ge := t.fusedAt(x-centre, expansionErrSquare)
	gh, gl = fastTwoSum(gh, gl)
	p := float64(x * x)
	k, rh, rl := fusedSplit(-p, expStepInverse, expStepHi, expStepLo)
	rh, rl = fastTwoSum(rh, rl-math.FMA(x, x, -p))
	eh, el := fusedExp(k, rh, rl)
	eh, el = fastTwoSum(eh, el)
	hi = float64(eh * gh)
	lo = math.FMA(eh, gh, -hi) + math.FMA(eh, gl, float64(el*gh))
	return k, hi, lo, float64(eh*ge) + float64(gh*0x1p-69)
}
