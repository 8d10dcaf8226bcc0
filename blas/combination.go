package blas

import "unsafe"

// partsOf returns the parts of numbers: real and imaginary ones in turn, or the
// numbers themselves.
func partsOf[F float32 | float64, T number](x []T) []F {
	return unsafe.Slice((*F)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*partCount[F, T]())
}

// partCount returns the number of parts of a number.
func partCount[F float32 | float64, T number]() int {
	var v T
	var part F
	return int(unsafe.Sizeof(v) / unsafe.Sizeof(part))
}

// scalar is a factor by its parts. One without an imaginary part is a real
// number: its products have no terms of that part.
type scalar struct{ re, im float64 }

func scalarOf[F float32 | float64, T number](v T) scalar {
	x := [1]T{v}
	p := partsOf[F](x[:])
	if len(p) == 1 {
		return scalar{re: float64(p[0])}
	}
	return scalar{float64(p[0]), float64(p[1])}
}

// crossed returns the factor of the other part of b in a part of s·b: of the
// imaginary one in the real part 0, of the real one in the imaginary part 1.
func (s scalar) crossed(part int) float64 {
	if part == 0 {
		return -s.im
	}
	return s.im
}

// operand is a vector x of a sum of products a·x: its part i is Σ a[p]·x[i][p]
// over the parts of all a.
type operand [2][]float64

// operandOf returns the operand of a vector for the sum of a·x. With conjA and
// conjX that is the sum of conj(a)·x and of a·conj(x). The operand of float64
// is the vector itself.
func operandOf[F float32 | float64, T number](x []T, conjA, conjX bool) operand {
	parts := partsOf[F](x)
	if partCount[F, T]() == 1 {
		return operand{doubles(parts, new([]float64))}
	}
	o := operand{make([]float64, len(parts)), make([]float64, len(parts))}
	signA, signX := 1.0, 1.0
	if conjA {
		signA = -1
	}
	if conjX {
		signX = -1
	}
	for i := 0; i < len(parts); i += 2 {
		re, im := float64(parts[i]), signX*float64(parts[i+1])
		o[0][i], o[0][i+1] = re, -signA*im
		o[1][i], o[1][i+1] = im, signA*re
	}
	return o
}

// slice returns the operand of n parts of a from one on.
func (o operand) slice(from, n int) operand {
	for i, v := range o {
		if v != nil {
			o[i] = v[from : from+n]
		}
	}
	return o
}

// combination is a number Σ α·Σ a·x + β·y, to be rounded once for each part.
// The zero value has no summands; a combination is reused.
type combination struct {
	terms []combined
	e     expression
}

// combined is α·Σ a·x, with the parts of all a.
type combined struct {
	alpha scalar
	a     []float64
	x     operand
}

func (c *combination) reset() { c.terms = c.terms[:0] }

func (c *combination) add(alpha scalar, a []float64, x operand) {
	c.terms = append(c.terms, combined{alpha, a, x})
}

// storeCombination stores the combination with β·y in the parts of y. With β =
// 0 it does not read them, and the sum begins with +0.
func storeCombination[F float32 | float64](c *combination, beta scalar, y []F) {
	var old [2]float64
	for part, v := range y {
		old[part] = float64(v)
	}
	for part := range y {
		c.e.begin(beta == scalar{}, 1)
		for i := range c.terms {
			t := &c.terms[i]
			c.e.add(t.alpha.re, t.a, t.x[part])
		}
		for i := range c.terms {
			if t := &c.terms[i]; t.alpha.im != 0 {
				c.e.add(t.alpha.crossed(part), t.a, t.x[1-part])
			}
		}
		c.e.addOld(beta, part, old)
		y[part] = rounded[F](&c.e)
	}
}

// addOld adds a part of β·y, for the parts of y.
func (e *expression) addOld(beta scalar, part int, y [2]float64) {
	if beta == (scalar{}) {
		return
	}
	e.plus(beta.re, y[part])
	if beta.im != 0 {
		e.plus(beta.crossed(part), y[1-part])
	}
}
