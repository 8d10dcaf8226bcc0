package blas

import (
	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// number is an element of a vector or matrix.
type number interface {
	float32 | float64 | complex64 | complex128
}

// kit holds the operations of a format. The vectors of an operation are
// contiguous and of equal length.
type kit[T number] struct {
	mul, div func(a, b T) T
	fma      func(a, b, c T) T
	conj     func(a T) T
	real     func(a T) T

	axpy  func(alpha T, x, y []T) // y[i] ← fma(alpha, x[i], y[i])
	axpyc func(alpha T, x, y []T) // the same with x conjugated
	dot   func(x, y []T) T        // Σ x[i]·y[i] by lanes
	dotc  func(x, y []T) T        // the same with x conjugated

	// addProduct updates c as [chain.Product] does.
	addProduct func(part chain.Part, m, n, k int, alpha T, a, b, c matrix[T])
}

// realKit returns the operations of float32 or float64.
func realKit[T float32 | float64](s chain.Setting) *kit[T] {
	level := kernel.Best()
	if s.Level != nil {
		level = *s.Level
	}
	kernels := kernel.NewChain[T](level)
	k := &kit[T]{
		mul:  func(a, b T) T { return a * b },
		div:  func(a, b T) T { return a / b },
		fma:  kernel.FMA[T],
		conj: func(a T) T { return a },
		axpy: func(alpha T, x, y []T) {
			if len(x) > 0 {
				factor := [1]T{alpha}
				row := kernel.Operand[T]{At: &x[0], Row: len(x), Col: 1}
				kernels.AddRows(kernel.Hide(factor[:]), row, y)
			}
		},
		dot: func(x, y []T) T {
			if len(x) == 0 {
				return 0
			}
			var sum [1]T
			kernels.Dots(kernel.Operand[T]{At: &x[0], Row: len(x), Col: 1}, y, kernel.Hide(sum[:]))
			return sum[0]
		},
		addProduct: func(part chain.Part, m, n, k int, alpha T, a, b, c matrix[T]) {
			chain.Product(s, part, m, n, k, alpha, viewOf(a), viewOf(b), viewOf(c))
		},
	}
	k.real, k.axpyc, k.dotc = k.conj, k.axpy, k.dot
	return k
}

func viewOf[T float32 | float64](a matrix[T]) chain.View[T] {
	return chain.View[T]{Data: a.data, Offset: a.offset, Row: a.row, Col: a.col}
}

// scale multiplies a vector by beta as reference BLAS does with β: zero stores
// +0 whatever is there, and one changes nothing.
func (k *kit[T]) scale(beta T, x []T) {
	switch beta {
	case 0:
		clear(x)
	case 1:
	default:
		for i, v := range x {
			x[i] = k.mul(beta, v)
		}
	}
}
