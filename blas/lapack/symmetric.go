package lapack

import (
	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/internal/kernel"
)

// columnsOnly is the order up to which Dsytrd reduces column by column.
const columnsOnly = 128

// reflectSymmetric applies the reflection of Dsytd2 by v, a column of a matrix,
// from both sides to a triangle of order n. w is room for n elements.
func (impl Implementation) reflectSymmetric(
	ul gonum.Uplo, n int, tau float64, v, a []float64, lda int, w []float64,
) {
	bi, inc := impl.blas(), lda
	if d, ok := impl.direct(n * n); ok && n <= maxGathered {
		var frame [maxGathered]float64
		x := gather(kernel.Hide(frame[:n]), v, lda)
		if d.kernels.ReflectsSymmetric(n) {
			d.kernels.ReflectSymmetric(ul == gonum.Upper, tau, x, operandAt(a, 0, lda))
			return
		}
		if d.kernels.HasTriangles(n) {
			d.reflectTriangle(ul == gonum.Upper, tau, x, operandAt(a, 0, lda))
			return
		}
		v, inc = x, 1
	}
	bi.Dsymv(ul, n, tau, a, lda, v, inc, 0, w, 1)
	alpha := float64(-0.5 * tau * bi.Ddot(n, w, 1, v, inc))
	bi.Daxpy(n, alpha, v, inc, w, 1)
	bi.Dsyr2(ul, n, -1, v, inc, w, 1, a, lda)
}

// symmetricTimes sets y to A·x for a symmetric matrix of order n ≥ 1, as Dlatrd
// does: x is a column of a matrix like a, and y is one of another.
func (impl Implementation) symmetricTimes(
	ul gonum.Uplo, n int, a []float64, lda int, x, y []float64, incY int,
) {
	d, ok := impl.direct(n * n)
	if !ok || n > maxGathered || !d.kernels.HasTriangles(n) {
		impl.blas().Dsymv(ul, n, 1, a, lda, x, lda, 0, y, incY)
		return
	}
	var frameX, frameY [maxGathered]float64
	v, sums := gather(kernel.Hide(frameX[:n]), x, lda), kernel.Hide(frameY[:n])
	d.kernels.SymmetricTimes(ul == gonum.Upper, 1, v, sums, operandAt(a, 0, lda))
	for i, sum := range sums {
		y[i*incY] = sum
	}
}

// reflectTriangle is reflectSymmetric on kernels.
func (d direct) reflectTriangle(
	isUpper bool, tau float64, x []float64, a kernel.Operand[float64],
) {
	var frame [maxGathered]float64
	y := kernel.Hide(frame[:len(x)])
	d.kernels.SymmetricTimes(isUpper, tau, x, y, a)
	alpha := float64(-0.5 * tau * d.Ddot(len(x), y, 1, x, 1))
	if alpha != 0 {
		d.kernels.AddMultiple(len(x), alpha, &x[0], &y[0])
	}
	d.kernels.SymmetricUpdate(isUpper, x, y, a)
}

// gather copies the elements of a vector that are inc > 0 apart, and returns
// them.
func gather(to, v []float64, inc int) []float64 {
	for i := range to {
		to[i] = v[i*inc]
	}
	return to
}
