package crmath

// setAtan2 sets z to the angle of the point (x, y), in (-π, π], at precision n, near a guess
// from a fast path: guess + arctan t with
//
//	t = (y·cos g - x·sin g) / (x·cos g + y·sin g),
//
// by the series t - t³/3 + t⁵/5 …, to the term below 2^(-64(n+1)) of the guess. The closer
// the guess, the fewer terms: two or three, for 53 bits. The numerator's absolute error is
// that of a few operations times y·cos g or x·sin g, which over the denominator (the
// point's distance from 0, nearly) is sin g·cos g: less than g, so that the relative
// error of the sum is below 2^12·2^(-64(n+1)).
func (z *wide) setAtan2(y, x *wide, guess float64, n int) {
	w := n + 1
	var s, c, num, den, u wide
	setSinCos(&s, &c, guess, n)
	num.mul(y, &c, w)
	u.mul(x, &s, w)
	num.sub(&num, &u, w)
	den.mul(x, &c, w)
	u.mul(y, &s, w)
	den.add(&den, &u, w)
	num.div(&num, &den, w) // t
	den.sqr(&num, w)
	z.setFloat64(guess, w)
	for k := uint64(1); !num.isZero() && num.exp > z.exp-64*w; k += 2 {
		u.divUint(&num, k, w)
		z.add(z, &u, w)
		num.mul(&num, &den, w)
		num.neg = !num.neg
	}
}

// setCofactor sets z to √(1 - x²) at precision n; |x| < 1. A square has 106 bits: what is
// lost in the difference is below those that n+1 words have.
func (z *wide) setCofactor(x *wide, n int) {
	var one wide
	one.setUint(1, n+1)
	z.sqr(x, n+1)
	z.sub(&one, z, n+1)
	z.sqrt(z, n+1)
}
