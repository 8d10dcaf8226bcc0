package blas

import (
	"math"
	"math/big"

	"github.com/lastbit/lastbit/exact"
)

// expression is (Σ s·Σ x[p]·y[p] + Σ β·c) / d, to be rounded once: sums of
// products, each times a scale, and single products. The zero value holds none;
// an expression is reused.
type expression struct {
	d        float64
	fromZero bool // the sum begins with +0
	sums     []scaledSum
	products []scaledNumber
	sum      exact.Accumulator
	limbs    []int64
}

// scaledSum is scale·Σ x[p]·y[p], for slices of equal length.
type scaledSum struct {
	scale float64
	x, y  []float64
}

// scaledNumber is scale·c.
type scaledNumber struct{ scale, c float64 }

// begin sets the expression to an empty sum over d, which begins with +0 or
// with nothing.
func (e *expression) begin(fromZero bool, d float64) {
	e.d, e.fromZero = d, fromZero
	e.sums, e.products = e.sums[:0], e.products[:0]
}

// add adds the products of two slices, times a scale.
func (e *expression) add(scale float64, x, y []float64) {
	if len(x) > 0 {
		e.sums = append(e.sums, scaledSum{scale, x, y})
	}
}

// plus adds scale·c.
func (e *expression) plus(scale, c float64) {
	e.products = append(e.products, scaledNumber{scale, c})
}

// maxShort bounds the products of an expression that is computed nearly from
// each of them.
const maxShort = 8

// rounded returns the value of the expression, rounded once.
func rounded[T float32 | float64](e *expression) T {
	if len(e.sums) == 1 && len(e.products) == 0 && e.d == 1 && isDouble[T]() &&
		math.Abs(e.sums[0].scale) == 1 && len(e.sums[0].x) > maxShort {
		if v := exact.Dot(e.sums[0].x, e.sums[0].y); v != 0 {
			return T(e.sums[0].scale * v)
		}
	}
	count := 0
	for _, s := range e.sums {
		count += len(s.x)
	}
	if count <= maxShort {
		if v, ok := settled[T](e.short()); ok {
			return v
		}
	}
	if scale := e.scale(); math.Abs(scale) == 1 && e.d == 1 {
		return fromSum[T](e, scale)
	}
	if v, ok := settled[T](e.near()); ok {
		return v
	}
	return wide[T](e)
}

// scale returns the scale of all sums, or 0 if they have several.
func (e *expression) scale() float64 {
	if len(e.sums) == 0 {
		return 1
	}
	for _, s := range e.sums[1:] {
		if s.scale != e.sums[0].scale {
			return 0
		}
	}
	return e.sums[0].scale
}

// group returns the end of the sums from one on that have the same scale, and
// sets e.sum to the sum of them.
func (e *expression) group(from int) (end int) {
	e.sum.Reset()
	scale := e.sums[from].scale
	for end = from; end < len(e.sums) && e.sums[end].scale == scale; end++ {
		e.sum.AddDot(e.sums[end].x, e.sums[end].y)
	}
	return max(end, from+1)
}

// fromSum returns the value for d = 1 and one scale, ±1, from the sum of all
// products.
func fromSum[T float32 | float64](e *expression, scale float64) T {
	if len(e.sums) == 0 {
		e.sum.Reset()
	} else {
		e.group(0)
	}
	for _, p := range e.products {
		e.sum.AddProduct(scale*p.scale, p.c)
	}
	v := read[T](&e.sum)
	if v == 0 && e.sum.Sign() == 0 {
		return T(e.zero())
	}
	return T(scale) * v
}

// read returns a sum, rounded once.
func read[T float32 | float64](sum *exact.Accumulator) T {
	if isDouble[T]() {
		return T(sum.Float64())
	}
	return T(sum.Float32())
}

// short returns the value nearly, from each product.
func (e *expression) short() near {
	var total near
	for _, s := range e.sums {
		part := times(s.x[0], s.y[0])
		for p := 1; p < len(s.x); p++ {
			part = part.plus(times(s.x[p], s.y[p]))
		}
		total = total.plus(part.scaled(s.scale))
	}
	return e.completed(total)
}

// near returns the value nearly, from two parts of each sum.
func (e *expression) near() near {
	var total near
	for i := 0; i < len(e.sums); {
		scale := e.sums[i].scale
		i = e.group(i)
		total = total.plus(nearSum(&e.sum).scaled(scale))
	}
	return e.completed(total)
}

// completed returns a sum plus the single products, over d.
func (e *expression) completed(total near) near {
	for _, p := range e.products {
		total = total.plus(times(p.scale, p.c))
	}
	return total.over(e.d)
}

// nearSum returns the value of a sum nearly.
func nearSum(sum *exact.Accumulator) near {
	hi := sum.Float64()
	if math.IsInf(hi, 0) || hi != hi {
		return unknown
	}
	rest := *sum
	rest.Add(-hi)
	lo := rest.Float64()
	err := float64(roundoff * math.Abs(lo))
	if rest.Sign() != 0 {
		err += tiny
	}
	return near{hi, lo, err}
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
	negativeZero = !e.fromZero
	add := func(t float64) {
		sum += t
		negativeZero = negativeZero && t == 0 && math.Signbit(t)
	}
	for _, s := range e.sums {
		scale := sign(s.scale)
		for i, v := range s.x {
			add(float64(float64(scale*sign(v)) * sign(s.y[i])))
		}
	}
	for _, p := range e.products {
		add(float64(sign(p.scale) * sign(p.c)))
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

// numerator returns the sum exactly. All factors are finite.
func (e *expression) numerator() *big.Float {
	n := new(big.Float)
	for i := 0; i < len(e.sums); {
		scale := e.sums[i].scale
		i = e.group(i)
		n = plusFloat(n, timesFloat(scale, e.total()))
	}
	for _, p := range e.products {
		n = plusFloat(n, timesFloat(p.scale, new(big.Float).SetFloat64(p.c)))
	}
	return n
}

// total returns the value of e.sum.
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
