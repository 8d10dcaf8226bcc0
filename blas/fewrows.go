package blas

import (
	"math"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// The routines of this file compute with matrices of few rows and columns,
// element by element, where a call of a kernel takes longer. Their loops have
// the fused multiply-adds of float64 inside; a fused multiply-add of float32
// takes several operations.

// The most columns of a matrix times a vector, and the most products of other
// operations.
const (
	maxFewColumns  = 4
	maxFewFloat32s = 8
	maxFewFloat64s = 16
)

// maxFewFused returns the most fused multiply-adds one after another.
func maxFewFused[T float32 | float64]() int {
	if isDouble[T]() {
		return maxFewFloat64s
	}
	return maxFewFloat32s
}

// isFewRows reports whether m rows of n columns are few.
func isFewRows[T float32 | float64](m, n int) bool {
	return uint(m-1) < fewRows && uint(n-1) < fewRows && m*n <= maxFewFused[T]()
}

// rowsTimesFew computes y ← α·A·x + β·y for at most maxFewColumns columns.
func rowsTimesFew[T float32 | float64](alpha T, a []T, lda int, x []T, beta T, y []T) {
	for i := range y {
		row := a[i*lda:][:len(x)]
		var s T
		switch len(x) {
		case 1:
			s = T(row[0]*x[0]) + 0
		case 2:
			s = T(row[0]*x[0]) + T(row[1]*x[1]) + 0
		case 3:
			s = T(row[0]*x[0]) + T(row[2]*x[2]) + T(row[1]*x[1]) + 0
		case 4:
			s = (T(row[0]*x[0]) + T(row[2]*x[2])) + (T(row[1]*x[1]) + T(row[3]*x[3])) + 0
		}
		switch {
		case beta == 0:
			y[i] = T(alpha*s) + 0
		case isDouble[T]():
			y[i] = T(math.FMA(float64(beta), float64(y[i]), float64(T(alpha*s))))
		default:
			y[i] = kernel.FMA(beta, y[i], T(alpha*s))
		}
	}
}

// addRowsFew computes y ← α·Aᵀ·x + β·y.
func addRowsFew[T float32 | float64](alpha T, a []T, lda int, x []T, beta T, y []T) {
	for j, s := range y {
		switch beta {
		case 0:
			s = 0
		case 1:
		default:
			s *= beta
		}
		at := j
		for _, v := range x {
			if isDouble[T]() {
				s = T(math.FMA(float64(T(alpha*v)), float64(a[at]), float64(s)))
			} else {
				s = kernel.FMA(T(alpha*v), a[at], s)
			}
			at += lda
		}
		y[j] = s
	}
}

// addOuterFew adds α·x·yᵀ to a matrix.
func addOuterFew[T float32 | float64](alpha T, x, y, a []T, lda int) {
	for i, v := range x {
		factor, row := T(alpha*v), a[i*lda:][:len(y)]
		for j, w := range y {
			if isDouble[T]() {
				row[j] = T(math.FMA(float64(factor), float64(w), float64(row[j])))
			} else {
				row[j] = kernel.FMA(factor, w, row[j])
			}
		}
	}
}

// isFewProducts reports whether a matrix product is computed by productOfFew.
func isFewProducts[T float32 | float64](m, n, depth int) bool {
	return uint(m-1) < maxFewColumns && uint(n-1) < maxFewColumns &&
		uint(depth-1) < maxFewColumns && m*n*depth <= 4*maxFewFused[T]()
}

// productOfFew computes the part of C ← α·A·B + β·C.
func productOfFew[T float32 | float64](
	part chain.Part, m, n, depth int, alpha T, a, b kernel.Operand[T], beta T, c []T, ldc int,
) {
	for i := range m {
		var factors [maxFewColumns]T
		for p := range depth {
			factors[p] = alpha * *a.Element(i, p)
		}
		from, to := columns(part, i, n)
		for j := from; j < to; j++ {
			var s T
			switch beta {
			case 0:
			case 1:
				s = c[i*ldc+j]
			default:
				s = beta * c[i*ldc+j]
			}
			for p, f := range factors[:depth] {
				if isDouble[T]() {
					s = T(math.FMA(float64(f), float64(*b.Element(p, j)), float64(s)))
				} else {
					s = kernel.FMA(f, *b.Element(p, j), s)
				}
			}
			c[i*ldc+j] = s
		}
	}
}
