package stoch

import (
	"math"

	"github.com/lastbit/lastbit/internal/eft"
)

// exact is the exact result of an operation: (hi + lo)·2^k, where hi is 0, not
// finite, or between 2^-700 and 2^700, and |lo| is at most an ULP of hi. The
// error of a quotient or a root is no exact lo, but it has the sign of it, and
// is 0 only if the error is.
type exact struct {
	hi, lo float64
	k      int
}

// tiny replaces numbers too small to reach a sum except as a sign.
const tiny = 0x1p-600

// sumExact returns a + b.
func sumExact[T Float](a, b T) exact { return sum(float64(a), float64(b)) }

func sum(a, b float64) exact {
	if s := a + b; s == 0 || s-s != 0 && (a-a != 0 || b-b != 0) {
		return exact{hi: s}
	}
	_, i := math.Frexp(max(math.Abs(a), math.Abs(b)))
	s, e := eft.TwoSum(shrink(a, i), shrink(b, i))
	return exact{s, e, i}
}

// shrink returns a·2^-i, or a number of its sign where that is tiny. |a| < 2^i.
func shrink(a float64, i int) float64 {
	if r := math.Ldexp(a, -i); math.Abs(r) >= tiny || a == 0 {
		return r
	}
	return math.Copysign(tiny, a)
}

// productExact returns a·b.
func productExact[T Float](a, b T) exact { return product(float64(a), float64(b)) }

func product(a, b float64) exact {
	if p := a * b; a == 0 || b == 0 || a-a != 0 || b-b != 0 {
		return exact{hi: p}
	}
	x, i := math.Frexp(a)
	y, j := math.Frexp(b)
	p, e := eft.TwoProd(x, y)
	return exact{p, e, i + j}
}

// quotientExact returns a/b.
func quotientExact[T Float](a, b T) exact {
	n, d := float64(a), float64(b)
	if q := n / d; n == 0 || d == 0 || n-n != 0 || d-d != 0 {
		return exact{hi: q}
	}
	x, i := math.Frexp(n)
	y, j := math.Frexp(d)
	q := x / y
	return exact{q, math.FMA(-q, y, x) / y, i - j}
}

// rootExact returns the square root of a.
func rootExact[T Float](a T) exact {
	x := float64(a)
	if s := math.Sqrt(x); x == 0 || s-s != 0 {
		return exact{hi: s}
	}
	m, i := math.Frexp(x)
	if i%2 != 0 {
		m, i = 2*m, i-1
	}
	s := math.Sqrt(m)
	return exact{s, math.FMA(-s, s, m) / (2 * s), i / 2}
}

// fusedExact returns a·b + c.
func fusedExact[T Float](a, b, c T) exact {
	z := float64(c)
	p := product(float64(a), float64(b))
	switch {
	case p.hi == 0 || p.hi-p.hi != 0 || z-z != 0:
		return exact{hi: p.hi + z}.normalized()
	case z == 0:
		return p
	}
	m, i := math.Frexp(z)
	switch d := p.k - i; {
	case d > 600:
		return add3(p.hi, p.lo, math.Copysign(tiny, z), p.k)
	case d < -600:
		return add3(0, math.Copysign(tiny, p.hi), m, i)
	default:
		return add3(p.hi, p.lo, math.Ldexp(m, -d), p.k)
	}
}

// add3 returns (p + e + z)·2^k, where e is the error of p.
func add3(p, e, z float64, k int) exact {
	s, f := eft.TwoSum(p, z)
	v, w := eft.TwoSum(e, f)
	hi, lo := eft.TwoSum(s, v)
	// w is at most half an ULP of v. lo is 0 or not smaller: the sum has its
	// sign.
	return exact{hi, lo + w, k}.normalized()
}

// normalized returns x with hi between 1/2 and 1, unless it is 0 or not finite.
func (x exact) normalized() exact {
	if x.hi == 0 && x.lo != 0 {
		x.hi, x.lo = x.lo, 0
	}
	if x.hi == 0 || x.hi-x.hi != 0 {
		return exact{hi: x.hi}
	}
	m, i := math.Frexp(x.hi)
	return exact{m, math.Ldexp(x.lo, -i), x.k + i}
}
