package lapack

import (
	"math"
	"sync"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/internal/kernel"
)

// operandAt returns the matrix of rows from one element on.
func operandAt(a []float64, at, lda int) kernel.Operand[float64] {
	return kernel.Operand[float64]{At: &a[at], Row: lda, Col: 1}
}

// rooms holds idle rooms of CholeskyLower.
var rooms sync.Pool

// cholesky factors rows or columns from the first on in one kernel. It returns
// their number.
func (d direct) cholesky(ul gonum.Uplo, n int, a []float64, lda int) (done int) {
	if ul == gonum.Upper {
		return d.kernels.CholeskyUpper(n, operandAt(a, 0, lda))
	}
	if n <= 8 || !d.kernels.HasCholesky(n) {
		return d.kernels.CholeskyLower(n, operandAt(a, 0, lda), nil)
	}
	room, ok := rooms.Get().(*[kernel.CholeskyRoom]float64)
	if !ok {
		room = new([kernel.CholeskyRoom]float64)
	}
	done = d.kernels.CholeskyLower(n, operandAt(a, 0, lda), room)
	rooms.Put(room)
	return done
}

// potf2 is Dpotf2 for checked arguments.
func (d direct) potf2(ul gonum.Uplo, n int, a []float64, lda int) (ok bool) {
	done := d.cholesky(ul, n, a, lda)
	if done == n {
		return true
	}
	var frame [64]float64
	buffer := kernel.Hide(frame[:])
	if n > len(buffer) {
		buffer = make([]float64, n)
	}
	for j := done; j < n; j++ {
		x := buffer[:j] // the elements beside the diagonal, negative from a column
		if ul == gonum.Upper {
			for i, at := 0, j; i < j; i, at = i+1, at+lda {
				x[i] = -a[at]
			}
		} else {
			x = a[j*lda : j*lda+j]
		}
		pivot := a[j*lda+j] - d.squares(x)
		if pivot <= 0 || math.IsNaN(pivot) {
			a[j*lda+j] = pivot
			return false
		}
		pivot = math.Sqrt(pivot)
		a[j*lda+j] = pivot
		inverse := 1 / pivot // takes long, and is not needed at once
		switch {
		case j == n-1:
		case ul == gonum.Upper:
			row := a[j*lda+j+1 : j*lda+n]
			d.kernels.AddRows(x, operandAt(a, j+1, lda), row)
			d.scale(len(row), inverse, row, 1)
		default:
			d.subtractRows(n-j-1, j, a[j*lda:], lda)
			d.scale(n-j-1, inverse, a[(j+1)*lda+j:], lda)
		}
	}
	return true
}

// subtractRows subtracts the products of rows 1, …, n of a and row 0, each of k
// elements, from the elements behind them.
func (d direct) subtractRows(n, k int, a []float64, lda int) {
	if k == 0 {
		return
	}
	const some = 16
	var frame [some]float64
	for i := 1; i <= n; i += some {
		sums := kernel.Hide(frame[:min(some, n+1-i)])
		d.kernels.Dots(operandAt(a, i*lda, lda), a[:k], sums)
		for p, s := range sums {
			a[(i+p)*lda+k] -= s
		}
	}
}

// squares is Ddot of a vector and itself. Short ones need no call.
func (d direct) squares(x []float64) float64 {
	if n := len(x); 0 < n && n <= kernel.MaxShortDot {
		return kernel.ShortDot(n, x, 1, x, 1)
	}
	return d.Ddot(len(x), x, 1, x, 1)
}

// scale is Dscal. It multiplies a few elements one by one.
func (d direct) scale(n int, alpha float64, x []float64, inc int) {
	const few = 16
	if n > few || alpha == 0 {
		d.Dscal(n, alpha, x, inc)
		return
	}
	for i := 0; n > 0; i, n = i+inc, n-1 {
		x[i] *= alpha
	}
}
