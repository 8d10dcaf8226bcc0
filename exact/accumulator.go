package exact

import (
	"math"
	"math/bits"
)

// An Accumulator holds an exact sum of float64 numbers and of products of two.
// The zero value is an empty sum, ready to use.
//
// Its state is a group: integers that Merge adds and Sub subtracts. It depends
// on the multiset of summands and on nothing else. Results keep the promise
// exact:
//
//   - A result is the real sum, rounded once, to nearest, ties to even, for any
//     order, any split into slices and accumulators, any processor, and any
//     number of cores.
//   - No intermediate result overflows or underflows. A sum beyond the largest
//     number is ±Inf.
//   - The sum is NaN if a summand is NaN, if +Inf and −Inf both occur, or for a
//     product ∞·0; otherwise an infinity that occurs is the sum.
//   - The sum is −0 if every summand is −0 and there is one; any other zero is
//     +0.
//
// An Accumulator holds up to 2^63 summands in 1.1 KiB. It may be copied.
// Several goroutines must not use it at once while one of them adds.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
//   - [Kulisch2011] Ulrich Kulisch and Van Snyder. The Exact Dot Product as
//     Basic Tool for Long Interval Arithmetic. Computing 91(3):307–313, 2011.
type Accumulator struct {
	sum   fixed
	count counts
	// added counts the additions to the limbs since the last carry.
	added int
	hint  hint
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

// maxAdds bounds the additions to the limbs between two carries. Each changes a
// limb by less than 2^32, so that 2^29 of them stay below 2^61.
const maxAdds = 1 << 29

// room makes room for one more addition to the limbs.
func (a *Accumulator) room() {
	if a.added++; a.added >= maxAdds {
		a.sum.carry()
		a.added = 1
	}
}

// Reset makes a the empty sum.
func (a *Accumulator) Reset() { *a = Accumulator{} }

// Count returns the number of summands: numbers and products.
func (a *Accumulator) Count() int64 { return a.count.all }

// Add adds x. It costs about 2 ns; AddSlice is faster.
func (a *Accumulator) Add(x float64) {
	a.count.all++
	b := math.Float64bits(x)
	e, m := int(b>>52&0x7ff), int64(b&(1<<52-1))
	switch e {
	case 0x7ff:
		a.count.special(x)
		return
	case 0:
		if m == 0 {
			a.count.zero(b != 0)
			return
		}
		e = 1
	default:
		m |= 1 << 52
	}
	sign := int64(b) >> 63
	a.room()
	a.sum.add((m^sign)-sign, e-1075)
}

// AddProduct adds x·y, unrounded.
func (a *Accumulator) AddProduct(x, y float64) {
	a.count.all++
	if math.IsInf(x, 0) || math.IsInf(y, 0) || x != x || y != y {
		a.count.special(float64(x * y))
		return
	}
	negative := math.Signbit(x) != math.Signbit(y)
	if math.Float64bits(x)<<1 == 0 || math.Float64bits(y)<<1 == 0 {
		a.count.zero(negative)
		return
	}
	mx, ex := significand(x)
	my, ey := significand(y)
	hi, lo := bits.Mul64(mx, my)
	a.room()
	a.sum.addWide(negative, hi, lo, ex+ey)
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

// Merge adds every summand of b. It does not change b.
func (a *Accumulator) Merge(b *Accumulator) {
	c := b.carried()
	a.room()
	for i, v := range c.sum {
		a.sum[i] += v
	}
	a.count.add(c.count)
}

// Sub removes every summand of b, as if it had never been added: the inverse of
// Merge. Summands that a does not hold can be removed too; a is then the
// difference of the two, and its Count may be negative.
func (a *Accumulator) Sub(b *Accumulator) {
	c := b.carried()
	c.sum.negate()
	a.room()
	for i, v := range c.sum {
		a.sum[i] += v
	}
	a.count.add(c.count.negated())
}

// carried returns a copy in canonical form.
func (a *Accumulator) carried() Accumulator {
	c := *a
	c.sum.carry()
	c.added = 1
	c.hint = hint{}
	return c
}

// Float64 returns the sum, rounded once to float64. It costs about 0.2 µs.
func (a *Accumulator) Float64() float64 { return read[float64](a) }

// Float32 returns the sum, rounded once to float32.
func (a *Accumulator) Float32() float32 { return read[float32](a) }

// SumOf returns the sum, rounded once. SumOf[float64] is Float64.
func SumOf[T Result](a *Accumulator) T { return read[T](a) }

// read returns the sum, rounded once.
func read[T Result](a *Accumulator) T {
	c := *a
	if s, ok := c.count.value(); ok {
		return T(s)
	}
	c.sum.carry()
	negative := c.sum.negative()
	if negative {
		c.sum.negate()
	}
	hi, lo, e, sticky := c.sum.leading()
	if hi == 0 {
		return T(c.count.zeroSum())
	}
	return rounded[T](negative, hi, e, sticky || lo != 0)
}

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

// AddSlice adds every element of x. Large slices use all cores.
func (a *Accumulator) AddSlice(x []float64) {
	o := over(values, x, nil)
	a.addAll(&o)
}

// AddSlice32 adds every element of x.
func (a *Accumulator) AddSlice32(x []float32) {
	o := over(values, x, nil)
	a.addAll(&o)
}

// AddDot adds every product x[i]·y[i], unrounded. It panics if the lengths
// differ.
func (a *Accumulator) AddDot(x, y []float64) {
	o := over(products, x, y)
	a.addAll(&o)
}

// AddDot32 adds every product x[i]·y[i], unrounded. It panics if the lengths
// differ.
func (a *Accumulator) AddDot32(x, y []float32) {
	o := over(products, x, y)
	a.addAll(&o)
}

// maxSingles bounds the summands that are added to the limbs one by one: for so
// few, a stream costs more.
const maxSingles = 8

// addAll adds the summands of o.
func (a *Accumulator) addAll(o *operand) {
	switch n := o.len(); {
	case n <= maxSingles:
		o.addTo(a)
	case n >= minParallel && addParallel(o, a):
	default:
		s := stream{hint: a.hint}
		s.add(o)
		s.drain(a)
		a.hint = s.hint
	}
}
