package tables

import (
	"math"
	"math/big"
)

// approximation is a polynomial Σ c[k]·x^k near f on [a, b], n terms from
// x^first in steps of one, or of two; its error is that after multiplication by
// x^scale.
type approximation struct {
	name, comment  string
	first, step, n int
	a, b           float64
	scale          float64
	f              func(x *big.Float) *big.Float
}

// polynomial writes the rounded coefficients, whose names end in the power of x
// in the function itself, and their error.
func (f *file) polynomial(p approximation) { f.polynomialThrough(p, chebyshev(p.n, p.a, p.b)) }

// polynomialThrough is polynomial with given nodes.
func (f *file) polynomialThrough(p approximation, nodes []*big.Float) {
	exponents := make([]int, p.n)
	for i := range exponents {
		exponents[i] = i
	}
	f0 := func(x *big.Float) *big.Float {
		if x.Sign() == 0 || x.MantExp(nil) < -300 { // 0, or a node next to it
			x = real(0x1p-300)
		}
		return p.f(x)
	}
	c := interpolateAt(f0, exponents, nodes)
	largest := 0.0
	const grid = 199 // the extrema of the error, both ends among them, are at least ten steps apart
	for i := range grid + 1 {
		x := real(p.a + (p.b-p.a)*float64(i)/grid)
		y := fresh()
		for k := p.n - 1; k >= 0; k-- {
			v, _ := c[k].Float64()
			y = add(mul(y, x), real(v))
		}
		e, _ := sub(y, f0(x)).Float64()
		at, _ := x.Float64()
		//lastbit:ignore libm a comment for people
		largest = max(largest, math.Abs(e)*math.Pow(math.Abs(at), p.scale))
	}
	f.printf("\n// %s. Error: 2^%.1f.\nconst (\n", p.comment,
		math.Ceil(float64(10*math.Log2(largest))+1)/10) //lastbit:ignore libm a comment for people
	for i := range c {
		f.printf("%s%d = %s\n", p.name, p.first+i*p.step, float(c[i]))
	}
	f.printf(")\n")
}

// after returns (g(x) - 1)/x.
func after(g func(*big.Float) *big.Float) func(*big.Float) *big.Float {
	return func(x *big.Float) *big.Float { return quo(sub(g(x), real(1)), x) }
}

// odd returns (g(x)/x - 1)/x² as a function of x².
func odd(g func(*big.Float) *big.Float) func(*big.Float) *big.Float {
	return func(u *big.Float) *big.Float {
		x := fresh().Sqrt(u)
		return quo(sub(quo(g(x), x), real(1)), u)
	}
}
