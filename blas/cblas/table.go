package cblas

import (
	"unsafe"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
)

// element is an element of a vector or a matrix.
type element interface {
	float32 | float64 | complex64 | complex128
}

type (
	uplo  = gonum.Uplo
	trans = gonum.Transpose
	diag  = gonum.Diag
	side  = gonum.Side
)

// The arguments that groups of routines share.
type (
	twoVectors[T element] func(n int, x []T, incX int, y []T, incY int)
	dotLike[T element]    func(n int, x []T, incX int, y []T, incY int) T

	triangle[T element] func(ul uplo, t trans, d diag, n int, a []T, lda int, x []T, incX int)
	triBand[T element]  func(
		ul uplo, t trans, d diag, n, k int, a []T, lda int, x []T, incX int)
	triPacked[T element] func(ul uplo, t trans, d diag, n int, ap, x []T, incX int)

	rankOne[T element] func(
		m, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int)
	rankK[T element] func(
		ul uplo, t trans, n, k int, alpha T, a []T, lda int, beta T, c []T, ldc int)
	rankTwoK[T element] func(
		ul uplo, t trans, n, k int, alpha T, a []T, lda int, b []T, ldb int,
		beta T, c []T, ldc int)
	halfProduct[T element] func(
		s side, ul uplo, m, n int, alpha T, a []T, lda int, b []T, ldb int,
		beta T, c []T, ldc int)
	triProduct[T element] func(
		s side, ul uplo, t trans, d diag, m, n int, alpha T, a []T, lda int, b []T, ldb int)
)

// routines are the routines of a format. Real formats have no routine that
// conjugates.
type routines[T element] struct {
	copy, swap twoVectors[T]
	axpy       func(n int, alpha T, x []T, incX int, y []T, incY int)
	scal       func(n int, alpha T, x []T, incX int)
	dot, dotc  dotLike[T]
	nrm2, asum func(n int, x []T, incX int) float64
	iamax      func(n int, x []T, incX int) int
	rot        func(n int, x []T, incX int, y []T, incY int, c, s float64)
	rotm       func(n int, x []T, incX int, y []T, incY int, p gonum.DrotmParams)

	gemv func(t trans, m, n int, alpha T, a []T, lda int, x []T, incX int,
		beta T, y []T, incY int)
	gbmv func(t trans, m, n, kl, ku int, alpha T, a []T, lda int, x []T, incX int,
		beta T, y []T, incY int)
	symv func(ul uplo, n int, alpha T, a []T, lda int, x []T, incX int,
		beta T, y []T, incY int)
	sbmv func(ul uplo, n, k int, alpha T, a []T, lda int, x []T, incX int,
		beta T, y []T, incY int)
	spmv func(ul uplo, n int, alpha T, ap, x []T, incX int, beta T, y []T, incY int)

	trmv, trsv triangle[T]
	tbmv, tbsv triBand[T]
	tpmv, tpsv triPacked[T]
	ger, gerc  rankOne[T]
	syr        func(ul uplo, n int, alpha T, x []T, incX int, a []T, lda int)
	spr        func(ul uplo, n int, alpha T, x []T, incX int, ap []T)
	syr2       func(ul uplo, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int)
	spr2       func(ul uplo, n int, alpha T, x []T, incX int, y []T, incY int, ap []T)

	gemm func(tA, tB trans, m, n, k int, alpha T, a []T, lda int, b []T, ldb int,
		beta T, c []T, ldc int)
	symm, hemm   halfProduct[T]
	syrk, herk   rankK[T]
	syr2k, her2k rankTwoK[T]
	trmm, trsm   triProduct[T]
}

var (
	ordered blas.Ordered

	float64Routines = &routines[float64]{
		copy: ordered.Dcopy, swap: ordered.Dswap, axpy: ordered.Daxpy, scal: ordered.Dscal,
		dot: ordered.Ddot, nrm2: ordered.Dnrm2, asum: ordered.Dasum, iamax: ordered.Idamax,
		rot: ordered.Drot, rotm: ordered.Drotm,
		gemv: ordered.Dgemv, gbmv: ordered.Dgbmv,
		symv: ordered.Dsymv, sbmv: ordered.Dsbmv, spmv: ordered.Dspmv,
		trmv: ordered.Dtrmv, tbmv: ordered.Dtbmv, tpmv: ordered.Dtpmv,
		trsv: ordered.Dtrsv, tbsv: ordered.Dtbsv, tpsv: ordered.Dtpsv,
		ger: ordered.Dger, syr: ordered.Dsyr, spr: ordered.Dspr,
		syr2: ordered.Dsyr2, spr2: ordered.Dspr2,
		gemm: ordered.Dgemm, symm: ordered.Dsymm, syrk: ordered.Dsyrk, syr2k: ordered.Dsyr2k,
		trmm: ordered.Dtrmm, trsm: ordered.Dtrsm,
	}

	float32Routines = &routines[float32]{
		copy: ordered.Scopy, swap: ordered.Sswap, axpy: ordered.Saxpy, scal: ordered.Sscal,
		dot: ordered.Sdot, nrm2: wide(ordered.Snrm2), asum: wide(ordered.Sasum),
		iamax: ordered.Isamax, rot: rot32, rotm: rotm32,
		gemv: ordered.Sgemv, gbmv: ordered.Sgbmv,
		symv: ordered.Ssymv, sbmv: ordered.Ssbmv, spmv: ordered.Sspmv,
		trmv: ordered.Strmv, tbmv: ordered.Stbmv, tpmv: ordered.Stpmv,
		trsv: ordered.Strsv, tbsv: ordered.Stbsv, tpsv: ordered.Stpsv,
		ger: ordered.Sger, syr: ordered.Ssyr, spr: ordered.Sspr,
		syr2: ordered.Ssyr2, spr2: ordered.Sspr2,
		gemm: ordered.Sgemm, symm: ordered.Ssymm, syrk: ordered.Ssyrk, syr2k: ordered.Ssyr2k,
		trmm: ordered.Strmm, trsm: ordered.Strsm,
	}

	complex128Routines = &routines[complex128]{
		copy: ordered.Zcopy, swap: ordered.Zswap, axpy: ordered.Zaxpy, scal: ordered.Zscal,
		dot: ordered.Zdotu, dotc: ordered.Zdotc, nrm2: ordered.Dznrm2, asum: ordered.Dzasum,
		iamax: ordered.Izamax, rot: rotComplex[float64, complex128](ordered.Drot),
		gemv: ordered.Zgemv, gbmv: ordered.Zgbmv,
		symv: ordered.Zhemv, sbmv: ordered.Zhbmv, spmv: ordered.Zhpmv,
		trmv: ordered.Ztrmv, tbmv: ordered.Ztbmv, tpmv: ordered.Ztpmv,
		trsv: ordered.Ztrsv, tbsv: ordered.Ztbsv, tpsv: ordered.Ztpsv,
		ger: ordered.Zgeru, gerc: ordered.Zgerc,
		syr: realRank[float64](ordered.Zher), spr: realPacked[float64](ordered.Zhpr),
		syr2: ordered.Zher2, spr2: ordered.Zhpr2,
		gemm: ordered.Zgemm, symm: ordered.Zsymm, hemm: ordered.Zhemm,
		syrk: ordered.Zsyrk, syr2k: ordered.Zsyr2k,
		herk: realRankK[float64](ordered.Zherk), her2k: realRankTwoK[float64](ordered.Zher2k),
		trmm: ordered.Ztrmm, trsm: ordered.Ztrsm,
	}

	complex64Routines = &routines[complex64]{
		copy: ordered.Ccopy, swap: ordered.Cswap, axpy: ordered.Caxpy, scal: ordered.Cscal,
		dot: ordered.Cdotu, dotc: ordered.Cdotc, nrm2: wide(ordered.Scnrm2),
		asum: wide(ordered.Scasum), iamax: ordered.Icamax,
		rot:  rotComplex[float32, complex64](rot32),
		gemv: ordered.Cgemv, gbmv: ordered.Cgbmv,
		symv: ordered.Chemv, sbmv: ordered.Chbmv, spmv: ordered.Chpmv,
		trmv: ordered.Ctrmv, tbmv: ordered.Ctbmv, tpmv: ordered.Ctpmv,
		trsv: ordered.Ctrsv, tbsv: ordered.Ctbsv, tpsv: ordered.Ctpsv,
		ger: ordered.Cgeru, gerc: ordered.Cgerc,
		syr: realRank[float32](ordered.Cher), spr: realPacked[float32](ordered.Chpr),
		syr2: ordered.Cher2, spr2: ordered.Chpr2,
		gemm: ordered.Cgemm, symm: ordered.Csymm, hemm: ordered.Chemm,
		syrk: ordered.Csyrk, syr2k: ordered.Csyr2k,
		herk: realRankK[float32](ordered.Cherk), her2k: realRankTwoK[float32](ordered.Cher2k),
		trmm: ordered.Ctrmm, trsm: ordered.Ctrsm,
	}
)

// wide returns a function of a vector whose result is in float64.
func wide[T element](f func(n int, x []T, incX int) float32) func(int, []T, int) float64 {
	return func(n int, x []T, incX int) float64 { return float64(f(n, x, incX)) }
}

func rot32(n int, x []float32, incX int, y []float32, incY int, c, s float64) {
	ordered.Srot(n, x, incX, y, incY, float32(c), float32(s))
}

func rotm32(n int, x []float32, incX int, y []float32, incY int, p gonum.DrotmParams) {
	q := gonum.SrotmParams{Flag: p.Flag}
	for i, h := range p.H {
		q.H[i] = float32(h)
	}
	ordered.Srotm(n, x, incX, y, incY, q)
}

// The same for complex numbers, which real angles turn.
func rotComplex[F float32 | float64, C complex64 | complex128](
	rot func(n int, x []F, incX int, y []F, incY int, c, s float64),
) func(n int, x []C, incX int, y []C, incY int, c, s float64) {
	return func(n int, x []C, incX int, y []C, incY int, c, s float64) {
		for i := range n {
			u, v := parts[F](&x[at(i, n, incX)]), parts[F](&y[at(i, n, incY)])
			rot(2, u, 1, v, 1, c, s)
		}
	}
}

// at returns the index of element i of a vector of n elements.
func at(i, n, inc int) int {
	if inc < 0 {
		i -= n - 1
	}
	return i * inc
}

// parts returns the real and the imaginary part of a number in memory.
func parts[F float32 | float64, C complex64 | complex128](v *C) []F {
	return unsafe.Slice((*F)(unsafe.Pointer(v)), 2)
}

// Factors of Hermitian updates are real.

func realRank[F float32 | float64, C complex64 | complex128](
	her func(ul uplo, n int, alpha F, x []C, incX int, a []C, lda int),
) func(ul uplo, n int, alpha C, x []C, incX int, a []C, lda int) {
	return func(ul uplo, n int, alpha C, x []C, incX int, a []C, lda int) {
		her(ul, n, parts[F](&alpha)[0], x, incX, a, lda)
	}
}

func realPacked[F float32 | float64, C complex64 | complex128](
	hpr func(ul uplo, n int, alpha F, x []C, incX int, ap []C),
) func(ul uplo, n int, alpha C, x []C, incX int, ap []C) {
	return func(ul uplo, n int, alpha C, x []C, incX int, ap []C) {
		hpr(ul, n, parts[F](&alpha)[0], x, incX, ap)
	}
}

func realRankK[F float32 | float64, C complex64 | complex128](
	herk func(ul uplo, t trans, n, k int, alpha F, a []C, lda int, beta F, c []C, ldc int),
) rankK[C] {
	return func(ul uplo, t trans, n, k int, alpha C, a []C, lda int, beta C, c []C, ldc int) {
		herk(ul, t, n, k, parts[F](&alpha)[0], a, lda, parts[F](&beta)[0], c, ldc)
	}
}

func realRankTwoK[F float32 | float64, C complex64 | complex128](
	her2k func(ul uplo, t trans, n, k int, alpha C, a []C, lda int, b []C, ldb int,
		beta F, c []C, ldc int),
) rankTwoK[C] {
	return func(ul uplo, t trans, n, k int, alpha C, a []C, lda int, b []C, ldb int,
		beta C, c []C, ldc int,
	) {
		her2k(ul, t, n, k, alpha, a, lda, b, ldb, parts[F](&beta)[0], c, ldc)
	}
}
