package kernel

import "unsafe"

// maxCholesky is the most rows of CholeskyUpper and CholeskyLower.
const maxCholesky = 64

// CholeskyRoom is the number of elements of the room of CholeskyLower.
const CholeskyRoom = (maxCholesky - 4) * maxCholesky

// CholeskyUpper replaces rows of the upper triangle of a matrix of n rows by
// the rows of U, its factor, and returns the number of rows replaced: all up to
// the first with a pivot that is not positive and finite, or none where a level
// has no such kernel. For j = 0, 1, …, n−1, and all k > j:
//
//	pivot   = a(j, j) ⊖ Σ u(i, j)⊗u(i, j)                 by package ordered's tree
//	u(j, j) = √pivot
//	e       = fma(−u(i, j), u(i, k), e)                    for i = 0, …, j−1, from a(j, k) on
//	u(j, k) = (1 ⊘ u(j, j)) ⊗ e
//
// The columns of a are neighbours: Col is 1.
func (c Chain[T]) CholeskyUpper(n int, a Operand[T]) (done int) {
	if !c.HasCholesky(n) {
		return 0
	}
	return c.body.choleskyUpper(n, a.At, a.Row)
}

// CholeskyLower is CholeskyUpper for columns of the lower triangle, and the
// factor L. For k > j,
//
//	l(k, j) = (1 ⊘ l(j, j)) ⊗ (a(k, j) ⊖ s)
//
// where s is the sum of l(k, i)·l(j, i), i < j, by the lanes of [Chain.Dots].
// room has CholeskyRoom elements; it may be nil for at most 8 columns.
func (c Chain[T]) CholeskyLower(n int, a Operand[T], room *[CholeskyRoom]T) (done int) {
	if !c.HasCholesky(n) {
		return 0
	}
	return c.body.choleskyLower(n, a.At, a.Row, (*T)(unsafe.Pointer(room)))
}

// HasCholesky reports whether the level has the kernels of CholeskyUpper and
// CholeskyLower for n rows.
func (c Chain[T]) HasCholesky(n int) bool {
	return c.body.choleskyUpper != nil && 1 <= n && n <= maxCholesky
}
