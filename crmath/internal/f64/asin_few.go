package f64

import "math"

const (
	// asinHalf is next above √½: from there on √(1-a²) is less than a.
	asinHalf = 0x1.6a09e667f3bcdp-1

	// asinFewErr bounds the error of fewArc relative to the angle, with room
	// for the sums behind it and ziv.
	asinFewErr = 0x1.2p-63
)

// fewArc returns hi + lo, the smaller one of arcsin a and arccos a, for 0 ≤ a <
// 1. Kernels of AVX-512 find its tables in two registers.
//
// Of sine and cosine of the angle, a and w = √(1-a²), let p be the smaller one
// and q the other. With c from the table, near the angle,
//
//	angle = c + arcsin z,  z = sin(angle - c) = p·cos c - q·sin c.
//
// Errors, relative to the angle:
//
//  1. 1 - a² is a sum of two numbers, exactly up to 2^-105 of it, and w up to
//     2^-104.
//
//  2. z is the difference of two exact products. The difference of their heads
//     is exact, by Sterbenz's lemma: tan c is at most 1.84 times the tangent of
//     the angle, and at least 0.61 times it, or 0. All other terms are below
//     2^-52, and lose less than 2^-98; where c is not 0, the angle is above
//     2^-5.5.
//
//  3. arcsin z - z is at most 2^-13.4 of the angle, where c is 0: there |z| is
//     below 0.0236. It loses 4·u, 2^-64.4, and with the sums behind it, three
//     of 2^-66.4, less than 2^-63.3 in all.
func fewArc(a float64) (hi, lo float64) {
	s := float64(a * a)
	most := 1 - s
	h, l := fastTwoSum(most, ((1-most)-s)-math.FMA(a, a, -s))
	w := math.Sqrt(h)
	wl := float64((math.FMA(-w, w, h) + l) * (0.5 / w))
	p, pl, q, ql := a, 0.0, w, wl
	if a >= asinHalf {
		p, pl, q, ql = w, wl, a, 0
	}
	i := math.Float64bits(math.FMA(p, asinFewSteps, expShift)) % fewWords
	sine, cosine := asinFewSin[i], asinFewCos[i]
	u, v := float64(p*cosine), float64(q*sine)
	z := u - v
	zl := (math.FMA(p, cosine, -u) - math.FMA(q, sine, -v)) +
		math.FMA(p, asinFewCosLow[i], math.FMA(pl, cosine, -float64(ql*sine)))
	z2 := float64(z * z)
	rest := asinFewC3 + float64(z2*(asinFewC5+
		float64(z2*(asinFewC7+float64(z2*(asinFewC9+float64(z2*asinFewC11)))))))
	hi, e := fastTwoSum(asinFewAngle[i], z)
	return hi, e + (asinFewAngleLow[i] +
		math.FMA(float64(z*z2), rest, math.FMA(zl, float64(0.5*z2), zl)))
}

// fewWords is the number of words of a table in two registers.
const fewWords = 16

// fewAsin returns arcsin a, and a bound of the error, for 0 ≤ a < 1.
func fewAsin(a float64) (hi, lo, e float64) {
	hi, lo = fewArc(a)
	e = float64(hi * asinFewErr)
	if a >= asinHalf {
		hi, lo = fewTurned(piHi/2, piLo/2, -hi, -lo)
	}
	return hi, lo, e
}

// fewAcos is fewAsin for arccos x, and -1 < x < 1.
func fewAcos(x float64) (hi, lo, e float64) {
	a := math.Abs(x)
	hi, lo = fewArc(a)
	e = float64(hi * asinFewErr)
	base, low, sign := piHi/2, piLo/2, math.Copysign(1, -x)
	if a >= asinHalf { // arccos a, or π - arccos a
		sign = -sign
		base, low = 0, 0
		if x < 0 {
			base, low = piHi, piLo
		}
	}
	hi, lo = fewTurned(base, low, float64(sign*hi), float64(sign*lo))
	return hi, lo, e
}

// fewTurned returns base + low + hi + lo.
func fewTurned(base, low, hi, lo float64) (sum, rest float64) {
	sum, rest = fastTwoSum(base, hi)
	return sum, rest + (low + lo)
}

// asinWide is Asin for kernels of AVX-512.
//
//lint:ignore U1000 the kernels are compiled from it
func asinWide(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < tiny {
		return x, true
	}
	r, ok = ziv(fewAsin(flushed(a)))
	return withSign(r, x), ok && inUnit(x)
}

// acosWide is Acos for kernels of AVX-512.
//
//lint:ignore U1000 the kernels are compiled from it
func acosWide(x float64) (r float64, ok bool) {
	r, ok = ziv(fewAcos(flushed(x)))
	return r, ok && inUnit(x)
}
