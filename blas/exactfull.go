package blas

// fullMatVec computes y ← α·A·x + β·y, each element rounded once.
func (k *exactKit[T, F]) fullMatVec(m, n int, alpha T, a matrix[T], x []T, beta T, y []T) {
	k.matVec(m, alpha, fullRows(a, n), x, beta, y)
}

// fullVecMat computes y ← α·Aᵀ·x + β·y, or with the conjugate of
// A, each element rounded once.
func (k *exactKit[T, F]) fullVecMat(m, n int, alpha T, a matrix[T], x []T, beta T, y []T) {
	k.vecMat(m, alpha, fullRows(a, n), a.conj, x, beta, y)
}

// fullRankOne adds α·x·yᵀ to a matrix, or α·x·yᴴ with conj, each element
// rounded once.
func (k *exactKit[T, F]) fullRankOne(
	conj bool, m int, alpha T, x []T, incX int, y []T, a matrix[T],
) {
	k.rankOne(conj, alpha, contiguous(x, m, incX), y, fullRows(a, len(y)))
}
