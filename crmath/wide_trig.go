package crmath

import (
	"math"
	"math/bits"
)

// setReducedTurn sets z to x - k·π/2 at precision n, |z| < 0.786, and returns k modulo 4; x
// is finite.
//
// With x = ±m·2^e, m an integer of 53 bits, x·2/π modulo 4 is four times the fraction of
// m·w, where w is 2/π without what 2^e makes a multiple of 4 (Payne and Hanek). Of
// w there are n+3 words: their product is off by less than 2^53 units of the last. At
// most 61 bits are zero after the two that count quarters, for arguments of 53 bits
// (Muller2016, chapter 11): in n+1 words from the first that is not, that is less than a
// unit, and the product with π/2 costs two more.
func (z *wide) setReducedTurn(x float64, n int) (k uint64) {
	z.setFloat64(x, n+1)
	if math.Abs(x) < 0.5 {
		return 0
	}
	m, e := significand(x)
	var p [wideWords + 2]uint64
	words := p[:n+3]
	var carry uint64
	for i := len(words) - 1; i >= 0; i-- {
		hi, lo := bits.Mul64(m, twoOverPiWord(e, i))
		var c uint64
		words[i], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	// Two bits of quarters, rounded to nearest, and the signed rest.
	k = (words[0] + 1<<61) >> 62
	for i := range words[:len(words)-1] {
		words[i] = words[i]<<2 | words[i+1]>>62
	}
	words[len(words)-1] <<= 2
	neg := words[0]>>63 != 0
	if neg {
		borrow := uint64(0)
		for i := len(words) - 1; i >= 0; i-- {
			words[i], borrow = bits.Sub64(0, words[i], borrow)
		}
	}
	shift := bits.LeadingZeros64(words[0])
	for i := range n + 1 {
		z.m[i] = words[i]<<shift | words[i+1]>>(64-shift) // >>64 gives 0
	}
	z.exp = -shift
	z.mul(z, &widePi, n+1)
	z.exp--
	z.neg = neg
	if x < 0 {
		z.neg = !neg
		k = -k
	}
	return k & 3
}

// significand returns m and e with |x| = m·2^e and 2^52 ≤ m < 2^53, for |x| ≥ 2^-1022.
func significand(x float64) (m uint64, e int) {
	u := math.Float64bits(x)
	return u&(1<<52-1) | 1<<52, int(u>>52&0x7ff) - 1075
}

// twoOverPiWord returns the i-th word of 2/π where its first e-2 bits, which 2^e makes
// multiples of 4, are left out, or zeros put before it where e < 2; e ≥ -60.
func twoOverPiWord(e, i int) uint64 {
	offset := e + 62
	w, s := offset/64+i, uint(offset%64)
	return twoOverPi[w]<<s | twoOverPi[w+1]>>(64-s) // the latter is 0 where s is
}

// setSinCosReduced sets s and c to sin x and cos x - 1 at precision n, for |x| < 0.79.
//
//  1. x' = x/2^d, so that |x'| < 2^-h.
//  2. sin x' and cos x' - 1 by Taylor's series, as (Horner) 1 - x'²/(2·3)·(1 - x'²/(4·5)·(…)),
//     to the term below 2^(-64(n+1)). Each step has three operations, whose errors the
//     factors x'²/k < 2^-2h shrink.
//  3. d times sin 2x' = 2·sin x'·(1 + (cos x' - 1)), cos 2x' - 1 = -2·sin² x'. The relative
//     errors of the two functions each double at most in the latter, but only of the
//     last step: in the former that of the sine grows by that of a factor whose second
//     summand is small. So they grow by two or three operations in a step.
//
// All errors together are below 2^9·2^(-64(n+1)).
func setSinCosReduced(s, c, x *wide, n int) {
	w := n + 1
	if x.isZero() {
		s.setZero(w)
		c.setZero(w)
		return
	}
	h := 4 + 2*n // balances terms and doublings
	var r, t, one, u wide
	r.set(x, w)
	d := max(0, r.exp+h)
	r.exp -= d
	one.setUint(1, w)
	t.sqr(&r, w)
	terms := 1 // r^(2·terms) < 2^(-64w)
	for ; -t.exp*terms < 64*w; terms++ {
	}
	s.set(&one, w)
	c.set(&one, w)
	for k := uint64(terms); k > 0; k-- {
		u.divUint(&t, 2*k*(2*k+1), w)
		s.mul(s, &u, w)
		s.sub(&one, s, w)
		u.divUint(&t, (2*k+1)*(2*k+2), w)
		c.mul(c, &u, w)
		c.sub(&one, c, w)
	}
	s.mul(s, &r, w)
	c.mul(c, &t, w) // cos x' - 1 = -x'²/2·(1 - x'²/(3·4)·(…))
	c.exp--
	c.neg = true
	for range d {
		u.add(&one, c, w)
		c.sqr(s, w)
		c.exp++
		c.neg = true
		s.mul(s, &u, w)
		s.exp++
	}
}

// setSinCos sets s and c to sin x and cos x at precision n, for finite x.
func setSinCos(s, c *wide, x float64, n int) {
	var r wide
	q := r.setReducedTurn(x, n)
	setSinCosReduced(s, c, &r, n)
	r.setUint(1, n+1)
	c.add(&r, c, n+1)
	if q&1 != 0 {
		*s, *c = *c, *s
		c.neg = !c.neg
	}
	if q&2 != 0 {
		s.neg, c.neg = !s.neg, !c.neg
	}
}
