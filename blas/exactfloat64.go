package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/exact"
)

var _ blas.Float64 = ExactFloat64{}

// Ddot returns Σ x[i]·y[i], rounded once.
func (ExactFloat64) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	return dot(exact.Dot[float64], n, x, incX, y, incY)
}

// Dnrm2 returns √Σ x[i]², rounded once.
func (ExactFloat64) Dnrm2(n int, x []float64, incX int) float64 {
	return nrm2(n, x, incX)
}

// Dasum returns Σ |x[i]|, rounded once.
func (ExactFloat64) Dasum(n int, x []float64, incX int) float64 {
	return asum(exact.Asum[float64], n, x, incX)
}

// Idamax returns the index of the first element of largest magnitude, or −1 for
// an empty vector. A NaN is larger than nothing, except at index 0.
func (ExactFloat64) Idamax(n int, x []float64, incX int) int {
	return iamax(n, x, incX)
}

// Dswap exchanges two vectors.
func (ExactFloat64) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	swap(n, x, incX, y, incY)
}

// Dcopy copies x to y.
func (ExactFloat64) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	copyTo(n, x, incX, y, incY)
}

// Daxpy adds α·x to y: y[i] becomes α·x[i] + y[i], rounded once. With α = 0 it
// does nothing.
func (o ExactFloat64) Daxpy(
	n int, alpha float64, x []float64, incX int, y []float64, incY int,
) {
	o.kit().addTo(n, alpha, x, incX, y, incY)
}

// Drotg returns a Givens rotation: each operation of Anderson2017 is rounded.
func (ExactFloat64) Drotg(a, b float64) (c, s, r, z float64) {
	return rotg(a, b, 0x1p-1022)
}

// Drotmg returns a modified Givens transformation: each operation of
// Hopkins1997 is rounded.
func (ExactFloat64) Drotmg(d1, d2, b1, b2 float64) (p blas.DrotmParams, rd1, rd2, rb1 float64) {
	flag, h, rd1, rd2, rb1 := rotmg(d1, d2, b1, b2)
	return blas.DrotmParams{Flag: flag, H: h}, rd1, rd2, rb1
}

// Drot rotates pairs of elements: x[i] becomes c·x[i] + s·y[i], and y[i]
// becomes c·y[i] − s·x[i], each rounded once.
func (ExactFloat64) Drot(
	n int, x []float64, incX int, y []float64, incY int, c float64, s float64,
) {
	rotBy(exactTwo[float64], n, x, incX, y, incY, c, s)
}

// Drotm transforms pairs of elements by the matrix of Drotmg, each element
// rounded once.
func (ExactFloat64) Drotm(
	n int, x []float64, incX int, y []float64, incY int, p blas.DrotmParams,
) {
	rotm(exactTwo[float64], n, x, incX, y, incY, p.Flag, p.H)
}

// Dscal multiplies x by α, each element rounded once. With α = 0 it stores +0.
func (o ExactFloat64) Dscal(n int, alpha float64, x []float64, incX int) {
	o.kit().scal(n, alpha, x, incX)
}

// Dgemv computes y ← α·A·x + β·y, or with Aᵀ: y[i] becomes α·Σ a[i,j]·x[j] +
// β·y[i], rounded once.
func (o ExactFloat64) Dgemv(
	tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int,
) {
	o.checked().gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Dgbmv is Dgemv for a band: elements outside of it are no summands.
func (o ExactFloat64) Dgbmv(
	tA blas.Transpose, m, n, kL, kU int, alpha float64, a []float64, lda int, x []float64,
	incX int, beta float64, y []float64, incY int,
) {
	o.checked().gbmv(tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
}

// Dtrmv computes x ← A·x, or Aᵀ·x, for a triangle: x[i] becomes Σ a[i,j]·x[j]
// over the triangle, rounded once.
func (o ExactFloat64) Dtrmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int,
) {
	trxv(o.kit().triVec, ul, tA, d, n, a, lda, x, incX)
}

// Dtbmv is Dtrmv for a triangular band.
func (o ExactFloat64) Dtbmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int,
) {
	tbxv(o.kit().triVec, ul, tA, d, n, k, a, lda, x, incX)
}

// Dtpmv is Dtrmv for a packed triangle.
func (o ExactFloat64) Dtpmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float64, x []float64, incX int,
) {
	tpxv(o.kit().triVec, ul, tA, d, n, ap, x, incX)
}

// Dtrsv solves A·y = x, or Aᵀ·y = x, for a triangle and stores y in x. x[i]
// becomes (x[i] − Σ a[i,j]·x[j]) / a[i,i], rounded once, where the x[j] are the
// elements of the solution beside the diagonal: each was rounded before, and
// the solution is not the real one rounded.
func (o ExactFloat64) Dtrsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int,
) {
	trxv(o.kit().triSolve, ul, tA, d, n, a, lda, x, incX)
}

// Dtbsv is Dtrsv for a triangular band.
func (o ExactFloat64) Dtbsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int,
) {
	tbxv(o.kit().triSolve, ul, tA, d, n, k, a, lda, x, incX)
}

// Dtpsv is Dtrsv for a packed triangle.
func (o ExactFloat64) Dtpsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float64, x []float64, incX int,
) {
	tpxv(o.kit().triSolve, ul, tA, d, n, ap, x, incX)
}

// Dsymv is Dgemv for a symmetric matrix given by a triangle.
func (o ExactFloat64) Dsymv(
	ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int,
) {
	o.checked().symv(symmetric, ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Dsbmv is Dsymv for a band.
func (o ExactFloat64) Dsbmv(
	ul blas.Uplo, n, k int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int,
) {
	o.checked().sbmv(symmetric, ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
}

// Dspmv is Dsymv for a packed triangle.
func (o ExactFloat64) Dspmv(
	ul blas.Uplo, n int, alpha float64, ap []float64, x []float64, incX int, beta float64,
	y []float64, incY int,
) {
	o.checked().spmv(symmetric, ul, n, alpha, ap, x, incX, beta, y, incY)
}

// Dger computes A ← A + α·x·yᵀ: a[i,j] becomes α·x[i]·y[j] + a[i,j], rounded
// once.
func (o ExactFloat64) Dger(
	m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int,
) {
	o.checked().ger(false, m, n, alpha, x, incX, y, incY, a, lda)
}

// Dsyr computes A ← A + α·x·xᵀ in a triangle: a[i,j] becomes α·x[i]·x[j] +
// a[i,j], rounded once.
func (o ExactFloat64) Dsyr(
	ul blas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int,
) {
	o.checked().syr(symmetric, ul, n, alpha, x, incX, a, lda)
}

// Dspr is Dsyr for a packed triangle.
func (o ExactFloat64) Dspr(
	ul blas.Uplo, n int, alpha float64, x []float64, incX int, ap []float64,
) {
	o.checked().spr(symmetric, ul, n, alpha, x, incX, ap)
}

// Dsyr2 computes A ← A + α·x·yᵀ + α·y·xᵀ in a triangle: a[i,j] becomes
// α·(x[i]·y[j] + y[i]·x[j]) + a[i,j], rounded once.
func (o ExactFloat64) Dsyr2(
	ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int,
	a []float64, lda int,
) {
	o.checked().syr2(symmetric, ul, n, alpha, x, incX, y, incY, a, lda)
}

// Dspr2 is Dsyr2 for a packed triangle.
func (o ExactFloat64) Dspr2(
	ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int,
	a []float64,
) {
	o.checked().spr2(symmetric, ul, n, alpha, x, incX, y, incY, a)
}

// Dgemm computes C ← α·op(A)·op(B) + β·C: c[i,j] becomes α·Σ a[i,p]·b[p,j] +
// β·c[i,j], rounded once.
func (o ExactFloat64) Dgemm(
	tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int,
) {
	o.checked().gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Dsymm is Dgemm for a symmetric matrix A given by a triangle, on either side.
func (o ExactFloat64) Dsymm(
	s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int,
) {
	o.checked().symm(symmetric, s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Dsyrk computes a triangle of C ← α·op(A)·op(A)ᵀ + β·C, each element rounded
// once.
func (o ExactFloat64) Dsyrk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int,
	beta float64, c []float64, ldc int,
) {
	o.checked().syrk(symmetric, ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

// Dsyr2k computes a triangle of C ← α·op(A)·op(B)ᵀ + α·op(B)·op(A)ᵀ + β·C, each
// element rounded once.
func (o ExactFloat64) Dsyr2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int,
) {
	o.checked().syr2k(symmetric, ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Dtrmm computes B ← α·op(A)·B, or α·B·op(A), for a triangle A: b[i,j] becomes
// α·Σ a[i,p]·b[p,j] over the triangle, rounded once.
func (o ExactFloat64) Dtrmm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int,
) {
	o.checked().trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Dtrsm solves op(A)·X = α·B, or X·op(A) = α·B, for a triangle A and stores X
// in B. b[i,j] becomes (α·b[i,j] − Σ a[i,p]·b[p,j]) / a[i,i], rounded once,
// where the b[p,j] are the elements of the solution that come before it: see
// Dtrsv.
func (o ExactFloat64) Dtrsm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int,
) {
	o.checked().trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}
