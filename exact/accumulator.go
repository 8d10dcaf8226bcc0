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
// An Accumulator holds up to 2^63 summands in 64 bytes, if all are finite and
// the exponents of those that are not zero span up to 64 places. For others it
// takes more memory when they come: from 0.1 to 2.3 KiB. It may be copied: what
// is added to a copy or to the original does not change the other one. Several
// goroutines must not use it at once while one of them adds; a copy is another
// Accumulator.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
//   - [Kulisch2011] Ulrich Kulisch and Van Snyder. The Exact Dot Product as
//     Basic Tool for Long Interval Arithmetic. Computing 91(3):307–313, 2011.
type Accumulator struct {
	short        short
	all, negZero int64  // summands, and those that are −0
	spill        *spill // what is not in short; nil if nothing is
	pos          int16  // the position of short: see short.go
	logged       uint16 // words of the spill's log that belong to this sum
	hint         hint
}

// Reset makes a the empty sum.
func (a *Accumulator) Reset() { *a = Accumulator{} }

// Count returns the number of summands: numbers and products.
func (a *Accumulator) Count() int64 { return a.all }

// Add adds x. It costs about 2 ns; AddSlice is faster. A number that is far
// from the others costs about 15 ns.
func (a *Accumulator) Add(x float64) {
	a.all++
	b := math.Float64bits(x)
	e, m := int(b>>52&0x7ff), b&(1<<52-1)
	switch e {
	case 0x7ff:
		a.special(x)
		return
	case 0:
		if m == 0 {
			a.negZero += int64(b >> 63)
			return
		}
		e = 1
	default:
		m |= 1 << 52
	}
	pos := e - 1075 - unit
	if shift := uint(pos - int(a.pos)); shift <= maxShort-53 {
		sign := int64(b) >> 63
		if a.short.add((int64(m)^sign)-sign, shift) {
			return
		}
		a.makeRoom()
		return
	}
	a.addFar(b>>63 != 0, 0, m, pos)
}

// AddProduct adds x·y, unrounded.
func (a *Accumulator) AddProduct(x, y float64) {
	b, c := math.Float64bits(x), math.Float64bits(y)
	e, f := b>>52&0x7ff, c>>52&0x7ff
	if e-1 >= 0x7fe || f-1 >= 0x7fe { // one of them is zero, subnormal or not finite
		a.addUnusual(x, y)
		return
	}
	a.all++
	hi, lo := bits.Mul64(b&(1<<52-1)|1<<52, c&(1<<52-1)|1<<52)
	pos := int(e+f) - 2*1075 - unit
	if shift := uint(pos - int(a.pos)); shift <= maxShort-106 {
		if a.short.addProduct(int64(b^c)>>63, hi, lo, shift) {
			return
		}
		a.makeRoom()
		return
	}
	a.addFar((b^c)>>63 != 0, hi, lo, pos)
}

// addUnusual adds x·y, unrounded, for all x and y.
func (a *Accumulator) addUnusual(x, y float64) {
	a.all++
	p := multiplied(x, y)
	switch {
	case p.isSpecial:
		a.special(p.special)
	case p.hi|p.lo == 0:
		if p.negative {
			a.negZero++
		}
	default:
		a.addWide(p.negative, p.hi, p.lo, p.e)
	}
}

// Merge adds every summand of b. It does not change b.
func (a *Accumulator) Merge(b *Accumulator) { a.combine(b, false) }

// Sub removes every summand of b, as if it had never been added: the inverse of
// Merge. Summands that a does not hold can be removed too; a is then the
// difference of the two, and its Count may be negative.
func (a *Accumulator) Sub(b *Accumulator) { a.combine(b, true) }

// Float64 returns the sum, rounded once to float64. It costs about 10 ns, and
// up to 0.5 µs for a sum of numbers that are far apart.
func (a *Accumulator) Float64() float64 { return read[float64](a) }

// Float32 returns the sum, rounded once to float32.
func (a *Accumulator) Float32() float32 { return read[float32](a) }

// SumOf returns the sum, rounded once. SumOf[float64] is Float64.
func SumOf[T Result](a *Accumulator) T { return read[T](a) }

// read returns the sum, rounded once.
func read[T Result](a *Accumulator) T {
	if a.spill != nil {
		l := a.long()
		return readLong[T](&l)
	}
	negative, hi, lo, e, sticky := a.short.leading(int(a.pos))
	if hi == 0 {
		c := counts{all: a.all, negZero: a.negZero}
		return T(c.zeroSum())
	}
	return rounded[T](negative, hi, e, sticky || lo != 0)
}

// readLong returns the sum, rounded once. It changes l.
func readLong[T Result](l *long) T {
	if s, ok := l.count.value(); ok {
		return T(s)
	}
	negative, hi, lo, e, sticky := l.leading()
	if hi == 0 {
		return T(l.count.zeroSum())
	}
	return rounded[T](negative, hi, e, sticky || lo != 0)
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

// maxSingles bounds the summands that are added one by one: for so few, a
// stream costs more.
const maxSingles = 8

// addAll adds the summands of o.
func (a *Accumulator) addAll(o *operand) {
	n := o.len()
	if a.spill != nil && o.op != products &&
		(n <= maxSingles || n <= maxLogged && a.hint.skip > 0) {
		a.hint.skip = max(a.hint.skip-1, 0) // as a stream that tries no fold
		a.logAll(o)
		return
	}
	if n <= maxSingles {
		a.addEach(o)
		return
	}
	if n >= minParallel {
		var l long
		if addParallel(o, &l) {
			a.mergeLong(&l)
			return
		}
	}
	s := stream{hint: a.hint}
	s.add(o)
	s.drainTo(a)
	a.hint = s.hint
}

// addEach adds the summands of o one by one.
func (a *Accumulator) addEach(o *operand) {
	switch {
	case o.op == products && !o.single:
		for i, v := range o.x {
			a.AddProduct(v, o.y[i])
		}
	case o.op == values && !o.single:
		for _, v := range o.x {
			a.Add(v)
		}
	default: // each is a float64
		for i := range o.len() {
			a.Add(o.at(i))
		}
	}
}
