package crmath

import (
	"math"
	"math/bits"
)

// wide is a floating-point number with a significand of several 64-bit words,
// (-1)^neg · 0.m[0]m[1]m[2]… · 2^exp, with the top bit of m[0] set; it is zero
// when m[0] is. Accurate paths compute with it, on the stack.
//
// Each operation has a precision n, in words: it reads and writes m[:n] and
// leaves the other words as they are. Its result is what exact arithmetic on
// m[:n] of the operands gives, times 1+δ with |δ| < 2^(2-64n): every operation
// truncates, and keeps a guard word where a normalization may follow. The
// receiver may be one of the operands. Exponents do not overflow: they stay
// within some thousands.
//
// A kernel at precision n (wide_exp.go, wide_log.go) computes with n+1 words and
// promises n: a relative error below 2^(-64n). Its caller rounds with
// float64(-64n) or float32(-64n), and asks for more words when the answer is
// undecided.
type wide struct {
	neg bool
	exp int
	m   [wideWords]uint64
}

// wideWords is the number of words of the longest precision.
const wideWords = 16

// Precisions, in words, of the accurate paths.
const (
	// wideFirst suffices for every function of one float64 whose worst case is
	// known: 128 bits, where at most 120 are needed (LefevreMuller2001,
	// Sibidanov2022).
	wideFirst = 2
	// wideLast is the longest that a kernel has: it needs a guard word.
	wideLast = wideWords - 1
)

func (x *wide) isZero() bool { return x.m[0] == 0 }

// setZero sets z to 0.
func (z *wide) setZero(n int) {
	z.neg, z.exp = false, 0
	clear(z.m[:n])
}

// setUint sets z to u, exactly.
func (z *wide) setUint(u uint64, n int) {
	z.setZero(n)
	if u != 0 {
		s := bits.LeadingZeros64(u)
		z.m[0], z.exp = u<<s, 64-s
	}
}

// setInt sets z to i, exactly.
func (z *wide) setInt(i int64, n int) {
	u := uint64(i)
	if i < 0 {
		u = -u
	}
	z.setUint(u, n)
	z.neg = i < 0
}

// setFloat64 sets z to x, which is finite, exactly.
func (z *wide) setFloat64(x float64, n int) {
	u := math.Float64bits(x)
	e, f := int(u>>52&0x7ff), u&(1<<52-1)
	if e == 0 {
		e = 1
	} else {
		f |= 1 << 52
	}
	z.setUint(f, n)
	if f != 0 {
		z.exp += e - 1075
	}
	z.neg = u>>63 != 0
}

// set sets z to x.
func (z *wide) set(x *wide, n int) {
	z.neg, z.exp = x.neg, x.exp
	copy(z.m[:n], x.m[:n])
}

// approx returns x truncated to 53 bits, or fewer where that is subnormal; ±Inf
// beyond float64's range. It is for estimates.
func (x *wide) approx() float64 {
	f := math.Ldexp(float64(x.m[0]>>11), x.exp-53)
	if x.neg {
		return -f
	}
	return f
}

// cmpAbs compares |x| with |y|: -1, 0 or 1.
func (x *wide) cmpAbs(y *wide, n int) int {
	switch {
	case x.isZero() && y.isZero():
		return 0
	case x.isZero():
		return -1
	case y.isZero():
		return 1
	case x.exp != y.exp:
		if x.exp < y.exp {
			return -1
		}
		return 1
	}
	for i := range n {
		if x.m[i] != y.m[i] {
			if x.m[i] < y.m[i] {
				return -1
			}
			return 1
		}
	}
	return 0
}

// add sets z to x+y.
func (z *wide) add(x, y *wide, n int) { z.addSigned(x, y, y.neg, n) }

// sub sets z to x-y. Where the exponents of x and y differ by at most one,
// it is exact: the difference has no more bits than the guard word keeps.
func (z *wide) sub(x, y *wide, n int) { z.addSigned(x, y, !y.neg, n) }

// addSigned sets z to x ± |y|, with the sign yneg.
func (z *wide) addSigned(x, y *wide, yneg bool, n int) {
	switch {
	case y.isZero():
		z.set(x, n)
		return
	case x.isZero():
		z.set(y, n)
		z.neg = yneg
		return
	}
	xneg := x.neg
	if x.cmpAbs(y, n) < 0 {
		x, y, xneg, yneg = y, x, yneg, xneg
	}
	// |x| ≥ |y|: y is shifted right, into n+1 words.
	exp, d := x.exp, x.exp-y.exp
	if d > 64*(n+1) {
		z.set(x, n)
		z.neg = xneg
		return
	}
	var t [wideWords + 1]uint64
	w, s := d/64, uint(d%64)
	for i := w; i <= n; i++ {
		if i-w < n {
			t[i] = y.m[i-w] >> s
		}
		if i > w {
			t[i] |= y.m[i-w-1] << (64 - s) // 0 where s is
		}
	}
	var c uint64
	if xneg == yneg {
		for i := n - 1; i >= 0; i-- {
			t[i], c = bits.Add64(x.m[i], t[i], c)
		}
		if c != 0 { // one bit to the right
			for i := n - 1; i > 0; i-- {
				t[i] = t[i]>>1 | t[i-1]<<63
			}
			t[0] = t[0]>>1 | 1<<63
			exp++
		}
		z.neg, z.exp = xneg, exp
		copy(z.m[:n], t[:n])
		return
	}
	t[n], c = bits.Sub64(0, t[n], 0)
	for i := n - 1; i >= 0; i-- {
		t[i], c = bits.Sub64(x.m[i], t[i], c)
	}
	z.neg = xneg
	z.normalize(&t, exp, n)
}

// normalize sets z to 0.t · 2^exp, of n+1 words.
func (z *wide) normalize(t *[wideWords + 1]uint64, exp, n int) {
	w := 0
	for w <= n && t[w] == 0 {
		w++
	}
	if w > n {
		z.setZero(n)
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
		z.m[i] = hi<<s | lo>>(64-s) // lo>>64 is 0
	}
	z.exp = exp - 64*w - int(s)
}

// mul sets z to x·y. Of the products of words it leaves out those that begin
// after the guard word: together less than n+1 units of that word.
func (z *wide) mul(x, y *wide, n int) {
	if x.isZero() || y.isZero() {
		z.setZero(n)
		return
	}
	var t [wideWords + 2]uint64
	var a0, a1, a2, c uint64 // a0 belongs to t[s+1]
	for s := n; s >= 0; s-- {
		for i, j := max(0, s-n+1), min(s, n-1); i < n && j >= 0; i, j = i+1, j-1 {
			hi, lo := bits.Mul64(x.m[i], y.m[j])
			a0, c = bits.Add64(a0, lo, 0)
			a1, c = bits.Add64(a1, hi, c)
			a2 += c
		}
		t[s+1], a0, a1, a2 = a0, a1, a2, 0
	}
	t[0] = a0
	z.neg, z.exp = x.neg != y.neg, x.exp+y.exp
	if t[0]>>63 != 0 {
		copy(z.m[:n], t[:n])
		return
	}
	z.exp--
	for i := range n {
		z.m[i] = t[i]<<1 | t[i+1]>>63
	}
}

// sqr sets z to x².
func (z *wide) sqr(x *wide, n int) { z.mul(x, x, n) }

// mulUint sets z to x·u.
func (z *wide) mulUint(x *wide, u uint64, n int) {
	if x.isZero() || u == 0 {
		z.setZero(n)
		return
	}
	var t [wideWords + 1]uint64
	var carry uint64
	for i := n - 1; i >= 0; i-- {
		hi, lo := bits.Mul64(x.m[i], u)
		var c uint64
		t[i+1], c = bits.Add64(lo, carry, 0)
		carry = hi + c
	}
	t[0] = carry
	z.neg = x.neg
	z.normalize(&t, x.exp+64, n)
}

// divUint sets z to x/u; u is not 0. The quotient's first word is 0 only where
// the second has its top bit set: n words have enough of it.
func (z *wide) divUint(x *wide, u uint64, n int) {
	if x.isZero() {
		z.setZero(n)
		return
	}
	var t [wideWords + 1]uint64
	var rem uint64
	for i := range n {
		t[i], rem = bits.Div64(rem, x.m[i], u)
	}
	t[n], _ = bits.Div64(rem, 0, u)
	z.neg = x.neg
	z.normalize(&t, x.exp, n)
}

// div sets z to x/y, by long division (Knuth, volume 2, 4.3.1, algorithm D); y is
// not 0.
func (z *wide) div(x, y *wide, n int) {
	if x.isZero() {
		z.setZero(n)
		return
	}
	// D1. The divisor is normalized; the remainder r has a word before the
	// dividend's, which makes the first quotient digit 0 or 1.
	var r [2*wideWords + 2]uint64
	copy(r[1:n+1], x.m[:n])
	var q [wideWords + 1]uint64
	v := &y.m
	for j := 0; j <= n; j++ { // D2, D7
		// D3. The digit from the two top words, and one more of each.
		var d uint64
		if r[j] >= v[0] {
			d = math.MaxUint64
		} else {
			var rem uint64
			d, rem = bits.Div64(r[j], r[j+1], v[0])
			if n > 1 {
				for hi, lo := bits.Mul64(d, v[1]); hi > rem || hi == rem && lo > r[j+2]; hi, lo = bits.Mul64(d, v[1]) {
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
	z.neg = x.neg != y.neg
	z.normalize(&q, x.exp-y.exp+64, n)
}

// sqrt sets z to √x, with |δ| < 2^(4-64n); x is not negative. Heron's iteration
// s ← (s + x/s)/2 squares the relative error and halves it, so that math.Sqrt's
// 2^-52 becomes 2^-105, 2^-211 and so on; the last division and addition add
// 2^(1-64n) and 2^(2-64n).
func (z *wide) sqrt(x *wide, n int) {
	if x.isZero() {
		z.setZero(n)
		return
	}
	var y, s, q wide
	y.set(x, n)
	half := (x.exp + x.exp&1) / 2
	y.exp -= 2 * half // 1/4 ≤ y < 1
	s.setFloat64(math.Sqrt(y.approx()), n)
	for right := 52; right < 64*n+2; right *= 2 {
		q.div(&y, &s, n)
		s.add(&s, &q, n)
		s.exp--
	}
	z.set(&s, n)
	z.exp += half
}

// format is a binary format: p bits of precision, 2^emin the smallest positive
// number, 2^emax what is too large.
type format struct{ p, emin, emax int }

var (
	binary64 = format{53, -1074, 1024}
	binary32 = format{24, -149, 128}
)

// float64 rounds a number of which x, in n+1 words, is an approximation with a
// relative error below 2^(-64n), to nearest, once, also where the result is
// subnormal or ±Inf. It returns false where that error hides the result.
func (x *wide) float64(n int) (float64, bool) {
	u, ok := x.round(n, binary64)
	if x.neg {
		u |= 1 << 63
	}
	return math.Float64frombits(u), ok
}

// float32 is float64 for that format.
func (x *wide) float32(n int) (float32, bool) {
	u, ok := x.round(n, binary32)
	if x.neg {
		u |= 1 << 31
	}
	return math.Float32frombits(uint32(u)), ok
}

// exactFloat64 rounds x itself, in n words, to nearest, ties to even.
func (x *wide) exactFloat64(n int) float64 {
	u := x.roundExact(n, binary64)
	if x.neg {
		u |= 1 << 63
	}
	return math.Float64frombits(u)
}

// exactFloat32 is exactFloat64 for that format.
func (x *wide) exactFloat32(n int) float32 {
	u := x.roundExact(n, binary32)
	if x.neg {
		u |= 1 << 31
	}
	return math.Float32frombits(uint32(u))
}

// infinity returns the encoding of +Inf.
func (f format) infinity() uint64 { return uint64(2*f.emax-1) << (f.p - 1) }

// kept returns how many bits of x a result in format f has: negative where
// x is below half of the smallest number.
func (f format) kept(x *wide) int { return min(f.p, x.exp-f.emin) }

// assemble returns the encoding of q units in the last place, where keep bits of
// x were kept; q may have carried,
// into the infinite too.
func (f format) assemble(x *wide, keep int, q uint64) uint64 {
	if keep < f.p { // subnormal, or the smallest normal number by a carry
		return q
	}
	return uint64(x.exp-f.p-f.emin)<<(f.p-1) + q
}

// round is float64 and float32 without the sign. The error is less than one unit
// of the last bit of m[:n]; so x is too close to a midpoint if and only if the
// bits after the kept ones are 1000… or 0111….
func (x *wide) round(n int, f format) (uint64, bool) {
	if x.isZero() {
		return 0, true
	}
	if x.exp > f.emax {
		return f.infinity(), true
	}
	keep := f.kept(x)
	switch {
	case keep < -1:
		return 0, true
	case keep == -1: // 0 is kept, then half a unit is 0, then come the bits of x
		return 0, !same(x.m[:n], 0, math.MaxUint64)
	}
	half := x.m[keep/64] >> (63 - keep%64) & 1
	var q uint64
	if keep > 0 {
		q = x.m[0] >> (64 - keep)
	}
	return f.assemble(x, keep, q+half), !same(x.m[:n], keep+1, half-1)
}

// same reports whether all bits from bit i on are those of the pattern, which is
// 0 or all ones.
func same(m []uint64, i int, pattern uint64) bool {
	w := i / 64
	if (m[w]^pattern)<<(i%64) != 0 {
		return false
	}
	for _, v := range m[w+1:] {
		if v != pattern {
			return false
		}
	}
	return true
}

// roundExact is exactFloat64 and exactFloat32 without the sign.
func (x *wide) roundExact(n int, f format) uint64 {
	if x.isZero() {
		return 0
	}
	if x.exp > f.emax {
		return f.infinity()
	}
	keep := f.kept(x)
	if keep < 0 {
		return 0
	}
	var q uint64
	if keep > 0 {
		q = x.m[0] >> (64 - keep)
	}
	if x.m[keep/64]>>(63-keep%64)&1 != 0 && (q&1 != 0 || !same(x.m[:n], keep+1, 0)) {
		q++
	}
	return f.assemble(x, keep, q)
}
