package crmath

import "math"

// setExpm1 sets z to e^x - 1 at precision n, which means n+1 words and a relative
// error below 2^(-64n), for |x| < 2^12.
//
//  1. x = k·ln2 + r, |r| < 0.36, with k from float64 arithmetic: the error of r is
//     below 2^15·2^(-64(n+1)), or nothing where k is 0.
//  2. e^r - 1 by doublings (see setExpm1Reduced).
//  3. 2^k·(1 + (e^r-1)) - 1. Where k is not 0, |x| > 0.34 and the result is not
//     below 0.28: nothing cancels but a bit.
//
// All errors together are below 2^20·2^(-64(n+1)), which leaves 44 bits of the guard
// word.
func (z *wide) setExpm1(x *wide, n int) {
	w := n + 1
	var r, one wide
	k := r.reduceLn2(x, n)
	z.setExpm1Reduced(&r, n)
	if k == 0 {
		return
	}
	one.setUint(1, w)
	z.add(z, &one, w)
	z.exp += k
	z.sub(z, &one, w)
}

// setExp sets z to e^x at precision n, for |x| < 2^12, as setExpm1 does.
func (z *wide) setExp(x *wide, n int) {
	w := n + 1
	var r, one wide
	k := r.reduceLn2(x, n)
	z.setExpm1Reduced(&r, n)
	one.setUint(1, w)
	z.add(z, &one, w)
	z.exp += k
}

// setExp2 sets z to 2^x at precision n, for |x| < 2^12.
func (z *wide) setExp2(x *wide, n int) {
	w := n + 1
	k := int(math.RoundToEven(x.approx()))
	var r, t wide
	t.setInt(int64(k), w)
	r.sub(x, &t, w) // exact for float64 x; else its error is below that of x
	r.mul(&r, &wideLn2, w)
	z.setExpm1Reduced(&r, n)
	t.setUint(1, w)
	z.add(z, &t, w)
	z.exp += k
}

// setExp10 sets z to 10^x at precision n, for |x| < 2^10: e^r·2^k with
// r = x·ln10 - k·ln2, whose error is below 2^16·2^(-64(n+1)).
func (z *wide) setExp10(x *wide, n int) {
	w := n + 1
	var t wide
	t.mul(x, &wideLn10, w)
	z.setExp(&t, n)
}

// reduceLn2 sets r to x - k·ln2 and returns k, the nearest integer to x/ln2 but
// for a rounding error.
func (r *wide) reduceLn2(x *wide, n int) int {
	w := n + 1
	k := int(math.RoundToEven(x.approx() * (1 / math.Ln2)))
	if k == 0 {
		r.set(x, w)
		return 0
	}
	var t wide
	t.setInt(int64(k), w)
	t.mul(&t, &wideLn2, w)
	r.sub(x, &t, w)
	return k
}

// setExpm1Reduced sets z to e^r - 1 in n+1 words, for |r| < 0.36, with a relative error
// below 2^12·2^(-64(n+1)).
//
//  1. r' = r/2^s, so that |r'| < 2^-h.
//  2. e^r' - 1 = r'·(1 + r'/2·(1 + r'/3·(…))), to the term whose size is below
//     2^(-64(n+1)): each step has three operations, and the factors r'/k < 2^-h shrink the
//     errors of the earlier ones.
//  3. s times e^2r' - 1 = (e^r'-1)·((e^r'-1) + 2): two operations each, and the errors
//     before grow by less than 1 + |r'|, over all steps by less than e^0.72.
//
// That is less than 2.1·(10 + 2s) operations' errors, where s < 64.
func (z *wide) setExpm1Reduced(r *wide, n int) {
	w := n + 1
	if r.isZero() {
		z.setZero(w)
		return
	}
	h := 13 + n // about √(64n): as many terms as doublings
	var t, one, q, u wide
	t.set(r, w)
	s := max(0, t.exp+h)
	t.exp -= s
	one.setUint(1, w)
	q.set(&one, w)
	terms, size := 1, 0 // |r'|^terms/(terms+1)! < 2^size
	for size > -64*w {
		terms++
		size += t.exp - (63 - leadingZeros(terms))
	}
	for k := terms; k >= 2; k-- {
		u.divUint(&t, uint64(k), w)
		q.mul(&q, &u, w)
		q.add(&q, &one, w)
	}
	q.mul(&q, &t, w)
	one.exp++ // 2
	for range s {
		u.add(&q, &one, w)
		q.mul(&q, &u, w)
	}
	z.set(&q, w)
}
