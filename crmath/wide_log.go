package crmath

import (
	"math"
	"math/bits"
)

func leadingZeros(n int) int { return bits.LeadingZeros64(uint64(n)) }

// setLog sets z to ln x at precision n, which means n+1 words and a relative error below
// 2^(-64n); x is positive.
func (z *wide) setLog(x *wide, n int) {
	if k := z.logSignificand(x, n); k != 0 {
		var t wide
		t.setInt(int64(k), n+1)
		t.mul(&t, &wideLn2, n+1)
		z.add(z, &t, n+1)
	}
}

// setLog2 is setLog for log2 x = k + ln m/ln 2. It is exact where m is 1.
func (z *wide) setLog2(x *wide, n int) {
	k := z.logSignificand(x, n)
	z.div(z, &wideLn2, n+1)
	var t wide
	t.setInt(int64(k), n+1)
	z.add(z, &t, n+1)
}

// setLog10 is setLog for log10 x = ln x/ln 10.
func (z *wide) setLog10(x *wide, n int) {
	z.setLog(x, n)
	z.div(z, &wideLn10, n+1)
}

// logSignificand sets z to ln m, where x = m·2^k, 0.70 < m < 1.42, and returns k. m-1 is
// exact; where k is not 0, k·ln 2 is at least 1.9 times as large as ln m.
func (z *wide) logSignificand(x *wide, n int) (k int) {
	w := n + 1
	var m, one wide
	m.set(x, w)
	m.exp, k = 0, x.exp
	if m.m[0]>>32 < 0xb504f334 { // √½
		m.exp, k = 1, k-1
	}
	one.setUint(1, w)
	m.sub(&m, &one, w)
	z.setLog1pNear(&m, n)
	return k
}

// setLog1p sets z to ln(1+x) at precision n, for x > -1. Where x is large, 1+x may not be
// exact: but then its logarithm is large, and as exact as 1+x is relative to it.
func (z *wide) setLog1p(x *wide, n int) {
	if a := x.approx(); -0.3 < a && a < 0.41 {
		z.setLog1pNear(x, n)
		return
	}
	var t wide
	t.setUint(1, n+1)
	t.add(&t, x, n+1)
	z.setLog(&t, n)
}

// setLog1pNear sets z to ln(1+x) at precision n, for -0.3 < x < 0.42.
//
//  1. Below 2^-16 by setLog1pSeries.
//  2. Else from y ≈ ln(1+x) in float64, by one correction: c = (1+x)·e^-y - 1 is
//     about 2^-50, and ln(1+x) = y + ln(1+c). How good y is decides the number of terms,
//     and no bit. The error of c is below 2^22·2^(-64(n+1)), and the result at least 2^-17:
//     that leaves 25 bits of the guard word.
func (z *wide) setLog1pNear(x *wide, n int) {
	w := n + 1
	if x.exp < -15 {
		z.setLog1pSeries(x, n)
		return
	}
	estimate := math.Log1p(x.approx())
	var y, e, t, one wide
	y.setFloat64(-estimate, w)
	e.setExpSmall(&y, n)
	one.setUint(1, w)
	t.add(x, &one, w)
	t.mul(&t, &e, w)
	t.sub(&t, &one, w)
	t.setLog1pSeries(&t, n)
	y.neg = !y.neg
	z.add(&t, &y, w)
}

// setExpSmall is exp for |x| < 0.36, which needs no reduction.
func (z *wide) setExpSmall(x *wide, n int) {
	var one wide
	z.setExpm1Reduced(x, n)
	one.setUint(1, n+1)
	z.add(z, &one, n+1)
}

// setLog1pSeries sets z to ln(1+x) = 2·artanh(u) = 2u·(1 + u²/3 + u⁴/5 + …) with
// u = x/(2+x), in n+1 words, for |x| < 1/2, with a relative error below
// 2^6·2^(-64(n+1)). It is fast for small |x|.
func (z *wide) setLog1pSeries(x *wide, n int) {
	w := n + 1
	if x.isZero() {
		z.setZero(w)
		return
	}
	var u, v, q, t wide
	t.setUint(2, w)
	u.add(x, &t, w)
	u.div(x, &u, w)
	v.sqr(&u, w)
	terms := 64*w/(-2*u.exp) + 1 // |u| < 2^u.exp ≤ 1/2: what is left out is below 2^(-64w)
	for k := terms; k >= 0; k-- {
		t.setUint(1, w)
		t.divUint(&t, uint64(2*k+1), w)
		q.mul(&q, &v, w)
		q.add(&q, &t, w)
	}
	z.mul(&q, &u, w)
	z.exp++
}
