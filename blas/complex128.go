package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/pair"
	"github.com/lastbit/lastbit/ordered"
)

var _ blas.Complex128 = OrderedComplex128{}

// Zdotu returns Σ x[i]·y[i] by lanes.
func (o OrderedComplex128) Zdotu(
	n int, x []complex128, incX int, y []complex128, incY int,
) complex128 {
	if s, done := dotFew(o.forced, complexKernels128, false, n, x, incX, y, incY); done {
		return s
	}
	return o.kit().dotu(n, x, incX, y, incY)
}

// Zdotc returns Σ conj(x[i])·y[i] by lanes.
func (o OrderedComplex128) Zdotc(
	n int, x []complex128, incX int, y []complex128, incY int,
) complex128 {
	if s, done := dotFew(o.forced, complexKernels128, true, n, x, incX, y, incY); done {
		return s
	}
	return o.kit().dotcOf(n, x, incX, y, incY)
}

// Dznrm2 returns √Σ |x[i]|², correctly rounded: it does not depend on the order
// of x.
func (OrderedComplex128) Dznrm2(n int, x []complex128, incX int) float64 {
	return complexNrm2[float64](n, x, incX)
}

// Dzasum returns Σ |re x[i]| + |im x[i]|: the sum of the parts in memory order
// by the tree of package ordered.
func (OrderedComplex128) Dzasum(n int, x []complex128, incX int) float64 {
	if incX == 1 && 0 < n && n <= len(x) {
		return direct64.asum(2*n, pair.Parts[float64](x[:n]), 1)
	}
	return complexAsum(ordered.Asum[float64], n, x, incX)
}

// Izamax returns the index of the first element of largest |re| ⊕ |im|, or −1
// for an empty vector.
func (OrderedComplex128) Izamax(n int, x []complex128, incX int) int {
	return complexIamax[float64](n, x, incX)
}

// Zswap exchanges two vectors.
func (OrderedComplex128) Zswap(n int, x []complex128, incX int, y []complex128, incY int) {
	swap(n, x, incX, y, incY)
}

// Zcopy copies x to y.
func (OrderedComplex128) Zcopy(n int, x []complex128, incX int, y []complex128, incY int) {
	copyTo(n, x, incX, y, incY)
}

// Zaxpy adds α·x to y: y[i] becomes fma(α, x[i], y[i]). With α = 0 it does
// nothing.
func (o OrderedComplex128) Zaxpy(
	n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
) {
	if !axpyFew(o.forced, complexKernels128, n, alpha, x, incX, y, incY) {
		o.kit().addTo(n, alpha, x, incX, y, incY)
	}
}

// Zscal multiplies x by α. With α = 0 it stores +0.
func (o OrderedComplex128) Zscal(n int, alpha complex128, x []complex128, incX int) {
	if !scalFew(o.forced, complexKernels128, n, alpha, x, incX) {
		o.kit().scal(n, alpha, x, incX)
	}
}

// Zdscal multiplies x by a real α. With α = 0 it stores +0.
func (o OrderedComplex128) Zdscal(n int, alpha float64, x []complex128, incX int) {
	if incX == 1 && 0 < n && n <= len(x) {
		direct64.scal(2*n, alpha, pair.Parts[float64](x[:n]), 1)
		return
	}
	o.kit().scal(n, complex(alpha, 0), x, incX)
}

// Zgemv computes y ← α·op(A)·x + β·y by the trees of Dgemv.
func (o OrderedComplex128) Zgemv(
	tA blas.Transpose, m, n int, alpha complex128, a []complex128, lda int, x []complex128,
	incX int, beta complex128, y []complex128, incY int,
) {
	if !gemvFew[float64](tA, m, n, alpha, a, lda, x, incX, beta, y, incY) {
		o.checked().gemv(tA, m, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

// Zgbmv is Zgemv for a band.
func (o OrderedComplex128) Zgbmv(
	tA blas.Transpose, m, n int, kL int, kU int, alpha complex128, a []complex128, lda int,
	x []complex128, incX int, beta complex128, y []complex128, incY int,
) {
	o.checked().gbmv(tA, m, n, kL, kU, alpha, a, lda, x, incX, beta, y, incY)
}

// Ztrmv computes x ← op(A)·x for a triangle by the trees of Dtrmv.
func (o OrderedComplex128) Ztrmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []complex128, lda int,
	x []complex128, incX int,
) {
	trxv(o.kit().triVec, ul, tA, d, n, a, lda, x, incX)
}

// Ztbmv is Ztrmv for a triangular band.
func (o OrderedComplex128) Ztbmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []complex128, lda int,
	x []complex128, incX int,
) {
	tbxv(o.kit().triVec, ul, tA, d, n, k, a, lda, x, incX)
}

// Ztpmv is Ztrmv for a packed triangle.
func (o OrderedComplex128) Ztpmv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []complex128, x []complex128,
	incX int,
) {
	tpxv(o.kit().triVec, ul, tA, d, n, ap, x, incX)
}

// Ztrsv solves op(A)·y = x for a triangle by the trees of Dtrsv and stores y in
// x.
func (o OrderedComplex128) Ztrsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, a []complex128, lda int,
	x []complex128, incX int,
) {
	trxv(o.kit().triSolve, ul, tA, d, n, a, lda, x, incX)
}

// Ztbsv is Ztrsv for a triangular band.
func (o OrderedComplex128) Ztbsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n, k int, a []complex128, lda int,
	x []complex128, incX int,
) {
	tbxv(o.kit().triSolve, ul, tA, d, n, k, a, lda, x, incX)
}

// Ztpsv is Ztrsv for a packed triangle.
func (o OrderedComplex128) Ztpsv(
	ul blas.Uplo, tA blas.Transpose, d blas.Diag, n int, ap []complex128, x []complex128,
	incX int,
) {
	tpxv(o.kit().triSolve, ul, tA, d, n, ap, x, incX)
}

// Zhemv computes y ← α·A·x + β·y for a Hermitian matrix given by a triangle, by
// the tree of Dsymv with conjugates beside the diagonal. Imaginary parts on the
// diagonal are not read.
func (o OrderedComplex128) Zhemv(
	ul blas.Uplo, n int, alpha complex128, a []complex128, lda int, x []complex128, incX int,
	beta complex128, y []complex128, incY int,
) {
	o.checked().symv(hermitian, ul, n, alpha, a, lda, x, incX, beta, y, incY)
}

// Zhbmv is Zhemv for a band.
func (o OrderedComplex128) Zhbmv(
	ul blas.Uplo, n, k int, alpha complex128, a []complex128, lda int, x []complex128,
	incX int, beta complex128, y []complex128, incY int,
) {
	o.checked().sbmv(hermitian, ul, n, k, alpha, a, lda, x, incX, beta, y, incY)
}

// Zhpmv is Zhemv for a packed triangle.
func (o OrderedComplex128) Zhpmv(
	ul blas.Uplo, n int, alpha complex128, ap []complex128, x []complex128, incX int,
	beta complex128, y []complex128, incY int,
) {
	o.checked().spmv(hermitian, ul, n, alpha, ap, x, incX, beta, y, incY)
}

// Zgeru computes A ← A + α·x·yᵀ: a[i,j] becomes fma(α⊗x[i], y[j], a[i,j]).
func (o OrderedComplex128) Zgeru(
	m, n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
	a []complex128, lda int,
) {
	if !gerFew[float64](false, m, n, alpha, x, incX, y, incY, a, lda) {
		o.checked().ger(false, m, n, alpha, x, incX, y, incY, a, lda)
	}
}

// Zgerc computes A ← A + α·x·yᴴ: a[i,j] becomes fma(α⊗x[i], conj(y[j]),
// a[i,j]).
func (o OrderedComplex128) Zgerc(
	m, n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
	a []complex128, lda int,
) {
	if !gerFew[float64](true, m, n, alpha, x, incX, y, incY, a, lda) {
		o.checked().ger(true, m, n, alpha, x, incX, y, incY, a, lda)
	}
}

// Zher computes A ← A + α·x·xᴴ in a triangle: a[i,j] becomes fma(α⊗x[i],
// conj(x[j]), a[i,j]). The diagonal becomes real.
func (o OrderedComplex128) Zher(
	ul blas.Uplo, n int, alpha float64, x []complex128, incX int, a []complex128, lda int,
) {
	o.checked().syr(hermitian, ul, n, complex(alpha, 0), x, incX, a, lda)
}

// Zhpr is Zher for a packed triangle.
func (o OrderedComplex128) Zhpr(
	ul blas.Uplo, n int, alpha float64, x []complex128, incX int, a []complex128,
) {
	o.checked().spr(hermitian, ul, n, complex(alpha, 0), x, incX, a)
}

// Zher2 computes A ← A + α·x·yᴴ + conj(α)·y·xᴴ in a triangle: a[i,j] becomes
// fma(α⊗x[i], conj(y[j]), a[i,j]), and then fma(conj(α)⊗y[i], conj(x[j]),
// a[i,j]). The diagonal becomes real.
func (o OrderedComplex128) Zher2(
	ul blas.Uplo, n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
	a []complex128, lda int,
) {
	o.checked().syr2(hermitian, ul, n, alpha, x, incX, y, incY, a, lda)
}

// Zhpr2 is Zher2 for a packed triangle.
func (o OrderedComplex128) Zhpr2(
	ul blas.Uplo, n int, alpha complex128, x []complex128, incX int, y []complex128, incY int,
	ap []complex128,
) {
	o.checked().spr2(hermitian, ul, n, alpha, x, incX, y, incY, ap)
}

// Zgemm computes C ← α·op(A)·op(B) + β·C by the chain of Dgemm.
func (o OrderedComplex128) Zgemm(
	tA, tB blas.Transpose, m, n, k int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta complex128, c []complex128, ldc int,
) {
	if !gemmFew[float64](tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) {
		o.checked().gemm(tA, tB, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
	}
}

// Zsymm is Zgemm for a symmetric matrix A given by a triangle, on either side.
// α multiplies the left factor.
func (o OrderedComplex128) Zsymm(
	s blas.Side, ul blas.Uplo, m, n int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta complex128, c []complex128, ldc int,
) {
	o.checked().symm(symmetric, s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Zsyrk computes a triangle of C ← α·op(A)·op(A)ᵀ + β·C by the chain of Zgemm.
func (o OrderedComplex128) Zsyrk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha complex128, a []complex128, lda int,
	beta complex128, c []complex128, ldc int,
) {
	o.checked().syrk(symmetric, ul, t, n, k, alpha, a, lda, beta, c, ldc)
}

// Zsyr2k computes a triangle of C ← α·op(A)·op(B)ᵀ + α·op(B)·op(A)ᵀ + β·C by
// the chain of Zgemm for the first product, and then for the second.
func (o OrderedComplex128) Zsyr2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta complex128, c []complex128, ldc int,
) {
	o.checked().syr2k(symmetric, ul, t, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Ztrmm computes B ← α·op(A)·B, or α·B·op(A), for a triangle A by the chains of
// Dtrmm.
func (o OrderedComplex128) Ztrmm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha complex128,
	a []complex128, lda int, b []complex128, ldb int,
) {
	o.checked().trmm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Ztrsm solves op(A)·X = α·B, or X·op(A) = α·B, for a triangle A by the chains
// of Dtrsm and stores X in B.
func (o OrderedComplex128) Ztrsm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, d blas.Diag, m, n int, alpha complex128,
	a []complex128, lda int, b []complex128, ldb int,
) {
	o.checked().trsm(s, ul, tA, d, m, n, alpha, a, lda, b, ldb)
}

// Zhemm is Zgemm for a Hermitian matrix A given by a triangle, on either side.
// α multiplies the left factor. Imaginary parts on the diagonal are not read.
func (o OrderedComplex128) Zhemm(
	s blas.Side, ul blas.Uplo, m, n int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta complex128, c []complex128, ldc int,
) {
	o.checked().symm(hermitian, s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
}

// Zherk computes a triangle of C ← α·op(A)·op(A)ᴴ + β·C by the chain of Zgemm.
// The diagonal becomes real.
func (o OrderedComplex128) Zherk(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha float64, a []complex128, lda int,
	beta float64, c []complex128, ldc int,
) {
	o.checked().syrk(hermitian, ul, t, n, k, complex(alpha, 0), a, lda, complex(beta, 0), c, ldc)
}

// Zher2k computes a triangle of C ← α·op(A)·op(B)ᴴ + conj(α)·op(B)·op(A)ᴴ + β·C
// by the chain of Zgemm for the first product, and then for the second. For
// conjugate transposes α multiplies the transposed factors. The diagonal
// becomes real.
func (o OrderedComplex128) Zher2k(
	ul blas.Uplo, t blas.Transpose, n, k int, alpha complex128, a []complex128, lda int,
	b []complex128, ldb int, beta float64, c []complex128, ldc int,
) {
	o.checked().syr2k(hermitian, ul, t, n, k, alpha, a, lda, b, ldb, complex(beta, 0), c, ldc)
}
