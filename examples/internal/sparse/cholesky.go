package sparse

import (
	"fmt"
	"math"
)

// Cholesky returns the preconditioner L·Lᵀ of a symmetric matrix, where L has
// elements only where the matrix has some: the incomplete Cholesky
// factorization IC(0). It is an error if a pivot is not positive.
//
// Promise: ordered. Element l[i,j] is a[i,j] minus the products l[i,k]·l[j,k],
// one after the other for ascending k < j, each product and each difference
// rounded, and then divided by l[j,j]; l[i,i] is the square root of such a
// difference. Each row needs those above it, so one goroutine does the work.
func Cholesky(a *Matrix) (Preconditioner, error) {
	l := lower(a)
	for i := range l.Rows() {
		columns, values := l.Row(i)
		last := len(columns) - 1
		for k, j := range columns[:last] {
			above, factors := l.Row(j)
			v := minusProducts(values[k], columns[:k], values, above[:len(above)-1], factors)
			values[k] = v / factors[len(above)-1]
		}
		pivot := minusProducts(values[last], columns[:last], values, columns[:last], values)
		if !(pivot > 0) {
			return nil, fmt.Errorf("incomplete Cholesky: pivot %d is %g: take the Jacobi "+
				"preconditioner", i, pivot)
		}
		values[last] = math.Sqrt(pivot)
	}
	return (*factor)(l), nil
}

// lower returns the lower triangle of a matrix, with a diagonal that is stored
// even where it is zero.
func lower(a *Matrix) *Matrix {
	l := &Matrix{Start: []int{0}}
	for i := range a.Rows() {
		columns, values := a.Row(i)
		for k, j := range columns {
			if j < i {
				l.Columns, l.Values = append(l.Columns, j), append(l.Values, values[k])
			}
		}
		l.Columns, l.Values = append(l.Columns, i), append(l.Values, a.At(i, i))
		l.Start = append(l.Start, len(l.Columns))
	}
	return l
}

// minusProducts returns v minus the products of two sparse rows.
func minusProducts(v float64, iColumns []int, i []float64, jColumns []int, j []float64) float64 {
	for p, q := 0, 0; p < len(iColumns) && q < len(jColumns); {
		switch c, d := iColumns[p], jColumns[q]; {
		case c < d:
			p++
		case c > d:
			q++
		default:
			v -= float64(i[p] * j[q])
			p, q = p+1, q+1
		}
	}
	return v
}

// factor is L: the last element of each row is the diagonal's.
type factor Matrix

// Solve solves L·Lᵀ·z = r: by rows from the first to the last, then from the
// last to the first.
func (f *factor) Solve(z, r []float64, _ int) {
	l := (*Matrix)(f)
	for i := range z {
		columns, values := l.Row(i)
		v, last := r[i], len(columns)-1
		for k, j := range columns[:last] {
			v -= float64(values[k] * z[j])
		}
		z[i] = v / values[last]
	}
	for i := len(z) - 1; i >= 0; i-- {
		columns, values := l.Row(i)
		last := len(columns) - 1
		z[i] /= values[last]
		for k, j := range columns[:last] {
			z[j] -= float64(values[k] * z[i])
		}
	}
}
