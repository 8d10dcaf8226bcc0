package exact

import (
	"math"
	"math/bits"
)

// Mean returns Σ w[i]·x[i] / Σ w[i], rounded once, to nearest, ties to even.
// With nil weights every w[i] is 1.
//
// It keeps the promise exact: the result is the quotient of the two real sums,
// rounded once, for any order of the elements, any processor and any number of
// cores. No intermediate result overflows or underflows: the mean of finite
// numbers is finite.
//
// NaN, infinities and zeros follow the IEEE 754 division of the two unrounded
// sums: NaN for no elements, for a NaN, for +Inf and −Inf together, for an
// infinite weight and for a product ∞·0; otherwise the infinity that occurs; −0
// for numbers that are all −0; and ±Inf or NaN for weights whose sum is zero.
//
// It panics if there are weights and the lengths differ.
//
// Cost: without weights, as much as Sum, without allocation; with weights, as
// much as Dot and Sum, and about 5 µs for a quotient of long integers.
//
// References:
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
func Mean[T Float](x, weights []T) T {
	if weights == nil {
		return mean(x)
	}
	p, w := accumulatedDot("weighted mean", weights, x), accumulated(weights)
	return quotient[T](&p, &w)
}

// Mean returns the sum divided by Count, rounded once to float64: see the
// function Mean. A negative Count divides too.
func (a *Accumulator) Mean() float64 { return meanOf[float64](a) }

// Mean32 returns the sum divided by Count, rounded once to float32.
func (a *Accumulator) Mean32() float32 { return meanOf[float32](a) }

// MeanOf returns the sum divided by Count, rounded once. MeanOf[float64] is
// Mean.
func MeanOf[T Result](a *Accumulator) T { return meanOf[T](a) }

// accumulated returns the sum of x.
func accumulated[T Float](x []T) (a Accumulator) {
	o := over(values, x, nil)
	a.addAll(&o)
	return a
}

// accumulatedDot returns the sum of the products x[i]·y[i]. It panics if the
// lengths differ.
func accumulatedDot[T Float](name string, x, y []T) (a Accumulator) {
	if len(x) != len(y) {
		panic("exact: the slices of a " + name + " differ in length")
	}
	o := over(products, x, y)
	a.addAll(&o)
	return a
}

// mean is Mean without weights.
func mean[T Float](x []T) T {
	o := over(values, x, nil)
	if o.len() >= minParallel {
		var a long
		if addParallel(&o, &a) {
			return meanOfLong[T](&a)
		}
	}
	var s stream
	s.add(&o)
	if s.slow == nil {
		if negative, hi, lo, e, sticky := s.window.leading(); hi != 0 {
			return dividedBy[T](uint64(s.all), negative, hi, lo, e, sticky)
		}
	}
	var a long
	s.drain(&a)
	return meanOfLong[T](&a)
}

// meanOf returns a sum divided by the count of its summands, rounded once.
func meanOf[T Result](a *Accumulator) T {
	c := a.counts()
	negative, hi, lo, e, sticky := a.leading()
	return meanFrom[T](&c, negative, hi, lo, e, sticky)
}

// meanOfLong is meanOf. It changes a.
func meanOfLong[T Result](a *long) T {
	negative, hi, lo, e, sticky := a.leading()
	return meanFrom[T](&a.count, negative, hi, lo, e, sticky)
}

// meanFrom returns a sum divided by the count of its summands. The finite ones
// are as dividedBy takes them.
func meanFrom[T Result](c *counts, negative bool, hi, lo uint64, e int, sticky bool) T {
	n := c.all
	s := c.sign(negative, hi)
	switch {
	case n == 0 || s == 0 || math.IsInf(s, 0) || s != s:
		return T(divided(s, float64(n)))
	case n < 0:
		return dividedBy[T](-uint64(n), !negative, hi, lo, e, sticky)
	}
	return dividedBy[T](uint64(n), negative, hi, lo, e, sticky)
}

// dividedBy returns ±(M + s)·2^(e−127)/n, rounded once, where M = hi·2^64 + lo
// has its top bit set, s is in (0, 1) if sticky, otherwise 0, and n ≤ 2^63.
func dividedBy[T Result](n uint64, negative bool, hi, lo uint64, e int, sticky bool) T {
	// ⌊(M + s)/n⌋ = ⌊M/n⌋, which has 65 bits or more.
	q, r := hi/n, hi%n
	low, r := bits.Div64(r, lo, n)
	z := bits.LeadingZeros64(q)
	m := q<<z | low>>(64-z)
	return rounded[T](negative, m, e-z, sticky || r != 0 || low<<z != 0)
}

// quotient returns p/q, rounded once.
func quotient[T Float](p, q *Accumulator) T {
	s, t := p.sign(), q.sign()
	if r := math.Abs(s * t); r != 1 { // one is zero or not finite
		return T(divided(s, t))
	}
	return roundRatio[T](ratio{num: p.products(), den: q.products()})
}

// sign returns the sum if it is zero or not finite, otherwise 1 or −1.
func (a *Accumulator) sign() float64 {
	c := a.counts()
	negative, hi, _, _, _ := a.leading()
	return c.sign(negative, hi)
}

// sign returns the sum if it is zero or not finite, otherwise 1 or −1, from the
// sign of the finite summands' sum and from a number that is 0 if that is.
func (c *counts) sign(negative bool, hi uint64) float64 {
	s, ok := c.value()
	switch {
	case ok:
		return s
	case hi == 0:
		return c.zeroSum()
	case negative:
		return -1
	}
	return 1
}
