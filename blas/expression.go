package blas

import (
	"math"
	"math/big"

	"github.com/lastbit/lastbit/exact"
)

// expression is (α·Σ x[p]·y[p] + β·c) / d, to be rounded once. The sum takes
// the products of several pairs of slices. With β = 0, c does not count, and
// the sum begins with +0. The zero value holds none; an expression is reused.
type expression struct {
	alpha, beta, c, d float64
	pairs             []pairs
	sum               exact.Accumulator
	limbs             []int64
}

// pairs are two slices of equal length whose products are added.
type pairs struct{ x, y []float64 }

// begin sets the expression to (α·0 + β·c) / d, without products.
func (e *expression) begin(alpha, beta, c, d float64) {
	e.alpha, e.beta, e.c, e.d = alpha, beta, c, d
	e.pairs = e.pairs[:0]
}

// add adds the products of two slices.
func (e *expression) add(x, y []float64) {
	if len(x) > 0 {
		e.pairs = append(e.pairs, pairs{x, y})
	}
}

// rounded returns the value of the expression, rounded once.
func rounded[T float32 | float64](e *expression) T {
	if len(e.pairs) == 1 && e.beta == 0 && e.d == 1 && isDouble[T]() &&
		(e.alpha == 1 || e.alpha == -1) {
		if v := exact.Dot(e.pairs[0].x, e.pairs[0].y); v != 0 {
			return T(e.alpha * v)
		}
	}
	e.sum.Reset()
	for _, p := range e.pairs {
		e.sum.AddDot(p.x, p.y)
	}
	if math.Abs(e.alpha) == 1 && e.d == 1 {
		return fromSum[T](e)
	}
	if v, ok := settled[T](e.near()); ok {
		return v
	}
	return wide[T](e)
}

// fromSum returns the value for α = ±1 and d = 1, from the sum of all products.
func fromSum[T float32 | float64](e *expression) T {
	if e.beta != 0 {
		e.sum.AddProduct(e.alpha*e.beta, e.c)
	}
	v := read[T](&e.sum)
	if v == 0 && e.sum.Sign() == 0 {
		return T(e.zero())
	}
	return T(e.alpha) * v
}

// read returns a sum, rounded once.
func read[T float32 | float64](sum *exact.Accumulator) T {
	if isDouble[T]() {
		return T(sum.Float64())
	}
	return T(sum.Float32())
}

// near returns the value nearly, from two parts of the sum.
func (e *expression) near() near {
	hi := e.sum.Float64()
	if math.IsInf(hi, 0) || hi != hi {
		return unknown
	}
	rest := e.sum
	rest.Add(-hi)
	lo := rest.Float64()
	err := roundoff * math.Abs(lo)
	if rest.Sign() != 0 {
		err += tiny
	}
	s := near{hi, lo, err}.scaled(e.alpha)
	if e.beta != 0 {
		s = s.plus(times(e.beta, e.c))
	}
	return s.over(e.d)
}

// zero returns the zero that the sum is, if it is one: −0 if every summand is
// −0.
func (e *expression) zero() float64 {
	_, negative := e.signs()
	if negative {
		return math.Copysign(0, -1)
	}
	return 0
}

// signs returns the sum of all products with each finite factor replaced by ±1
// or ±0: if that is an infinity or NaN, the sum is. It also reports whether all
// summands are −0.
func (e *expression) signs() (sum float64, negativeZero bool) {
	alpha := sign(e.alpha)
	negativeZero = e.beta != 0
	for _, p := range e.pairs {
		for i, v := range p.x {
			t := float64(float64(alpha*sign(v)) * sign(p.y[i]))
			sum += t
			negativeZero = negativeZero && t == 0 && math.Signbit(t)
		}
	}
	if e.beta != 0 {
		t := float64(sign(e.beta) * sign(e.c))
		sum += t
		negativeZero = negativeZero && t == 0 && math.Signbit(t)
	}
	return sum, negativeZero
}

// sign returns 1 with the sign of v, or v if it is zero, infinite or NaN.
func sign(v float64) float64 {
	if v == 0 || v-v != 0 {
		return v
	}
	return math.Copysign(1, v)
}

// wide returns the value by integers of any length.
func wide[T float32 | float64](e *expression) T {
	sum, _ := e.signs()
	if sum-sum != 0 {
		return T(sum / e.d)
	}
	num := e.numerator()
	switch {
	case num.Sign() == 0:
		return T(e.zero() / e.d)
	case sign(e.d) != math.Copysign(1, e.d): // zero, infinite or NaN
		return T(float64(num.Sign()) / e.d)
	case e.d == 1:
		return roundFloat[T](num)
	}
	return quotient[T](num, e.d)
}

// numerator returns α·Σ x[p]·y[p] + β·c exactly. All factors are finite.
func (e *expression) numerator() *big.Float {
	n := new(big.Float)
	if len(e.pairs) > 0 {
		n = timesFloat(e.alpha, e.total())
	}
	if e.beta != 0 {
		n = plusFloat(n, timesFloat(e.beta, new(big.Float).SetFloat64(e.c)))
	}
	return n
}

// total returns the sum of the products.
func (e *expression) total() *big.Float {
	// The digits of AppendLimbs follow 5 counts, in units of 2^(32i − 2148).
	const counts, unit = 5, -2148
	e.limbs = e.sum.AppendLimbs(e.limbs[:0])
	z, digit := new(big.Int), new(big.Int)
	for i := len(e.limbs) - 1; i >= counts; i-- {
		z.Lsh(z, 32)
		z.Add(z, digit.SetInt64(e.limbs[i]))
	}
	f := new(big.Float).SetInt(z)
	return f.SetMantExp(f, unit)
}

// timesFloat returns v·x exactly.
func timesFloat(v float64, x *big.Float) *big.Float {
	f := new(big.Float).SetFloat64(v)
	return new(big.Float).SetPrec(f.Prec()+x.Prec()).Mul(f, x)
}

// plusFloat returns a + b exactly.
func plusFloat(a, b *big.Float) *big.Float {
	if a.Sign() == 0 {
		return b
	}
	if b.Sign() == 0 {
		return a
	}
	top := max(a.MantExp(nil), b.MantExp(nil)) + 1
	low := min(a.MantExp(nil)-int(a.MinPrec()), b.MantExp(nil)-int(b.MinPrec()))
	return new(big.Float).SetPrec(uint(top-low)).Add(a, b)
}

// roundFloat returns x, rounded once.
func roundFloat[T float32 | float64](x *big.Float) T {
	if isDouble[T]() {
		v, _ := x.Float64()
		return T(v)
	}
	v, _ := x.Float32()
	return T(v)
}

// quotient returns num/d, rounded once. Neither is zero, and d is finite.
func quotient[T float32 | float64](num *big.Float, d float64) T {
	r, _ := num.Rat(nil)
	r.Quo(r, new(big.Rat).SetFloat64(d))
	if isDouble[T]() {
		v, _ := r.Float64()
		return T(v)
	}
	v, _ := r.Float32()
	return T(v)
}
