package blas

import "gonum.org/v1/gonum/blas"

// rows are the stored rows of a matrix: full, a band, or a triangle that is
// full, a band or packed. Row i holds the elements of columns from, from + 1, …
type rows[T number] func(i int) (from int, row []T)

// fullRows returns the rows of a matrix of n columns.
func fullRows[T number](a matrix[T], n int) rows[T] {
	return func(i int) (int, []T) { return 0, a.rowOf(i, n) }
}

// bandRows returns the rows of a matrix of n columns with kl diagonals below
// the main one and ku above it.
func bandRows[T number](a []T, n, kl, ku, lda int) rows[T] {
	return func(i int) (int, []T) {
		from, to := max(0, i-kl), min(n, i+ku+1)
		if from >= to {
			return 0, nil
		}
		return from, a[i*lda+kl-i+from : i*lda+kl-i+to]
	}
}

func triangleRows[T number](ul blas.Uplo, a []T, n, lda int) rows[T] {
	if ul == blas.Upper {
		return func(i int) (int, []T) { return i, a[i*lda+i : i*lda+n] }
	}
	return func(i int) (int, []T) { return 0, a[i*lda : i*lda+i+1] }
}

// bandTriangleRows returns the rows of a triangle with k diagonals beside the
// main one.
func bandTriangleRows[T number](ul blas.Uplo, a []T, n, k, lda int) rows[T] {
	if ul == blas.Upper {
		return bandRows(a, n, 0, k, lda)
	}
	return bandRows(a, n, k, 0, lda)
}

func packedRows[T number](ul blas.Uplo, ap []T, n int) rows[T] {
	if ul == blas.Upper {
		return func(i int) (int, []T) {
			at := i * (2*n - i + 1) / 2
			return i, ap[at : at+n-i]
		}
	}
	return func(i int) (int, []T) {
		at := i * (i + 1) / 2
		return 0, ap[at : at+i+1]
	}
}

// split returns the diagonal element of a row of a triangle, the elements
// beside it and the column of the first of these.
func split[T number](upper bool, i int, r rows[T]) (diagonal *T, beside []T, from int) {
	from, row := r(i)
	if upper {
		return &row[0], row[1:], i + 1
	}
	last := len(row) - 1
	return &row[last], row[:last], from
}
