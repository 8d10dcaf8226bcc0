package blas

import (
	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// realKit returns the operations of float32 or float64.
func realKit[T float32 | float64](s chain.Setting) *kit[T] {
	r := realKernels[T]{kernel.NewChain[T](s.Best())}
	k := &kit[T]{
		setting:   s,
		mul:       func(a, b T) T { return a * b },
		div:       func(a, b T) T { return a / b },
		fma:       kernel.FMA[T],
		addScaled: kernel.FMA[T],
		conj:      func(a T) T { return a },
		axpy:      r.axpy,
		dot:       r.dot,
		scaleBy:   r.scaleBy,
		divideBy:  func(x []T, d T) { r.kernels.Divide(len(x), d, &x[0]) },
		rowsTimes: r.rowsTimes,
		addRows:   r.addRows,
		addOuter:  r.addOuter,
		addProduct: func(part chain.Part, m, n, k int, alpha T, a, b, c matrix[T]) {
			chain.Product(s, part, m, n, k, alpha, viewOf(a), viewOf(b), viewOf(c))
		},
		setProduct: func(part chain.Part, m, n, k int, alpha T, a, b, c matrix[T]) {
			chain.Multiply(s, part, m, n, k, alpha, viewOf(a), viewOf(b), viewOf(c))
		},
		solveNarrow: solveNarrow[T],
	}
	k.real, k.axpyc, k.dotc = k.conj, k.axpy, k.dot
	return k
}

func viewOf[T float32 | float64](a matrix[T]) chain.View[T] {
	return chain.View[T]{Data: a.data, Offset: a.offset, Row: a.row, Col: a.col}
}

// realKernels implements operations of [kit] by kernels.
type realKernels[T float32 | float64] struct{ kernels kernel.Chain[T] }

// operandAt returns a matrix as kernels get it.
func operandAt[T float32 | float64](a matrix[T]) kernel.Operand[T] {
	return kernel.Operand[T]{At: &a.data[a.offset], Row: a.row, Col: a.col}
}

func (r realKernels[T]) axpy(alpha T, x, y []T) {
	if len(x) > 0 {
		factor := [1]T{alpha}
		row := kernel.Operand[T]{At: &x[0], Row: len(x), Col: 1}
		r.kernels.AddRows(kernel.Hide(factor[:]), row, y)
	}
}

func (r realKernels[T]) dot(x, y []T) T {
	if len(x) == 0 {
		return 0
	}
	var sum [1]T
	row := kernel.Operand[T]{At: &x[0], Row: len(x), Col: 1}
	r.kernels.Dots(row, y, kernel.Hide(sum[:]))
	return sum[0]
}

func (r realKernels[T]) scaleBy(n int, alpha T, x []T, inc int) {
	if inc == 1 {
		r.kernels.Scale(alpha, x[:n], x[:n])
		return
	}
	for i := range n {
		x[i*inc] *= alpha
	}
}

// chunk is the number of rows whose factors or sums are kept in a buffer, and
// fewRows the number in a buffer for small matrices: clearing it takes time,
// too.
const (
	chunk   = 128
	fewRows = 16
)

func (r realKernels[T]) rowsTimes(alpha T, a matrix[T], x []T, beta T, y []T) {
	if len(y) <= fewRows {
		var buffer [fewRows]T
		r.someRowsTimes(kernel.Hide(buffer[:len(y)]), alpha, a, x, beta, y)
		return
	}
	var buffer [chunk]T
	for len(y) > 0 {
		part := y[:min(len(y), chunk)]
		r.someRowsTimes(kernel.Hide(buffer[:len(part)]), alpha, a, x, beta, part)
		if y = y[len(part):]; len(y) > 0 {
			a = a.from(len(part), 0)
		}
	}
}

// someRowsTimes is rowsTimes with a buffer as long as y.
func (r realKernels[T]) someRowsTimes(sums []T, alpha T, a matrix[T], x []T, beta T, y []T) {
	r.kernels.Dots(operandAt(a), x, sums)
	if alpha != 1 {
		for i, s := range sums {
			sums[i] = alpha * s
		}
	}
	if beta == 0 || beta == 1 {
		for i, s := range sums {
			y[i] = s + y[i] // y is zero if beta is
		}
		return
	}
	factor := [1]T{beta}
	old := kernel.Operand[T]{At: &y[0], Row: len(y), Col: 1}
	r.kernels.AddRows(kernel.Hide(factor[:]), old, sums)
	copy(y, sums)
}

func (r realKernels[T]) addRows(alpha T, x []T, a matrix[T], y []T) {
	switch {
	case len(y) == 0 || len(x) == 0:
	case alpha == 1:
		r.kernels.AddRows(x, operandAt(a), y)
	case len(x) <= fewRows:
		var buffer [fewRows]T
		r.addScaledRows(kernel.Hide(buffer[:]), alpha, x, a, y)
	default:
		var buffer [chunk]T
		r.addScaledRows(kernel.Hide(buffer[:]), alpha, x, a, y)
	}
}

// addScaledRows is addRows with a buffer for factors.
func (r realKernels[T]) addScaledRows(buffer []T, alpha T, x []T, a matrix[T], y []T) {
	for i := 0; i < len(x); i += len(buffer) {
		part := x[i:min(i+len(buffer), len(x))]
		factors := buffer[:len(part)]
		for p, v := range part {
			factors[p] = alpha * v
		}
		r.kernels.AddRows(factors, operandAt(a.from(i, 0)), y)
	}
}

func (r realKernels[T]) addOuter(
	_ bool, m int, alpha T, x []T, incX int, y []T, a matrix[T],
) {
	if m <= fewRows {
		var buffer [fewRows]T
		r.addOuterRows(kernel.Hide(buffer[:]), m, alpha, x, incX, y, a)
		return
	}
	var buffer [chunk]T
	r.addOuterRows(kernel.Hide(buffer[:]), m, alpha, x, incX, y, a)
}

// addOuterRows is addOuter with a buffer for factors.
func (r realKernels[T]) addOuterRows(
	buffer []T, m int, alpha T, x []T, incX int, y []T, a matrix[T],
) {
	at := first(m, incX)
	for i := 0; i < m && len(y) > 0; i += len(buffer) {
		factors := buffer[:min(len(buffer), m-i)]
		for p := range factors {
			factors[p] = alpha * x[at]
			at += incX
		}
		r.kernels.AddOuter(factors, y, operandAt(a.from(i, 0)))
	}
}
