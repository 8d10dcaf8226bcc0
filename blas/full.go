package blas

import "github.com/lastbit/lastbit/blas/internal/chain"

// vectorUnit is the number of elements that the parts of a vector are multiples
// of: no two goroutines write to one line of the cache.
const vectorUnit = 64

// fullMatVec is matVec for a matrix of m rows of n elements. Goroutines share
// out the rows.
func (k *kit[T]) fullMatVec(m, n int, alpha T, a matrix[T], x []T, beta T, y []T) {
	if alpha == 0 || beta == 0 {
		k.scale(beta, y)
	}
	if alpha == 0 {
		return
	}
	goroutines := k.setting.Goroutines(m*n, m)
	if goroutines.Most == 1 {
		k.rowsTimes(alpha, a, x, beta, y)
		return
	}
	chain.Share(goroutines, m, vectorUnit, func(from, to int) {
		k.rowsTimes(alpha, a.from(from, 0), x, beta, y[from:to])
	})
}

// fullVecMat is vecMat for a matrix of m rows of n elements. Goroutines share
// out the columns.
func (k *kit[T]) fullVecMat(m, n int, alpha T, a matrix[T], x []T, beta T, y []T) {
	k.scale(beta, y)
	if alpha == 0 {
		return
	}
	goroutines := k.setting.Goroutines(m*n, n)
	if goroutines.Most == 1 {
		k.addRows(alpha, x, a, y)
		return
	}
	chain.Share(goroutines, n, vectorUnit, func(from, to int) {
		k.addRows(alpha, x, a.from(0, from), y[from:to])
	})
}

// fullRankOne is rankOne for a matrix of m rows. Element i of x is incX
// elements after element i−1. Goroutines share out the rows.
func (k *kit[T]) fullRankOne(
	conj bool, m int, alpha T, x []T, incX int, y []T, a matrix[T],
) {
	goroutines := k.setting.Goroutines(m*len(y), m)
	if goroutines.Most == 1 {
		k.addOuter(conj, m, alpha, x, incX, y, a)
		return
	}
	chain.Share(goroutines, m, 1, func(from, to int) {
		at := from * incX
		if incX < 0 {
			at = (to - m) * incX // element to−1 comes first in memory
		}
		k.addOuter(conj, to-from, alpha, x[at:], incX, y, a.from(from, 0))
	})
}

// scaleAll multiplies n elements of a vector by alpha. Goroutines share them
// out.
func (k *kit[T]) scaleAll(n int, alpha T, x []T, inc int) {
	goroutines := k.setting.Goroutines(n, n)
	if goroutines.Most == 1 {
		k.scaleBy(n, alpha, x, inc)
		return
	}
	chain.Share(goroutines, n, vectorUnit, func(from, to int) {
		k.scaleBy(to-from, alpha, x[from*inc:], inc)
	})
}

// axpyAll is axpy, with the elements shared out.
func (k *kit[T]) axpyAll(alpha T, x, y []T) {
	goroutines := k.setting.Goroutines(2*len(x), len(x))
	if goroutines.Most == 1 {
		k.axpy(alpha, x, y)
		return
	}
	chain.Share(goroutines, len(x), vectorUnit, func(from, to int) {
		k.axpy(alpha, x[from:to], y[from:to])
	})
}
