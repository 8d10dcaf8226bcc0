package exact

import (
	"math"
	"math/bits"
)

// An Accumulator holds an exact sum of float64 numbers and of products of two.
// The zero value is an empty sum, ready to use.
//
// Its state is a group: integers that Merge adds and Sub subtracts, so that it
// depends on the multiset of what was added and on nothing else. What is read from
// it keeps the promise exact:
//
//   - it is the real sum, rounded once, to nearest, ties to even, whatever the order, the
//     split into slices and accumulators, the processor, and the number of cores;
//   - nothing overflows or underflows on the way; a sum beyond the largest number is ±Inf;
//   - NaN if a NaN was added, or +Inf and −Inf both, or a product ∞·0; else the infinity that was;
//   - −0 if all summands were −0, and there was one; every other zero is +0.
//
// It takes 2^63 summands. An Accumulator is 1.1 KiB and may be copied; it must not be
// used by several goroutines at once while one of them adds.
//
// References: Neal2015, Kulisch2011
type Accumulator struct {
	sum   fixed
	count counts
	// added counts what was added to the limbs since their carries were run.
	added int
	hint  hint
}

// counts is what a fixed-point sum does not show.
type counts struct {
	all     int64 // summands
	negZero int64 // those that are −0
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

// zero counts a summand that is a zero.
func (c *counts) zero(negative bool) {
	if negative {
		c.negZero++
	}
}

// mostAdded is how much may be added to the limbs before their carries are run: each
// addition changes a limb by less than 2^32.
const mostAdded = 1 << 29

// room makes room for one more addition to the limbs.
func (a *Accumulator) room() {
	if a.added++; a.added >= mostAdded {
		a.sum.carry()
		a.added = 1
	}
}

// Reset makes a the empty sum.
func (a *Accumulator) Reset() { *a = Accumulator{} }

// Count returns how many numbers and products were added.
func (a *Accumulator) Count() int64 { return a.count.all }

// Add adds x. It costs some 2 ns; AddSlice is faster.
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

// AddProduct adds x·y, as it is before any rounding.
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

// Merge adds what was added to b: the sum of the two multisets. b is left as it is.
func (a *Accumulator) Merge(b *Accumulator) {
	c := b.carried()
	a.room()
	for i, v := range c.sum {
		a.sum[i] += v
	}
	a.count.add(c.count)
}

// Sub takes away what was added to b, as if it had never been added to a: the
// inverse of Merge. What a does not hold can be taken away too; a is then the
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

// Float64 returns the sum rounded to float64. It costs some 0.2 µs.
func (a *Accumulator) Float64() float64 { return read[float64](a) }

// Float32 returns the sum rounded to float32, once.
func (a *Accumulator) Float32() float32 { return read[float32](a) }

func read[T Float](a *Accumulator) T {
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

// value returns the sum where it is not finite.
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

// zeroSum returns a sum that is zero.
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

// AddDot adds every product x[i]·y[i], as it is before any rounding. It panics if the
// lengths differ.
func (a *Accumulator) AddDot(x, y []float64) {
	o := over(products, x, y)
	a.addAll(&o)
}

// AddDot32 adds every product x[i]·y[i].
func (a *Accumulator) AddDot32(x, y []float32) {
	o := over(products, x, y)
	a.addAll(&o)
}

// fewPay is up to how many summands go to the limbs one by one.
const fewPay = 8

// addAll adds the summands of o.
func (a *Accumulator) addAll(o *operand) {
	switch n := o.len(); {
	case n <= fewPay:
		o.addTo(a)
	case n >= parallelPays && addParallel(o, a):
	default:
		s := stream{hint: a.hint}
		s.add(o)
		s.drain(a)
		a.hint = s.hint
	}
}
