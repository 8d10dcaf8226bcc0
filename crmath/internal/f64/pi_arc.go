package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// The functions of this file are arcs over π. Where one is rational, the sine,
// the cosine or the tangent of a rational number of turns is the argument,
// which by Niven's theorem is then 0, ±1/2 or ±1 for sines and cosines, and 0
// or ±1 for tangents. Results are found before the rounding tests where they
// are binary fractions: for the arguments 0 and ±1. For ±1/2 they are sixths.

// acosHalf bounds the |x| for which arccos(x)/π rounds as a number beside 1/2:
// the difference, x/π, is less than 2^-56.
const acosHalf = 0x1p-55

// overPi returns the quotient of hi + lo and π, and a bound of its error, where
// hi + lo is off by at most |e|. With u = 2^-53, the first head leaves
// 2^-25·|hi|, and the head of 1/π 2^-28, so that the terms of the second part
// are below
//
//	s = (1.4·2^-25·|hi| + |lo|)/π.
//
// The products and their two sums lose 3·u·s, the rest of 1/π and the last sum
// u·s, and so does ziv: 5·u/π is less than 1.6·u.
func overPi(hi, lo, e float64) (h, l, err float64) {
	h, l = logProduct(head(hi), hi, lo, 0, invPiHi, invPiLo, invPi)
	return h, l, float64(math.Abs(e)*0x1.48p-2) +
		float64((float64(math.Abs(hi)*0x1.68p-25)+math.Abs(lo))*0x1.ap-53)
}

// Asinpi is directed.Asinpi, and crmath.Asinpi to nearest.
func Asinpi(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(trigSmall) >= magnitude(1)-magnitude(trigSmall) {
		return asinpiRare(x, m)
	}
	a := math.Float64frombits(u)
	hi, lo, e := overPi(arc(a, asinSine))
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		r = settle(wide.Asinpi, a, hi, lo, e, mirrored(m, x))
	}
	return withSign(r, x)
}

// asinpiRare is Asinpi where |x| < trigSmall or |x| ≥ 1, or x is NaN.
func asinpiRare(x float64, m fp.Mode) float64 {
	switch a := math.Abs(x); {
	case a < tiny:
		return slopeAt0(wide.Asinpi, x, 0, invPiHi, invPiLo, m)
	case a == 1:
		return 0.5 * x
	case !(a < 1):
		return math.NaN()
	}
	hi, lo, e := overPi(oddSmall(x, 1.0/6, 3.0/40))
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Asinpi, x, hi, lo, e, m)
	}
	return r
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

// AsinpiSlice is crmath.AsinpiSlice.
func AsinpiSlice(dst, x []float64) {
	vector.MapLoop("crmath.AsinpiSlice", dst, x, vector.Each(FastAsinpi), best.asinpi, inUnit)
}

// fusedOverPi is overPi.
func fusedOverPi(hi, lo, e float64) (h, l, err float64) {
	h, l = fusedLogProduct(hi, lo, 0, invPiHi, invPiLo, invPi)
	return h, l, float64(math.Abs(e)*0x1.48p-2) +
		float64((float64(math.Abs(hi)*0x1.68p-25)+math.Abs(lo))*0x1.ap-53)
}

// 1/π less its first part.
const invPiRest = 1/math.Pi - invPi

// Acospi is directed.Acospi, and crmath.Acospi to nearest.
func Acospi(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(acosHalf) >= magnitude(1)-magnitude(acosHalf) {
		return acospiRare(x, m)
	}
	hi, lo, e := overPi(arc(math.Float64frombits(u), asinCosine+int(math.Float64bits(x)>>63)))
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Acospi, x, hi, lo, e, m)
	}
	return r
}

// acospiRare is Acospi where |x| < acosHalf or |x| ≥ 1, or x is NaN.
func acospiRare(x float64, m fp.Mode) float64 {
	switch {
	case x == 0:
		return 0.5
	case math.Abs(x) < acosHalf:
		return beside(0.5, -x, m)
	case x == 1:
		return 0
	case x == -1:
		return 1
	}
	return math.NaN()
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

// AcospiSlice is crmath.AcospiSlice.
func AcospiSlice(dst, x []float64) {
	vector.MapLoop("crmath.AcospiSlice", dst, x, vector.Each(FastAcospi), best.acospi, inUnit)
}

// Atanpi is directed.Atanpi, and crmath.Atanpi to nearest.
func Atanpi(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	a := math.Float64frombits(u)
	var hi, lo, e float64
	switch {
	case u-magnitude(tiny) < magnitude(atanMiddle)-magnitude(tiny):
		i, h := expansionPoint(a, 0x1.8p45+atanMiddle)
		hi, lo, e = atanNear[i%uint64(len(atanNear))].at(h, -expansionErrSquare)
	case u-magnitude(atanMiddle) < magnitude(atanLarge)-magnitude(atanMiddle):
		row := &atanTable[0][atanRow(u)+1]
		q, q1, q2 := atanQuotient(a, head19(a), row.sin)
		hi, lo = atanSum(row.hi, row.lo, q, q1, q2)
		e = atanErr
	case u-magnitude(atanLarge) < magnitude(atanHuge)-magnitude(atanLarge):
		hi, lo, e = atanInverse(a)
	default:
		return atanpiRare(x, m)
	}
	hi, lo, e = overPi(hi, lo, e)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		if a == 1 {
			return 0.25 * x
		}
		r = settle(wide.Atanpi, a, hi, lo, e, mirrored(m, x))
	}
	return withSign(r, x)
}

// atanpiRare is Atanpi where |x| < tiny or |x| ≥ atanHuge, or x is NaN. arctan
// x is less than π/2 by 1/x.
func atanpiRare(x float64, m fp.Mode) float64 {
	switch a := math.Abs(x); {
	case x != x:
		return x
	case a > math.MaxFloat64:
		return math.Copysign(0.5, x)
	case a >= atanHuge:
		return withSign(beside(0.5, -1, mirrored(m, x)), x)
	}
	return slopeAt0(wide.Atanpi, x, 0, invPiHi, invPiLo, m)
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

// AtanpiSlice is crmath.AtanpiSlice.
func AtanpiSlice(dst, x []float64) {
	vector.MapLoop("crmath.AtanpiSlice", dst, x, vector.Each(FastAtanpi), best.atanpi, isNumber)
}
