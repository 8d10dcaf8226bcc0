package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
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

// Asin is directed.Asin, and crmath.Asin to nearest. For 0 < |x| < 1 arc sine
// and arc cosine are irrational.
func Asin(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(trigSmall) >= magnitude(1)-magnitude(trigSmall) {
		return asinRare(x, m)
	}
	a := math.Float64frombits(u)
	hi, lo, e := arc(a, asinSine)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		r = settle(wide.Asin, a, hi, lo, e, mirrored(m, x))
	}
	return withSign(r, x)
}

// asinLane is Asin for |x| < 1.
func asinLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < trigSmall {
		if a < tiny {
			return x, true
		}
		return ziv(oddSmall(flushed(x), 1.0/6, 3.0/40))
	}
	if !inUnit(x) {
		return 0, false
	}
	r, ok = ziv(arc(flushed(a), asinSine))
	return withSign(r, x), ok
}

func asinCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(trigSmall) >= magnitude(1)-magnitude(trigSmall) {
		if u < magnitude(tiny) {
			return x, true
		}
		r, ok = ziv(oddSmall(x, 1.0/6, 3.0/40))
		return r, ok && u < magnitude(trigSmall)
	}
	if u > magnitude(asinDirect) {
		h, l := fusedHalf(a)
		r, ok = ziv(fusedArc(h, l, asinSine+asinRoot, 2*asinErrSquare))
		return withSign(r, x), ok
	}
	r, ok = ziv(fusedArc(a, 0, asinSine, asinErrSquare))
	return withSign(r, x), ok
}

// AsinSlice is crmath.AsinSlice.
func AsinSlice(dst, x []float64) {
	vector.MapLoop("crmath.AsinSlice", dst, x, vector.Each(FastAsin), best.asin, inUnit)
}

// Acos is directed.Acos, and crmath.Acos to nearest.
func Acos(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(tiny) >= magnitude(1)-magnitude(tiny) {
		return acosRare(x, m)
	}
	hi, lo, e := arc(math.Float64frombits(u), asinCosine+int(math.Float64bits(x)>>63))
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Acos, x, hi, lo, e, m)
	}
	return r
}

// asinRare is Asin where |x| < trigSmall or |x| ≥ 1, or x is NaN.
func asinRare(x float64, m fp.Mode) float64 {
	a := math.Abs(x)
	switch {
	case isLinear(x, m):
		return besideZero(x, x, m)
	case a == 1:
		return besideQuarter(math.Pi/2, x, m)
	case !(a < 1):
		return math.NaN()
	}
	hi, lo, e := oddSmall(x, 1.0/6, 3.0/40)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		return settle(wide.Asin, x, hi, lo, e, m)
	}
	return r
}

// acosRare is Acos where |x| < tiny or |x| ≥ 1, or x is NaN.
func acosRare(x float64, m fp.Mode) float64 {
	switch {
	case math.Abs(x) < tiny:
		return besideQuarter(math.Pi/2, 1, m)
	case x == 1:
		return 0
	case x == -1:
		return besideQuarter(math.Pi, 1, m)
	}
	return math.NaN()
}

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

// acosLane is Acos for |x| < 1.
func acosLane(x float64) (r float64, ok bool) {
	if math.Abs(x) < 0x1p-60 {
		return math.Pi/2 - x, true
	}
	if !inUnit(x) {
		return 0, false
	}
	return ziv(arc(math.Abs(flushed(x)), asinCosine+int(math.Float64bits(x)>>63)))
}

func acosCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(tiny) >= magnitude(1)-magnitude(tiny) {
		return math.Pi/2 - x, u < magnitude(tiny)
	}
	form := asinCosine + int(math.Float64bits(x)>>63)
	if u > magnitude(asinDirect) {
		h, l := fusedHalf(a)
		return ziv(fusedArc(h, l, form+asinRoot, 2*asinErrSquare))
	}
	return ziv(fusedArc(a, 0, form, asinErrSquare))
}

// AcosSlice is crmath.AcosSlice.
func AcosSlice(dst, x []float64) {
	vector.MapLoop("crmath.AcosSlice", dst, x, vector.Each(FastAcos), best.acos, inUnit)
}

// fusedArc is the sum of arc, for the sine a + l of a form. The sum takes two
// steps, as in fusedAt.
func fusedArc(a, l float64, form int, square float64) (hi, lo, e float64) {
	shifted := a + 0x1.8p45
	i := math.Float64bits(shifted) % (1 << asinBits)
	h, l := fastTwoSum(a-(shifted-0x1.8p45), l)
	t, v, sign := &asinTable[i], &asinAngle[form][i], asinSign[form]
	h2 := float64(h * h)
	q := float64(h2 * (((t.c2 + float64(h*t.c3)) + float64(h2*(t.c4+float64(h*t.c5)))) +
		float64(float64(h2*h2)*((t.c6+float64(h*t.c7))+float64(h2*(t.c8+float64(h*t.c9)))))))
	p := float64(t.hi * h)
	rest := math.FMA(t.lo, h, math.FMA(t.hi, h, -p)+float64(t.hi*l))
	hi, r := fastTwoSum(v.hi, float64(sign*p))
	lo = r + (v.lo + float64(sign*(rest+q)))
	return hi, lo, asinErrLeast + float64(q*square)
}

// fusedHalf returns a + l = √((1-x)/2), as arc does: z - a² is exact.
func fusedHalf(x float64) (a, l float64) {
	z := float64(0.5 * (1 - x))
	a = math.Sqrt(z)
	return a, float64(math.FMA(-a, a, z) * (0.5 / a))
}
