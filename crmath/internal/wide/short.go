package wide

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
)

// short is the number ±0.hi lo · 2^exp, with the top bit of hi set, or zero
// where hi is 0: a Float of two words that is passed by value. Its arithmetic
// has no loops. Functions try their kernels in short before those in Float.
// Most kernels in short promise a relative error below 2^-117, which decides
// all but one in 2^63 of the results that come here.
type short struct {
	neg    bool
	exp    int
	hi, lo uint64
}

// maxLost bounds the bits that a kernel may lose of the 117: with more, no
// result would be decided.
const maxLost = 62

// fixed is the number 0.hi lo, less than 1.
type fixed struct{ hi, lo uint64 }

var shortOne = short{exp: 1, hi: 1 << 63}

// shortFloat returns the finite number x.
func shortFloat(x float64) short {
	if x == 0 {
		return short{}
	}
	u := math.Float64bits(x)
	e, m := int(u>>52&0x7ff), u&(1<<52-1)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 52
	}
	s := bits.LeadingZeros64(m)
	return short{u>>63 != 0, e - 1075 + 64 - s, m << s, 0}
}

// negated returns -x.
func (x short) negated() short {
	x.neg = !x.neg
	return x
}

// scaled returns x·2^k.
func (x short) scaled(k int) short {
	x.exp += k
	return x
}

// times returns x·y with a relative error below 2^-124: it leaves out less than
// three units of the last bit, before a shift by one. It is exact for operands
// of one word.
func (x short) times(y short) short {
	z := fixed{x.hi, x.lo}.times(fixed{y.hi, y.lo})
	e := x.exp + y.exp
	if z.hi>>63 == 0 {
		z.hi, z.lo = z.hi<<1|z.lo>>63, z.lo<<1
		e--
	}
	return short{x.neg != y.neg, e, z.hi, z.lo}
}

// times returns x·y, less than three units of the last bit too small.
func (x fixed) times(y fixed) fixed {
	h, l := bits.Mul64(x.hi, y.hi)
	h1, _ := bits.Mul64(x.hi, y.lo)
	h2, _ := bits.Mul64(x.lo, y.hi)
	l, c := bits.Add64(l, h1, 0)
	h += c
	l, c = bits.Add64(l, h2, 0)
	return fixed{h + c, l}
}

// minus returns x-y, which is not negative.
func (x fixed) minus(y fixed) fixed {
	l, b := bits.Sub64(x.lo, y.lo, 0)
	h, _ := bits.Sub64(x.hi, y.hi, b)
	return fixed{h, l}
}

// plus returns x+y, which is less than 1.
func (x fixed) plus(y fixed) fixed {
	l, c := bits.Add64(x.lo, y.lo, 0)
	h, _ := bits.Add64(x.hi, y.hi, c)
	return fixed{h, l}
}

// shifted returns x·2^-k, truncated, for k ≥ 0.
func (x fixed) shifted(k int) fixed {
	if k >= 64 {
		return fixed{0, x.hi >> (k - 64)}
	}
	return fixed{x.hi >> k, x.lo>>k | x.hi<<(64-k)} // a shift by 64 gives 0
}

// normalized returns ±x·2^e.
func (x fixed) normalized(neg bool, e int) short {
	if x.hi == 0 {
		if x.lo == 0 {
			return short{}
		}
		x, e = fixed{x.lo, 0}, e-64
	}
	s := bits.LeadingZeros64(x.hi)
	return short{neg, e - s, x.hi<<s | x.lo>>(64-s), x.lo << s}
}

// plus returns x+y with an error below 2^-126 of the larger operand.
func (x short) plus(y short) short {
	switch {
	case y.hi == 0:
		return x
	case x.hi == 0:
		return y
	case x.exp < y.exp || x.exp == y.exp && (x.hi < y.hi || x.hi == y.hi && x.lo < y.lo):
		x, y = y, x
	}
	f := fixed{y.hi, y.lo}.shifted(x.exp - y.exp)
	if x.neg != y.neg {
		return fixed{x.hi, x.lo}.minus(f).normalized(x.neg, x.exp)
	}
	l, c := bits.Add64(x.lo, f.lo, 0)
	h, c := bits.Add64(x.hi, f.hi, c)
	if c != 0 {
		return short{x.neg, x.exp + 1, h>>1 | 1<<63, l>>1 | h<<63}
	}
	return short{x.neg, x.exp, h, l}
}

// minus returns x-y, as plus does.
func (x short) minus(y short) short { return x.plus(y.negated()) }

// over returns x/y with a relative error below 2^-125, and 0 where one of them
// is 0.
func (x short) over(y short) short {
	if x.hi == 0 || y.hi == 0 {
		return short{}
	}
	e, lost := x.exp-y.exp, uint64(0)
	if x.hi > y.hi || x.hi == y.hi && x.lo >= y.lo {
		x.hi, x.lo, lost = x.hi>>1, x.lo>>1|x.hi<<63, x.lo<<63
		e++
	}
	q1, r1, r0 := divide3by2(x.hi, x.lo, lost, y.hi, y.lo)
	q0, _, _ := divide3by2(r1, r0, 0, y.hi, y.lo)
	return short{x.neg != y.neg, e, q1, q0}
}

// divide3by2 returns quotient and remainder of u2u1u0/d1d0, where u2u1 < d1d0
// and the top bit of d1 is set: step D3 of Algorithm D in Knuth, The Art of
// Computer Programming, volume 2, section 4.3.1.
func divide3by2(u2, u1, u0, d1, d0 uint64) (q, r1, r0 uint64) {
	var r, c uint64
	if u2 == d1 {
		q = math.MaxUint64
		r, c = bits.Add64(u1, d1, 0)
	} else {
		q, r = bits.Div64(u2, u1, d1)
	}
	hi, lo := bits.Mul64(q, d0)
	for c == 0 && (hi > r || hi == r && lo > u0) {
		q--
		var b uint64
		lo, b = bits.Sub64(lo, d0, 0)
		hi -= b
		r, c = bits.Add64(r, d1, 0)
	}
	r0, b := bits.Sub64(u0, lo, 0)
	return q, r - hi - b, r0
}

// root returns √x with a relative error below 2^-124; x is not negative. With s
// = √x in float64 and e = (x - s²)/2s, the root is s + e - e²/2s + …, where e
// is below 2^-51·s. s² is exact: x - s² is off by 2^-126·x.
func (x short) root() short {
	if x.hi == 0 {
		return x
	}
	k := (x.exp + x.exp&1) / 2
	x.exp -= 2 * k // 1/4 ≤ x < 1
	f := math.Sqrt(x.approx())
	s := shortFloat(f)
	e := x.minus(s.times(s)).over(s.scaled(1))
	z := s.plus(e.minus(e.times(e).times(shortFloat(0.5 / f))))
	return z.scaled(k)
}

// approx returns x truncated to 53 bits, for exponents of normal numbers.
func (x short) approx() float64 {
	f := math.Ldexp(float64(x.hi>>11), x.exp-53)
	if x.neg {
		return -f
	}
	return f
}

// rounded rounds in direction m a number that x approximates with a relative
// error below 2^(lost-117), lost ≥ 0. It returns false where that error hides
// the result, and for 0. Of the bits after those kept, 64 are looked at: the
// error is less than 2^lost units of the last of them.
func (x short) rounded(m fp.Mode, lost int) (float64, bool) {
	keep := min(Precision, x.exp-MinExponent)
	switch {
	case x.hi == 0 || lost >= maxLost:
		return 0, false
	case x.exp > MaxExponent: // as a number between the largest and 2^1024
		x.exp, x.hi, x.lo = MaxExponent, math.MaxUint64, 0
	case keep < 0 && x.hi > math.MaxUint64-1<<lost: // next to half the smallest number
		return 0, false
	case keep < 0: // as a quarter of the smallest number
		keep, x.hi = 0, 1<<62
	}
	q, tail := x.hi>>(64-keep), x.hi<<keep|x.lo>>(64-keep)
	up, off := false, tail // less the undecided tail, modulo 2^64
	if m == fp.NearestEven {
		up, off = tail>>63 != 0, tail^1<<63
	} else {
		up = m == fp.ToOdd && q&1 == 0 || m == fp.Up && !x.neg || m == fp.Down && x.neg
	}
	ok := off+1<<lost > 2<<lost-1
	if up {
		q++
	}
	if keep == Precision {
		q += uint64(x.exp-Precision-MinExponent) << (Precision - 1)
	}
	if x.neg {
		q |= 1 << 63
	}
	return math.Float64frombits(q), ok
}

// mulHigh returns the first word of x·y.
func mulHigh(x, y uint64) uint64 {
	hi, _ := bits.Mul64(x, y)
	return hi
}
