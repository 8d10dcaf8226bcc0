package cblas

import (
	"math"

	gonum "gonum.org/v1/gonum/blas"
)

// qr computes the QR decomposition by Householder reflections H = I − τ·v·vᴴ,
// as LAPACK's zgeqr2: R on and above the diagonal, the vectors v below it.
func (a dense) qr() (tau []complex128) {
	tau = make([]complex128, min(a.rows, a.cols))
	for j := range tau {
		tau[j] = a.reflector(j)
		if j+1 < a.cols {
			beta := a.data[j*a.cols+j]
			a.data[j*a.cols+j] = 1
			a.reflect(j, j+1, conj(tau[j]))
			a.data[j*a.cols+j] = beta
		}
	}
	return tau
}

// reflector replaces column j from the diagonal on by β and v, where Hᴴ maps
// the column to (β, 0, …, 0). |β| is the correctly rounded norm of the column.
func (a dense) reflector(j int) (tau complex128) {
	n := a.rows - j
	alpha := a.data[j*a.cols+j]
	if ordered.Dznrm2(n-1, a.from(j+1, j), a.cols) == 0 && imag(alpha) == 0 {
		return 0
	}
	beta := -math.Copysign(ordered.Dznrm2(n, a.from(j, j), a.cols), real(alpha))
	divisor := complex(real(alpha)-beta, imag(alpha))
	a.divide(j, divisor)
	a.data[j*a.cols+j] = complex(beta, 0)
	return complex((beta-real(alpha))/beta, -imag(alpha)/beta)
}

// reflect applies I − τ·v·vᴴ to the columns from from on, where v is column j
// from the diagonal on.
func (a dense) reflect(j, from int, tau complex128) {
	m, n := a.rows-j, a.cols-from
	if tau == 0 || n <= 0 {
		return
	}
	v, w := make([]complex128, m), make([]complex128, n)
	ordered.Zcopy(m, a.from(j, j), a.cols, v, 1)
	ordered.Zgemv(gonum.ConjTrans, m, n, 1, a.from(j, from), a.cols, v, 1, 0, w, 1)
	ordered.Zgerc(m, n, -tau, v, 1, w, 1, a.from(j, from), a.cols)
}

// generate computes the first columns of Q = H₀·H₁·… from the vectors v, as
// LAPACK's zung2r.
func (a dense) generate(tau []complex128) {
	for j := len(tau); j < a.cols; j++ {
		for i := range a.rows {
			a.data[i*a.cols+j] = 0
		}
		a.data[j*a.cols+j] = 1
	}
	for j := len(tau) - 1; j >= 0; j-- {
		a.data[j*a.cols+j] = 1
		a.reflect(j, j+1, tau[j])
		if j+1 < a.rows {
			ordered.Zscal(a.rows-j-1, -tau[j], a.from(j+1, j), a.cols)
		}
		a.data[j*a.cols+j] = complex(1-real(tau[j]), -imag(tau[j]))
		for i := range j {
			a.data[i*a.cols+j] = 0
		}
	}
}
