package wide

import (
	"math"
	"math/bits"
)

// Add sets z to x+y.
func (z *Float) Add(x, y *Float, n int) { z.addSigned(x, y, y.Neg, n) }

// Sub sets z to x-y, exactly where the exponents of x and y differ by at most
// one: the difference has no more bits than the guard word keeps.
func (z *Float) Sub(x, y *Float, n int) { z.addSigned(x, y, !y.Neg, n) }

// addSigned sets z to x ± |y|, with the sign yneg.
func (z *Float) addSigned(x, y *Float, yneg bool, n int) {
	switch {
	case y.IsZero():
		z.Set(x, n)
		return
	case x.IsZero():
		z.Set(y, n)
		z.Neg = yneg
		return
	}
	xneg := x.Neg
	if x.CmpAbs(y, n) < 0 {
		x, y, xneg, yneg = y, x, yneg, xneg
	}
	// |x| ≥ |y|: y is shifted right, into n+1 words.
	exp, d := x.Exp, x.Exp-y.Exp
	if d > 64*(n+1) {
		z.Set(x, n)
		z.Neg = xneg
		return
	}
	var t [Words + 1]uint64
	w, s := d/64, uint(d%64)
	for i := w; i <= n; i++ {
		if i-w < n {
			t[i] = y.M[i-w] >> s
		}
		if i > w {
			t[i] |= y.M[i-w-1] << (64 - s) // 0 where s is
		}
	}
	var c uint64
	if xneg == yneg {
		for i := n - 1; i >= 0; i-- {
			t[i], c = bits.Add64(x.M[i], t[i], c)
		}
		if c != 0 { // one bit to the right
			for i := n - 1; i > 0; i-- {
				t[i] = t[i]>>1 | t[i-1]<<63
			}
			t[0] = t[0]>>1 | 1<<63
			exp++
		}
		z.Neg, z.Exp = xneg, exp
		copy(z.M[:n], t[:n])
		return
	}
	t[n], c = bits.Sub64(0, t[n], 0)
	for i := n - 1; i >= 0; i-- {
		t[i], c = bits.Sub64(x.M[i], t[i], c)
	}
	z.Neg = xneg
	z.normalize(&t, exp, n)
}

// normalize sets z to 0.t · 2^exp, of n+1 words.
func (z *Float) normalize(t *[Words + 1]uint64, exp, n int) {
	w := 0
	for w <= n && t[w] == 0 {
		w++
	}
	if w > n {
		z.SetZero(n)
		return
	}
	s := uint(bits.LeadingZeros64(t[w]))
	for i := range n {
		var hi, lo uint64
		if i+w <= n {
			hi = t[i+w]
		}
		if i+w < n {
			lo = t[i+w+1]
		}
		z.M[i] = hi<<s | lo>>(64-s) // lo>>64 is 0
	}
	z.Exp = exp - 64*w - int(s)
}

// Mul sets z to x·y. It leaves out the products of words that begin after the
// guard word: together less than n+1 units of that word.
func (z *Float) Mul(x, y *Float, n int) {
	if x.IsZero() || y.IsZero() {
		z.SetZero(n)
		return
	}
	var t [Words + 2]uint64
	var a0, a1, a2, c uint64 // a0 belongs to t[s+1]
	for s := n; s >= 0; s-- {
		for i, j := max(0, s-n+1), min(s, n-1); i < n && j >= 0; i, j = i+1, j-1 {
			hi, lo := bits.Mul64(x.M[i], y.M[j])
			a0, c = bits.Add64(a0, lo, 0)
			a1, c = bits.Add64(a1, hi, c)
			a2 += c
		}
		t[s+1], a0, a1, a2 = a0, a1, a2, 0
	}
	t[0] = a0
	z.Neg, z.Exp = x.Neg != y.Neg, x.Exp+y.Exp
	if t[0]>>63 != 0 {
		copy(z.M[:n], t[:n])
		return
	}
	z.Exp--
	for i := range n {
		z.M[i] = t[i]<<1 | t[i+1]>>63
	}
}

// Sqr sets z to x².
func (z *Float) Sqr(x *Float, n int) { z.Mul(x, x, n) }

// MulUint sets z to x·u.
func (z *Float) MulUint(x *Float, u uint64, n int) {
	if x.IsZero() || u == 0 {
		z.SetZero(n)
		return
	}
	var t [Words + 1]uint64
	var carry uint64
	for i := n - 1; i >= 0; i-- {
		hi, lo := bits.Mul64(x.M[i], u)
		var c uint64
		t[i+1], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	t[0] = carry
	z.Neg = x.Neg
	z.normalize(&t, x.Exp+64, n)
}

// DivUint sets z to x/u; u is not 0. Where the quotient's first word is 0, the
// second has its top bit set, so that n+1 words hold n significant ones.
func (z *Float) DivUint(x *Float, u uint64, n int) {
	if x.IsZero() {
		z.SetZero(n)
		return
	}
	var t [Words + 1]uint64
	var rem uint64
	for i := range n {
		t[i], rem = bits.Div64(rem, x.M[i], u)
	}
	t[n], _ = bits.Div64(rem, 0, u)
	z.Neg = x.Neg
	z.normalize(&t, x.Exp, n)
}

// Div sets z to x/y by long division; y is not 0. D1 to D7 are the steps of
// Algorithm D in Knuth, The Art of Computer Programming, volume 2, section
// 4.3.1.
func (z *Float) Div(x, y *Float, n int) {
	if x.IsZero() {
		z.SetZero(n)
		return
	}
	// D1. The divisor is normalized. The remainder r has one word in front of
	// the dividend's, so that the first digit of the quotient is 0 or 1.
	var r [2*Words + 2]uint64
	copy(r[1:n+1], x.M[:n])
	var q [Words + 1]uint64
	v := &y.M
	for j := 0; j <= n; j++ { // D2, D7
		// D3. Estimate the digit from the two top words, correct it by one
		// more.
		var d uint64
		if r[j] >= v[0] {
			d = math.MaxUint64
		} else {
			var rem uint64
			d, rem = bits.Div64(r[j], r[j+1], v[0])
			if n > 1 {
				for hi, lo := bits.Mul64(d, v[1]); hi > rem || hi == rem && lo > r[j+2]; hi,
					lo = bits.Mul64(d, v[1]) {
					d--
					before := rem
					if rem += v[0]; rem < before {
						break
					}
				}
			}
		}
		// D4. Multiply and subtract.
		var carry, borrow uint64
		for i := n - 1; i >= 0; i-- {
			hi, lo := bits.Mul64(d, v[i])
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			carry = hi + c
			r[j+1+i], borrow = bits.Sub64(r[j+1+i], lo, borrow)
		}
		r[j], borrow = bits.Sub64(r[j], carry, borrow)
		for borrow != 0 { // D6. Add back.
			d--
			var c uint64
			for i := n - 1; i >= 0; i-- {
				r[j+1+i], c = bits.Add64(r[j+1+i], v[i], c)
			}
			r[j], c = bits.Add64(r[j], 0, c)
			borrow -= c
		}
		q[j] = d
	}
	z.Neg = x.Neg != y.Neg
	z.normalize(&q, x.Exp-y.Exp+64, n)
}

// Sqrt sets z to √x, with |δ| < 2^(4-64n); x is not negative. Heron's iteration
// s ← (s + x/s)/2 squares the relative error and halves it: math.Sqrt's 2^-52
// becomes 2^-105, 2^-211 and so on. The last division and addition add
// 2^(1-64n) and 2^(2-64n).
func (z *Float) Sqrt(x *Float, n int) {
	if x.IsZero() {
		z.SetZero(n)
		return
	}
	var y, s, q Float
	y.Set(x, n)
	half := (x.Exp + x.Exp&1) / 2
	y.Exp -= 2 * half // 1/4 ≤ y < 1
	s.SetFloat64(math.Sqrt(y.Approx()), n)
	for right := 52; right < 64*n+2; right *= 2 {
		q.Div(&y, &s, n)
		s.Add(&s, &q, n)
		s.Exp--
	}
	z.Set(&s, n)
	z.Exp += half
}
