package exact

import (
	"encoding/binary"
	"math"
	"math/big"
)

// A ratio is num/den·2^e.
type ratio struct {
	num, den *big.Int
	e        int
}

// minQuotientBits bounds the bits of a quotient or a root that are computed:
// the 64 that are rounded, and more. The rest only decides whether it is zero.
const minQuotientBits = 66

// roundRatio returns r, rounded once. 0/0 is NaN, and x/0 otherwise ±Inf.
func roundRatio[T Result](r ratio) T {
	if r.num.Sign() == 0 || r.den.Sign() == 0 {
		return T(divided(float64(r.num.Sign()), math.Abs(float64(r.den.Sign()))))
	}
	q, e, sticky := r.divide(minQuotientBits)
	m, top, low := leadingBits(q)
	return rounded[T](r.num.Sign() != r.den.Sign(), m, top+e, sticky || low)
}

// divided returns x/y. A NaN is math.NaN(): the sign of 0/0 depends on the
// processor.
func divided(x, y float64) float64 {
	z := x / y
	if z != z {
		return math.NaN()
	}
	return z
}

// roundRoot returns √r with the sign of sign, rounded once. The root of 0/0 and
// of a negative number is NaN.
func roundRoot[T Result](sign int, r ratio) T {
	switch r.num.Sign() * r.den.Sign() {
	case -1:
		return T(math.NaN())
	case 0:
		x := roundRatio[T](r)
		if x != x {
			return x
		}
		return T(math.Sqrt(float64(x)) * float64(sign))
	}
	q, e, sticky := r.divide(2 * minQuotientBits)
	if e&1 != 0 {
		q.Lsh(q, 1)
		e--
	}
	root := new(big.Int).Sqrt(q)
	sticky = sticky || new(big.Int).Mul(root, root).Cmp(q) != 0
	m, top, low := leadingBits(root)
	return rounded[T](sign < 0, m, top+e/2, sticky || low)
}

// divide returns |r| as (q + s)·2^f with an integer q of at least n bits, and s
// in (0, 1) if sticky, otherwise 0. Neither num nor den is zero.
func (r ratio) divide(n int) (q *big.Int, f int, sticky bool) {
	a, b := new(big.Int).Abs(r.num), new(big.Int).Abs(r.den)
	shift := n + b.BitLen() - a.BitLen()
	if shift > 0 {
		a.Lsh(a, uint(shift))
	} else {
		b.Lsh(b, uint(-shift))
	}
	q, rest := a.QuoRem(a, b, new(big.Int))
	return q, r.e - shift, rest.Sign() != 0
}

// leadingBits returns a number of at least 64 bits as (m + s)·2^(e−63): see
// fixed.leading.
func leadingBits(q *big.Int) (m uint64, e int, sticky bool) {
	n := q.BitLen()
	m = new(big.Int).Rsh(q, uint(n-64)).Uint64()
	return m, n - 1, int(q.TrailingZeroBits()) < n-64
}

// integer returns a fixed-point number, after carry, as a multiple of its unit.
func integer(digits []int64) *big.Int {
	last := len(digits) - 1
	b := make([]byte, 4*last)
	for i, d := range digits[:last] {
		binary.BigEndian.PutUint32(b[4*(last-1-i):], uint32(d))
	}
	z := big.NewInt(digits[last])
	z.Lsh(z, uint(32*last))
	return z.Add(z, new(big.Int).SetBytes(b))
}

// smallest is the exponent of the smallest subnormal number. Every number is a
// multiple of it.
const smallest = -1074

// numbers returns a sum of numbers as a multiple of 2^smallest.
func (a *Accumulator) numbers() *big.Int {
	z := a.products()
	return z.Rsh(z, smallest-unit)
}

// products returns a sum of numbers and products as a multiple of
// 2^(2·smallest).
func (a *Accumulator) products() *big.Int {
	c := a.carried()
	return integer(c.sum[:])
}

// product returns the product of its factors.
func product(factors ...*big.Int) *big.Int {
	z := big.NewInt(1)
	for _, f := range factors {
		z.Mul(z, f)
	}
	return z
}

// square returns x².
func square(x *big.Int) *big.Int { return product(x, x) }

// plus returns x + d.
func plus(x *big.Int, d int64) *big.Int { return new(big.Int).Add(x, big.NewInt(d)) }

// cross returns n·Σxy − Σx·Σy, which is n² times the covariance of n pairs.
func cross(n, x, y, xy *big.Int) *big.Int {
	z := product(n, xy)
	return z.Sub(z, product(x, y))
}
