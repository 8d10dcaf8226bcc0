package inline

import (
	"elsewhere"
	"math"
)

type vector struct{ x, y float64 }

func (v vector) scale(f float64) vector { return vector{v.x * f, v.y * f} }

func (v vector) plus(w vector) vector {
	return vector{
		v.x + w.x, // want `inlined at line 19; w.x is the product of line 10; write float64\(w.x\)`
		v.y + w.y, // want `w.y is the product of line 10; write float64\(w.y\)`
	}
}

func methods(p, v vector, dt float64) vector { return p.plus(v.scale(dt)) }

func add(a, b float64) float64 { return a + b } // want ` is the product of line 24`

func functions(x, y, z float64) float64 {
	return add(x*y, z)
}

func sub(a, b float64) float64 { return a - b } // want ` is the product of line 29`

func right(x, y, z float64) float64 { return sub(z, x*y) }

//go:noinline
func apart(a, b float64) float64 { return a + b }

func notInlined(x, y, z float64) float64 {
	return apart(x*y, z) + elsewhere.Apart(x*y, z) + elsewhere.Long(x*y, z)
}

// kahan is Prometheus's function.
func kahan(inc, sum, c float64) (newSum, newC float64) {
	t := sum + inc // want `inlined at line 54; inc is the product of line 54; write float64\(inc\)`
	switch {
	case math.IsInf(t, 0):
		c = 0
	case math.Abs(sum) >= math.Abs(inc):
		c += (sum - t) + inc // want `inc is the product of line 54`
	default:
		c += (inc - t) + sum // want `inc is the product of line 54`
	}
	return t, c
}

func compensated(x, w []float64) (s, c float64) {
	for i := range x {
		s, c = kahan(x[i]*w[i], s, c)
	}
	return s, c
}

type sum struct{ total, c float64 }

func (s *sum) add(x float64) {
	y := x - s.c // want `inlined at line 71; x is the product of line 71; write float64\(x\)`
	t := s.total + y
	s.c = (t - s.total) - y
	s.total = t
}

func pointer(x []float64, w float64) float64 {
	var s sum
	for _, v := range x {
		s.add(v * w)
	}
	return s.total
}

func (v *vector) by(f float64) { v.x *= f; v.y *= f }

func inPlace(v, w vector, f float64) float64 {
	v.by(f)
	return v.x + w.x // want `v.x is the product of line 76; write float64\(v.x\)`
}

func both(x, y float64) (p, q float64) { return x * y, x / 8 }

func several(x, y, z float64) float64 {
	p, q := both(x, y)
	return z/3 - p - q // want ` is the product of line 83` ` is the product of line 83`
}

func branches(x, y float64) float64 {
	if x > y {
		return 0
	}
	return x * y
}

// The result is one of two values.
func either(x, y, z float64) float64 { return branches(x, y) + z }

func generic[T float32 | float64](a, b T) T { return a + b } // want `inlined at line 102`

func instance(x, y, z float32) float32 { return generic(x*y, z) }

func closure(x, y, z float64) float64 {
	plus := func(a, b float64) float64 { return a + b } // want `inlined at line 106`
	return plus(x*y, z)
}

func captured(x, y, z float64) float64 {
	p := x * y
	plus := func() float64 { return p + z } // want ` is the product of line 110`
	return plus()
}

func nested(x, y, z float64) float64 { return add3(x*y, y, z) }

func add3(a, b, c float64) float64 { return addTo(a, b) + c }

func addTo(a, b float64) float64 { return a + b } // want ` is the product of line 115`

func radians(d float64) float64 { return d * (math.Pi / 180) }

func constant(d, e float64) float64 {
	const eps = 0x1p-52
	s := radians(d) - math.Pi/2 // want `radians\(d\) is the product of line 121`
	e *= d
	return s / (e - 2*eps) // want `e is the product of line 126; write float64\(e\)`
}

func foreign(x, y, z float64, p, v elsewhere.Vector) elsewhere.Vector {
	x = elsewhere.Sum(x*y, z)                  // want `write float64\(x \* y\)`
	x = elsewhere.Sum3(x, x*z, y)              // want `its sum of line 8 of elsewhere.go .*`
	x = elsewhere.Product(x, y) + z            // want ` is the product of line 13 of elsewhere.go`
	x = add(elsewhere.Product(x, y), z) + x    // reported at the sum already
	x = elsewhere.Generic(x*y, z)              // want `elsewhere.Generic`
	x = elsewhere.Sum(x*y, z) / 3              //lastbit:ignore fma a comment at the call
	return p.Add(v.Scale(elsewhere.Sum(x, y))) // want `round the product of line 5 of else`
}

func steps(x, y float64) float64 {
	p := x * y
	p++ // want `p\+\+ fuses on .*; p is the product of line 141; write float64\(p\)`
	q := x * y
	q *= 2 // want `q \*= 2 fuses on .*; q is the product of line 143; write float64\(q\)`
	r := x * y
	return q / p / (r * 2) // want `r \* 2 fuses`
}

func turn(f float64, c complex128) complex128 { return complex(real(c)*f, imag(c)*f) }

func complexSum(f float64, c, d complex128) complex128 {
	d = turn(f, c) - d // want `turn\(f, c\) is the product of line 149`
	return complex128(turn(f, c)) - d
}

// The value is stored before the branches, and another one before that.
func branched(a vector, f float64) float64 {
	a = a.scale(f)
	s := 0.0
	if f > 1 {
		s = f
	}
	return a.x - s // want `a.x is the product of line 10`
}

func looped(a vector, f float64) (s float64) {
	for f > 1 {
		s = a.x - s
		a = a.scale(f)
		f--
	}
	return s
}

type adder interface{ add(a, b float64) float64 }

type plain struct{}

func (plain) add(a, b float64) float64 { return a + b } // want `inlined at line 183`

func devirtualized(x, y, z float64) float64 {
	var a adder = plain{}
	return a.add(x*y, z)
}

func virtual(a adder, x, y, z float64) float64 { return a.add(x*y, z) }

func apply(f func(a, b float64) float64, x, y float64) float64 { return f(x, y) }

func integrate(f func(float64) float64, n int) (s float64) {
	for i := range n {
		s += f(float64(i) / 3) // want `f\(float64\(i\) / 3\) is the product of line 203`
	}
	return s
}

func twice(f func(float64) float64, n int) float64 { return integrate(f, n) / 3 }

func callbacks(x, y, z float64) (s float64) {
	s += apply(func(a, b float64) float64 {
		return a + b // want `inlined at line 200; a is the product of line 202`
	}, x*y, z) / 3
	s -= integrate(func(t float64) float64 { return t * x }, 9)
	s -= integrate(func(t float64) float64 { return t / 5 }, 9)
	s -= twice(func(t float64) float64 { return t * x }, 9)
	return s - apply(product, x, y) // want `apply\(product, x, y\) is the product of line 209`
}

func product(x, y float64) float64 { return x * y }

func (v *vector) stretch(f float64) *vector { v.x *= f; v.y *= f; return v }

func (v *vector) move(w *vector) *vector {
	v.x += w.x // want `inlined at line 220; w.x is the product of line 211`
	v.y += w.y
	return v
}

func chained(p, v *vector, dt float64) {
	p.move(v.stretch(dt))
}

func returned(v *vector, dt float64) float64 {
	return v.stretch(dt).y + dt // want `v.stretch\(dt\).y is the product of line 211`
}
