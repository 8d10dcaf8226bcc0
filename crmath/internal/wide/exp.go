package wide

import (
	"math"
	"math/bits"
)

// SetExpm1 sets z to e^x - 1 at precision n, for |x| < 2^12.
//
//  1. x = k·ln2 + r, |r| < 0.36, with k from float64 arithmetic. The error of r
//     is below 2^15·2^(-64(n+1)), or zero where k is 0.
//  2. e^r - 1 by doublings (setExpm1Reduced).
//  3. 2^k·(1 + (e^r-1)) - 1. Where k is not 0, |x| > 0.34 and the result is at
//     least 0.28 in magnitude: no more than a bit cancels.
//
// The errors together are below 2^20·2^(-64(n+1)), which leaves 44 bits of the
// guard word.
func (z *Float) SetExpm1(x *Float, n int) {
	w := n + 1
	var r, one Float
	k := r.reduceLn2(x, n)
	z.setExpm1Reduced(&r, n)
	if k == 0 {
		return
	}
	one.SetUint(1, w)
	z.Add(z, &one, w)
	z.Exp += k
	z.Sub(z, &one, w)
}

// SetExp sets z to e^x at precision n, for |x| < 2^12, as SetExpm1 does.
func (z *Float) SetExp(x *Float, n int) {
	var r Float
	k := r.reduceLn2(x, n)
	z.setExpReduced(&r, k, n)
}

// SetExp2 sets z to 2^x at precision n, for |x| < 2^12.
func (z *Float) SetExp2(x *Float, n int) {
	w := n + 1
	k := int(math.RoundToEven(x.Approx())) //lastbit:ignore floatconv reduced arguments are in range
	var r, t Float
	t.SetInt(int64(k), w)
	r.Sub(x, &t, w) // exact for float64 x, or with an error below x's
	r.Mul(&r, &Ln2, w)
	z.setExpReduced(&r, k, n)
}

// SetExp10 sets z to 10^x at precision n, for |x| < 2^10: e^r·2^k with
// r = x·ln10 - k·ln2, whose error is below 2^16·2^(-64(n+1)).
func (z *Float) SetExp10(x *Float, n int) {
	w := n + 1
	var t Float
	t.Mul(x, &Ln10, w)
	z.SetExp(&t, n)
}

// SetExp2m1 sets z to 2^x - 1 at precision n, for |x| < 2^12. The relative
// error of x·ln 2 adds less than 2^16·2^(-64(n+1)).
func (z *Float) SetExp2m1(x *Float, n int) {
	z.Mul(x, &Ln2, n+1)
	z.SetExpm1(z, n)
}

// SetExp10m1 sets z to 10^x - 1 at precision n, for |x| < 2^10, as SetExp2m1
// does.
func (z *Float) SetExp10m1(x *Float, n int) {
	z.Mul(x, &Ln10, n+1)
	z.SetExpm1(z, n)
}

// reduceLn2 sets r to x - k·ln2 and returns k: the integer nearest to x/ln2, up
// to a rounding error.
func (r *Float) reduceLn2(x *Float, n int) int {
	w := n + 1
	//lastbit:ignore floatconv reduced arguments are in range
	k := int(math.RoundToEven(x.Approx() * (1 / math.Ln2)))
	if k == 0 {
		r.Set(x, w)
		return 0
	}
	var t Float
	t.SetInt(int64(k), w)
	t.Mul(&t, &Ln2, w)
	r.Sub(x, &t, w)
	return k
}

// setExpReduced sets z to 2^k·e^r in n+1 words, for |r| < 0.36.
func (z *Float) setExpReduced(r *Float, k, n int) {
	w := n + 1
	var one Float
	z.setExpm1Reduced(r, n)
	one.SetUint(1, w)
	z.Add(z, &one, w)
	z.Exp += k
}

// setExpm1Reduced sets z to e^r - 1 in n+1 words, for |r| < 0.36, with a
// relative error below 2^12·2^(-64(n+1)).
//
//  1. r' = r/2^s, so that |r'| < 2^-h.
//  2. e^r' - 1 = r'·(1 + r'/2·(1 + r'/3·(…))), to the term below 2^(-64(n+1)).
//     Each step has three operations, and the factors r'/k < 2^-h shrink the
//     errors of the earlier steps.
//  3. s times e^2r' - 1 = (e^r'-1)·((e^r'-1) + 2): two operations each. Earlier
//     errors grow by less than 1 + |r'|, over all steps by less than e^0.72.
//
// The sum is less than the errors of 2.1·(10 + 2s) operations, where s < 64.
func (z *Float) setExpm1Reduced(r *Float, n int) {
	w := n + 1
	if r.IsZero() {
		z.SetZero(w)
		return
	}
	h := 13 + n // about √(64n): balances terms and doublings
	var t, one, q, u Float
	t.Set(r, w)
	s := max(0, t.Exp+h)
	t.Exp -= s
	one.SetUint(1, w)
	q.Set(&one, w)
	terms, size := 1, 0 // |r'|^terms/(terms+1)! < 2^size
	for size > -64*w {
		terms++
		size += t.Exp - (bits.Len(uint(terms)) - 1)
	}
	for k := terms; k >= 2; k-- {
		u.DivUint(&t, uint64(k), w)
		q.Mul(&q, &u, w)
		q.Add(&q, &one, w)
	}
	q.Mul(&q, &t, w)
	one.Exp++ // 2
	for range s {
		u.Add(&q, &one, w)
		q.Mul(&q, &u, w)
	}
	z.Set(&q, w)
}
