package wide

import "math"

// SetLog sets z to ln x at precision n, for positive x.
func (z *Float) SetLog(x *Float, n int) {
	if k := z.logSignificand(x, n); k != 0 {
		var t Float
		t.SetInt(int64(k), n+1)
		t.Mul(&t, &Ln2, n+1)
		z.Add(z, &t, n+1)
	}
}

// SetLog2 sets z to log2 x = k + ln m/ln 2 at precision n, for positive x. It
// is exact where m is 1.
func (z *Float) SetLog2(x *Float, n int) {
	k := z.logSignificand(x, n)
	z.Div(z, &Ln2, n+1)
	var t Float
	t.SetInt(int64(k), n+1)
	z.Add(z, &t, n+1)
}

// SetLog10 sets z to log10 x = ln x/ln 10 at precision n, for positive x.
func (z *Float) SetLog10(x *Float, n int) {
	z.SetLog(x, n)
	z.Div(z, &Ln10, n+1)
}

// logSignificand sets z to ln m, where x = m·2^k and 0.70 < m < 1.42, and
// returns k. m-1 is exact. Where k is not 0, k·ln 2 is at least 1.9 times as
// large as ln m.
func (z *Float) logSignificand(x *Float, n int) (k int) {
	w := n + 1
	var m, one Float
	m.Set(x, w)
	m.Exp, k = 0, x.Exp
	// Not M[0]>>32 < 0xb504f334: Go's compiler for s390x takes that to hold.
	if m.M[0] < 0xb504f334<<32 { // √½
		m.Exp, k = 1, k-1
	}
	one.SetUint(1, w)
	m.Sub(&m, &one, w)
	z.setLog1pNear(&m, n)
	return k
}

// SetLog1p sets z to ln(1+x) at precision n, for x > -1. Where 1+x is not
// exact, x is large, and so is the logarithm: its relative error is at most the
// relative error of 1+x.
func (z *Float) SetLog1p(x *Float, n int) {
	if a := x.Approx(); -0.3 < a && a < 0.41 {
		z.setLog1pNear(x, n)
		return
	}
	var t Float
	t.SetUint(1, n+1)
	t.Add(&t, x, n+1)
	z.SetLog(&t, n)
}

// SetLog2p1 sets z to log2(1+x) at precision n, for x > -1.
func (z *Float) SetLog2p1(x *Float, n int) {
	z.SetLog1p(x, n)
	z.Div(z, &Ln2, n+1)
}

// SetLog10p1 sets z to log10(1+x) at precision n, for x > -1.
func (z *Float) SetLog10p1(x *Float, n int) {
	z.SetLog1p(x, n)
	z.Div(z, &Ln10, n+1)
}

// setLog1pNear sets z to ln(1+x) at precision n, for -0.3 < x < 0.42.
//
//  1. Below 2^-16 by setLog1pSeries.
//  2. Otherwise from y ≈ ln(1+x) in float64, by one correction: c = (1+x)·e^-y
//     - 1 is about 2^-50, and ln(1+x) = y + ln(1+c). The quality of y decides
//     the number of terms, and no bit of the result. The error of c is below
//     2^22·2^(-64(n+1)), and the result at least 2^-17: that leaves 25 bits of
//     the guard word.
func (z *Float) setLog1pNear(x *Float, n int) {
	w := n + 1
	if x.Exp < -15 {
		z.setLog1pSeries(x, n)
		return
	}
	estimate := math.Log1p(x.Approx()) //lastbit:ignore libm any estimate converges to the same
	var y, e, t, one Float
	y.SetFloat64(-estimate, w)
	e.setExpSmall(&y, n)
	one.SetUint(1, w)
	t.Add(x, &one, w)
	t.Mul(&t, &e, w)
	t.Sub(&t, &one, w)
	t.setLog1pSeries(&t, n)
	y.Neg = !y.Neg
	z.Add(&t, &y, w)
}

// setExpSmall is SetExp for |x| < 0.36, which needs no reduction.
func (z *Float) setExpSmall(x *Float, n int) {
	var one Float
	z.setExpm1Reduced(x, n)
	one.SetUint(1, n+1)
	z.Add(z, &one, n+1)
}

// setLog1pSeries sets z to ln(1+x) = 2·artanh(u) = 2u·(1 + u²/3 + u⁴/5 + …)
// with u = x/(2+x), in n+1 words, for |x| < 1/2, with a relative error below
// 2^6·2^(-64(n+1)). It is fast for small |x|.
func (z *Float) setLog1pSeries(x *Float, n int) {
	w := n + 1
	if x.IsZero() {
		z.SetZero(w)
		return
	}
	var u, v, q, t Float
	t.SetUint(2, w)
	u.Add(x, &t, w)
	u.Div(x, &u, w)
	v.Sqr(&u, w)
	terms := 64*w/(-2*u.Exp) + 1 // |u| < 2^u.Exp ≤ 1/2: the rest is below 2^(-64w)
	for k := terms; k >= 0; k-- {
		t.SetUint(1, w)
		t.DivUint(&t, uint64(2*k+1), w)
		q.Mul(&q, &v, w)
		q.Add(&q, &t, w)
	}
	z.Mul(&q, &u, w)
	z.Exp++
}
