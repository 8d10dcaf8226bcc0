package kernel

import "math/bits"

// CornerRows is the most rows and columns of a corner.
const CornerRows = 8

// AddCorner is AddRows for some elements of a square: row i has the columns in
// byte i of masks, the first in its lowest bit. x and y have at most CornerRows
// elements.
func (c Chain[T]) AddCorner(x []T, a Operand[T], y []T, masks uint64) {
	if c.body.corner != nil {
		c.body.corner(len(x), data(x), data(y), a.At, a.Row, 1<<len(y)-1, masks)
		return
	}
	eachRun(len(x), masks, func(i, from, end int) {
		AddMultiple(x[i], a.RowOf(i, end)[from:], y[from:end])
	})
}

// AddCornerOuter is AddOuter for the elements of a square that AddCorner
// updates.
func (c Chain[T]) AddCornerOuter(x, y []T, a Operand[T], masks uint64) {
	if c.body.cornerOuter != nil {
		c.body.cornerOuter(len(x), data(x), data(y), a.At, a.Row, 1<<len(y)-1, masks)
		return
	}
	eachRun(len(x), masks, func(i, from, end int) {
		AddMultiple(x[i], y[from:end], a.RowOf(i, end)[from:])
	})
}

// eachRun calls do for the columns of a mask that are side by side, row by row.
func eachRun(rows int, masks uint64, do func(i, from, end int)) {
	for i := range rows {
		for row := uint(masks>>(8*i)) & 0xff; row != 0; {
			from := bits.TrailingZeros(row)
			end := from + bits.TrailingZeros(^(row >> from))
			do(i, from, end)
			row &^= 1<<end - 1
		}
	}
}
