package lapack

import (
	gonum "gonum.org/v1/gonum/blas"
)

// trti2 is Dtrti2 for checked arguments, by rows: X·A = I is solved for all
// rows of X at once, a column after another. That is as accurate as gonum's
// order, by columns: X·A is near I for both.
func (impl Implementation) trti2(ul gonum.Uplo, diag gonum.Diag, n int, a []float64, lda int) {
	for k := range n {
		if ul == gonum.Upper {
			impl.invertColumn(diag, k, k+1, n, 0, k, a, lda)
		} else {
			j := n - 1 - k
			impl.invertColumn(diag, j, 0, j, j+1, n, a, lda)
		}
	}
}

// invertColumn divides column k of the rows from first to last by its element
// of the diagonal, and subtracts the products of the column and row k of A from
// the columns from begin to end. Row k of X takes the place of row k of A:
//
//	a(i, j) ← fma(−x⊗a(i, k), a(k, j), a(i, j))    x = 1⊘a(k, k)
//	a(i, k) ← x⊗a(i, k)
//	a(k, j) ← −x⊗a(k, j)
func (impl Implementation) invertColumn(
	diag gonum.Diag, k, begin, end, first, last int, a []float64, lda int,
) {
	inverse := 1.0
	if diag == gonum.NonUnit {
		inverse = 1 / a[k*lda+k]
		a[k*lda+k] = inverse
	}
	row := a[k*lda+begin : k*lda+end]
	if first < last && len(row) > 0 {
		impl.addOuter(last-first, -inverse, a[first*lda+k:], row, a[first*lda+begin:], lda)
	}
	for i := first; i < last; i++ {
		a[i*lda+k] *= inverse
	}
	for j := range row {
		row[j] *= -inverse
	}
}

// solveUnit is the part of Dgetri that solves X·L = A for a unit lower triangle
// L below the diagonal of a, where the upper triangle is A's and X takes the
// place of both. All rows of X lose the product of a column of X and a row of L
// after another.
func (impl Implementation) solveUnit(n int, a []float64, lda int, work []float64) {
	if len(work) < n*n {
		work = make([]float64, n*n)
	}
	for k := 1; k < n; k++ {
		row := a[k*lda : k*lda+k]
		copy(work[k*n:], row)
		clear(row)
	}
	for k := n - 1; k > 0; k-- {
		impl.addOuter(n, -1, a[k:], work[k*n:k*n+k], a, lda)
	}
}

// addOuter is Dger for a column x of the matrix that a is of: m rows of a get
// their multiples of y.
func (impl Implementation) addOuter(m int, alpha float64, x, y, a []float64, lda int) {
	d, ok := impl.direct(m * len(y))
	switch {
	case alpha == 0:
	case ok:
		d.kernels.AddOuterScaled(m, alpha, operandAt(x, 0, lda), y, operandAt(a, 0, lda))
	default:
		impl.blas().Dger(m, len(y), alpha, x, lda, y, 1, a, lda)
	}
}
