package kernel

// RotateRows applies rotations, as many as c and s have elements, to
// neighbouring rows of a, one row more. From the first on, for all columns, and
// x and y in rows j and j + 1:
//
//	x, y ← s[j]⊗y ⊕ c[j]⊗x, c[j]⊗y ⊖ s[j]⊗x
//
// or from the last on if not isForward. Those with c = 1 and s = 0 change
// nothing, NaN and infinities neither. The level has the kernel: RotatesRows.
// The columns of a are neighbours: Col is 1.
func (c Chain[T]) RotateRows(cos, sin []T, isForward bool, columns int, a Operand[T]) {
	width, rows := c.body.Width, len(cos)
	if rows == 0 {
		return
	}
	first, step := 0, 1
	if !isForward {
		first, step, a = rows-1, -1, Operand[T]{a.Element(rows, 0), -a.Row, 1}
	}
	for left := columns; left > 0; {
		vectors := (left + width - 1) / width
		count := left
		switch {
		case vectors == chainRotateVectors+1: // the last must not be alone
			vectors = chainRotateVectors - 1
			count = vectors * width
		case vectors > chainRotateVectors:
			vectors = chainRotateVectors
			count = vectors * width
		}
		c.body.rotate(rows, vectors, &cos[first], &sin[first], step,
			a.Element(0, columns-left), a.Row, count-width)
		left -= count
	}
}

// rotatedColumns is the least number of columns that RotateRows takes: fewer
// are rotated sooner one by one.
const rotatedColumns = 6

// RotatesRows reports whether the level has the kernel of RotateRows for a
// number of columns.
func (c Chain[T]) RotatesRows(columns int) bool {
	return c.body.rotate != nil && columns >= max(rotatedColumns, c.body.Width)
}
