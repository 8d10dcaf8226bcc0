package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/exact"
)

var _ blas.Complex128 = ExactComplex128{}

// Zdotu returns Σ x[i]·y[i], each part rounded once.
func (o ExactComplex128) Zdotu(
	n int, x []complex128, incX int, y []complex128, incY int,
) complex128 {
	return o.kit().dotu(n, x, incX, y, incY)
}

// Zdotc returns Σ conj(x[i])·y[i], each part rounded once.
func (o ExactComplex128) Zdotc(
	n int, x []complex128, incX int, y []complex128, incY int,
) complex128 {
	return o.kit().dotcOf(n, x, incX, y, incY)
}

// Dznrm2 returns √Σ |x[i]|², rounded once.
func (ExactComplex128) Dznrm2(n int, x []complex128, incX int) float64 {
	return complexNrm2[float64](n, x, incX)
}

// Dzasum returns Σ |re x[i]| + |im x[i]|, rounded once.
func (ExactComplex128) Dzasum(n int, x []complex128, incX int) float64 {
	return complexAsum(exact.Asum[float64], n, x, incX)
}

// Izamax returns the index of the first element of largest |re| ⊕ |im|, or −1
// for an empty vector.
func (ExactComplex128) Izamax(n int, x []complex128, incX int) int {
	return complexIamax[float64](n, x, incX)
}

// Zswap exchanges two vectors.
func (ExactComplex128) Zswap(n int, x []complex128, incX int, y []complex128, incY int) {
	swap(n, x, incX, y, incY)
}

// Zcopy copies x to y.
func (ExactComplex128) Zcopy(n int, x []complex128, incX int, y []complex128, incY int) {
	copyTo(n, x, incX, y, incY)
}

// Zaxpy adds α·x to y: y[i] becomes α·x[i] + y[i], each part rounded once. With
// α = 0 it does nothing.
func (o ExactComplex128) Zaxpy(
	n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
) {
	o.kit().addTo(n, alpha, x, incX, y, incY)
}

// Zscal multiplies x by α, each part rounded once. With α = 0 it stores +0.
func (o ExactComplex128) Zscal(n int, alpha complex128, x []complex128, incX int) {
	o.kit().scal(n, alpha, x, incX)
}

// Zdscal multiplies x by a real α, each part rounded once. With α = 0 it stores
// +0.
func (o ExactComplex128) Zdscal(n int, alpha float64, x []complex128, incX int) {
	o.kit().scal(n, complex(alpha, 0), x, incX)
}

// Zgemv computes y ← α·op(A)·x + β·y: y[i] becomes α·Σ a[i,j]·x[j] + β·y[i],
// each part rounded once.
func (o ExactComplex128) Zgemv(
	tA blas.Transpose, m, n int, alpha complex128, a []complex128, lda int, x []complex128,
	incX int, beta complex128, y []complex128, incY int,
) {
	o.checked().gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Zgbmv is Zgemv for a band: elements outside of it are no summands.
func (o ExactComplex128) Zgbmv(
	tA blas.Transpose, m, n int, kL int, kU int, alpha complex128, a []complex128, lda int,
	x []complex128, incX int, beta complex128, y []complex128, incY int,
) {
	o.checked().gbmv(tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
}

// Ztrmv computes x ← op(A)·x for a triangle: x[i] becomes Σ a[i,j]·x[j] over
// the triangle, each part rounded once.
func (o ExactComplex128) Ztrmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []complex128, lda int,
	x []complex128, incX int,
) {
	trxv(o.kit().triVec, ul, tA, d, n, a, lda, x, incX)
}

// Ztbmv is Ztrmv for a triangular band.
func (o ExactComplex128) Ztbmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []complex128, lda int,
	x []complex128, incX int,
) {
	tbxv(o.kit().triVec, ul, tA, d, n, k, a, lda, x, incX)
}

// Ztpmv is Ztrmv for a packed triangle.
func (o ExactComplex128) Ztpmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []complex128, x []complex128,
	incX int,
) {
	tpxv(o.kit().triVec, ul, tA, d, n, ap, x, incX)
}

// Ztrsv solves op(A)·y = x for a triangle and stores y in x, as [Ordered] does.
func (o ExactComplex128) Ztrsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []complex128, lda int,
	x []complex128, incX int,
) {
	trxv(o.kit().triSolve, ul, tA, d, n, a, lda, x, incX)
}

// Ztbsv is Ztrsv for a triangular band.
func (o ExactComplex128) Ztbsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []complex128, lda int,
	x []complex128, incX int,
) {
	tbxv(o.kit().triSolve, ul, tA, d, n, k, a, lda, x, incX)
}

// Ztpsv is Ztrsv for a packed triangle.
func (o ExactComplex128) Ztpsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []complex128, x []complex128,
	incX int,
) {
	tpxv(o.kit().triSolve, ul, tA, d, n, ap, x, incX)
}

// Zhemv is Zgemv for a Hermitian matrix given by a triangle. Imaginary parts on
// the diagonal are not read.
func (o ExactComplex128) Zhemv(
	ul blas.Uplo, n int, alpha complex128, a []complex128, lda int, x []complex128, incX int,
	beta complex128, y []complex128, incY int,
) {
	o.checked().symv(hermitian, ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Zhbmv is Zhemv for a band.
func (o ExactComplex128) Zhbmv(
	ul blas.Uplo, n, k int, alpha complex128, a []complex128, lda int, x []complex128,
	incX int, beta complex128, y []complex128, incY int,
) {
	o.checked().sbmv(hermitian, ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
}

// Zhpmv is Zhemv for a packed triangle.
func (o ExactComplex128) Zhpmv(
	ul blas.Uplo, n int, alpha complex128, ap []complex128, x []complex128, incX int,
	beta complex128, y []complex128, incY int,
) {
	o.checked().spmv(hermitian, ul, n, alpha, ap, x, incX, beta, y, incY)
}

// Zgeru computes A ← A + α·x·yᵀ: a[i,j] becomes α·x[i]·y[j] + a[i,j], each part
// rounded once.
func (o ExactComplex128) Zgeru(
	m, n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
	a []complex128, lda int,
) {
	o.checked().ger(false, m, n, alpha, x, incX, y, incY, a, lda)
}

// Zgerc computes A ← A + α·x·yᴴ: a[i,j] becomes α·x[i]·conj(y[j]) + a[i,j],
// each part rounded once.
func (o ExactComplex128) Zgerc(
	m, n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
	a []complex128, lda int,
) {
	o.checked().ger(true, m, n, alpha, x, incX, y, incY, a, lda)
}

// Zher computes A ← A + α·x·xᴴ in a triangle: a[i,j] becomes α·x[i]·conj(x[j])
// + a[i,j], each part rounded once. The diagonal becomes real.
func (o ExactComplex128) Zher(
	ul blas.Uplo, n int, alpha float64, x []complex128, incX int, a []complex128, lda int,
) {
	o.checked().syr(hermitian, ul, n, complex(alpha, 0), x, incX, a, lda)
}

// Zhpr is Zher for a packed triangle.
func (o ExactComplex128) Zhpr(
	ul blas.Uplo, n int, alpha float64, x []complex128, incX int, a []complex128,
) {
	o.checked().spr(hermitian, ul, n, complex(alpha, 0), x, incX, a)
}

// Zher2 computes A ← A + α·x·yᴴ + conj(α)·y·xᴴ in a triangle: a[i,j] becomes
// α·x[i]·conj(y[j]) + conj(α)·y[i]·conj(x[j]) + a[i,j], each part rounded once.
// The diagonal becomes real.
func (o ExactComplex128) Zher2(
	ul blas.Uplo, n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
	a []complex128, lda int,
) {
	o.checked().syr2(hermitian, ul, n, alpha, x, incX, y, incY, a, lda)
}

// Zhpr2 is Zher2 for a packed triangle.
func (o ExactComplex128) Zhpr2(
	ul blas.Uplo, n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
	ap []complex128,
) {
	o.checked().spr2(hermitian, ul, n, alpha, x, incX, y, incY, ap)
}

// Zgemm computes C ← α·op(A)·op(B) + β·C: c[i,j] becomes α·Σ a[i,p]·b[p,j] +
// β·c[i,j], each part rounded once.
func (o ExactComplex128) Zgemm(
	tA, tB blas.Transpose, m, n, k int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta complex128, c []complex128, ldc int,
) {
	o.checked().gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Zsymm is Zgemm for a symmetric matrix A given by a triangle, on either side.
func (o ExactComplex128) Zsymm(
	s blas.Side, ul blas.Uplo, m, n int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta complex128, c []complex128, ldc int,
) {
	o.checked().symm(symmetric, s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Zsyrk computes a triangle of C ← α·op(A)·op(A)ᵀ + β·C, each part rounded
// once.
func (o ExactComplex128) Zsyrk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha complex128, a []complex128, lda int,
	beta complex128, c []complex128, ldc int,
) {
	o.checked().syrk(symmetric, ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

// Zsyr2k computes a triangle of C ← α·op(A)·op(B)ᵀ + α·op(B)·op(A)ᵀ + β·C, each
// part rounded once.
func (o ExactComplex128) Zsyr2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta complex128, c []complex128, ldc int,
) {
	o.checked().syr2k(symmetric, ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ztrmm computes B ← α·op(A)·B, or α·B·op(A), for a triangle A: b[i,j] becomes
// α·Σ a[i,p]·b[p,j] over the triangle, each part rounded once.
func (o ExactComplex128) Ztrmm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha complex128,
	a []complex128, lda int, b []complex128, ldb int,
) {
	o.checked().trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Ztrsm solves op(A)·X = α·B, or X·op(A) = α·B, for a triangle A and stores X
// in B, as [Ordered] does.
func (o ExactComplex128) Ztrsm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha complex128,
	a []complex128, lda int, b []complex128, ldb int,
) {
	o.checked().trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Zhemm is Zgemm for a Hermitian matrix A given by a triangle, on either side.
// Imaginary parts on the diagonal are not read.
func (o ExactComplex128) Zhemm(
	s blas.Side, ul blas.Uplo, m, n int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta complex128, c []complex128, ldc int,
) {
	o.checked().symm(hermitian, s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Zherk computes a triangle of C ← α·op(A)·op(A)ᴴ + β·C, each part rounded
// once. The diagonal becomes real.
func (o ExactComplex128) Zherk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []complex128, lda int,
	beta float64, c []complex128, ldc int,
) {
	o.checked().syrk(hermitian, ul, t, n, k, complex(alpha, 0), a, lda, complex(beta, 0), c, ldc)
}

// Zher2k computes a triangle of C ← α·op(A)·op(B)ᴴ + conj(α)·op(B)·op(A)ᴴ +
// β·C, each part rounded once. For conjugate transposes α multiplies the
// transposed factors. The diagonal becomes real.
func (o ExactComplex128) Zher2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta float64, c []complex128, ldc int,
) {
	o.checked().syr2k(hermitian, ul, t, n, k, alpha, a, lda, b, ldb, complex(beta, 0), c, ldc)
}
