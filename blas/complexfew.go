package blas

import (
	"math"
	"unsafe"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/blas/internal/pair"
	"github.com/lastbit/lastbit/internal/kernel"
)

// The functions of this file compute routines of few complex numbers without
// the layers that larger ones pass through. Each reports whether it did: it
// leaves wrong arguments, a zero alpha and larger vectors and matrices to the
// routines that check arguments.

// maxAlone is the most numbers of a vector that is updated at once: goroutines
// may share longer ones.
const maxAlone = 1 << 10

// maxFewComplex returns the most numbers of a row or vector that are computed
// one after another: a fused multiply-add of float32 takes several operations.
func maxFewComplex[F float32 | float64](float32s, float64s int) int {
	if unsafe.Sizeof(F(0)) == 8 {
		return float64s
	}
	return float32s
}

// isFewComplex reports whether x and y have n elements one after another, and n
// is between 1 and most.
func isFewComplex(most, n, lenX, incX, lenY, incY int) bool {
	return uint(n-1) < uint(most) && incX == 1 && incY == 1 && n <= lenX && n <= lenY
}

// dotFew is Zdotu, Zdotc and their siblings for any number of neighbours, on
// the fastest kernels, unless others are forced.
func dotFew[F float32 | float64, C complex64 | complex128](
	forced *kit[C], kernels kernel.Complex[F], conj bool, n int, x []C, incX int, y []C, incY int,
) (sum C, done bool) {
	if forced != nil || !isFewComplex(math.MaxInt, n, len(x), incX, len(y), incY) {
		return 0, false
	}
	s := pair.DotBy(kernels, conj, pair.Slice[F](x[:n]), pair.Slice[F](y[:n]))
	return pair.Complex[C](s), true
}

// axpyFew is Zaxpy and Caxpy, on the kernels of dotFew.
func axpyFew[F float32 | float64, C complex64 | complex128](
	forced *kit[C], kernels kernel.Complex[F], n int, alpha C, x []C, incX int, y []C, incY int,
) (done bool) {
	if forced != nil || alpha == 0 || !isFewComplex(maxAlone, n, len(x), incX, len(y), incY) {
		return false
	}
	from, to := pair.Slice[F](x[:n]), pair.Slice[F](y[:n])
	pair.AddMultipleBy(kernels, pair.Of[F](alpha), false, from, to)
	return true
}

// scalFew is Zscal and Cscal, on the kernels of dotFew.
func scalFew[F float32 | float64, C complex64 | complex128](
	forced *kit[C], kernels kernel.Complex[F], n int, alpha C, x []C, incX int,
) (done bool) {
	if forced != nil || alpha == 0 || alpha == 1 ||
		!isFewComplex(maxAlone, n, len(x), incX, len(x), incX) {
		return false
	}
	pair.ScaleBy(kernels, pair.Of[F](alpha), pair.Slice[F](x[:n]))
	return true
}

// gemvFew is Zgemv and Cgemv.
func gemvFew[F float32 | float64, C complex64 | complex128](
	t blas.Transpose, m, n int, alpha C, a []C, lda int, x []C, incX int,
	beta C, y []C, incY int,
) (done bool) {
	most := maxFewComplex[F](2, 8)
	lenX, lenY := lengths(t, m, n)
	if alpha == 0 || incX != 1 || incY != 1 || uint(m-1) >= uint(most) ||
		uint(n-1) >= uint(most) || !isTranspose(t) || !isMatrix(len(a), m, n, lda) ||
		lenX > len(x) || lenY > len(y) {
		return false
	}
	factor, b := pair.Of[F](alpha), pair.Of[F](beta)
	from, to, rows := pair.Slice[F](x[:lenX]), pair.Slice[F](y[:lenY]), pair.Slice[F](a)
	if beta == 0 {
		clear(to)
	}
	if t == blas.NoTrans {
		for i, v := range to {
			s := pair.Dot(false, rows[i*lda:i*lda+n], from)
			to[i] = b.TimesPlus(v, factor.Times(s))
		}
		return true
	}
	if beta != 0 && beta != 1 {
		pair.Scale(b, to)
	}
	for i, v := range from {
		pair.AddMultiple(factor.Times(v), t == blas.ConjTrans, rows[i*lda:i*lda+n], to)
	}
	return true
}

// gerFew is Zgeru, Zgerc and their siblings.
func gerFew[F float32 | float64, C complex64 | complex128](
	conj bool, m, n int, alpha C, x []C, incX int, y []C, incY int, a []C, lda int,
) (done bool) {
	most := maxFewComplex[F](2, 16)
	if alpha == 0 || uint(m-1) >= uint(most) || incX != 1 || m > len(x) ||
		!isFewComplex(most, n, len(y), incY, n, 1) || !isMatrix(len(a), m, n, lda) {
		return false
	}
	factor, row, rows := pair.Of[F](alpha), pair.Slice[F](y[:n]), pair.Slice[F](a)
	for i, v := range pair.Slice[F](x[:m]) {
		pair.AddMultiple(factor.Times(v), conj, row, rows[i*lda:i*lda+n])
	}
	return true
}

// gemmFew is Zgemm and Cgemm.
func gemmFew[F float32 | float64, C complex64 | complex128](
	tA, tB blas.Transpose, m, n, depth int, alpha C, a []C, lda int, b []C, ldb int,
	beta C, c []C, ldc int,
) (done bool) {
	const most = maxFewComplexDepth
	if alpha == 0 || uint(m-1) >= most || uint(n-1) >= most || uint(depth-1) >= most ||
		m*n*depth > maxFewComplexProducts || !isStored(tA, len(a), m, depth, lda) ||
		!isStored(tB, len(b), depth, n, ldb) || !isMatrix(len(c), m, n, ldc) {
		return false
	}
	if beta != 0 && beta != 1 {
		for i := range m {
			pair.Scale(pair.Of[F](beta), pair.Slice[F](c[i*ldc:i*ldc+n]))
		}
	}
	p := complexProduct[C, F]{alpha: pair.Of[F](alpha), isSum: beta != 0}
	p.byElements(chain.All, m, n, depth, op(tA, a, lda), op(tB, b, ldb), dense(c, ldc))
	return true
}
