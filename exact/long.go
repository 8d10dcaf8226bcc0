package exact

import (
	"math"
	"math/bits"
)

// A long is a sum of numbers of any exponents in memory for all of them:
// Kulisch's long accumulator. The zero value is an empty sum.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
//   - [Kulisch2011] Ulrich Kulisch and Van Snyder. The Exact Dot Product as
//     Basic Tool for Long Interval Arithmetic. Computing 91(3):307–313, 2011.
type long struct {
	sum   fixed
	count counts
	// added counts the additions to the limbs since the last carry.
	added int
}

// counts holds the parts of a state that a fixed-point sum does not show.
type counts struct {
	all     int64 // summands
	negZero int64 // summands that are −0
	nan     int64
	posInf  int64
	negInf  int64
}

func (c *counts) add(d counts) {
	c.all += d.all
	c.negZero += d.negZero
	c.nan += d.nan
	c.posInf += d.posInf
	c.negInf += d.negInf
}

func (c counts) negated() counts {
	return counts{-c.all, -c.negZero, -c.nan, -c.posInf, -c.negInf}
}

// special counts a summand that is not finite.
func (c *counts) special(x float64) {
	switch {
	case x > 0:
		c.posInf++
	case x < 0:
		c.negInf++
	default:
		c.nan++
	}
}

// zero counts a summand that is zero.
func (c *counts) zero(negative bool) {
	if negative {
		c.negZero++
	}
}

// isInfinite reports whether a summand is not finite.
func (c *counts) isInfinite() bool { return c.nan|c.posInf|c.negInf != 0 }

// value returns the sum if it is not finite.
func (c *counts) value() (float64, bool) {
	switch {
	case c.nan != 0 || c.posInf != 0 && c.negInf != 0:
		return math.NaN(), true
	case c.posInf != 0:
		return math.Inf(1), true
	case c.negInf != 0:
		return math.Inf(-1), true
	}
	return 0, false
}

// zeroSum returns the sum if it is zero: +0, or −0.
func (c *counts) zeroSum() float64 {
	if c.all != 0 && c.negZero == c.all {
		return math.Copysign(0, -1)
	}
	return 0
}

// maxAdds bounds the additions to the limbs between two carries. Each changes a
// limb by less than 2^32, so that 2^29 of them stay below 2^61.
const maxAdds = 1 << 29

// room makes room for one more addition to the limbs.
func (a *long) room() {
	if a.added++; a.added >= maxAdds {
		a.carry()
	}
}

// carry brings the sum into canonical form.
func (a *long) carry() {
	a.sum.carry()
	a.added = 1
}

// add adds x.
func (a *long) add(x float64) {
	a.count.all++
	b := math.Float64bits(x)
	switch {
	case b>>52&0x7ff == 0x7ff:
		a.count.special(x)
	case b<<1 == 0:
		a.count.zero(b != 0)
	default:
		a.addFinite(b)
	}
}

// addFinite adds the finite number of some bits, without counting it.
func (a *long) addFinite(b uint64) {
	m, e := int64(b&(1<<52-1)), int(b>>52&0x7ff)
	if e == 0 {
		e = 1
	} else {
		m |= 1 << 52
	}
	sign := int64(b) >> 63
	a.room()
	a.sum.add((m^sign)-sign, e-1075)
}

// addShort adds ±m·2^(pos + unit).
func (a *long) addShort(negative bool, m short, pos int) {
	a.room()
	sign := int64(0)
	if negative {
		sign = -1
	}
	// The digits may reach beyond the last limb, but those are zero.
	shift, v := uint(pos)%32, uint64(0)
	for i := range 2*len(m) + 1 {
		if v >>= 32; i < 2*len(m) {
			v |= m[i/2] >> (32 * (i % 2)) & (1<<32 - 1) << shift
		}
		if d := int64(uint32(v)); d != 0 {
			a.sum[pos/32+i] += (d ^ sign) - sign
		}
	}
}

// addProduct adds x·y, unrounded.
func (a *long) addProduct(x, y float64) {
	a.count.all++
	p := multiplied(x, y)
	switch {
	case p.isSpecial:
		a.count.special(p.special)
	case p.hi|p.lo == 0:
		a.count.zero(p.negative)
	default:
		a.addWide(p.negative, p.hi, p.lo, p.e)
	}
}

// addWide adds ±(hi·2^64 + lo)·2^e.
func (a *long) addWide(negative bool, hi, lo uint64, e int) {
	a.room()
	a.sum.addWide(negative, hi, lo, e)
}

// merge adds b, which is carried.
func (a *long) merge(b *long) {
	a.room()
	for i, v := range b.sum {
		a.sum[i] += v
	}
	a.count.add(b.count)
}

// negate changes the sign of everything, and carries.
func (a *long) negate() {
	a.sum.negate()
	a.added = 1
	a.count = a.count.negated()
}

// leading returns the sum of the finite summands as fixed.leading does, and its
// sign. It carries a, which loses its sign.
func (a *long) leading() (negative bool, hi, lo uint64, e int, sticky bool) {
	a.carry()
	if negative = a.sum.negative(); negative {
		a.sum.negate()
	}
	hi, lo, e, sticky = a.sum.leading()
	return negative, hi, lo, e, sticky
}

// A multiplication is an unrounded product ±(hi·2^64 + lo)·2^e, or a special
// one.
type multiplication struct {
	isSpecial, negative bool
	special             float64
	hi, lo              uint64
	e                   int
}

// multiplied returns x·y.
func multiplied(x, y float64) (p multiplication) {
	if math.IsInf(x, 0) || math.IsInf(y, 0) || x != x || y != y {
		return multiplication{isSpecial: true, special: float64(x * y)}
	}
	p.negative = math.Signbit(x) != math.Signbit(y)
	mx, ex := significand(x)
	my, ey := significand(y)
	p.hi, p.lo = bits.Mul64(mx, my)
	p.e = ex + ey
	return p
}

// significand returns |x| as m·2^e with an integer m < 2^53, for a finite x.
func significand(x float64) (m uint64, e int) {
	b := math.Float64bits(x)
	m, e = b&(1<<52-1), int(b>>52&0x7ff)
	if e == 0 {
		return m, -1074
	}
	return m | 1<<52, e - 1075
}
