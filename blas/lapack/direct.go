package lapack

import (
	"math"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/internal/kernel"
)

// direct runs the innermost routines on the kernels of an ordered BLAS, with
// the bits that they have on the BLAS: for small matrices, its calls take
// longer than its work.
type direct struct {
	gonum.Float64
	kernels kernel.Chain[float64]
}

// maxDirect is the most elements of a matrix for direct: goroutines of the BLAS
// share out more.
const maxDirect = 1 << 17

// direct returns the kernels of the BLAS, if it is an ordered one, for a number
// of elements. A type that embeds an ordered one is another BLAS: it may have
// routines of its own.
func (impl Implementation) direct(elements int) (direct, bool) {
	if elements > maxDirect {
		return direct{}, false
	}
	switch b := impl.BLAS.(type) {
	case nil:
		var ours blas.OrderedFloat64
		return direct{ours, ours.Kernels()}, true
	case blas.Ordered:
		return direct{impl.BLAS, b.Kernels()}, true
	case blas.OrderedFloat64:
		return direct{impl.BLAS, b.Kernels()}, true
	}
	return direct{}, false
}

// kernels returns the kernels of the BLAS, or the fastest if it is not an
// ordered one. Those that add no products compute the same bits.
func (impl Implementation) kernels() kernel.Chain[float64] {
	if d, ok := impl.direct(0); ok {
		return d.kernels
	}
	return blas.OrderedFloat64{}.Kernels()
}

// getf2 is Dgetf2 for checked arguments.
func (d direct) getf2(m, n int, a []float64, lda int, ipiv []int) (ok bool) {
	ok = true
	for j := range ipiv {
		jp := j + d.Idamax(m-j, a[j*lda+j:], lda)
		ipiv[j] = jp
		scale := 1.0
		if a[jp*lda+j] == 0 {
			ok = false
		} else {
			if jp != j {
				d.Dswap(n, a[j*lda:], 1, a[jp*lda:], 1)
			}
			scale = d.scaleBelow(m-j-1, a[j*lda+j:], lda)
		}
		d.kernels.Eliminate(m, n, j, scale, operandAt(a, 0, lda))
	}
	return ok
}

// scaleBelow returns the factor of n elements below a pivot, or 1 after
// multiplying them as gonum's Dgetf2 does.
func (d direct) scaleBelow(n int, a []float64, lda int) float64 {
	pivot, scale := a[0], 1/a[0]
	switch {
	case math.Abs(pivot) >= dlamchS && scale != 0:
		return scale
	case n == 0:
	case math.Abs(pivot) >= dlamchS:
		d.Dscal(n, scale, a[lda:], lda)
	default:
		for range n {
			a[lda] /= pivot
		}
	}
	return 1
}

// larfg is Dlarfg for checked arguments.
func (d direct) larfg(n int, alpha float64, x []float64, incX int) (beta, tau float64) {
	norm := d.norm(n-1, x, incX)
	if norm == 0 {
		return alpha, 0
	}
	beta = -copySign(hypot(alpha, norm), alpha)
	const safe = dlamchS / dlamchE
	shrunk := 0
	for ; math.Abs(beta) < safe; shrunk++ {
		d.Dscal(n-1, 1/safe, x, incX)
		beta = float64(beta * (1 / safe))
		alpha = float64(alpha * (1 / safe))
	}
	if shrunk > 0 {
		beta = -copySign(hypot(alpha, d.norm(n-1, x, incX)), alpha)
	}
	tau = (beta - alpha) / beta
	d.scale(n-1, 1/(alpha-beta), x, incX)
	for range shrunk {
		beta = float64(beta * safe)
	}
	return beta, tau
}

// norm is Dnrm2 for n ≥ 1. For two numbers it calls hypot, which is correctly
// rounded too, and differs for an infinity beside NaN only.
func (d direct) norm(n int, x []float64, inc int) float64 {
	switch n {
	case 1:
		return math.Abs(x[0])
	case 2:
		if norm := hypot(x[0], x[inc]); norm <= math.MaxFloat64 {
			return norm
		}
	}
	return d.Dnrm2(n, x, inc)
}

// maxGathered is the most elements of a reflection that are gathered.
const maxGathered = 64

// larf is Dlarf for checked arguments: H·C for m×n elements, or C·H for n×m.
func (d direct) larf(
	left bool, m, n int, v []float64, incv int, tau float64, c []float64, ldc int, work []float64,
) {
	switch {
	case left && incv > 0:
		x := kernel.Operand[float64]{At: &v[0], Row: incv, Col: 1}
		d.kernels.Reflect(m, -tau, x, work[:n], operandAt(c, 0, ldc))
	case incv == 1:
		x := kernel.Operand[float64]{At: &work[0], Row: 1, Col: 1}
		d.kernels.Dots(operandAt(c, 0, ldc), v[:m], work[:n])
		for i := range work[:n] {
			work[i] += 0 // not −0, as by Dgemv
		}
		d.kernels.AddOuterScaled(n, -tau, x, v[:m], operandAt(c, 0, ldc))
	case left:
		d.Dgemv(gonum.Trans, m, n, 1, c, ldc, v, incv, 0, work, 1)
		d.Dger(m, n, -tau, v, incv, work, 1, c, ldc)
	case incv > 0 && m <= maxGathered:
		var frame [maxGathered]float64
		x := gather(kernel.Hide(frame[:m]), v, incv)
		d.larf(left, m, n, x, 1, tau, c, ldc, work)
	default:
		d.Dgemv(gonum.NoTrans, n, m, 1, c, ldc, v, incv, 0, work, 1)
		d.Dger(n, m, -tau, work, 1, v, incv, c, ldc)
	}
}
