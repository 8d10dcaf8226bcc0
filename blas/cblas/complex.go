package cblas

import (
	"fmt"
	"math"

	gonum "gonum.org/v1/gonum/blas"
)

// complexCall is a call of LAPACK in complex64 or complex128, computed in
// complex128.
type complexCall[N complex64 | complex128] struct{ *Call }

// run computes the call.
func (c complexCall[N]) run() error {
	switch c.Routine {
	case Gesv:
		c.gesv()
	case Getrf:
		c.factor(int(c.M), int(c.N))
	case Potrf:
		c.potrf()
	case Geqrf:
		c.geqrf()
	case Orgqr:
		c.ungqr()
	default:
		return fmt.Errorf("%v: not for complex numbers", c.Routine)
	}
	return nil
}

func (c complexCall[N]) load(slot, rows, cols int, ld int64) dense {
	a := load(slice[N](c.Call, slot), rows, cols, int(ld),
		func(v N) complex128 { return complex128(v) })
	return dense{a, rows, cols}
}

func (c complexCall[N]) store(src dense, slot int, ld int64) {
	store(src.data, slice[N](c.Call, slot), src.rows, src.cols, int(ld),
		func(v complex128) N { return N(v) })
}

func (c complexCall[N]) factor(m, n int) (lu dense, pivots []int) {
	lu = c.load(slotA, m, n, c.LDA)
	pivots = lu.factor()
	c.Info = firstZero(lu.data, m, n)
	c.store(lu, slotA, c.LDA)
	c.storePivots(pivots)
	return lu, pivots
}

func (c complexCall[N]) gesv() {
	n, width := int(c.N), int(c.K)
	lu, pivots := c.factor(n, n)
	if c.Info != 0 || n == 0 || width == 0 {
		return
	}
	b := c.load(slotB, n, width, c.LDB)
	for i, p := range pivots {
		b.exchange(i, p)
	}
	ordered.Ztrsm(gonum.Left, gonum.Lower, gonum.NoTrans, gonum.Unit, n, width, 1,
		lu.data, n, b.data, width)
	ordered.Ztrsm(gonum.Left, gonum.Upper, gonum.NoTrans, gonum.NonUnit, n, width, 1,
		lu.data, n, b.data, width)
	c.store(b, slotB, c.LDB)
}

func (c complexCall[N]) potrf() {
	n := int(c.N)
	a := c.load(slotA, n, n, c.LDA)
	if c.Uplo == 'U' {
		a.adjoin() // Uᴴ·U is L·Lᴴ with L = Uᴴ
	}
	c.Info = a.cholesky()
	if c.Uplo == 'U' {
		a.adjoin()
	}
	c.store(a, slotA, c.LDA)
}

func (c complexCall[N]) geqrf() {
	a := c.load(slotA, int(c.M), int(c.N), c.LDA)
	tau := a.qr()
	c.store(a, slotA, c.LDA)
	c.store(dense{tau, len(tau), 1}, slotB, int64(len(tau)))
}

func (c complexCall[N]) ungqr() {
	a := c.load(slotA, int(c.M), int(c.N), c.LDA)
	tau := c.load(slotB, int(c.K), 1, c.K)
	a.generate(tau.data)
	c.store(a, slotA, c.LDA)
}

// dense is a matrix of complex128 by rows, side by side.
type dense struct {
	data       []complex128
	rows, cols int
}

// from returns the elements from (i, j) on.
func (a dense) from(i, j int) []complex128 { return a.data[min(i*a.cols+j, len(a.data)):] }

// exchange exchanges two rows.
func (a dense) exchange(i, k int) {
	if i != k {
		ordered.Zswap(a.cols, a.from(i, 0), 1, a.from(k, 0), 1)
	}
}

// divide divides column j below the diagonal by d.
func (a dense) divide(j int, d complex128) {
	if j+1 < a.rows {
		ordered.Ztrsm(gonum.Right, gonum.Upper, gonum.NoTrans, gonum.NonUnit, a.rows-j-1, 1, 1,
			[]complex128{d}, 1, a.from(j+1, j), a.cols)
	}
}

// adjoin replaces a matrix of as many rows as columns by its conjugate
// transpose.
func (a dense) adjoin() {
	for i := range a.rows {
		for j := range i + 1 {
			x, y := &a.data[i*a.cols+j], &a.data[j*a.cols+i]
			*x, *y = conj(*y), conj(*x)
		}
	}
}

// panelWidth is the number of columns that are factored at a time. It changes
// no bit: each element is a chain, over ascending columns.
const panelWidth = 32

// factor computes the LU decomposition with partial pivoting: L below the
// diagonal, with ones on it, and U. The pivot is the first element of the
// largest |re| ⊕ |im|. The elements of L are quotients.
func (a dense) factor() (pivots []int) {
	n := min(a.rows, a.cols)
	pivots = make([]int, n)
	for from := 0; from < n; from += panelWidth {
		to := min(from+panelWidth, n)
		for j := from; j < to; j++ {
			pivots[j] = a.eliminate(j, to)
		}
		a.update(from, to)
	}
	return pivots
}

// eliminate brings the pivot of column j to the diagonal and updates the
// columns up to to.
func (a dense) eliminate(j, to int) (pivot int) {
	pivot = j + ordered.Izamax(a.rows-j, a.from(j, j), a.cols)
	a.exchange(j, pivot)
	d := a.data[j*a.cols+j]
	if d == 0 || j+1 == a.rows {
		return pivot
	}
	a.divide(j, d)
	if j+1 < to {
		ordered.Zgeru(a.rows-j-1, to-j-1, -1, a.from(j+1, j), a.cols, a.from(j, j+1), 1,
			a.from(j+1, j+1), a.cols)
	}
	return pivot
}

// update subtracts the product of a panel and its rows from the columns behind
// the panel.
func (a dense) update(from, to int) {
	width, below := a.cols-to, a.rows-to
	if width == 0 {
		return
	}
	ordered.Ztrsm(gonum.Left, gonum.Lower, gonum.NoTrans, gonum.Unit, to-from, width, 1,
		a.from(from, from), a.cols, a.from(from, to), a.cols)
	if below > 0 {
		ordered.Zgemm(gonum.NoTrans, gonum.NoTrans, below, width, to-from, -1,
			a.from(to, from), a.cols, a.from(from, to), a.cols, 1, a.from(to, to), a.cols)
	}
}

// cholesky computes L of A = L·Lᴴ in the lower triangle. It returns the place
// of the first pivot that is not positive, counted from 1, or 0.
func (a dense) cholesky() (failed int64) {
	n := a.rows
	for j := range n {
		d := real(a.data[j*n+j])
		a.data[j*n+j] = complex(d, 0)
		if !(d > 0) {
			return int64(j) + 1
		}
		d = math.Sqrt(d)
		a.data[j*n+j] = complex(d, 0)
		a.divide(j, complex(d, 0))
		if j+1 < n {
			column := make([]complex128, n-j-1)
			ordered.Zcopy(len(column), a.from(j+1, j), n, column, 1)
			ordered.Zher(gonum.Lower, n-j-1, -1, column, 1, a.from(j+1, j+1), n)
		}
	}
	return 0
}
