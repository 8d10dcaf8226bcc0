package kernel

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
	for i, factor := range x {
		for j := range y {
			if masks>>(8*i+j)&1 != 0 {
				y[j] = FMA(factor, *a.Element(i, j), y[j])
			}
		}
	}
}

// AddCornerOuter is AddOuter for some elements of a square, as those of
// AddCorner.
func (c Chain[T]) AddCornerOuter(x, y []T, a Operand[T], masks uint64) {
	if c.body.cornerOuter != nil {
		c.body.cornerOuter(len(x), data(x), data(y), a.At, a.Row, 1<<len(y)-1, masks)
		return
	}
	for i, factor := range x {
		for j, v := range y {
			if e := a.Element(i, j); masks>>(8*i+j)&1 != 0 {
				*e = FMA(factor, v, *e)
			}
		}
	}
}
