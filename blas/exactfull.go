package blas

import "github.com/lastbit/lastbit/blas/internal/chain"

// fullMatVec computes y ← α·A·x + β·y, each element rounded once. Goroutines
// share out the rows.
func (k *exactKit[T, F]) fullMatVec(m, n int, alpha T, a matrix[T], x []T, beta T, y []T) {
	if alpha == 0 {
		k.scale(beta, y)
		return
	}
	r := k.rounder()
	defer k.giveBack(r)
	r.y = y
	r.begin(k, m, n, alpha, &a, false, x, beta)
	goroutines := k.setting.Goroutines(nearWork*m*n, m)
	if goroutines.Most == 1 {
		r.rows(0, m)
		return
	}
	chain.Share(goroutines, m, vectorUnit, func(from, to int) {
		own := k.rounder()
		defer k.giveBack(own)
		own.nearVec, own.y = r.nearVec, y
		own.rows(from, to)
	})
}

// fullVecMat computes y ← α·Aᵀ·x + β·y, or with the conjugate of A, each
// element rounded once. Goroutines share out the columns.
func (k *exactKit[T, F]) fullVecMat(m, n int, alpha T, a matrix[T], x []T, beta T, y []T) {
	if alpha == 0 {
		k.scale(beta, y)
		return
	}
	r := k.rounder()
	defer k.giveBack(r)
	r.y = y
	r.begin(k, m, n, alpha, &a, true, x, beta)
	goroutines := k.setting.Goroutines(nearWork*m*n, n)
	if goroutines.Most == 1 {
		r.columns(0, n)
		return
	}
	chain.Share(goroutines, n, vectorUnit, func(from, to int) {
		own := k.rounder()
		defer k.giveBack(own)
		own.nearVec, own.y = r.nearVec, y
		own.columns(from, to)
	})
}

// nearWork is t(bound) / t(lanes), of a product in sums with a bound and of one
// in a sum by lanes.
const nearWork = 2

// fullRankOne adds α·x·yᵀ to a matrix, or α·x·yᴴ with conj, each element
// rounded once.
func (k *exactKit[T, F]) fullRankOne(
	conj bool, m int, alpha T, x []T, incX int, y []T, a matrix[T],
) {
	k.rankOne(conj, alpha, contiguous(x, m, incX), y, fullRows(a, len(y)))
}
