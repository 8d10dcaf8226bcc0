package blas

import "gonum.org/v1/gonum/blas"

// modified is a modified Givens transformation in the making, by Hopkins1997.
//
// References:
//   - [Hopkins1997] Tim Hopkins. Restructuring the BLAS Level 1 Routine for
//     Computing the Modified Givens Transformation. ACM SIGNUM Newsletter
//     32(4):2–14, 1997.
type modified[T float32 | float64] struct {
	flag               blas.Flag
	h11, h12, h21, h22 T
	d1, d2, x1         T
}

// rotmg is Drotmg and Srotmg. h is a 2 × 2 matrix by columns.
func rotmg[T float32 | float64](d1, d2, x1, y1 T) (flag blas.Flag, h [4]T, rd1, rd2, rx1 T) {
	switch {
	case d1 < 0:
		return blas.Rescaling, h, 0, 0, 0
	case d2 == 0 || y1 == 0:
		return blas.Identity, h, d1, d2, x1
	}
	m := modified[T]{d1: d1, d2: d2, x1: x1}
	if !m.turn(y1) {
		return blas.Rescaling, h, 0, 0, 0
	}
	m.rescale()
	switch m.flag {
	case blas.Diagonal:
		h = [4]T{0: m.h11, 3: m.h22}
	case blas.OffDiagonal:
		h = [4]T{1: m.h21, 2: m.h12}
	default:
		h = [4]T{m.h11, m.h21, m.h12, m.h22}
	}
	return m.flag, h, m.d1, m.d2, m.x1
}

// turn finds the transformation. It reports whether there is one.
func (m *modified[T]) turn(y1 T) bool {
	if (m.d1 == 0 || m.x1 == 0) && m.d2 > 0 {
		m.flag, m.h12, m.h21 = blas.Diagonal, 1, -1
		m.x1, m.d1, m.d2 = y1, m.d2, m.d1
		return true
	}
	p2, p1 := m.d2*y1, m.d1*m.x1
	q2, q1 := p2*y1, p1*m.x1
	if abs(q1) > abs(q2) {
		m.flag, m.h11, m.h22 = blas.OffDiagonal, 1, 1
		m.h21, m.h12 = -y1/m.x1, p2/p1
		u := 1 - T(m.h12*m.h21)
		m.d1, m.d2, m.x1 = m.d1/u, m.d2/u, m.x1*u
		return u > 0
	}
	// The sign of d2 outlasts a q2 that underflows.
	isDefined := q2 >= 0 && m.d2 >= 0
	m.flag, m.h21, m.h12 = blas.Diagonal, -1, 1
	m.h11, m.h22 = p1/p2, m.x1/y1
	u := 1 + T(m.h11*m.h22)
	m.d1, m.d2, m.x1 = m.d2/u, m.d1/u, y1*u
	return isDefined
}

// rescale brings d1 and d2 into the range that the transformation may leave.
// Infinities stay; in the reference BLAS they are scaled without end.
func (m *modified[T]) rescale() {
	const gamma, square = 4096, 4096 * 4096
	for m.d1 <= 1.0/square && m.d1 != 0 {
		m.flag = blas.Rescaling
		m.d1, m.x1 = m.d1*gamma*gamma, m.x1/gamma
		m.h11, m.h12 = m.h11/gamma, m.h12/gamma
	}
	for m.d1 > square && m.d1-m.d1 == 0 {
		m.flag = blas.Rescaling
		m.d1, m.x1 = m.d1/gamma/gamma, m.x1*gamma
		m.h11, m.h12 = m.h11*gamma, m.h12*gamma
	}
	for abs(m.d2) <= 1.0/square && m.d2 != 0 {
		m.flag = blas.Rescaling
		m.d2 = m.d2 * gamma * gamma
		m.h21, m.h22 = m.h21/gamma, m.h22/gamma
	}
	for abs(m.d2) > square && m.d2-m.d2 == 0 {
		m.flag = blas.Rescaling
		m.d2 = m.d2 / gamma / gamma
		m.h21, m.h22 = m.h21*gamma, m.h22*gamma
	}
}
