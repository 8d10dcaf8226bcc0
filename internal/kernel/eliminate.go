package kernel

import "unsafe"

// Eliminate multiplies the elements of column p of a below row p by scale, and
// subtracts row p times each from the columns behind, for a matrix of some rows
// and columns:
//
//	a(i, p) ← scale⊗a(i, p)                     for i > p
//	a(i, j) ← fma(−a(i, p), a(p, j), a(i, j))    for i > p and j > p
//
// The columns of a are neighbours: Col is 1.
func (c Chain[T]) Eliminate(rows, columns, p int, scale T, a Operand[T]) {
	rows -= p + 1
	if rows <= 0 {
		return
	}
	a, behind := a.From(p, p), columns-p-1
	switch {
	case columns < elementColumns:
		eliminateElements(rows, behind, scale, a)
	case c.body.eliminate == nil || behind == 0:
		c.eliminateRows(rows, behind, scale, a)
	default:
		x := Operand[T]{a.Element(1, 0), a.Row, 1}
		for j := 1; j <= behind; j += maxColumns[T]() {
			n := min(maxColumns[T](), behind+1-j)
			c.body.eliminate(rows, n, scale, x.At, x.Row, a.Element(0, j), a.Element(1, j),
				a.Row, 0)
			scale = 1
		}
	}
}

// elementColumns is the least number of columns that kernels eliminate: fewer
// take longer to load and to store than to compute.
const elementColumns = 6

// maxColumns returns the most columns of chainEliminate and chainReflect.
func maxColumns[T float32 | float64]() int {
	return chainEliminateVectors * 32 / int(unsafe.Sizeof(T(0)))
}

// eliminateElements is Eliminate for the rows and columns behind the first.
func eliminateElements[T float32 | float64](rows, columns int, scale T, a Operand[T]) {
	pivots := a.RowOf(0, columns+1)[1:]
	for i := 1; i <= rows; i++ {
		row := a.RowOf(i, columns+1)
		factor := scale * row[0]
		row[0] = factor
		AddMultiple(-factor, pivots, row[1:])
	}
}

// AddOuterScaled adds to each of some rows of a, which has as many columns as y
// has elements, a multiple of y:
//
//	a(i, j) ← fma(alpha⊗x(i, 0), y[j], a(i, j))
//
// The columns of a are neighbours: Col is 1.
func (c Chain[T]) AddOuterScaled(rows int, alpha T, x Operand[T], y []T, a Operand[T]) {
	if !c.takesColumns(len(y)) {
		c.inChunks(rows, alpha, x, func(i int, factors []T) {
			c.AddOuter(factors, y, a.From(i, 0))
		})
		return
	}
	for j := 0; rows > 0 && j < len(y); j += maxColumns[T]() {
		n := min(maxColumns[T](), len(y)-j)
		c.body.eliminate(rows, n, -alpha, x.At, x.Row, &y[j], a.Element(0, j), a.Row, 1)
	}
}

// takesColumns reports whether the level has chainEliminate and chainReflect,
// and calls of these for n columns are few.
func (c Chain[T]) takesColumns(n int) bool {
	return c.body.eliminate != nil && n <= 2*maxColumns[T]()
}

// inChunks calls do with the factors alpha⊗x(i, 0) for some rows after another.
func (c Chain[T]) inChunks(rows int, alpha T, x Operand[T], do func(i int, factors []T)) {
	var buffer [16]T
	for i := 0; i < rows; i += len(buffer) {
		factors := Hide(buffer[:min(len(buffer), rows-i)])
		for p := range factors {
			factors[p] = alpha * *x.Element(i+p, 0)
		}
		do(i, factors)
	}
}

// Reflect adds to each of some rows of a, which has as many columns as w has
// elements, a multiple of w, the sum of all rows times x:
//
//	w[j]    ← fma(x(i, 0), a(i, j), w[j])            for all i ascending, from +0
//	a(i, j) ← fma(alpha⊗x(i, 0), w[j], a(i, j))      for all i
//
// w is room for it; its contents are not defined afterwards. The columns of a
// are neighbours: Col is 1.
func (c Chain[T]) Reflect(rows int, alpha T, x Operand[T], w []T, a Operand[T]) {
	if !c.takesColumns(len(w)) {
		clear(w)
		c.inChunks(rows, 1, x, func(i int, factors []T) { c.AddRows(factors, a.From(i, 0), w) })
		c.AddOuterScaled(rows, alpha, x, w, a)
		return
	}
	for j := 0; rows > 0 && j < len(w); j += maxColumns[T]() {
		n := min(maxColumns[T](), len(w)-j)
		c.body.reflect(rows, n, -alpha, x.At, x.Row, a.Element(0, j), a.Row)
	}
}

// eliminateRows is Eliminate for the rows and columns behind the first.
func (c Chain[T]) eliminateRows(rows, columns int, scale T, a Operand[T]) {
	var buffer [16]T
	for i := 1; i <= rows; i += len(buffer) {
		factors := buffer[:min(len(buffer), rows+1-i)]
		for p := range factors {
			x := a.Element(i+p, 0)
			*x *= scale
			factors[p] = -*x
		}
		if columns > 0 {
			c.body.outer(len(factors), columns, data(factors), a.Element(0, 1),
				a.Element(i, 1), a.Row)
		}
	}
}
