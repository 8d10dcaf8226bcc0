package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// direct holds routines of real numbers without the layers that the others pass
// through, which take longer than a small matrix does. They leave to the others
// what they do not take: wrong arguments, a zero alpha, and work that
// goroutines share out. A nil pointer is that to the routines on the fastest
// kernels.
type direct[T float32 | float64] struct {
	kernels kernel.Chain[T]
	setting chain.Setting
	rest    *kit[T]
}

// directOf returns the routines that leave others to a kit.
func directOf[T float32 | float64](k *kit[T]) *direct[T] {
	return &direct[T]{kernel.NewChain[T](k.setting.Best()), k.setting, k}
}

// orBest returns the routines, or those on the fastest kernels for nil.
func (d *direct[T]) orBest() *direct[T] {
	if d != nil {
		return d
	}
	if best, ok := any(direct64).(*direct[T]); ok {
		return best
	}
	return any(direct32).(*direct[T])
}

func (d *direct[T]) checked() checked[T] { return checked[T]{d.rest} }

// isVector reports whether a vector of n elements, one after another, fits in
// length elements.
func isVector(length, n, inc int) bool { return inc > 0 && length > (n-1)*inc }

// isMatrix reports whether a matrix that is not empty fits in length elements.
func isMatrix(length, m, n, ld int) bool {
	return m > 0 && n > 0 && ld >= n && length >= ld*(m-1)+n
}

func isTriangle(ul blas.Uplo, length, n, ld int) bool {
	return (ul == blas.Upper || ul == blas.Lower) && isMatrix(length, n, n, ld)
}

// isAlone reports whether one goroutine does an operation on some elements.
func (d *direct[T]) isAlone(elements int) bool {
	return d.setting.Goroutines(elements, elements).Most == 1
}

// operandOfRows returns a matrix of stored rows from one element on.
func operandOfRows[T float32 | float64](a []T, at, ld int) kernel.Operand[T] {
	return kernel.Operand[T]{At: &a[at], Row: ld, Col: 1}
}

// maxApart is the most elements of strided vectors that are used where they
// are: copies of more are faster.
const maxApart = 64

// gemv is Dgemv and Sgemv.
func (d *direct[T]) gemv(
	t blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, incX int,
	beta T, y []T, incY int,
) {
	if incX == 1 && incY == 1 && alpha != 0 && uint(m-1) < fewRows && uint(n-1) < fewRows &&
		isMatrix(len(a), m, n, lda) && gemvOfFew(t, m, n, alpha, a, lda, x, beta, y) {
		return
	}
	d = d.orBest()
	isAlone := alpha != 0 && isMatrix(len(a), m, n, lda) && d.isAlone(m*n)
	switch {
	case isAlone && t == blas.NoTrans && incX == 1 && len(x) >= n && isVector(len(y), m, incY):
		d.rowsTimes(m, alpha, a, lda, x[:n], beta, y, incY)
	case isAlone && (t == blas.Trans || t == blas.ConjTrans) &&
		incY == 1 && len(y) >= n && isVector(len(x), m, incX):
		d.addRows(m, alpha, a, lda, x, incX, beta, y[:n])
	default:
		d.checked().gemv(t, m, n, alpha, a, lda, x, incX, beta, y, incY)
	}
}

// gemvOfFew is gemv for few elements. It reports whether they are, and x and y
// long enough.
func gemvOfFew[T float32 | float64](
	t blas.Transpose, m, n int, alpha T, a []T, lda int, x []T, beta T, y []T,
) bool {
	switch t {
	case blas.NoTrans:
		if n <= maxFewColumns && n <= len(x) && m <= len(y) {
			rowsTimesFew(alpha, a, lda, x[:n], beta, y[:m])
			return true
		}
	case blas.Trans, blas.ConjTrans:
		if m*n <= maxFewFused[T]() && m <= len(x) && n <= len(y) {
			addRowsFew(alpha, a, lda, x[:m], beta, y[:n])
			return true
		}
	}
	return false
}

// rowsTimes computes y ← α·A·x + β·y.
func (d *direct[T]) rowsTimes(
	m int, alpha T, a []T, lda int, x []T, beta T, y []T, incY int,
) {
	if incY == 1 && beta == 0 {
		d.kernels.Dots(operandOfRows(a, 0, lda), x, y[:m])
		if alpha != 1 {
			d.kernels.Multiply(m, alpha, &y[0])
		}
		for i := range y[:m] {
			y[i] += 0 // not −0
		}
		return
	}
	var buffer [fewRows]T
	for i, at := 0, 0; i < m; i += fewRows {
		sums := kernel.Hide(buffer[:min(fewRows, m-i)])
		d.kernels.Dots(operandOfRows(a, i*lda, lda), x, sums)
		for _, s := range sums {
			switch beta {
			case 0:
				y[at] = T(alpha*s) + 0
			case 1:
				y[at] += T(alpha * s)
			default:
				y[at] = kernel.FMA(beta, y[at], alpha*s)
			}
			at += incY
		}
	}
}

// addRows computes y ← α·Aᵀ·x + β·y.
func (d *direct[T]) addRows(
	m int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T,
) {
	switch beta {
	case 0:
		clear(y)
	case 1:
	default:
		d.kernels.Scale(beta, y, y)
	}
	if alpha == 1 && incX == 1 {
		d.kernels.AddRows(x[:m], operandOfRows(a, 0, lda), y)
		return
	}
	var buffer [fewRows]T
	for i, at := 0, 0; i < m; i += fewRows {
		factors := kernel.Hide(buffer[:min(fewRows, m-i)])
		for p := range factors {
			factors[p] = alpha * x[at]
			at += incX
		}
		d.kernels.AddRows(factors, operandOfRows(a, i*lda, lda), y)
	}
}

// ger is Dger and Sger.
func (d *direct[T]) ger(
	m, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int,
) {
	if incX == 1 && incY == 1 && alpha != 0 && isFewRows[T](m, n) &&
		isMatrix(len(a), m, n, lda) && m <= len(x) && n <= len(y) {
		addOuterFew(alpha, x[:m], y[:n], a, lda)
		return
	}
	d = d.orBest()
	if alpha == 0 || !isMatrix(len(a), m, n, lda) || !d.isAlone(m*n) ||
		!isVector(len(x), m, incX) || incY != 1 || len(y) < n {
		d.checked().ger(false, m, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	column := kernel.Operand[T]{At: &x[0], Row: incX, Col: 1}
	d.kernels.AddOuterScaled(m, alpha, column, y[:n], operandOfRows(a, 0, lda))
}

// isShort reports whether kernel.ShortDot takes a vector.
func isShort(n, length, inc int) bool {
	return 0 < n && n <= kernel.MaxShortDot && isVector(length, n, inc)
}
