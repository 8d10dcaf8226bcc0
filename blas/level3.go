package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
)

// stored returns the shape of a matrix in memory that is m × n once transposed
// as asked.
func stored(t blas.Transpose, m, n int) (rows, cols int) {
	if t == blas.NoTrans {
		return m, n
	}
	return n, m
}

// gemm is Dgemm and its siblings.
func (k checked[T]) gemm(
	tA, tB blas.Transpose, m, n, depth int, alpha T, a []T, lda int, b []T, ldb int,
	beta T, c []T, ldc int,
) {
	checkTranspose(tA)
	checkTranspose(tB)
	require(m >= 0, mLT0)
	require(n >= 0, nLT0)
	require(depth >= 0, kLT0)
	rowsA, colsA := stored(tA, m, depth)
	rowsB, colsB := stored(tB, depth, n)
	require(lda >= max(1, colsA), badLdA)
	require(ldb >= max(1, colsB), badLdB)
	require(ldc >= max(1, n), badLdC)
	if m == 0 || n == 0 {
		return
	}
	checkMatrix(len(a), rowsA, colsA, lda, shortA)
	checkMatrix(len(b), rowsB, colsB, ldb, shortB)
	checkMatrix(len(c), m, n, ldc, shortC)
	if alpha == 0 {
		depth = 0
	}
	k.product(chain.All, m, n, depth, alpha, op(tA, a, lda), op(tB, b, ldb), beta, c, ldc)
}

// symm is Dsymm, Zhemm and their siblings.
func (k checked[T]) symm(
	of symmetry, s blas.Side, ul blas.Uplo, m, n int, alpha T, a []T, lda int,
	b []T, ldb int, beta T, c []T, ldc int,
) {
	checkSide(s)
	checkUplo(ul)
	order := checkSided(s, m, n, lda, ldb)
	require(ldc >= max(1, n), badLdC)
	if m == 0 || n == 0 {
		return
	}
	checkMatrix(len(a), order, order, lda, shortA)
	checkMatrix(len(b), m, n, ldb, shortB)
	checkMatrix(len(c), m, n, ldc, shortC)
	left, right := dense(a, lda), dense(b, ldb)
	if alpha == 0 {
		order = 0
	} else {
		left = dense(k.full(of, ul, order, a, lda), order)
	}
	if s == blas.Right {
		left, right = right, left
	}
	k.product(chain.All, m, n, order, alpha, left, right, beta, c, ldc)
}

// checkSided checks the shapes of a square matrix a beside an m × n matrix b,
// and returns the order of a.
func checkSided(s blas.Side, m, n, lda, ldb int) (order int) {
	require(m >= 0, mLT0)
	require(n >= 0, nLT0)
	order = m
	if s == blas.Right {
		order = n
	}
	require(lda >= max(1, order), badLdA)
	require(ldb >= max(1, n), badLdB)
	return order
}

// syrk is Dsyrk, Zherk and their siblings.
func (k checked[T]) syrk(
	of symmetry, ul blas.Uplo, t blas.Transpose, n, depth int, alpha T, a []T, lda int,
	beta T, c []T, ldc int,
) {
	k.checkRankUpdate(of, ul, t)
	require(n >= 0, nLT0)
	require(depth >= 0, kLT0)
	m, cols := stored(t, n, depth)
	require(lda >= max(1, cols), badLdA)
	require(ldc >= max(1, n), badLdC)
	if n == 0 {
		return
	}
	checkMatrix(len(a), m, cols, lda, shortA)
	checkMatrix(len(c), n, n, ldc, shortC)
	if (alpha == 0 || depth == 0) && beta == 1 {
		return
	}
	if alpha == 0 {
		depth = 0
	}
	x := op(t, a, lda)
	k.product(partOf(ul), n, n, depth, alpha, x, other(of, x), beta, c, ldc)
	k.realDiagonal(of, ul, n, triangleRows(ul, c, n, ldc))
}

// other returns the factor that a matrix is multiplied by: its transpose, or
// its conjugate transpose.
func other[T number](of symmetry, a matrix[T]) matrix[T] {
	a = a.transposed()
	if of == hermitian {
		a.conj = !a.conj
	}
	return a
}

// syr2k is Dsyr2k, Zher2k and their siblings.
func (k checked[T]) syr2k(
	of symmetry, ul blas.Uplo, t blas.Transpose, n, depth int, alpha T, a []T, lda int,
	b []T, ldb int, beta T, c []T, ldc int,
) {
	k.checkRankUpdate(of, ul, t)
	require(n >= 0, nLT0)
	require(depth >= 0, kLT0)
	m, cols := stored(t, n, depth)
	require(lda >= max(1, cols), badLdA)
	require(ldb >= max(1, cols), badLdB)
	require(ldc >= max(1, n), badLdC)
	if n == 0 {
		return
	}
	checkMatrix(len(a), m, cols, lda, shortA)
	checkMatrix(len(b), m, cols, ldb, shortB)
	checkMatrix(len(c), n, n, ldc, shortC)
	if (alpha == 0 || depth == 0) && beta == 1 {
		return
	}
	if alpha == 0 {
		depth = 0
	}
	k.twoProducts(of, partOf(ul), n, depth, alpha, op(t, a, lda), op(t, b, ldb), beta, c, ldc)
	k.realDiagonal(of, ul, n, triangleRows(ul, c, n, ldc))
}

// checkRankUpdate checks the triangle and the transpose of syrk, syr2k and
// their siblings. A complex matrix takes only the transpose that the result is
// symmetric by.
func (k checked[T]) checkRankUpdate(of symmetry, ul blas.Uplo, t blas.Transpose) {
	if !isComplex[T]() {
		checkUplo(ul)
		checkTranspose(t)
		return
	}
	with := blas.Trans
	if of == hermitian {
		with = blas.ConjTrans
	}
	require(t == blas.NoTrans || t == with, badTranspose)
	checkUplo(ul)
}

// trmm is Dtrmm and its siblings.
func (k checked[T]) trmm(
	s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha T,
	a []T, lda int, b []T, ldb int,
) {
	if !k.checkTriangularProduct(s, ul, t, d, m, n, a, lda, b, ldb) {
		return
	}
	if alpha == 0 {
		erase(m, n, b, ldb)
		return
	}
	lower, right, order, width := sides(s, ul, t, m, n, a, lda, b, ldb)
	k.triProduct(d == blas.Unit, order, width, alpha, lower, right)
}

// trsm is Dtrsm and its siblings.
func (k checked[T]) trsm(
	s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int, alpha T,
	a []T, lda int, b []T, ldb int,
) {
	if !k.checkTriangularProduct(s, ul, t, d, m, n, a, lda, b, ldb) {
		return
	}
	if alpha == 0 {
		erase(m, n, b, ldb)
		return
	}
	lower, right, order, width := sides(s, ul, t, m, n, a, lda, b, ldb)
	k.triSystem(d == blas.Unit, order, width, alpha, lower, right)
}

// erase stores +0 in a matrix.
func erase[T number](m, n int, b []T, ldb int) {
	for i := range m {
		clear(b[i*ldb : i*ldb+n])
	}
}

// checkTriangularProduct checks the arguments of trmm and trsm. It reports
// whether there is anything to do.
func (k checked[T]) checkTriangularProduct(
	s blas.Side, ul blas.Uplo, t blas.Transpose, d blas.Diag, m, n int,
	a []T, lda int, b []T, ldb int,
) bool {
	checkSide(s)
	checkUplo(ul)
	checkTranspose(t)
	checkDiag(d)
	order := checkSided(s, m, n, lda, ldb)
	if m == 0 || n == 0 {
		return false
	}
	checkMatrix(len(a), order, order, lda, shortA)
	checkMatrix(len(b), m, n, ldb, shortB)
	return true
}
