package wide

import (
	"math"
	"math/bits"
)

// SetReducedTurn sets z to x - k·π/2 at precision n, |z| < 0.786, and returns k
// modulo 4, by the method of PayneHanek1983; x is finite.
//
// With x = ±m·2^e, m an integer of 53 bits, x·2/π modulo 4 is four times the
// fraction of m·w, where w is 2/π without the bits that 2^e makes multiples of
// 4. w has n+3 words, so that the product is off by less than 2^53 units of the
// last one. At most 61 bits after the two that count quarters are zero, for
// arguments of 53 bits (Muller2016, chapter 11): in n+1 words from the first
// bit that is not zero, the error is less than a unit, and the product with π/2
// adds two.
func (z *Float) SetReducedTurn(x float64, n int) (k uint64) {
	z.SetFloat64(x, n+1)
	if math.Abs(x) < 0.5 {
		return 0
	}
	m, e := significand(x)
	var p [Words + 2]uint64
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
		z.M[i] = words[i]<<shift | words[i+1]>>(64-shift) // a shift by 64 gives 0
	}
	z.Exp = -shift
	z.Mul(z, &Pi, n+1)
	z.Exp--
	z.Neg = neg
	if x < 0 {
		z.Neg = !neg
		k = -k
	}
	return k & 3
}

// significand returns m and e with |x| = m·2^e and 2^52 ≤ m < 2^53, for
// |x| ≥ 2^-1022.
func significand(x float64) (m uint64, e int) {
	u := math.Float64bits(x)
	return u&(1<<52-1) | 1<<52, int(u>>52&0x7ff) - 1075
}

// twoOverPiWord returns the i-th word of 2/π without its first e-2 bits, which
// 2^e makes multiples of 4, or with 2-e zeros in front where e < 2; e ≥ -60.
func twoOverPiWord(e, i int) uint64 {
	offset := e + 62
	w, s := offset/64+i, uint(offset%64)
	return twoOverPi[w]<<s | twoOverPi[w+1]>>(64-s) // a shift by 64 gives 0
}

// setSinCosReduced sets s and c to sin x and cos x - 1 at precision n, for
// |x| < 0.79.
//
//  1. x' = x/2^d, so that |x'| < 2^-h.
//  2. sin x' and cos x' - 1 by Taylor's series in Horner's form,
//     1 - x'²/(2·3)·(1 - x'²/(4·5)·(…)), to the term below 2^(-64(n+1)). Each
//     step has three operations, whose errors the factors x'²/k < 2^-2h shrink.
//  3. d times sin 2x' = 2·sin x'·(1 + (cos x' - 1)), cos 2x' - 1 = -2·sin² x'.
//     In the second formula the relative error of the sine doubles, but only
//     the error of the last step; in the first it grows by the error of a
//     factor whose second summand is small. So a step adds the errors of two or
//     three operations.
//
// The errors together are below 2^9·2^(-64(n+1)).
func setSinCosReduced(s, c, x *Float, n int) {
	w := n + 1
	if x.IsZero() {
		s.SetZero(w)
		c.SetZero(w)
		return
	}
	h := 4 + 2*n // balances terms and doublings
	var r, t, one, u Float
	r.Set(x, w)
	d := max(0, r.Exp+h)
	r.Exp -= d
	one.SetUint(1, w)
	t.Sqr(&r, w)
	terms := 1 // until r^(2·terms) < 2^(-64w)
	for ; -t.Exp*terms < 64*w; terms++ {
	}
	s.Set(&one, w)
	c.Set(&one, w)
	for k := uint64(terms); k > 0; k-- {
		u.DivUint(&t, 2*k*(2*k+1), w)
		s.Mul(s, &u, w)
		s.Sub(&one, s, w)
		u.DivUint(&t, (2*k+1)*(2*k+2), w)
		c.Mul(c, &u, w)
		c.Sub(&one, c, w)
	}
	s.Mul(s, &r, w)
	c.Mul(c, &t, w) // cos x' - 1 = -x'²/2·(1 - x'²/(3·4)·(…))
	c.Exp--
	c.Neg = true
	for range d {
		u.Add(&one, c, w)
		c.Sqr(s, w)
		c.Exp++
		c.Neg = true
		s.Mul(s, &u, w)
		s.Exp++
	}
}

// SetSinCos sets s and c to sin x and cos x at precision n, for finite x.
func SetSinCos(s, c *Float, x float64, n int) {
	var r Float
	q := r.SetReducedTurn(x, n)
	setSinCosReduced(s, c, &r, n)
	r.SetUint(1, n+1)
	c.Add(&r, c, n+1)
	s.quarterTurns(c, q)
}
