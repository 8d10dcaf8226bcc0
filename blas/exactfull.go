package blas

// fullMatVec computes y ← α·A·x + β·y, each element rounded once.
func (k *exactKit[T]) fullMatVec(m, n int, alpha T, a matrix[T], x []T, beta T, y []T) {
	k.matVec(m, alpha, fullRows(a, n), x, beta, y)
}

// fullVecMat computes y ← α·Aᵀ·x + β·y, each element rounded once.
func (k *exactKit[T]) fullVecMat(m, n int, alpha T, a matrix[T], x []T, beta T, y []T) {
	k.vecMat(m, alpha, fullRows(a, n), false, x, beta, y)
}

// fullRankOne adds α·x·yᵀ to a matrix, each element rounded once.
func (k *exactKit[T]) fullRankOne(
	_ bool, m int, alpha T, x []T, incX int, y []T, a matrix[T],
) {
	k.rankOne(false, alpha, contiguous(x, m, incX), y, fullRows(a, len(y)))
}
