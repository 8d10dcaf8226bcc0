package kernel

import (
	"math"
	"unsafe"
)

// complexBodies holds the bodies of a level for complex numbers of one format.
type complexBodies[T float32 | float64] struct {
	rows    int // of dots
	addRows func(rows, n int, a *T, aRow int, factors, y *T)
	scale   func(n int, factors, x *T)
	dots    complexDots[T]
	dot     complexDots[T] // of one row, and so without aRow
}

// complexDots is the body of Dots.
type complexDots[T float32 | float64] func(n int, a *T, aRow int, x, signs, sums *T)

// Complex holds the kernels of complex matrices and vectors at one level. A
// complex number is two neighbours of T, and a stride counts numbers of T.
type Complex[T float32 | float64] struct{ body *complexBodies[T] }

// NewComplex returns the kernels of a level. It panics for a level that does
// not run here.
func NewComplex[T float32 | float64](level Level) Complex[T] {
	b := level.bodies()
	if unsafe.Sizeof(T(0)) == 8 {
		return Complex[T]{(*complexBodies[T])(unsafe.Pointer(b.complexFloat64))}
	}
	return Complex[T]{(*complexBodies[T])(unsafe.Pointer(b.complexFloat32))}
}

// ComplexFactor is a factor of rows, as AddRows takes it: of element a it adds
// first {0}·aᵣ and {1}·aᵢ, and then {2}·aᵢ and {3}·aᵣ.
type ComplexFactor[T float32 | float64] [4]T

// FactorOf returns the factor re + im·i of rows, or of conjugated rows.
func FactorOf[T float32 | float64](re, im T, conj bool) ComplexFactor[T] {
	if conj {
		return ComplexFactor[T]{re, -re, im, im}
	}
	return ComplexFactor[T]{re, re, -im, im}
}

// AddRows updates y by the rows of a, as many as there are factors x, one after
// another:
//
//	y[j] ← fma(x[i], a(i, j), y[j])    for i = 0, 1, …, len(x)−1
//
// where fma is the complex fma of package blas. a has neighbouring columns.
func (c Complex[T]) AddRows(x []ComplexFactor[T], a Operand[T], y []T) {
	if len(x) > 0 && len(y) > 0 {
		c.body.addRows(len(x), len(y), a.At, a.Row, &x[0][0], &y[0])
	}
}

// Scale multiplies x by a factor f: for each number,
//
//	re ← fma(f[2], im, f[0]⊗re)
//	im ← fma(f[3], re, f[1]⊗im)
func (c Complex[T]) Scale(f ComplexFactor[T], x []T) {
	if len(x) > 0 {
		c.body.scale(len(x), hidden(&f[0]), data(x))
	}
}

// Dots sets sums, of two parts, to the sums of the products a(i, j)·x[j] of row
// i, or of the conjugates of a, added by L lanes of 64 bytes in all:
//
//	lane(l) = fma(a(i, j), x[j], lane(l))    for j = l, l+L, l+2L, …, from +0 on
//	half(l) = lane(l) ⊕ lane(l + L/2), then L/4, …, 1
//
// a has neighbouring columns.
func (c Complex[T]) Dots(a Operand[T], conj bool, x, sums []T) {
	if len(x) == 0 {
		clear(sums)
		return
	}
	n, rows, signs := len(sums)/2, c.body.rows, dotsSigns[T](conj)
	if n < rows {
		for i := range n {
			c.body.dot(len(x), a.Element(i, 0), 0, &x[0], signs, &sums[2*i])
		}
		return
	}
	for i := 0; i < n; i += rows {
		first := min(i, n-rows) // the last rows may be added twice
		c.body.dots(len(x), a.Element(first, 0), a.Row, &x[0], signs, &sums[2*first])
	}
}

// Dot returns the sum of the products x[j]·y[j], or of x's conjugates and y, as
// Dots adds them.
func (c Complex[T]) Dot(conj bool, x, y []T) (re, im T) {
	if len(x) == 0 {
		return 0, 0
	}
	var sum [2]T
	c.body.dot(len(x), data(x), 0, data(y), dotsSigns[T](conj), hidden(&sum[0]))
	return sum[0], sum[1]
}

// HasVectors reports whether the level has kernels other than portable Go.
func (c Complex[T]) HasVectors() bool { return c.body.rows > 1 }

// The signs of dots, from the first on, or from the second for conjugated rows.
// A kernel loads two at once, which takes longer if they have just been stored.
var (
	signsFloat64 = [3]float64{math.Copysign(0, -1), 0, math.Copysign(0, -1)}
	signsFloat32 = [3]float32{float32(signsFloat64[0]), 0, float32(signsFloat64[2])}
)

// dotsSigns returns the signs of the products with the imaginary parts of rows.
func dotsSigns[T float32 | float64](conj bool) *T {
	first := 0
	if conj {
		first = 1
	}
	if unsafe.Sizeof(T(0)) == 8 {
		return (*T)(unsafe.Pointer(&signsFloat64[first]))
	}
	return (*T)(unsafe.Pointer(&signsFloat32[first]))
}

// complexGeneric returns the portable bodies.
func complexGeneric[T float32 | float64]() *complexBodies[T] {
	return &complexBodies[T]{
		rows:    1,
		addRows: complexRowsGeneric[T],
		scale:   complexScaleGeneric[T],
		dots:    complexDotsGeneric[T],
		dot:     complexDotsGeneric[T],
	}
}

// complexRowsGeneric is the portable body of AddRows.
func complexRowsGeneric[T float32 | float64](rows, n int, a *T, aRow int, factors, py *T) {
	y, m := unsafe.Slice(py, n), Operand[T]{a, aRow, 1}
	f := unsafe.Slice(factors, 4*rows)
	for i := range rows {
		row := unsafe.Slice(m.Element(i, 0), n)
		for j := 0; j < n; j += 2 {
			re, im := row[j], row[j+1] // the row may be y
			y[j] = FMA(f[4*i+2], im, FMA(f[4*i], re, y[j]))
			y[j+1] = FMA(f[4*i+3], re, FMA(f[4*i+1], im, y[j+1]))
		}
	}
}

// complexScaleGeneric is the portable body of Scale.
func complexScaleGeneric[T float32 | float64](n int, factors, px *T) {
	x, f := unsafe.Slice(px, n), unsafe.Slice(factors, 4)
	for j := 0; j < n; j += 2 {
		re, im := x[j], x[j+1]
		x[j] = FMA(f[2], im, T(f[0]*re))
		x[j+1] = FMA(f[3], re, T(f[1]*im))
	}
}

// complexDotsGeneric is the portable body of Dots for one row.
func complexDotsGeneric[T float32 | float64](n int, a *T, _ int, px, psigns, psums *T) {
	var frame [chainLanesBytes / 4]T
	lanes, x, row := frame[:ChainLanes[T]()], unsafe.Slice(px, n), unsafe.Slice(a, n)
	one := T(1)
	if math.Signbit(float64(*psigns)) {
		one = -1
	}
	for j := 0; j < n; j += 2 {
		l := j % len(lanes)
		lanes[l] = FMA(row[j+1], one*x[j+1], FMA(row[j], x[j], lanes[l]))
		lanes[l+1] = FMA(row[j+1], -one*x[j], FMA(row[j], x[j+1], lanes[l+1]))
	}
	for half := len(lanes) / 2; half > 1; half /= 2 {
		for l := range half {
			lanes[l] += lanes[l+half]
		}
	}
	sums := unsafe.Slice(psums, 2)
	sums[0], sums[1] = lanes[0], lanes[1]
}
