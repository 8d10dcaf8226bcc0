package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/exact"
)

var _ blas.Float32 = ExactFloat32{}

// Sdsdot returns α + Σ x[i]·y[i], rounded once.
func (ExactFloat32) Sdsdot(
	n int, alpha float32, x []float32, incX int, y []float32, incY int,
) float32 {
	var sum exact.Accumulator
	sum.Add(float64(alpha))
	dsdot(func(x, y []float64) float64 {
		sum.AddDot(x, y)
		return 0
	}, n, x, incX, y, incY)
	return sum.Float32()
}

// Dsdot returns Σ x[i]·y[i], rounded once to float64.
func (ExactFloat32) Dsdot(n int, x []float32, incX int, y []float32, incY int) float64 {
	return dsdot(exact.Dot[float64], n, x, incX, y, incY)
}

// Sdot returns Σ x[i]·y[i], rounded once.
func (ExactFloat32) Sdot(n int, x []float32, incX int, y []float32, incY int) float32 {
	return dot(exact.Dot[float32], n, x, incX, y, incY)
}

// Snrm2 returns √Σ x[i]², rounded once.
func (ExactFloat32) Snrm2(n int, x []float32, incX int) float32 {
	return nrm2(n, x, incX)
}

// Sasum returns Σ |x[i]|, rounded once.
func (ExactFloat32) Sasum(n int, x []float32, incX int) float32 {
	return asum(exact.Asum[float32], n, x, incX)
}

// Isamax returns the index of the first element of largest magnitude, or −1 for
// an empty vector. A NaN is larger than nothing, except at index 0.
func (ExactFloat32) Isamax(n int, x []float32, incX int) int {
	return iamax(n, x, incX)
}

// Sswap exchanges two vectors.
func (ExactFloat32) Sswap(n int, x []float32, incX int, y []float32, incY int) {
	swap(n, x, incX, y, incY)
}

// Scopy copies x to y.
func (ExactFloat32) Scopy(n int, x []float32, incX int, y []float32, incY int) {
	copyTo(n, x, incX, y, incY)
}

// Saxpy adds α·x to y: y[i] becomes α·x[i] + y[i], rounded once. With α = 0 it
// does nothing.
func (o ExactFloat32) Saxpy(
	n int, alpha float32, x []float32, incX int, y []float32, incY int,
) {
	o.kit().addTo(n, alpha, x, incX, y, incY)
}

// Srotg returns a Givens rotation: each operation of Anderson2017 is rounded.
func (ExactFloat32) Srotg(a, b float32) (c, s, r, z float32) {
	return rotg(a, b, 0x1p-126)
}

// Srotmg returns a modified Givens transformation: each operation of
// Hopkins1997 is rounded.
func (ExactFloat32) Srotmg(d1, d2, b1, b2 float32) (p blas.SrotmParams, rd1, rd2, rb1 float32) {
	flag, h, rd1, rd2, rb1 := rotmg(d1, d2, b1, b2)
	return blas.SrotmParams{Flag: flag, H: h}, rd1, rd2, rb1
}

// Srot rotates pairs of elements: x[i] becomes c·x[i] + s·y[i], and y[i]
// becomes c·y[i] − s·x[i], each rounded once.
func (ExactFloat32) Srot(n int, x []float32, incX int, y []float32, incY int, c, s float32) {
	rotBy(exactTwo[float32], n, x, incX, y, incY, c, s)
}

// Srotm transforms pairs of elements by the matrix of Srotmg, each element
// rounded once.
func (ExactFloat32) Srotm(
	n int, x []float32, incX int, y []float32, incY int, p blas.SrotmParams,
) {
	rotm(exactTwo[float32], n, x, incX, y, incY, p.Flag, p.H)
}

// Sscal multiplies x by α, each element rounded once. With α = 0 it stores +0.
func (o ExactFloat32) Sscal(n int, alpha float32, x []float32, incX int) {
	o.kit().scal(n, alpha, x, incX)
}

// Sgemv computes y ← α·A·x + β·y, or with Aᵀ: y[i] becomes α·Σ a[i,j]·x[j] +
// β·y[i], rounded once.
func (o ExactFloat32) Sgemv(
	tA blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int,
) {
	o.checked().gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Sgbmv is Sgemv for a band: elements outside of it are no summands.
func (o ExactFloat32) Sgbmv(
	tA blas.Transpose, m, n, kL, kU int, alpha float32, a []float32, lda int, x []float32,
	incX int, beta float32, y []float32, incY int,
) {
	o.checked().gbmv(tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
}

// Strmv computes x ← A·x, or Aᵀ·x, for a triangle: x[i] becomes Σ a[i,j]·x[j]
// over the triangle, rounded once.
func (o ExactFloat32) Strmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float32, lda int, x []float32,
	incX int,
) {
	trxv(o.kit().triVec, ul, tA, d, n, a, lda, x, incX)
}

// Stbmv is Strmv for a triangular band.
func (o ExactFloat32) Stbmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float32, lda int, x []float32,
	incX int,
) {
	tbxv(o.kit().triVec, ul, tA, d, n, k, a, lda, x, incX)
}

// Stpmv is Strmv for a packed triangle.
func (o ExactFloat32) Stpmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float32, x []float32, incX int,
) {
	tpxv(o.kit().triVec, ul, tA, d, n, ap, x, incX)
}

// Strsv solves A·y = x, or Aᵀ·y = x, for a triangle and stores y in x. x[i]
// becomes (x[i] − Σ a[i,j]·x[j]) / a[i,i], rounded once, where the x[j] are the
// elements of the solution beside the diagonal: each was rounded before, and
// the solution is not the real one rounded.
func (o ExactFloat32) Strsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float32, lda int, x []float32,
	incX int,
) {
	trxv(o.kit().triSolve, ul, tA, d, n, a, lda, x, incX)
}

// Stbsv is Strsv for a triangular band.
func (o ExactFloat32) Stbsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float32, lda int, x []float32,
	incX int,
) {
	tbxv(o.kit().triSolve, ul, tA, d, n, k, a, lda, x, incX)
}

// Stpsv is Strsv for a packed triangle.
func (o ExactFloat32) Stpsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float32, x []float32, incX int,
) {
	tpxv(o.kit().triSolve, ul, tA, d, n, ap, x, incX)
}

// Ssymv is Sgemv for a symmetric matrix given by a triangle.
func (o ExactFloat32) Ssymv(
	ul blas.Uplo, n int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int,
) {
	o.checked().symv(symmetric, ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Ssbmv is Ssymv for a band.
func (o ExactFloat32) Ssbmv(
	ul blas.Uplo, n, k int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int,
) {
	o.checked().sbmv(symmetric, ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
}

// Sspmv is Ssymv for a packed triangle.
func (o ExactFloat32) Sspmv(
	ul blas.Uplo, n int, alpha float32, ap []float32, x []float32, incX int, beta float32,
	y []float32, incY int,
) {
	o.checked().spmv(symmetric, ul, n, alpha, ap, x, incX, beta, y, incY)
}

// Sger computes A ← A + α·x·yᵀ: a[i,j] becomes α·x[i]·y[j] + a[i,j], rounded
// once.
func (o ExactFloat32) Sger(
	m, n int, alpha float32, x []float32, incX int, y []float32, incY int, a []float32,
	lda int,
) {
	o.checked().ger(false, m, n, alpha, x, incX, y, incY, a, lda)
}

// Ssyr computes A ← A + α·x·xᵀ in a triangle: a[i,j] becomes α·x[i]·x[j] +
// a[i,j], rounded once.
func (o ExactFloat32) Ssyr(
	ul blas.Uplo, n int, alpha float32, x []float32, incX int, a []float32, lda int,
) {
	o.checked().syr(symmetric, ul, n, alpha, x, incX, a, lda)
}

// Sspr is Ssyr for a packed triangle.
func (o ExactFloat32) Sspr(
	ul blas.Uplo, n int, alpha float32, x []float32, incX int, ap []float32,
) {
	o.checked().spr(symmetric, ul, n, alpha, x, incX, ap)
}

// Ssyr2 computes A ← A + α·x·yᵀ + α·y·xᵀ in a triangle: a[i,j] becomes
// α·(x[i]·y[j] + y[i]·x[j]) + a[i,j], rounded once.
func (o ExactFloat32) Ssyr2(
	ul blas.Uplo, n int, alpha float32, x []float32, incX int, y []float32, incY int,
	a []float32, lda int,
) {
	o.checked().syr2(symmetric, ul, n, alpha, x, incX, y, incY, a, lda)
}

// Sspr2 is Ssyr2 for a packed triangle.
func (o ExactFloat32) Sspr2(
	ul blas.Uplo, n int, alpha float32, x []float32, incX int, y []float32, incY int,
	a []float32,
) {
	o.checked().spr2(symmetric, ul, n, alpha, x, incX, y, incY, a)
}

// Sgemm computes C ← α·op(A)·op(B) + β·C: c[i,j] becomes α·Σ a[i,p]·b[p,j] +
// β·c[i,j], rounded once.
func (o ExactFloat32) Sgemm(
	tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int,
) {
	o.checked().gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ssymm is Sgemm for a symmetric matrix A given by a triangle, on either side.
func (o ExactFloat32) Ssymm(
	s blas.Side, ul blas.Uplo, m, n int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int,
) {
	o.checked().symm(symmetric, s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ssyrk computes a triangle of C ← α·op(A)·op(A)ᵀ + β·C, each element rounded
// once.
func (o ExactFloat32) Ssyrk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float32, a []float32, lda int,
	beta float32, c []float32, ldc int,
) {
	o.checked().syrk(symmetric, ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

// Ssyr2k computes a triangle of C ← α·op(A)·op(B)ᵀ + α·op(B)·op(A)ᵀ + β·C, each
// element rounded once.
func (o ExactFloat32) Ssyr2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int,
) {
	o.checked().syr2k(symmetric, ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Strmm computes B ← α·op(A)·B, or α·B·op(A), for a triangle A: b[i,j] becomes
// α·Σ a[i,p]·b[p,j] over the triangle, rounded once.
func (o ExactFloat32) Strmm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32,
	a []float32, lda int, b []float32, ldb int,
) {
	o.checked().trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Strsm solves op(A)·X = α·B, or X·op(A) = α·B, for a triangle A and stores X
// in B. b[i,j] becomes (α·b[i,j] − Σ a[i,p]·b[p,j]) / a[i,i], rounded once,
// where the b[p,j] are the elements of the solution that come before it: see
// Strsv.
func (o ExactFloat32) Strsm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32,
	a []float32, lda int, b []float32, ldb int,
) {
	o.checked().trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}
