package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/internal/kernel"
)

var _ blas.Float64 = OrderedFloat64{}

// Ddot returns Σ x[i]·y[i] by the tree of package ordered; products are
// rounded.
func (o OrderedFloat64) Ddot(n int, x []float64, incX int, y []float64, incY int) float64 {
	return o.forced.dot(n, x, incX, y, incY)
}

// Dnrm2 returns √Σ x[i]², correctly rounded: it does not depend on the order of
// x.
func (OrderedFloat64) Dnrm2(n int, x []float64, incX int) float64 {
	return nrm2(n, x, incX)
}

// Dasum returns Σ |x[i]| by the tree of package ordered.
func (o OrderedFloat64) Dasum(n int, x []float64, incX int) float64 {
	return o.forced.asum(n, x, incX)
}

// Idamax returns the index of the first element of largest magnitude, or −1 for
// an empty vector. A NaN is larger than nothing, except at index 0.
func (OrderedFloat64) Idamax(n int, x []float64, incX int) int {
	return iamax(n, x, incX)
}

// Dswap exchanges two vectors.
func (OrderedFloat64) Dswap(n int, x []float64, incX int, y []float64, incY int) {
	swap(n, x, incX, y, incY)
}

// Dcopy copies x to y.
func (OrderedFloat64) Dcopy(n int, x []float64, incX int, y []float64, incY int) {
	copyTo(n, x, incX, y, incY)
}

// Daxpy adds α·x to y: y[i] becomes fma(α, x[i], y[i]). With α = 0 it does
// nothing.
func (o OrderedFloat64) Daxpy(
	n int, alpha float64, x []float64, incX int, y []float64, incY int,
) {
	if o.forced == nil && kernel.HasDirect && alpha != 0 && isFew(n, len(x), incX, len(y), incY) {
		kernel.AddMultipleFloat64(n, alpha, &x[0], &y[0])
		return
	}
	o.forced.axpy(n, alpha, x, incX, y, incY)
}

// Drotg returns a Givens rotation: each operation of Anderson2017 is rounded.
func (OrderedFloat64) Drotg(a, b float64) (c, s, r, z float64) {
	return rotg(a, b, 0x1p-1022)
}

// Drotmg returns a modified Givens transformation: each operation of
// Hopkins1997 is rounded. It does not scale infinite weights, and a negative d2
// has no transformation where d1 is 0; the reference BLAS runs on without end.
func (OrderedFloat64) Drotmg(d1, d2, b1, b2 float64) (p blas.DrotmParams, rd1, rd2, rb1 float64) {
	flag, h, rd1, rd2, rb1 := rotmg(d1, d2, b1, b2)
	return blas.DrotmParams{Flag: flag, H: h}, rd1, rd2, rb1
}

// Drot rotates pairs of elements: x[i] becomes c⊗x[i] ⊕ s⊗y[i], and y[i]
// becomes c⊗y[i] ⊖ s⊗x[i].
func (o OrderedFloat64) Drot(
	n int, x []float64, incX int, y []float64, incY int, c float64, s float64,
) {
	o.forced.rot(n, x, incX, y, incY, c, s)
}

// Drotm transforms pairs of elements as Drot does, by the matrix of Drotmg.
func (OrderedFloat64) Drotm(
	n int, x []float64, incX int, y []float64, incY int, p blas.DrotmParams,
) {
	orderedRotm(n, x, incX, y, incY, p.Flag, p.H)
}

// Dscal multiplies x by α. With α = 0 it stores +0.
func (o OrderedFloat64) Dscal(n int, alpha float64, x []float64, incX int) {
	if o.forced == nil && kernel.HasDirect && alpha != 0 && isFew(n, len(x), incX, len(x), incX) {
		if n > 2 {
			kernel.MultiplyFloat64(n, alpha, &x[0])
			return
		}
		for i := range x[:n] {
			x[i] *= alpha
		}
		return
	}
	o.forced.scal(n, alpha, x, incX)
}

// Dgemv computes y ← α·A·x + β·y, or with Aᵀ. Without transposition, s is the
// sum of row i times x by lanes, and y[i] becomes fma(β, y[i], α⊗s). With it,
// y[j] begins with β⊗y[j] and becomes fma(α⊗x[i], a[i,j], y[j]) for i = 0, 1,
// …, m−1.
func (o OrderedFloat64) Dgemv(
	tA blas.Transpose, m, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int,
) {
	o.forced.gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Dgbmv is Dgemv for a band: a row is the elements inside the band, and lane 0
// takes the first of them.
func (o OrderedFloat64) Dgbmv(
	tA blas.Transpose, m, n, kL, kU int, alpha float64, a []float64, lda int, x []float64,
	incX int, beta float64, y []float64, incY int,
) {
	o.checked().gbmv(tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
}

// Dtrmv computes x ← A·x, or Aᵀ·x, for a triangle. Without transposition, s is
// the sum of row i beside the diagonal times x by lanes, and x[i] becomes
// fma(a[i,i], x[i], s), or s ⊕ x[i] for a unit diagonal. With it, a row adds
// fma(x[i], a[i,j], x[j]) to each x[j] beside the diagonal before x[i] becomes
// x[i]⊗a[i,i].
func (o OrderedFloat64) Dtrmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int,
) {
	o.forced.trmv(ul, tA, d, n, a, lda, x, incX)
}

// Dtbmv is Dtrmv for a triangular band.
func (o OrderedFloat64) Dtbmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int,
) {
	tbxv(o.kit().triVec, ul, tA, d, n, k, a, lda, x, incX)
}

// Dtpmv is Dtrmv for a packed triangle.
func (o OrderedFloat64) Dtpmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float64, x []float64, incX int,
) {
	tpxv(o.kit().triVec, ul, tA, d, n, ap, x, incX)
}

// Dtrsv solves A·y = x, or Aᵀ·y = x, for a triangle and stores y in x. Without
// transposition, s is the sum of row i beside the diagonal times x by lanes,
// and x[i] becomes (x[i] ⊖ s) ⊘ a[i,i]. With it, x[i] becomes x[i] ⊘ a[i,i],
// and then each x[j] beside the diagonal fma(−x[i], a[i,j], x[j]).
func (o OrderedFloat64) Dtrsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float64, lda int, x []float64,
	incX int,
) {
	o.forced.trsv(ul, tA, d, n, a, lda, x, incX)
}

// Dtbsv is Dtrsv for a triangular band.
func (o OrderedFloat64) Dtbsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float64, lda int, x []float64,
	incX int,
) {
	tbxv(o.kit().triSolve, ul, tA, d, n, k, a, lda, x, incX)
}

// Dtpsv is Dtrsv for a packed triangle.
func (o OrderedFloat64) Dtpsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float64, x []float64, incX int,
) {
	tpxv(o.kit().triSolve, ul, tA, d, n, ap, x, incX)
}

// Dsymv computes y ← α·A·x + β·y for a symmetric matrix given by a triangle. It
// begins with β⊗y. For i = 0, 1, …, n−1, s is the sum of the stored row i
// beside the diagonal times x by lanes: y[i] becomes fma(α, fma(a[i,i], x[i],
// s), y[i]), and then each y[j] of the row fma(α⊗x[i], a[i,j], y[j]).
func (o OrderedFloat64) Dsymv(
	ul blas.Uplo, n int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int,
) {
	o.forced.symv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Dsbmv is Dsymv for a band.
func (o OrderedFloat64) Dsbmv(
	ul blas.Uplo, n, k int, alpha float64, a []float64, lda int, x []float64, incX int,
	beta float64, y []float64, incY int,
) {
	o.checked().sbmv(symmetric, ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
}

// Dspmv is Dsymv for a packed triangle.
func (o OrderedFloat64) Dspmv(
	ul blas.Uplo, n int, alpha float64, ap []float64, x []float64, incX int, beta float64,
	y []float64, incY int,
) {
	o.checked().spmv(symmetric, ul, n, alpha, ap, x, incX, beta, y, incY)
}

// Dger computes A ← A + α·x·yᵀ: a[i,j] becomes fma(α⊗x[i], y[j], a[i,j]).
func (o OrderedFloat64) Dger(
	m, n int, alpha float64, x []float64, incX int, y []float64, incY int, a []float64,
	lda int,
) {
	o.forced.ger(m, n, alpha, x, incX, y, incY, a, lda)
}

// Dsyr computes A ← A + α·x·xᵀ in a triangle: a[i,j] becomes fma(α⊗x[i], x[j],
// a[i,j]).
func (o OrderedFloat64) Dsyr(
	ul blas.Uplo, n int, alpha float64, x []float64, incX int, a []float64, lda int,
) {
	o.forced.syr(ul, n, alpha, x, incX, a, lda)
}

// Dspr is Dsyr for a packed triangle.
func (o OrderedFloat64) Dspr(
	ul blas.Uplo, n int, alpha float64, x []float64, incX int, ap []float64,
) {
	o.checked().spr(symmetric, ul, n, alpha, x, incX, ap)
}

// Dsyr2 computes A ← A + α·x·yᵀ + α·y·xᵀ in a triangle: a[i,j] becomes
// fma(α⊗x[i], y[j], a[i,j]), and then fma(α⊗y[i], x[j], a[i,j]).
func (o OrderedFloat64) Dsyr2(
	ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int,
	a []float64, lda int,
) {
	o.forced.syr2(ul, n, alpha, x, incX, y, incY, a, lda)
}

// Dspr2 is Dsyr2 for a packed triangle.
func (o OrderedFloat64) Dspr2(
	ul blas.Uplo, n int, alpha float64, x []float64, incX int, y []float64, incY int,
	a []float64,
) {
	o.checked().spr2(symmetric, ul, n, alpha, x, incX, y, incY, a)
}

// Dgemm computes C ← α·op(A)·op(B) + β·C: c[i,j] begins with β⊗c[i,j] and
// becomes fma(α⊗a[i,p], b[p,j], c[i,j]) for p = 0, 1, …, k−1.
func (o OrderedFloat64) Dgemm(
	tA, tB blas.Transpose, m, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int,
) {
	o.forced.gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Dsymm is Dgemm for a symmetric matrix A given by a triangle, on either side.
// α multiplies the left factor.
func (o OrderedFloat64) Dsymm(
	s blas.Side, ul blas.Uplo, m, n int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int,
) {
	o.forced.symm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Dsyrk computes a triangle of C ← α·op(A)·op(A)ᵀ + β·C, by the chain of Dgemm.
func (o OrderedFloat64) Dsyrk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int,
	beta float64, c []float64, ldc int,
) {
	o.forced.syrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

// Dsyr2k computes a triangle of C ← α·op(A)·op(B)ᵀ + α·op(B)·op(A)ᵀ + β·C, by
// the chain of Dgemm for the first product, and then for the second.
func (o OrderedFloat64) Dsyr2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []float64, lda int, b []float64,
	ldb int, beta float64, c []float64, ldc int,
) {
	o.forced.syr2k(ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Dtrmm computes B ← α·op(A)·B, or α·B·op(A), for a triangle A: b[i,j] is the
// chain fma(α⊗a[i,p], b[p,j], ·) from +0 over the triangle, p being ascending
// where op(A) is a lower triangle on the left, or an upper one on the right,
// and descending else: the diagonal comes last.
func (o OrderedFloat64) Dtrmm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int,
) {
	o.forced.trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Dtrsm solves op(A)·X = α·B, or X·op(A) = α·B, for a triangle A and stores X
// in B. b[i,j] begins with α⊗b[i,j], becomes fma(−a[i,p], b[p,j], b[i,j]) for
// each p in the order of substitution, and is divided by a[i,i].
func (o OrderedFloat64) Dtrsm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float64,
	a []float64, lda int, b []float64, ldb int,
) {
	o.forced.trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}
