// Package curve evaluates an elementary function at many arguments of a small
// interval for the price of a few slow evaluations. It is an oracle for tests.
//
//	c, ok := curve.Through(value, x, 40)
//	want, ok := c.Rounded(12345)
//
// A curve is the polynomial of degree 8 through nine values of 256 bits, in
// fixed-point arithmetic of 128 bits. Two further values confirm it: it is off
// by at most 2^-84 of the largest value there, and taken to be off by less than
// 2^-78 everywhere. That decides a result in every direction, except for one
// argument in 2^22 or fewer, where Rounded refuses.
//
// A test asks the slow oracle where Rounded refuses, and where a result
// differs: so a curve that is off is not taken for a wrong result.
package curve

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/lastbit/lastbit/fp"
)

const (
	degree    = 8
	precision = 256 // of the values
	point     = 120 // bits of a fixed after the point
	// The largest error where values confirm a curve, and a bound for the error
	// elsewhere, in units of a fixed.
	confirmed = 1 << (point - 84)
	doubt     = 1 << (point - 78)
)

// maxSpread bounds the differences of the exponents of values.
const maxSpread = 1 << 10

// fixed is a number of 128 bits in two's complement.
type fixed struct{ high, low uint64 }

// A Curve holds a function on 2^level successive encodings.
type Curve struct {
	first uint64
	level int
	exp   int // the values are below 2^exp in magnitude
	c     [degree + 1]fixed
}

// Through returns the curve of the 2^level encodings around x that share their
// higher bits, for 4 ≤ level ≤ 52. It fails if a value is not finite, or if no
// such polynomial fits the function. The function value returns a value to a
// precision in bits, or nil instead of NaN.
func Through(value func(x float64, precision uint) *big.Float, x float64,
	level int) (c *Curve, ok bool) {
	c = &Curve{first: math.Float64bits(x) &^ (1<<level - 1), level: level}
	at := func(i uint64) *big.Float {
		if y := value(c.Argument(i), precision); y != nil && !y.IsInf() {
			return y
		}
		return nil
	}
	var v [degree + 1]*big.Float
	c.exp = math.MinInt
	least := math.MaxInt
	for k := range v {
		if v[k] = at(c.Size() / degree * uint64(k)); v[k] == nil {
			return nil, false
		}
		if v[k].Sign() != 0 {
			exp := v[k].MantExp(nil)
			c.exp, least = max(c.exp, exp), min(least, exp)
		}
	}
	if c.exp == math.MinInt || c.exp-least > maxSpread { // differences could take gigabytes
		return nil, false
	}
	for k, y := range monomials(v) {
		if c.c[k], ok = c.fixed(y); !ok {
			return nil, false
		}
	}
	// Odd numbers: a periodic function may have its nodes at equal phases.
	for _, i := range [2]uint64{c.Size()/16 | 1, c.Size()/16*15 | 1} {
		y := at(i)
		if y == nil {
			return nil, false
		}
		want, ok := c.fixed(y)
		if off := c.at(i).sub(want).magnitude(); !ok || off.high != 0 || off.low > confirmed {
			return nil, false
		}
	}
	return c, true
}

// monomials returns the coefficients of the polynomial through values at 0, 1/8
// ... 1.
func monomials(v [degree + 1]*big.Float) [degree + 1]*big.Float {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }
	for k := 1; k <= degree; k++ { // divided differences
		for i := degree; i >= k; i-- {
			v[i] = new(big.Float).Sub(v[i], v[i-1])
			v[i].Quo(v[i], number(float64(k)))
		}
	}
	// Newton's form is multiplied out in s = 8·u.
	for k := degree - 1; k >= 0; k-- {
		for i := k; i < degree; i++ {
			v[i].Sub(v[i], new(big.Float).Mul(v[i+1], number(float64(k))))
		}
	}
	for k := range v {
		v[k].SetMantExp(v[k], 3*k)
	}
	return v
}

// Argument returns the i-th argument.
func (c *Curve) Argument(i uint64) float64 { return math.Float64frombits(c.first + i) }

// Size returns the number of arguments, a power of two.
func (c *Curve) Size() uint64 { return 1 << c.level }

// Rounded returns the value of the i-th argument, rounded in every direction of
// package fp. It refuses where a float64 or the midpoint of two is too close.
func (c *Curve) Rounded(i uint64) (y [fp.ToOdd + 1]float64, ok bool) {
	v := c.at(i)
	negative := int64(v.high) < 0
	v = v.magnitude()
	zeros := bits.LeadingZeros64(v.high)
	if zeros > 20 {
		return y, false
	}
	m, rest := v.high<<zeros|v.low>>(64-zeros), v.low<<zeros
	// The distance from a multiple of half an ulp, in units of 2^-64 of it.
	tolerance := uint64(doubt) << zeros >> 10
	if (m<<54|rest>>10)+tolerance < 2*tolerance {
		return y, false
	}
	inner, half := encode(m>>10, c.exp+128-point-zeros)
	outer := inner + 1
	if inner >= infinity {
		inner, outer, half = infinity-1, infinity, 1
	}
	sign := uint64(0)
	y[fp.Up], y[fp.Down] = math.Float64frombits(outer), math.Float64frombits(inner)
	if negative {
		sign = 1 << 63
		y[fp.Up], y[fp.Down] = -y[fp.Down], -y[fp.Up]
	}
	y[fp.NearestEven] = math.Float64frombits(sign | inner + half)
	y[fp.TowardZero] = math.Float64frombits(sign | inner)
	y[fp.ToOdd] = math.Float64frombits(sign | inner | 1)
	return y, true
}

const infinity = 0x7ff << 52

// encode returns the encoding of a number 0.m·2^exp of 54 bits, and more behind
// them, toward zero, and the bit after its last: beyond the largest float64 an
// encoding from infinity on.
func encode(m uint64, exp int) (inner, half uint64) {
	if exp <= -1022 { // subnormal
		drop := uint(-1021 - exp)
		return m >> drop >> 1, m >> drop & 1
	}
	return uint64(max(0, min(exp+1021, 0x7ff)))<<52 + m>>1, m & 1
}

// at returns the value of the i-th argument.
func (c *Curve) at(i uint64) fixed {
	u := i << (64 - c.level)
	y := c.c[degree]
	for k := degree - 1; k >= 0; k-- {
		y = y.times(u).add(c.c[k])
	}
	return y
}

// fixed returns a number in units of 2^(exp-point), if it is below 2^126 of
// them.
func (c *Curve) fixed(x *big.Float) (fixed, bool) {
	if x.Sign() == 0 {
		return fixed{}, true
	}
	n, _ := new(big.Float).SetMantExp(x, point-c.exp).Int(nil)
	if n.BitLen() > 126 {
		return fixed{}, false
	}
	low := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	return fixed{uint64(n.Rsh(n, 64).Int64()), low}, true
}

func (a fixed) add(b fixed) fixed {
	low, carry := bits.Add64(a.low, b.low, 0)
	return fixed{a.high + b.high + carry, low}
}

func (a fixed) sub(b fixed) fixed {
	low, borrow := bits.Sub64(a.low, b.low, 0)
	return fixed{a.high - b.high - borrow, low}
}

// times returns a·u/2^64, truncated.
func (a fixed) times(u uint64) fixed {
	high, middle := bits.Mul64(a.high, u)
	high -= u & uint64(int64(a.high)>>63)
	carry, _ := bits.Mul64(a.low, u)
	low, c := bits.Add64(middle, carry, 0)
	return fixed{high + c, low}
}

func (a fixed) magnitude() fixed {
	if int64(a.high) < 0 {
		return fixed{}.sub(a)
	}
	return a
}
