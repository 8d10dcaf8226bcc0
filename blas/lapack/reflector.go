package lapack

import (
	"math"

	"github.com/lastbit/lastbit/internal/kernel"
)

// larfgOf is Dlarfg for the vector of v's first n elements, v[0] being alpha. A
// BLAS that is not ours gets a copy of the others: it may share the work among
// goroutines, and none may have an address on the stack of another.
func (impl Implementation) larfgOf(n int, v *[3]float64) (beta, tau float64) {
	if d, ok := impl.direct(n); ok && n > 1 {
		return d.larfg(n, v[0], kernel.Hide(v[1:]), 1)
	}
	x := []float64{v[1], v[2]}
	beta, tau = impl.Dlarfg(n, v[0], x, 1)
	v[1], v[2] = x[0], x[1]
	return beta, tau
}

// reflector is a reflection of three elements as Dlahqr applies it.
type reflector struct {
	kernels kernel.Chain[float64]
	h       kernel.Reflector
}

// rows reflects the n columns of three rows.
func (r *reflector) rows(n int, a []float64, lda int) {
	_ = a[2*lda+n-1]
	r.h.Rows(r.kernels, n, operandAt(a, 0, lda))
}

// columns reflects the n rows of three columns.
func (r *reflector) columns(n int, a []float64, lda int) {
	_ = a[(n-1)*lda+2]
	r.h.Columns(r.kernels, n, operandAt(a, 0, lda))
}

// doubleShifts is the order up to which Dhseqr calls Dlahqr, which takes two
// shifts at a time: a kernel applies its reflections. Columns of 256 share the
// sets of a cache.
const doubleShifts = 250

// reflectorOfTwo is a reflection of two elements: for elements x0 and x1,
//
//	sum = x0 ⊕ v⊗x1
//	xi  ← xi ⊖ sum⊗ti
type reflectorOfTwo struct{ v, t0, t1 float64 }

// rows reflects the n columns of two rows.
func (r reflectorOfTwo) rows(n int, a []float64, lda int) {
	x0, x1 := a[:n], a[lda:][:n]
	for j, x := range x0 {
		sum := x + float64(r.v*x1[j])
		x0[j] = x - float64(sum*r.t0)
		x1[j] -= float64(sum * r.t1)
	}
}

// columns reflects the n rows of two columns.
func (r reflectorOfTwo) columns(n int, a []float64, lda int) {
	for at := 0; n > 0; at, n = at+lda, n-1 {
		x := a[at:][:2]
		x0, x1 := x[0], x[1]
		sum := x0 + float64(r.v*x1)
		x[0], x[1] = x0-float64(sum*r.t0), x1-float64(sum*r.t1)
	}
}

// isOneByOne reports whether Dormqr and Dormlq apply k reflections to n
// columns, or from the right to n rows, one by one: then a kernel takes less
// time than the products of blocks, which are formed for all of them.
func isOneByOne(isLeft bool, n, k int) bool {
	if isLeft {
		return n <= 16 || n*k <= 1<<16
	}
	return n <= 4 || n*k <= 1<<14
}

// fillRows sets the elements of a matrix to a value.
func fillRows(m, n int, value float64, a []float64, lda int) {
	for i := range m {
		row := a[i*lda:][:n]
		if math.Float64bits(value) == 0 {
			clear(row)
			continue
		}
		for j := range row {
			row[j] = value
		}
	}
}
