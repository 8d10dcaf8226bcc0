package kernel

import (
	"math"
	"unsafe"
)

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
	if columns < elementColumns {
		c.eliminateElements(rows, columns-p-1, scale, a.From(p, p))
		return
	}
	if c.body.eliminateRows != nil && p+1 < columns {
		c.eliminateParts(rows, columns-p-1, scale, a.From(p, p))
		return
	}
	if c.body.eliminate == nil || p+1 == columns {
		c.eliminateRows(rows, columns-p-1, scale, a.From(p, p))
		return
	}
	// Vectors begin at multiples of their width in all calls for a matrix.
	width := c.body.Width
	for from := (p + 1) / width * width; from < columns; from += chainEliminateVectors * width {
		count := min(columns-from, chainEliminateVectors*width)
		vectors := (count + width - 1) / width
		first, own := -1<<max(p+1-from, 0), 0
		if p >= from {
			own = 1 << (p - from)
		}
		last := 1<<(count-(vectors-1)*width) - 1
		c.body.eliminate(rows, vectors, scale, a.Element(p+1, p), a.Row,
			a.Element(p, from), a.Element(p+1, from), a.Row, first, last, 0, own)
		scale = 1
	}
}

// maxColumns is the most columns that chainEliminateRows takes.
const maxColumns = 4 * chainEliminateVectors

// eliminateParts is Eliminate for the rows and columns behind the first,
// maxColumns at a time.
func (c Chain[T]) eliminateParts(rows, columns int, scale T, a Operand[T]) {
	x := a.Element(1, 0)
	for j := 1; j <= columns; j += maxColumns {
		c.body.eliminateRows(rows, min(maxColumns, columns+1-j), scale, x, a.Row,
			a.Element(0, j), a.Element(1, j), a.Row, 0)
		scale = 1
	}
}

// elementColumns is the least number of columns that kernels eliminate: fewer
// take longer to load and to store than to compute.
const elementColumns = 6

// eliminateElements is Eliminate for the rows and columns behind the first.
func (c Chain[T]) eliminateElements(rows, columns int, scale T, a Operand[T]) {
	pivots := a.RowOf(0, columns+1)[1:]
	for i := 1; i <= rows; i++ {
		row := a.RowOf(i, columns+1)
		factor := scale * row[0]
		row[0] = factor
		AddMultiple(-factor, pivots, row[1:])
	}
}

// keepX keeps chainEliminate from storing its factors. That kernel exists only
// where int has 64 bits.
const keepX = 1 << 32 & math.MaxInt

// AddOuterScaled adds to each of some rows of a, which has as many columns as y
// has elements, a multiple of y:
//
//	a(i, j) ← fma(alpha⊗x(i, 0), y[j], a(i, j))
//
// The columns of a are neighbours: Col is 1.
func (c Chain[T]) AddOuterScaled(rows int, alpha T, x Operand[T], y []T, a Operand[T]) {
	// A register that is longer than a row reaches into the next one, and would
	// make the load of its factor wait.
	if width := c.body.Width; c.body.eliminate != nil &&
		width <= len(y) && len(y) <= chainEliminateVectors*width {
		vectors := (len(y) + width - 1) / width
		back := len(y) - vectors*width
		last := (1<<(width+back) - 1) << -back
		c.body.eliminate(rows, vectors, -alpha, x.At, x.Row, &y[0], a.At, a.Row,
			-1, last, back, keepX)
		return
	}
	c.inChunks(rows, alpha, x, func(i int, factors []T) { c.AddOuter(factors, y, a.From(i, 0)) })
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
	width := c.body.Width
	if c.body.reflectRows != nil && len(w) <= maxColumns {
		if rows > 0 && len(w) > 0 {
			c.body.reflectRows(rows, len(w), -alpha, x.At, x.Row, a.At, a.Row)
		}
		return
	}
	if c.body.reflect == nil || len(w) > (chainEliminateVectors-1)*width {
		clear(w)
		c.inChunks(rows, 1, x, func(i int, factors []T) { c.AddRows(factors, a.From(i, 0), w) })
		c.AddOuterScaled(rows, alpha, x, w, a)
		return
	}
	// Vectors that begin at multiples of their width reach into no other page.
	before, isAligned := c.beforeVector(a)
	vectors, back := (before+len(w)+width-1)/width, 0
	first, last := -1<<before, 1<<(before+len(w)-(vectors-1)*width)-1
	switch {
	case vectors == 1:
		last &= first
	case !isAligned:
		back = len(w) - vectors*width
		last <<= -back
	}
	c.body.reflect(rows, vectors, -alpha, x.At, x.Row, a.Element(0, -before), a.Row,
		first, last, back)
}

// beforeVector returns the number of elements between a multiple of the width
// of vectors in memory and the first column of a, if it is that of all rows.
func (c Chain[T]) beforeVector(a Operand[T]) (n int, ok bool) {
	if a.Row%c.body.Width != 0 {
		return 0, false
	}
	at := uintptr(unsafe.Pointer(a.At)) / unsafe.Sizeof(*a.At)
	return int(at % uintptr(c.body.Width)), true
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
