package blas

import "gonum.org/v1/gonum/blas"

// gemv is Dgemv and its siblings.
func (k checked[T]) gemv(
	t blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int,
	beta T, y []T, incY int,
) {
	checkTranspose(t)
	require(m >= 0, mLT0)
	require(n >= 0, nLT0)
	require(lda >= max(1, n), badLdA)
	require(incX != 0, zeroIncX)
	require(incY != 0, zeroIncY)
	if m == 0 || n == 0 {
		return
	}
	lenX, lenY := lengths(t, m, n)
	checkVector(len(x), lenX, incX, shortX)
	checkVector(len(y), lenY, incY, shortY)
	checkMatrix(len(a), m, n, lda, shortA)
	if alpha == 0 && beta == 1 {
		return
	}
	full := dense(a, lda)
	full.conj = t == blas.ConjTrans
	if incX == 1 && incY == 1 {
		k.fullVec(t, m, n, alpha, full, x[:lenX], beta, y[:lenY])
		return
	}
	c := borrow[T]()
	vx := contiguousIn(&c.x, x, lenX, incX)
	vy := contiguousIn(&c.y, y, lenY, incY)
	k.fullVec(t, m, n, alpha, full, vx, beta, vy)
	store(vy, y, incY)
	c.giveBack()
}

// fullVec computes gemv for checked arguments.
func (k checked[T]) fullVec(
	t blas.Transpose, m, n int, alpha T, a matrix[T], x []T, beta T, y []T,
) {
	if t == blas.NoTrans {
		k.fullMatVec(m, n, alpha, a, x, beta, y)
	} else {
		k.fullVecMat(m, n, alpha, a, x, beta, y)
	}
}

// lengths returns the lengths of x and y of A·x + y, or of Aᵀ·x + y, for m rows
// and n columns.
func lengths(t blas.Transpose, m, n int) (lenX, lenY int) {
	if t == blas.NoTrans {
		return n, m
	}
	return m, n
}

// general computes gbmv for checked arguments.
func (k checked[T]) general(
	t blas.Transpose, m int, alpha T, a rows[T], x []T, incX, lenX int,
	beta T, y []T, incY, lenY int,
) {
	if alpha == 0 && beta == 1 {
		return
	}
	vx, vy := contiguous(x, lenX, incX), contiguous(y, lenY, incY)
	if t == blas.NoTrans {
		k.matVec(m, alpha, a, vx, beta, vy)
	} else {
		k.vecMat(m, alpha, a, t == blas.ConjTrans, vx, beta, vy)
	}
	store(vy, y, incY)
}

// gbmv is Dgbmv and its siblings.
func (k checked[T]) gbmv(
	t blas.Transpose, m, n, kl, ku int, alpha T, a []T, lda int, x []T, incX int,
	beta T, y []T, incY int,
) {
	checkTranspose(t)
	require(m >= 0, mLT0)
	require(n >= 0, nLT0)
	require(kl >= 0, kLLT0)
	require(ku >= 0, kULT0)
	require(lda >= kl+ku+1, badLdA)
	require(incX != 0, zeroIncX)
	require(incY != 0, zeroIncY)
	if m == 0 || n == 0 {
		return
	}
	stored := min(m, n+kl)
	checkMatrix(len(a), stored, kl+ku+1, lda, shortA)
	lenX, lenY := lengths(t, m, n)
	checkVector(len(x), lenX, incX, shortX)
	checkVector(len(y), lenY, incY, shortY)
	k.general(t, m, alpha, bandRows(a, n, kl, ku, lda), x, incX, lenX, beta, y, incY, lenY)
}

func checkTriangle(ul blas.Uplo, n int) {
	checkUplo(ul)
	require(n >= 0, nLT0)
}

// symv is Dsymv, Zhemv and their siblings.
func (k checked[T]) symv(
	of symmetry, ul blas.Uplo, n int, alpha T, a []T, lda int, x []T, incX int,
	beta T, y []T, incY int,
) {
	checkTriangle(ul, n)
	require(lda >= max(1, n), badLdA)
	require(incX != 0, zeroIncX)
	require(incY != 0, zeroIncY)
	if n == 0 {
		return
	}
	checkMatrix(len(a), n, n, lda, shortA)
	k.halfVec(of, ul, n, alpha, triangleRows(ul, a, n, lda), x, incX, beta, y, incY)
}

// sbmv is Dsbmv, Zhbmv and their siblings.
func (k checked[T]) sbmv(
	of symmetry, ul blas.Uplo, n, diagonals int, alpha T, a []T, lda int, x []T, incX int,
	beta T, y []T, incY int,
) {
	checkTriangle(ul, n)
	require(diagonals >= 0, kLT0)
	require(lda >= diagonals+1, badLdA)
	require(incX != 0, zeroIncX)
	require(incY != 0, zeroIncY)
	if n == 0 {
		return
	}
	checkMatrix(len(a), n, diagonals+1, lda, shortA)
	r := bandTriangleRows(ul, a, n, diagonals, lda)
	k.halfVec(of, ul, n, alpha, r, x, incX, beta, y, incY)
}

// spmv is Dspmv, Zhpmv and their siblings.
func (k checked[T]) spmv(
	of symmetry, ul blas.Uplo, n int, alpha T, ap []T, x []T, incX int,
	beta T, y []T, incY int,
) {
	checkTriangle(ul, n)
	require(incX != 0, zeroIncX)
	require(incY != 0, zeroIncY)
	if n == 0 {
		return
	}
	checkPacked(len(ap), n)
	k.halfVec(of, ul, n, alpha, packedRows(ul, ap, n), x, incX, beta, y, incY)
}

// halfVec computes symv, sbmv and spmv once the matrix is checked.
func (k checked[T]) halfVec(
	of symmetry, ul blas.Uplo, n int, alpha T, a rows[T], x []T, incX int,
	beta T, y []T, incY int,
) {
	checkVector(len(x), n, incX, shortX)
	checkVector(len(y), n, incY, shortY)
	if alpha == 0 && beta == 1 {
		return
	}
	vy := contiguous(y, n, incY)
	k.symVec(of, ul == blas.Upper, alpha, a, contiguous(x, n, incX), beta, vy)
	store(vy, y, incY)
}

// vectorRoutine is triVec or triSolve.
type vectorRoutine[T number] func(upper, trans, conj, unit bool, a rows[T], x []T)

// trxv is Dtrmv, Dtrsv and their siblings.
func trxv[T number](
	do vectorRoutine[T], ul blas.Uplo, t blas.Transpose, d blas.Diag, n int,
	a []T, lda int, x []T, incX int,
) {
	checkTriangular(ul, t, d, n)
	require(lda >= max(1, n), badLdA)
	require(incX != 0, zeroIncX)
	if n == 0 {
		return
	}
	checkMatrix(len(a), n, n, lda, shortA)
	onVector(do, ul, t, d, n, triangleRows(ul, a, n, lda), x, incX)
}

// tbxv is Dtbmv, Dtbsv and their siblings.
func tbxv[T number](
	do vectorRoutine[T], ul blas.Uplo, t blas.Transpose, d blas.Diag, n, diagonals int,
	a []T, lda int, x []T, incX int,
) {
	checkTriangular(ul, t, d, n)
	require(diagonals >= 0, kLT0)
	require(lda >= diagonals+1, badLdA)
	require(incX != 0, zeroIncX)
	if n == 0 {
		return
	}
	checkMatrix(len(a), n, diagonals+1, lda, shortA)
	onVector(do, ul, t, d, n, bandTriangleRows(ul, a, n, diagonals, lda), x, incX)
}

// tpxv is Dtpmv, Dtpsv and their siblings.
func tpxv[T number](
	do vectorRoutine[T], ul blas.Uplo, t blas.Transpose, d blas.Diag, n int,
	ap []T, x []T, incX int,
) {
	checkTriangular(ul, t, d, n)
	require(incX != 0, zeroIncX)
	if n == 0 {
		return
	}
	checkPacked(len(ap), n)
	onVector(do, ul, t, d, n, packedRows(ul, ap, n), x, incX)
}

func checkTriangular(ul blas.Uplo, t blas.Transpose, d blas.Diag, n int) {
	checkUplo(ul)
	checkTranspose(t)
	checkDiag(d)
	require(n >= 0, nLT0)
}

// onVector runs a routine on the elements of a strided vector.
func onVector[T number](
	do vectorRoutine[T], ul blas.Uplo, t blas.Transpose, d blas.Diag, n int,
	a rows[T], x []T, incX int,
) {
	checkVector(len(x), n, incX, shortX)
	c := borrow[T]()
	v := contiguousIn(&c.x, x, n, incX)
	do(ul == blas.Upper, t != blas.NoTrans, t == blas.ConjTrans, d == blas.Unit, a, v)
	store(v, x, incX)
	c.giveBack()
}

// ger is Dger, Zgeru and Zgerc and their siblings.
func (k checked[T]) ger(
	conj bool, m, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int,
) {
	require(m >= 0, mLT0)
	require(n >= 0, nLT0)
	require(lda >= max(1, n), badLdA)
	require(incX != 0, zeroIncX)
	require(incY != 0, zeroIncY)
	if m == 0 || n == 0 {
		return
	}
	checkVector(len(x), m, incX, shortX)
	checkVector(len(y), n, incY, shortY)
	checkMatrix(len(a), m, n, lda, shortA)
	if alpha == 0 {
		return
	}
	if incY == 1 {
		k.fullRankOne(conj, m, alpha, x, incX, y[:n], dense(a, lda))
		return
	}
	c := borrow[T]()
	v := contiguousIn(&c.x, y, n, incY)
	k.fullRankOne(conj, m, alpha, x, incX, v, dense(a, lda))
	c.giveBack()
}

// syr is Dsyr, Zher and their siblings.
func (k checked[T]) syr(
	of symmetry, ul blas.Uplo, n int, alpha T, x []T, incX int, a []T, lda int,
) {
	checkTriangle(ul, n)
	require(lda >= max(1, n), badLdA)
	require(incX != 0, zeroIncX)
	if n == 0 {
		return
	}
	checkVector(len(x), n, incX, shortX)
	checkMatrix(len(a), n, n, lda, shortA)
	k.square(of, ul, n, alpha, x, incX, triangleRows(ul, a, n, lda))
}

// spr is Dspr, Zhpr and their siblings.
func (k checked[T]) spr(
	of symmetry, ul blas.Uplo, n int, alpha T, x []T, incX int, ap []T,
) {
	checkTriangle(ul, n)
	require(incX != 0, zeroIncX)
	if n == 0 {
		return
	}
	checkVector(len(x), n, incX, shortX)
	checkPacked(len(ap), n)
	k.square(of, ul, n, alpha, x, incX, packedRows(ul, ap, n))
}

// square computes syr and spr for checked arguments.
func (k checked[T]) square(
	of symmetry, ul blas.Uplo, n int, alpha T, x []T, incX int, a rows[T],
) {
	if alpha == 0 {
		return
	}
	v := contiguous(x, n, incX)
	k.rankOne(of == hermitian, alpha, v, v, func(i int) (int, []T) {
		from, row := a(i)
		if v[i] == 0 {
			return from, nil // as in the reference BLAS
		}
		return from, row
	})
	k.realDiagonal(of, ul, n, a)
}

// syr2 is Dsyr2, Zher2 and their siblings.
func (k checked[T]) syr2(
	of symmetry, ul blas.Uplo, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int,
) {
	checkTriangle(ul, n)
	require(lda >= max(1, n), badLdA)
	require(incX != 0, zeroIncX)
	require(incY != 0, zeroIncY)
	if n == 0 {
		return
	}
	checkVector(len(x), n, incX, shortX)
	checkVector(len(y), n, incY, shortY)
	checkMatrix(len(a), n, n, lda, shortA)
	k.crossed(of, ul, n, alpha, x, incX, y, incY, triangleRows(ul, a, n, lda))
}

// spr2 is Dspr2, Zhpr2 and their siblings.
func (k checked[T]) spr2(
	of symmetry, ul blas.Uplo, n int, alpha T, x []T, incX int, y []T, incY int, ap []T,
) {
	checkTriangle(ul, n)
	require(incX != 0, zeroIncX)
	require(incY != 0, zeroIncY)
	if n == 0 {
		return
	}
	checkVector(len(x), n, incX, shortX)
	checkVector(len(y), n, incY, shortY)
	checkPacked(len(ap), n)
	k.crossed(of, ul, n, alpha, x, incX, y, incY, packedRows(ul, ap, n))
}

// crossed computes syr2 and spr2 for checked arguments.
func (k checked[T]) crossed(
	of symmetry, ul blas.Uplo, n int, alpha T, x []T, incX int, y []T, incY int, a rows[T],
) {
	if alpha == 0 {
		return
	}
	vx, vy := contiguous(x, n, incX), contiguous(y, n, incY)
	k.rankTwo(of, alpha, vx, vy, a)
	k.realDiagonal(of, ul, n, a)
}
