package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/exact"
)

var _ blas.Complex64 = ExactComplex64{}

// Cdotu returns Σ x[i]·y[i], each part rounded once.
func (o ExactComplex64) Cdotu(
	n int, x []complex64, incX int, y []complex64, incY int,
) complex64 {
	return o.kit().dotu(n, x, incX, y, incY)
}

// Cdotc returns Σ conj(x[i])·y[i], each part rounded once.
func (o ExactComplex64) Cdotc(
	n int, x []complex64, incX int, y []complex64, incY int,
) complex64 {
	return o.kit().dotcOf(n, x, incX, y, incY)
}

// Scnrm2 returns √Σ |x[i]|², rounded once.
func (ExactComplex64) Scnrm2(n int, x []complex64, incX int) float32 {
	return complexNrm2[float32](n, x, incX)
}

// Scasum returns Σ |re x[i]| + |im x[i]|, rounded once.
func (ExactComplex64) Scasum(n int, x []complex64, incX int) float32 {
	return complexAsum(exact.Asum[float32], n, x, incX)
}

// Icamax returns the index of the first element of largest |re| ⊕ |im|, or −1
// for an empty vector.
func (ExactComplex64) Icamax(n int, x []complex64, incX int) int {
	return complexIamax[float32](n, x, incX)
}

// Cswap exchanges two vectors.
func (ExactComplex64) Cswap(n int, x []complex64, incX int, y []complex64, incY int) {
	swap(n, x, incX, y, incY)
}

// Ccopy copies x to y.
func (ExactComplex64) Ccopy(n int, x []complex64, incX int, y []complex64, incY int) {
	copyTo(n, x, incX, y, incY)
}

// Caxpy adds α·x to y: y[i] becomes α·x[i] + y[i], each part rounded once. With
// α = 0 it does nothing.
func (o ExactComplex64) Caxpy(
	n int, alpha complex64, x []complex64, incX int, y []complex64, incY int,
) {
	o.kit().addTo(n, alpha, x, incX, y, incY)
}

// Cscal multiplies x by α, each part rounded once. With α = 0 it stores +0.
func (o ExactComplex64) Cscal(n int, alpha complex64, x []complex64, incX int) {
	o.kit().scal(n, alpha, x, incX)
}

// Csscal multiplies x by a real α, each part rounded once. With α = 0 it stores
// +0.
func (o ExactComplex64) Csscal(n int, alpha float32, x []complex64, incX int) {
	o.kit().scal(n, complex(alpha, 0), x, incX)
}

// Cgemv computes y ← α·op(A)·x + β·y: y[i] becomes α·Σ a[i,j]·x[j] + β·y[i],
// each part rounded once.
func (o ExactComplex64) Cgemv(
	tA blas.Transpose, m, n int, alpha complex64, a []complex64, lda int, x []complex64,
	incX int, beta complex64, y []complex64, incY int,
) {
	o.checked().gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Cgbmv is Cgemv for a band: elements outside of it are no summands.
func (o ExactComplex64) Cgbmv(
	tA blas.Transpose, m, n, kL, kU int, alpha complex64, a []complex64, lda int,
	x []complex64, incX int, beta complex64, y []complex64, incY int,
) {
	o.checked().gbmv(tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
}

// Ctrmv computes x ← op(A)·x for a triangle: x[i] becomes Σ a[i,j]·x[j] over
// the triangle, each part rounded once.
func (o ExactComplex64) Ctrmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []complex64, lda int, x []complex64,
	incX int,
) {
	trxv(o.kit().triVec, ul, tA, d, n, a, lda, x, incX)
}

// Ctbmv is Ctrmv for a triangular band.
func (o ExactComplex64) Ctbmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []complex64, lda int,
	x []complex64, incX int,
) {
	tbxv(o.kit().triVec, ul, tA, d, n, k, a, lda, x, incX)
}

// Ctpmv is Ctrmv for a packed triangle.
func (o ExactComplex64) Ctpmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []complex64, x []complex64,
	incX int,
) {
	tpxv(o.kit().triVec, ul, tA, d, n, ap, x, incX)
}

// Ctrsv solves op(A)·y = x for a triangle and stores y in x, as [Ordered] does.
func (o ExactComplex64) Ctrsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []complex64, lda int, x []complex64,
	incX int,
) {
	trxv(o.kit().triSolve, ul, tA, d, n, a, lda, x, incX)
}

// Ctbsv is Ctrsv for a triangular band.
func (o ExactComplex64) Ctbsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []complex64, lda int,
	x []complex64, incX int,
) {
	tbxv(o.kit().triSolve, ul, tA, d, n, k, a, lda, x, incX)
}

// Ctpsv is Ctrsv for a packed triangle.
func (o ExactComplex64) Ctpsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []complex64, x []complex64,
	incX int,
) {
	tpxv(o.kit().triSolve, ul, tA, d, n, ap, x, incX)
}

// Chemv is Cgemv for a Hermitian matrix given by a triangle. Imaginary parts on
// the diagonal are not read.
func (o ExactComplex64) Chemv(
	ul blas.Uplo, n int, alpha complex64, a []complex64, lda int, x []complex64, incX int,
	beta complex64, y []complex64, incY int,
) {
	o.checked().symv(hermitian, ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Chbmv is Chemv for a band.
func (o ExactComplex64) Chbmv(
	ul blas.Uplo, n, k int, alpha complex64, a []complex64, lda int, x []complex64, incX int,
	beta complex64, y []complex64, incY int,
) {
	o.checked().sbmv(hermitian, ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
}

// Chpmv is Chemv for a packed triangle.
func (o ExactComplex64) Chpmv(
	ul blas.Uplo, n int, alpha complex64, ap []complex64, x []complex64, incX int,
	beta complex64, y []complex64, incY int,
) {
	o.checked().spmv(hermitian, ul, n, alpha, ap, x, incX, beta, y, incY)
}

// Cgeru computes A ← A + α·x·yᵀ: a[i,j] becomes α·x[i]·y[j] + a[i,j], each part
// rounded once.
func (o ExactComplex64) Cgeru(
	m, n int, alpha complex64, x []complex64, incX int, y []complex64, incY int, a []complex64,
	lda int,
) {
	o.checked().ger(false, m, n, alpha, x, incX, y, incY, a, lda)
}

// Cgerc computes A ← A + α·x·yᴴ: a[i,j] becomes α·x[i]·conj(y[j]) + a[i,j],
// each part rounded once.
func (o ExactComplex64) Cgerc(
	m, n int, alpha complex64, x []complex64, incX int, y []complex64, incY int, a []complex64,
	lda int,
) {
	o.checked().ger(true, m, n, alpha, x, incX, y, incY, a, lda)
}

// Cher computes A ← A + α·x·xᴴ in a triangle: a[i,j] becomes α·x[i]·conj(x[j])
// + a[i,j], each part rounded once. The diagonal becomes real.
func (o ExactComplex64) Cher(
	ul blas.Uplo, n int, alpha float32, x []complex64, incX int, a []complex64, lda int,
) {
	o.checked().syr(hermitian, ul, n, complex(alpha, 0), x, incX, a, lda)
}

// Chpr is Cher for a packed triangle.
func (o ExactComplex64) Chpr(
	ul blas.Uplo, n int, alpha float32, x []complex64, incX int, a []complex64,
) {
	o.checked().spr(hermitian, ul, n, complex(alpha, 0), x, incX, a)
}

// Cher2 computes A ← A + α·x·yᴴ + conj(α)·y·xᴴ in a triangle: a[i,j] becomes
// α·x[i]·conj(y[j]) + conj(α)·y[i]·conj(x[j]) + a[i,j], each part rounded once.
// The diagonal becomes real.
func (o ExactComplex64) Cher2(
	ul blas.Uplo, n int, alpha complex64, x []complex64, incX int, y []complex64, incY int,
	a []complex64, lda int,
) {
	o.checked().syr2(hermitian, ul, n, alpha, x, incX, y, incY, a, lda)
}

// Chpr2 is Cher2 for a packed triangle.
func (o ExactComplex64) Chpr2(
	ul blas.Uplo, n int, alpha complex64, x []complex64, incX int, y []complex64, incY int,
	ap []complex64,
) {
	o.checked().spr2(hermitian, ul, n, alpha, x, incX, y, incY, ap)
}

// Cgemm computes C ← α·op(A)·op(B) + β·C: c[i,j] becomes α·Σ a[i,p]·b[p,j] +
// β·c[i,j], each part rounded once.
func (o ExactComplex64) Cgemm(
	tA, tB blas.Transpose, m, n, k int, alpha complex64, a []complex64, lda int, b []complex64,
	ldb int, beta complex64, c []complex64, ldc int,
) {
	o.checked().gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Csymm is Cgemm for a symmetric matrix A given by a triangle, on either side.
func (o ExactComplex64) Csymm(
	s blas.Side, ul blas.Uplo, m, n int, alpha complex64, a []complex64, lda int,
	b []complex64, ldb int, beta complex64, c []complex64, ldc int,
) {
	o.checked().symm(symmetric, s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Csyrk computes a triangle of C ← α·op(A)·op(A)ᵀ + β·C, each part rounded
// once.
func (o ExactComplex64) Csyrk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha complex64, a []complex64, lda int,
	beta complex64, c []complex64, ldc int,
) {
	o.checked().syrk(symmetric, ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

// Csyr2k computes a triangle of C ← α·op(A)·op(B)ᵀ + α·op(B)·op(A)ᵀ + β·C, each
// part rounded once.
func (o ExactComplex64) Csyr2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha complex64, a []complex64, lda int,
	b []complex64, ldb int, beta complex64, c []complex64, ldc int,
) {
	o.checked().syr2k(symmetric, ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ctrmm computes B ← α·op(A)·B, or α·B·op(A), for a triangle A: b[i,j] becomes
// α·Σ a[i,p]·b[p,j] over the triangle, each part rounded once.
func (o ExactComplex64) Ctrmm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha complex64,
	a []complex64, lda int, b []complex64, ldb int,
) {
	o.checked().trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Ctrsm solves op(A)·X = α·B, or X·op(A) = α·B, for a triangle A and stores X
// in B, as [Ordered] does.
func (o ExactComplex64) Ctrsm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha complex64,
	a []complex64, lda int, b []complex64, ldb int,
) {
	o.checked().trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Chemm is Cgemm for a Hermitian matrix A given by a triangle, on either side.
// Imaginary parts on the diagonal are not read.
func (o ExactComplex64) Chemm(
	s blas.Side, ul blas.Uplo, m, n int, alpha complex64, a []complex64, lda int,
	b []complex64, ldb int, beta complex64, c []complex64, ldc int,
) {
	o.checked().symm(hermitian, s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Cherk computes a triangle of C ← α·op(A)·op(A)ᴴ + β·C, each part rounded
// once. The diagonal becomes real.
func (o ExactComplex64) Cherk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float32, a []complex64, lda int,
	beta float32, c []complex64, ldc int,
) {
	o.checked().syrk(hermitian, ul, t, n, k, complex(alpha, 0), a, lda, complex(beta, 0), c, ldc)
}

// Cher2k computes a triangle of C ← α·op(A)·op(B)ᴴ + conj(α)·op(B)·op(A)ᴴ +
// β·C, each part rounded once. For conjugate transposes α multiplies the
// transposed factors. The diagonal becomes real.
func (o ExactComplex64) Cher2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha complex64, a []complex64, lda int,
	b []complex64, ldb int, beta float32, c []complex64, ldc int,
) {
	o.checked().syr2k(hermitian, ul, t, n, k, alpha, a, lda, b, ldb, complex(beta, 0), c, ldc)
}
