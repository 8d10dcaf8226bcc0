package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// The forms of the angles of asinAngle. Those by the sine of half the
// complement, arcsin a = π/2 - 2·arcsin √((1-a)/2), follow from asinRoot on, in
// the same order.
const (
	asinSine        = iota // arcsin a
	asinCosine             // arccos a
	asinMinusCosine        // arccos -a
	asinRoot
)

// asinSign holds, for each form, the factor of the terms that are added to the
// angle.
var asinSign = [6]float64{1, -1, 1, -2, 2, -2}

const (
	// Up to asinDirect, the end of the table, sines need no half angles.
	asinDirect = (asinRows - 1) * 0x1p-7

	// The error of arc: relative to the terms from h² on, once or twice, and
	// absolute.
	asinErrSquare = 0x1.6p-50
	asinErrLeast  = 0x1p-77
)

// Asin is crmath.Asin.
func Asin(x float64) float64 {
	u := magnitude(x)
	if u-magnitude(trigSmall) >= magnitude(1)-magnitude(trigSmall) {
		return asinRare(x)
	}
	a := math.Float64frombits(u)
	hi, lo, e := arc(a, asinSine)
	r, ok := ziv(hi, lo, e)
	if !ok {
		r = asinAccurate(a, r)
	}
	return withSign(r, x)
}

// Acos is crmath.Acos.
func Acos(x float64) float64 {
	u := magnitude(x)
	if u >= magnitude(1) {
		return acosRare(x)
	}
	hi, lo, e := arc(math.Float64frombits(u), asinCosine+int(math.Float64bits(x)>>63))
	r, ok := ziv(hi, lo, e)
	if !ok {
		return acosAccurate(x, r)
	}
	return r
}

// asinRare is Asin where |x| < trigSmall or |x| ≥ 1, or x is NaN.
func asinRare(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < tiny:
		return x
	case a == 1:
		return math.Copysign(math.Pi/2, x)
	case !(a < 1):
		return math.NaN()
	}
	hi, lo, e := oddSmall(x, 1.0/6, 3.0/40)
	r, ok := ziv(hi, lo, e)
	if !ok {
		return math.Copysign(asinAccurate(a, a), x)
	}
	return r
}

// acosRare is Acos where |x| ≥ 1, or x is NaN.
func acosRare(x float64) float64 {
	switch x {
	case 1:
		return 0
	case -1:
		return math.Pi
	}
	return math.NaN()
}

// asinAccurate is Asin for 0 < x < 1, whose arc sine is irrational.
func asinAccurate(x, guess float64) float64 { return wide.Asin.Rounded(x, guess, fp.NearestEven) }

// acosAccurate is Acos for |x| < 1, whose arc cosine is irrational.
func acosAccurate(x, guess float64) float64 { return wide.Acos.Rounded(x, guess, fp.NearestEven) }

// arc returns hi + lo, the given form of arcsin a, and a bound e of the error,
// for 0 ≤ a < 1.
//
// With a = c + h, c from the table, arcsin a = arcsin c + A·h + h²·p(h). With
// A1 of 26 bits and h1 the multiple of 2^-33 next to h, A1·h1 is exact, and so
// is the sum of hi and the first part of lo. Errors, in units of 2^-53·q, q =
// h²·p(h): h² (1), the first sum in p (1.1), the polynomial
// (TestAsinPolynomials, 1.4), the others in p (0.1), q (1), three sums (3), ziv
// (1): 8.6. q is negative by less than 2^-70 at most. The other terms lose
// 2^-53 of h - h1 or of A2·h, each below 2^-34: less than 2^-84 together.
//
// Above asinDirect, where p(h) grows, √((1-a)/2) = s + l, which is below 0.36,
// takes the place of a. With s1 of 26 bits, z - s1² is exact. l = (z - s²)/2s
// is off by 2^-80, as is s2·(s+s1), with s2 < 2^-27, before the division. The
// bits beyond 53 of h count with A1, but not in h², which costs two units:
// 10.6, and that twice.
func arc(a float64, form int) (hi, lo, e float64) {
	l, square := 0.0, asinErrSquare
	if a > asinDirect {
		z := float64(0.5 * (1 - a))
		a = math.Sqrt(z)
		a1 := coarse(a, 0x1.8p26)
		l = float64(((z - float64(a1*a1)) - float64((a-a1)*(a+a1))) * (0.5 / a))
		form, square = form+asinRoot, 2*asinErrSquare
	}
	shifted := a + 0x1.8p45
	i := math.Float64bits(shifted) % (1 << asinBits)
	h, l := fastTwoSum(a-(shifted-0x1.8p45), l)
	t, v, sign := &asinTable[i], &asinAngle[form][i], asinSign[form]
	h1, h2 := coarse(h, 0x1.8p19), float64(h*h)
	q := float64(h2 * (((t.c2 + float64(h*t.c3)) + float64(h2*(t.c4+float64(h*t.c5)))) +
		float64(float64(h2*h2)*((t.c6+float64(h*t.c7))+float64(h2*(t.c8+float64(h*t.c9)))))))
	p := float64(sign * float64(t.hi*h1))
	hi = v.hi + p
	lo = (p - (hi - v.hi)) +
		(v.lo + float64(sign*((float64(t.lo*h)+float64(t.hi*((h-h1)+l)))+q)))
	return hi, lo, asinErrLeast + float64(q*square)
}
