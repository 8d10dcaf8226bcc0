package exact

import (
	"math"
	"math/bits"

	"github.com/lastbit/lastbit/internal/kernel"
)

// Mean returns Σ w[i]·x[i] / Σ w[i], rounded once, to nearest, ties to even. With nil
// weights every w[i] is 1.
//
// It keeps the promise exact: the result is that of the real quotient of the two real
// sums, whatever the order of the elements, the processor and the number of cores.
// Nothing overflows or underflows on the way: the mean of finite numbers is finite.
//
// NaN, infinities and zeros are those of an IEEE 754 division of the two sums, as if
// neither had been rounded. So NaN for no elements, for a NaN, for +Inf and −Inf both, for
// an infinite weight and for a product ∞·0; else the infinity that occurs; −0 for numbers
// that are all −0; and ±Inf or NaN for weights whose sum is zero.
//
// It panics if there are weights, and the lengths differ.
//
// Cost: with nil weights that of Sum, without allocation; else that of Dot, of Sum and of
// some 5 µs for a quotient of long integers.
//
// References: Neal2015
func Mean[T Float](x, weights []T) T {
	if weights == nil {
		return mean(x)
	}
	p, w := accumulatedDot("weighted mean", weights, x), accumulated(weights)
	return quotient[T](&p, &w)
}

// Mean returns the mean of what was added, rounded to float64: see Mean. Where more was
// taken away than added, so that Count is negative, it is the quotient all the same.
func (a *Accumulator) Mean() float64 { return meanOf[float64](a) }

// Mean32 returns the mean of what was added, rounded to float32, once.
func (a *Accumulator) Mean32() float32 { return meanOf[float32](a) }

// accumulated returns the sum of x.
func accumulated[T Float](x []T) (a Accumulator) {
	o := over(values, x, nil)
	a.addAll(&o)
	return a
}

// accumulatedDot returns the sum of the products x[i]·y[i]. It panics if the lengths differ.
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
	var a Accumulator
	if o.len() >= parallelPays && addParallel(&o, &a) {
		return meanOf[T](&a)
	}
	var s stream
	s.add(&o)
	if s.slow == nil {
		if negative, m, e, sticky := s.window.over(uint64(s.all)); m != 0 {
			return rounded[T](negative, m, e, sticky)
		}
	}
	s.drain(&a)
	return meanOf[T](&a)
}

// meanOf divides a sum by the count of its summands.
func meanOf[T Float](a *Accumulator) T {
	n := a.count.all
	s := a.sign()
	if n == 0 || s == 0 || math.IsInf(s, 0) || s != s {
		return T(s / float64(n))
	}
	c := *a
	if s < 0 {
		c.sum.negate()
	}
	c.sum.carry()
	d := uint64(n)
	if n < 0 {
		s, d = -s, -d
	}
	rest := c.sum.divide(d)
	m, e, sticky := c.sum.leading()
	if m == 0 { // below 2^unit, far below every float64
		return T(math.Copysign(0, s))
	}
	return rounded[T](s < 0, m, e, sticky || rest)
}

// quotient returns p/q, rounded once.
func quotient[T Float](p, q *Accumulator) T {
	s, t := p.sign(), q.sign()
	if r := math.Abs(s * t); r != 1 { // one is zero or not finite
		return T(s / t)
	}
	return roundRatio[T](ratio{num: p.products(), den: q.products()})
}

// sign returns the sum where it is zero or not finite, else 1 or −1.
func (a *Accumulator) sign() float64 {
	if s, ok := a.count.value(); ok {
		return s
	}
	c := a.carried()
	switch {
	case c.sum == fixed{}:
		return c.count.zeroSum()
	case c.sum.negative():
		return -1
	}
	return 1
}

// divide divides a number that is not negative, after carry, by n, rounding down, and
// returns whether there is a rest.
func (x *fixed) divide(n uint64) (rest bool) {
	// The top digit may have up to 63 bits, the others have 32.
	q, r := uint64(x[limbs-1])/n, uint64(x[limbs-1])%n
	x[limbs-1] = int64(q)
	for i := limbs - 2; i >= 0; i-- {
		if d := uint64(x[i]); d|r != 0 {
			q, r = bits.Div64(r>>32, r<<32|d, n)
			x[i] = int64(q)
		}
	}
	return r != 0
}

// over returns what the window holds, divided by n: its sign, and its magnitude as
// fixed.leading does.
func (w *window) over(n uint64) (negative bool, m uint64, e int, sticky bool) {
	x, e := w.integer()
	if x == (int256{}) {
		return false, 0, 0, false
	}
	negative, x = x.magnitude()
	shift := x.normalize()
	var r uint64
	for i := 3; i >= 0; i-- {
		x[i], r = bits.Div64(r, x[i], n)
	}
	_, m, top, sticky := x.leading()
	return negative, m, top + e - shift, sticky || r != 0
}

// integer returns what the window holds as x·2^e.
func (w *window) integer() (x int256, e int) {
	sign := uint64(w.t[0].hi >> 63)
	x = int256{w.t[0].lo, uint64(w.t[0].hi), sign, sign}
	x = x.shiftAdd(kernel.FoldStep, w.t[1])
	x = x.shiftAdd(kernel.FoldStep, w.t[2])
	return x, w.e - 2*kernel.FoldStep - 52
}

// magnitude returns the sign and the absolute value.
func (a int256) magnitude() (negative bool, m int256) {
	if int64(a[3]) >= 0 {
		return false, a
	}
	var b uint64
	for i := range a {
		m[i], b = bits.Sub64(0, a[i], b)
	}
	return true, m
}

// normalize shifts a positive number to the left until only its sign bit is zero above
// its leading bit, and returns by how much.
func (a *int256) normalize() (shift int) {
	for a[3]|a[2]>>63 == 0 {
		*a = int256{0, a[0], a[1], a[2]}
		shift += 64
	}
	s := uint(bits.LeadingZeros64(a[3])) - 1
	*a = int256{a[0] << s, a[1]<<s | a[0]>>(64-s), a[2]<<s | a[1]>>(64-s), a[3]<<s | a[2]>>(64-s)}
	return shift + int(s)
}
