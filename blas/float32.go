package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/internal/kernel"
)

var _ blas.Float32 = OrderedFloat32{}

// Sdsdot returns α ⊕ Σ x[i]·y[i], where Dsdot computes the sum, which is then
// rounded to float32. It returns α for empty vectors.
func (OrderedFloat32) Sdsdot(
	n int, alpha float32, x []float32, incX int, y []float32, incY int,
) float32 {
	sum := doubleDot(n, x, incX, y, incY)
	if n == 0 {
		return alpha
	}
	return alpha + float32(sum)
}

// Dsdot returns Σ x[i]·y[i] in float64, by the tree of package ordered; the
// products are exact.
func (OrderedFloat32) Dsdot(n int, x []float32, incX int, y []float32, incY int) float64 {
	return doubleDot(n, x, incX, y, incY)
}

// Sdot returns Σ x[i]·y[i] by the tree of package ordered; products are
// rounded.
func (o OrderedFloat32) Sdot(n int, x []float32, incX int, y []float32, incY int) float32 {
	return o.forced.dot(n, x, incX, y, incY)
}

// Snrm2 returns √Σ x[i]², correctly rounded: it does not depend on the order of
// x.
func (OrderedFloat32) Snrm2(n int, x []float32, incX int) float32 {
	return nrm2(n, x, incX)
}

// Sasum returns Σ |x[i]| by the tree of package ordered.
func (o OrderedFloat32) Sasum(n int, x []float32, incX int) float32 {
	return o.forced.asum(n, x, incX)
}

// Isamax returns the index of the first element of largest magnitude, or −1 for
// an empty vector. A NaN is larger than nothing, except at index 0.
func (OrderedFloat32) Isamax(n int, x []float32, incX int) int {
	return iamax(n, x, incX)
}

// Sswap exchanges two vectors.
func (OrderedFloat32) Sswap(n int, x []float32, incX int, y []float32, incY int) {
	swap(n, x, incX, y, incY)
}

// Scopy copies x to y.
func (OrderedFloat32) Scopy(n int, x []float32, incX int, y []float32, incY int) {
	copyTo(n, x, incX, y, incY)
}

// Saxpy adds α·x to y: y[i] becomes fma(α, x[i], y[i]). With α = 0 it does
// nothing.
func (o OrderedFloat32) Saxpy(
	n int, alpha float32, x []float32, incX int, y []float32, incY int,
) {
	if o.forced == nil && kernel.HasDirect && alpha != 0 && isFew(n, len(x), incX, len(y), incY) {
		kernel.AddMultipleFloat32(n, alpha, &x[0], &y[0])
		return
	}
	o.forced.axpy(n, alpha, x, incX, y, incY)
}

// Srotg returns a Givens rotation: each operation of Anderson2017 is rounded.
func (OrderedFloat32) Srotg(a, b float32) (c, s, r, z float32) {
	return rotg(a, b, 0x1p-126)
}

// Srotmg is Drotmg for float32.
func (OrderedFloat32) Srotmg(d1, d2, b1, b2 float32) (p blas.SrotmParams, rd1, rd2, rb1 float32) {
	flag, h, rd1, rd2, rb1 := rotmg(d1, d2, b1, b2)
	return blas.SrotmParams{Flag: flag, H: h}, rd1, rd2, rb1
}

// Srot rotates pairs of elements: x[i] becomes c⊗x[i] ⊕ s⊗y[i], and y[i]
// becomes c⊗y[i] ⊖ s⊗x[i].
func (o OrderedFloat32) Srot(n int, x []float32, incX int, y []float32, incY int, c, s float32) {
	o.forced.rot(n, x, incX, y, incY, c, s)
}

// Srotm transforms pairs of elements as Srot does, by the matrix of Srotmg.
func (OrderedFloat32) Srotm(
	n int, x []float32, incX int, y []float32, incY int, p blas.SrotmParams,
) {
	orderedRotm(n, x, incX, y, incY, p.Flag, p.H)
}

// Sscal multiplies x by α. With α = 0 it stores +0.
func (o OrderedFloat32) Sscal(n int, alpha float32, x []float32, incX int) {
	if o.forced == nil && kernel.HasDirect && alpha != 0 && isFew(n, len(x), incX, len(x), incX) {
		if n > 2 {
			kernel.MultiplyFloat32(n, alpha, &x[0])
			return
		}
		for i := range x[:n] {
			x[i] *= alpha
		}
		return
	}
	o.forced.scal(n, alpha, x, incX)
}

// Sgemv computes y ← α·A·x + β·y, or with Aᵀ. Without transposition, s is the
// sum of row i times x by lanes, and y[i] becomes fma(β, y[i], α⊗s). With it,
// y[j] begins with β⊗y[j] and becomes fma(α⊗x[i], a[i,j], y[j]) for i = 0, 1,
// …, m−1.
func (o OrderedFloat32) Sgemv(
	tA blas.Transpose, m, n int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int,
) {
	o.forced.gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Sgbmv is Sgemv for a band: a row is the elements inside the band, and lane 0
// takes the first of them.
func (o OrderedFloat32) Sgbmv(
	tA blas.Transpose, m, n, kL, kU int, alpha float32, a []float32, lda int, x []float32,
	incX int, beta float32, y []float32, incY int,
) {
	o.checked().gbmv(tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
}

// Strmv computes x ← A·x, or Aᵀ·x, for a triangle. Without transposition, s is
// the sum of row i beside the diagonal times x by lanes, and x[i] becomes
// fma(a[i,i], x[i], s), or s ⊕ x[i] for a unit diagonal. With it, a row adds
// fma(x[i], a[i,j], x[j]) to each x[j] beside the diagonal before x[i] becomes
// x[i]⊗a[i,i].
func (o OrderedFloat32) Strmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float32, lda int, x []float32,
	incX int,
) {
	o.forced.trmv(ul, tA, d, n, a, lda, x, incX)
}

// Stbmv is Strmv for a triangular band.
func (o OrderedFloat32) Stbmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float32, lda int, x []float32,
	incX int,
) {
	tbxv(o.kit().triVec, ul, tA, d, n, k, a, lda, x, incX)
}

// Stpmv is Strmv for a packed triangle.
func (o OrderedFloat32) Stpmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float32, x []float32, incX int,
) {
	tpxv(o.kit().triVec, ul, tA, d, n, ap, x, incX)
}

// Strsv solves A·y = x, or Aᵀ·y = x, for a triangle and stores y in x. Without
// transposition, s is the sum of row i beside the diagonal times x by lanes,
// and x[i] becomes (x[i] ⊖ s) ⊘ a[i,i]. With it, x[i] becomes x[i] ⊘ a[i,i],
// and then each x[j] beside the diagonal fma(−x[i], a[i,j], x[j]).
func (o OrderedFloat32) Strsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []float32, lda int, x []float32,
	incX int,
) {
	o.forced.trsv(ul, tA, d, n, a, lda, x, incX)
}

// Stbsv is Strsv for a triangular band.
func (o OrderedFloat32) Stbsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []float32, lda int, x []float32,
	incX int,
) {
	tbxv(o.kit().triSolve, ul, tA, d, n, k, a, lda, x, incX)
}

// Stpsv is Strsv for a packed triangle.
func (o OrderedFloat32) Stpsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []float32, x []float32, incX int,
) {
	tpxv(o.kit().triSolve, ul, tA, d, n, ap, x, incX)
}

// Ssymv computes y ← α·A·x + β·y for a symmetric matrix given by a triangle. It
// begins with β⊗y. For i = 0, 1, …, n−1, s is the sum of the stored row i
// beside the diagonal times x by lanes: y[i] becomes fma(α, fma(a[i,i], x[i],
// s), y[i]), and then each y[j] of the row fma(α⊗x[i], a[i,j], y[j]).
func (o OrderedFloat32) Ssymv(
	ul blas.Uplo, n int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int,
) {
	o.forced.symv(ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Ssbmv is Ssymv for a band.
func (o OrderedFloat32) Ssbmv(
	ul blas.Uplo, n, k int, alpha float32, a []float32, lda int, x []float32, incX int,
	beta float32, y []float32, incY int,
) {
	o.checked().sbmv(symmetric, ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
}

// Sspmv is Ssymv for a packed triangle.
func (o OrderedFloat32) Sspmv(
	ul blas.Uplo, n int, alpha float32, ap []float32, x []float32, incX int, beta float32,
	y []float32, incY int,
) {
	o.checked().spmv(symmetric, ul, n, alpha, ap, x, incX, beta, y, incY)
}

// Sger computes A ← A + α·x·yᵀ: a[i,j] becomes fma(α⊗x[i], y[j], a[i,j]).
func (o OrderedFloat32) Sger(
	m, n int, alpha float32, x []float32, incX int, y []float32, incY int, a []float32,
	lda int,
) {
	o.forced.ger(m, n, alpha, x, incX, y, incY, a, lda)
}

// Ssyr computes A ← A + α·x·xᵀ in a triangle: a[i,j] becomes fma(α⊗x[i], x[j],
// a[i,j]).
func (o OrderedFloat32) Ssyr(
	ul blas.Uplo, n int, alpha float32, x []float32, incX int, a []float32, lda int,
) {
	o.forced.syr(ul, n, alpha, x, incX, a, lda)
}

// Sspr is Ssyr for a packed triangle.
func (o OrderedFloat32) Sspr(
	ul blas.Uplo, n int, alpha float32, x []float32, incX int, ap []float32,
) {
	o.checked().spr(symmetric, ul, n, alpha, x, incX, ap)
}

// Ssyr2 computes A ← A + α·x·yᵀ + α·y·xᵀ in a triangle: a[i,j] becomes
// fma(α⊗x[i], y[j], a[i,j]), and then fma(α⊗y[i], x[j], a[i,j]).
func (o OrderedFloat32) Ssyr2(
	ul blas.Uplo, n int, alpha float32, x []float32, incX int, y []float32, incY int,
	a []float32, lda int,
) {
	o.forced.syr2(ul, n, alpha, x, incX, y, incY, a, lda)
}

// Sspr2 is Ssyr2 for a packed triangle.
func (o OrderedFloat32) Sspr2(
	ul blas.Uplo, n int, alpha float32, x []float32, incX int, y []float32, incY int,
	a []float32,
) {
	o.checked().spr2(symmetric, ul, n, alpha, x, incX, y, incY, a)
}

// Sgemm computes C ← α·op(A)·op(B) + β·C: c[i,j] begins with β⊗c[i,j] and
// becomes fma(α⊗a[i,p], b[p,j], c[i,j]) for p = 0, 1, …, k−1.
func (o OrderedFloat32) Sgemm(
	tA, tB blas.Transpose, m, n, k int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int,
) {
	o.forced.gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ssymm is Sgemm for a symmetric matrix A given by a triangle, on either side.
// α multiplies the left factor.
func (o OrderedFloat32) Ssymm(
	s blas.Side, ul blas.Uplo, m, n int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int,
) {
	o.forced.symm(s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ssyrk computes a triangle of C ← α·op(A)·op(A)ᵀ + β·C, by the chain of Sgemm.
func (o OrderedFloat32) Ssyrk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float32, a []float32, lda int,
	beta float32, c []float32, ldc int,
) {
	o.forced.syrk(ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

// Ssyr2k computes a triangle of C ← α·op(A)·op(B)ᵀ + α·op(B)·op(A)ᵀ + β·C, by
// the chain of Sgemm for the first product, and then for the second.
func (o OrderedFloat32) Ssyr2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float32, a []float32, lda int, b []float32,
	ldb int, beta float32, c []float32, ldc int,
) {
	o.forced.syr2k(ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Strmm computes B ← α·op(A)·B, or α·B·op(A), for a triangle A: b[i,j] is the
// chain fma(α⊗a[i,p], b[p,j], ·) from +0 over the triangle, p being ascending
// where op(A) is a lower triangle on the left, or an upper one on the right,
// and descending else: the diagonal comes last.
func (o OrderedFloat32) Strmm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32,
	a []float32, lda int, b []float32, ldb int,
) {
	o.forced.trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Strsm solves op(A)·X = α·B, or X·op(A) = α·B, for a triangle A and stores X
// in B. b[i,j] begins with α⊗b[i,j], becomes fma(−a[i,p], b[p,j], b[i,j]) for
// each p in the order of substitution, and is divided by a[i,i].
func (o OrderedFloat32) Strsm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha float32,
	a []float32, lda int, b []float32, ldb int,
) {
	o.forced.trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}
