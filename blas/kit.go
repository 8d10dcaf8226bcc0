package blas

import "github.com/lastbit/lastbit/blas/internal/chain"

// number is an element of a vector or matrix.
type number interface {
	float32 | float64 | complex64 | complex128
}

// kit holds the operations of a format. The vectors of an operation are
// contiguous and of equal length, unless it has increments. The columns of a
// matrix are neighbours.
type kit[T number] struct {
	setting chain.Setting

	mul, div func(a, b T) T
	fma      func(a, b, c T) T

	// addScaled returns fma(alpha, a, c), part by part if alpha is real.
	addScaled func(alpha, a, c T) T
	conj      func(a T) T
	real      func(a T) T

	axpy  func(alpha T, x, y []T) // y[i] ← fma(alpha, x[i], y[i])
	axpyc func(alpha T, x, y []T) // the same with x conjugated
	dot   func(x, y []T) T        // Σ x[i]·y[i] by lanes
	dotc  func(x, y []T) T        // the same with x conjugated

	// scaleBy sets x[i·inc] to alpha⊗x[i·inc] for n elements.
	scaleBy func(n int, alpha T, x []T, inc int)

	// divideBy sets x[i] to x[i]⊘d.
	divideBy func(x []T, d T)

	// rowsTimes sets y[i] to fma(beta, y[i], alpha⊗s), where s is the sum of
	// row i of a times x by lanes.
	rowsTimes func(alpha T, a matrix[T], x []T, beta T, y []T)

	// addRows adds row after row: y[j] ← fma(alpha⊗x[i], a[i,j], y[j]).
	addRows func(alpha T, x []T, a matrix[T], y []T)

	// addOuter adds to each of m rows: a[i,j] ← fma(alpha⊗x[i·incX], y[j],
	// a[i,j]), with y conjugated or not.
	addOuter func(conj bool, m int, alpha T, x []T, incX int, y []T, a matrix[T])

	// addProduct updates c as [chain.Product] does, and setProduct sets it as
	// [chain.Multiply] does.
	addProduct, setProduct func(part chain.Part, m, n, k int, alpha T, a, b, c matrix[T])

	// solveNarrow is solve for few columns. It reports whether it takes as many
	// as there are. It is nil for complex numbers.
	solveNarrow func(unit bool, n, width int, l, b matrix[T]) bool
}

// scale multiplies a vector by beta as reference BLAS does with β: zero stores
// +0 whatever is there, and one changes nothing.
func (k *kit[T]) scale(beta T, x []T) {
	switch beta {
	case 0:
		clear(x)
	case 1:
	default:
		k.scaleBy(len(x), beta, x, 1)
	}
}

// scaleEach is scaleBy by products one after another.
func (k *kit[T]) scaleEach(n int, alpha T, x []T, inc int) {
	for i := range n {
		x[i*inc] = k.mul(alpha, x[i*inc])
	}
}

// divideEach is divideBy by quotients one after another.
func (k *kit[T]) divideEach(x []T, d T) {
	for i, v := range x {
		x[i] = k.div(v, d)
	}
}
