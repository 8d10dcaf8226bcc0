package wide

import "math"

// GammaLast is the longest precision of SetGamma and SetLgamma.
const GammaLast = 5

// SetGamma sets z to Γ(x) at precision n ≤ GammaLast, for x that is not 0 or a
// negative integer, with -2^8 < x < 2^8: to Γ(x+k)/(x·(x+1)·…·(x+k-1)), where
// x+k is so large that Stirling's series applies (setStirling). The sums x+i
// are exact, or x is so small that their rounding does not matter.
//
// Below 2^10 in magnitude, the logarithm has an error below
// 2^39·2^(-64(n+1)), and the product of fewer than 2^9 factors one below 2^12
// of the same units.
func (z *Float) SetGamma(x *Float, n int) {
	w := n + 1
	var y, p, l Float
	shifted := y.shift(&p, x, w)
	l.setStirling(&y, n)
	l.SetExp(&l, n)
	if shifted {
		l.Div(&l, &p, w)
	}
	z.Set(&l, w)
}

// SetLgamma sets z to ln |Γ(x)| at precision n ≤ GammaLast, for x that is not 0
// or a negative integer, and not 1 or 2, where the result is 0.
//
// The result is small near these two and between the poles. The error of
// setLgamma at precision m, relative to numbers above 1, absolute for others,
// is below 2^40·2^(-64(m+1)). m grows from n until that is 2^(-64n) of the
// result, or until words end: no float64 is so close to a zero.
func (z *Float) SetLgamma(x *Float, n int) {
	for m := n; ; m++ {
		var y Float
		y.setLgamma(x, m)
		if y.Exp > 42-64*(m+1-n) || m == Last {
			z.Set(&y, n+1)
			return
		}
	}
}

// setLgamma is SetLgamma with an absolute error where the result is small. It
// takes the logarithms of the factors in SetGamma. Below -2^5 it is
//
//	-(ln Γ(|x|) + ln |x·sin(πx)/π|)
//
// by the reflection formula, where the first logarithm is above 78, and the
// other above -32: |x·sin(πx)/π| is at least |x|/2 times the distance to the
// nearest integer, which is at least 2^-52·|x|.
func (z *Float) setLgamma(x *Float, n int) {
	w := n + 1
	var y, p, l Float
	if x.Neg && x.Exp > 5 {
		y.setAbs(x, w)
		l.setStirlingFrom(&y, n)
		p.setAbsSinPi(&y, n)
		p.Mul(&p, &y, w)
		p.Div(&p, &Pi, w)
		p.SetLog(&p, n)
		z.Add(&l, &p, w)
		z.Neg = true
		return
	}
	z.setStirlingFrom(x, n)
}

// setStirlingFrom sets z to ln |Γ(x)|, for x > -2^5.
func (z *Float) setStirlingFrom(x *Float, n int) {
	w := n + 1
	var y, p, l Float
	shifted := y.shift(&p, x, w)
	l.setStirling(&y, n)
	if shifted {
		p.Neg = false
		p.SetLog(&p, n)
		l.Sub(&l, &p, w)
	}
	z.Set(&l, w)
}

// shift sets y to x+k ≥ 16w, where k ≥ 0 is an integer, and p to the product of
// x, x+1 … x+k-1. It reports whether k is above 0.
func (y *Float) shift(p, x *Float, w int) (shifted bool) {
	var one Float
	one.SetUint(1, w)
	p.Set(&one, w)
	y.Set(x, w)
	for y.Neg || y.Exp < 30 && y.Approx() < float64(16*w) {
		p.Mul(p, y, w)
		y.Add(y, &one, w)
		shifted = true
	}
	return shifted
}

// setStirling sets z to ln Γ(x) for x ≥ 16(n+1), by Stirling's series:
//
//	ln Γ(x) = (x - 1/2)·ln x - x + ln(2π)/2 + Σ B(2k)/(2k·(2k-1)·x^(2k-1))
//
// The error of the sum is below the first term that is left out, for all x > 0
// (NIST2010, 5.11(ii)). Terms end where that is below 2^(-64(n+1)), long
// before they begin to grow: TestStirlingTerms. The logarithm's error, below
// 2^25·2^(-64(n+1)) relative to (x-1/2)·ln x, is the largest. -x cancels less
// than a third of that, so that the error of the sum is below
// 2^27·2^(-64(n+1)), relative to it.
func (z *Float) setStirling(x *Float, n int) {
	w := n + 1
	var l, t, u, s Float
	l.SetLog(x, n)
	t.SetUint(1, w)
	u.Div(&t, x, w)
	t.Exp-- // 1/2
	t.Sub(x, &t, w)
	l.Mul(&l, &t, w)
	l.Sub(&l, x, w)
	t.Set(&Pi, w)
	t.Exp++
	t.SetLog(&t, n)
	t.Exp--
	l.Add(&l, &t, w)
	t.Sqr(&u, w) // 1/x²
	for k := stirlingTerms(x.Exp, w) - 1; k >= 0; k-- {
		s.Mul(&s, &t, w)
		s.Add(&s, &stirling[k], w)
	}
	s.Mul(&s, &u, w)
	z.Add(&l, &s, w)
}

// stirlingTerms returns the number of terms of Stirling's series before the
// first below 2^(-64w), for x ≥ 2^(exp-1).
func stirlingTerms(exp, w int) int {
	k := 0
	for k < len(stirling) && stirling[k].Exp-(2*k+1)*(exp-1) > -64*w {
		k++
	}
	return k
}

// setAbsSinPi sets z to |sin(πx)| at precision n, for a float64 x that is not
// an integer. The distance to the nearest integer and the difference of that
// and 1/2 are exact.
func (z *Float) setAbsSinPi(x *Float, n int) {
	w := n + 1
	a := x.Approx()
	r := math.Abs(a - math.RoundToEven(a))
	var t, s, c, one Float
	if r <= 0.25 {
		t.SetFloat64(r, w)
		t.Mul(&t, &Pi, w)
		setSinCosReduced(z, &c, &t, n)
		return
	}
	t.SetFloat64(0.5-r, w)
	t.Mul(&t, &Pi, w)
	setSinCosReduced(&s, &c, &t, n)
	one.SetUint(1, w)
	z.Add(&one, &c, w)
}
