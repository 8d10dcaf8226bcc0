package kernel

import (
	"math"
	"unsafe"
)

// ChainLanes returns the number of lanes L of [Chain.Dots]: 8 of float64, 16 of
// float32.
func ChainLanes[T float32 | float64]() int { return chainLanesBytes / int(unsafe.Sizeof(T(0))) }

// maxAxpyBytes bounds the part of y that AddRows updates by all rows before the
// next: it stays in the first level of the cache.
const maxAxpyBytes = 16 << 10

// AddRows updates y by the rows of a, as many as x has elements, one after
// another:
//
//	y[j] ← fma(x[i], a(i, j), y[j])    for i = 0, 1, …, len(x)−1
//
// The columns of a are neighbours: Col is 1.
func (c Chain[T]) AddRows(x []T, a Operand[T], y []T) {
	step := maxAxpyBytes / int(unsafe.Sizeof(T(0)))
	for j := 0; j < len(y); j += step {
		part := y[j:min(j+step, len(y))]
		for i := 0; i < len(x); {
			rows := chainAxpyRows
			for rows > len(x)-i {
				rows /= 2
			}
			if rows < chainAxpyRows && !c.body.hasAxpyFew {
				rows = 1
			}
			c.body.axpy(rows, len(part), a.Element(i, j), a.Row, &x[i], &part[0])
			i += rows
		}
	}
}

// Dots sets sums[i] to the sum of the products a(i, j)·x[j] of row i, added by
// L lanes:
//
//	lane(l) = fma(a(i, j), x[j], lane(l))    for j = l, l+L, l+2L, …, from +0 on
//	half(l) = lane(l) ⊕ lane(l + L/2), then L/4, …, 1
//
// The columns of a are neighbours: Col is 1.
func (c Chain[T]) Dots(a Operand[T], x, sums []T) {
	n := len(sums)
	if len(x) == 0 || n == 0 {
		clear(sums)
		return
	}
	if c.body.uneven != nil && 1 < n && n < UnevenRows && len(x) <= 2*ChainLanes[T]() {
		var all [UnevenRows]T
		c.body.uneven(n, len(x), 0, 0, a.At, a.Row, &x[0], 0, hidden(&all[0]))
		copy(sums, all[:n])
		return
	}
	if n < chainDotsRows && c.body.dot != nil {
		for i := range sums {
			c.body.dot(len(x), a.Element(i, 0), a.Row, &x[0], &sums[i])
		}
		return
	}
	if n < chainDotsRows {
		var same [chainDotsRows]T // one row, again and again
		for i := range sums {
			c.body.dots(len(x), a.Element(i, 0), 0, &x[0], hidden(&same[0]))
			sums[i] = same[0]
		}
		return
	}
	rows, body := chainDotsRows, c.body.dots
	if c.body.dotsAVX512 != nil && n >= chainDotsRowsAVX512 {
		rows, body = chainDotsRowsAVX512, c.body.dotsAVX512
	}
	for i := 0; i < n; i += rows {
		first := min(i, n-rows) // the last rows may be added twice
		body(len(x), a.Element(first, 0), a.Row, &x[0], &sums[first])
	}
}

// UnevenRows is the most rows of UnevenDots, and the number of sums it stores.
const UnevenRows = chainDotsRowsAVX512

// Uneven are rows of different lengths that a vector is multiplied by: row i of
// a has N + i·Step elements, Step is 1 or −1, and takes the vector x[i·XRow:].
// The columns of a are neighbours. There are at most UnevenRows.
type Uneven[T float32 | float64] struct {
	Rows, N, Step int
	A             Operand[T]
	X             *T
	XRow          int
}

// UnevenDots sets sums[i] to the sum of row i by lanes, as Dots does. It may
// write to the other sums.
func (c Chain[T]) UnevenDots(u Uneven[T], sums *[UnevenRows]T) {
	lanes, whole := ChainLanes[T](), 0
	if u.Rows == UnevenRows {
		whole = min(u.N, u.N+u.Step*(UnevenRows-1)) / lanes
	}
	longest := max(u.N, u.N+u.Step*(u.Rows-1))
	if c.body.uneven != nil && longest-whole*lanes <= 2*lanes {
		c.body.uneven(u.Rows, u.N, u.Step, whole, u.A.At, u.A.Row, u.X, u.XRow, hidden(&sums[0]))
		return
	}
	for i := range u.Rows {
		n := u.N + i*u.Step
		if n == 0 {
			sums[i] = 0 // no address may lie beyond a matrix
			continue
		}
		x := unsafe.Slice(Operand[T]{u.X, u.XRow, 1}.Element(i, 0), n)
		c.Dots(u.A.From(i, 0), x, unsafe.Slice(hidden(&sums[i]), 1))
	}
}

// maxLanes is the number of lanes of a row of float32.
const maxLanes = chainLanesBytes / 4

// LanesOfRows holds the lanes of UnevenRows rows, ChainLanes of each, one after
// another.
type LanesOfRows[T float32 | float64] [UnevenRows * maxLanes]T

// Lanes stores the lanes of UnevenRows rows of a times x before Dots halves
// them. Only a level that HasLanes has a kernel for that. The columns of a are
// neighbours: Col is 1.
func (c Chain[T]) Lanes(a Operand[T], x []T, lanes *LanesOfRows[T]) {
	c.body.lanes(len(x), a.At, a.Row, data(x), hidden(&lanes[0]))
}

// HasLanes reports whether the level has the kernel of Lanes.
func (c Chain[T]) HasLanes() bool { return c.body.lanes != nil }

// Halved returns the sum of the lanes of a row, in the order of Dots.
func Halved[T float32 | float64](lanes []T) T {
	if len(lanes) > 8 {
		for l := range 8 {
			lanes[l] += lanes[l+8]
		}
	}
	lanes = lanes[:8]
	return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
		((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]))
}

// AddOuter adds to each row of a, as many as x has elements, a multiple of y:
//
//	a(i, j) ← fma(x[i], y[j], a(i, j))
//
// The columns of a are neighbours: Col is 1.
func (c Chain[T]) AddOuter(x, y []T, a Operand[T]) {
	if len(x) > 0 && len(y) > 0 {
		c.body.outer(len(x), len(y), &x[0], &y[0], a.At, a.Row)
	}
}

// Scale sets dst[i] to alpha⊗src[i]. dst is as long as src. They may be the
// same.
func (c Chain[T]) Scale(alpha T, dst, src []T) {
	if len(src) > 0 {
		c.body.packRows(&dst[0], 0, &src[0], 0, 1, len(src), alpha)
	}
}

// chainAxpyGeneric is the portable body of AddRows for some rows.
func chainAxpyGeneric[T float32 | float64](rows, n int, a *T, aRow int, px, py *T) {
	x, y, m := unsafe.Slice(px, rows), unsafe.Slice(py, n), Operand[T]{a, aRow, 1}
	for i, factor := range x {
		AddMultiple(factor, m.RowOf(i, n), y)
	}
}

// chainOuterGeneric is the portable body of AddOuter.
func chainOuterGeneric[T float32 | float64](rows, n int, px, py, a *T, aRow int) {
	y, m := unsafe.Slice(py, n), Operand[T]{a, aRow, 1}
	for i, factor := range unsafe.Slice(px, rows) {
		AddMultiple(factor, y, m.RowOf(i, n))
	}
}

// chainDotsGeneric is the portable body of Dots for chainDotsRows rows.
func chainDotsGeneric[T float32 | float64](n int, a *T, aRow int, px, sums *T) {
	x, m := unsafe.Slice(px, n), Operand[T]{a, aRow, 1}
	for i := range chainDotsRows {
		unsafe.Slice(sums, chainDotsRows)[i] = dotByLanes(unsafe.Slice(m.Element(i, 0), n), x)
	}
}

// chainDotGeneric is the portable body of Dots for one row.
func chainDotGeneric[T float32 | float64](n int, a *T, _ int, x, sums *T) {
	*sums = dotByLanes(unsafe.Slice(a, n), unsafe.Slice(x, n))
}

// dotByLanes returns the sum of a row of Dots.
func dotByLanes[T float32 | float64](row, x []T) T {
	switch {
	case unsafe.Sizeof(T(0)) == 8 && len(x) >= 8:
		return T(dotFloat64(float64s(row), float64s(x)))
	case len(x) <= MaxDotOfFew:
		return DotOfFew(row, x)
	}
	var lanes [chainLanesBytes / 4]T
	for i, v := range x {
		l := i % len(lanes)
		lanes[l] = FMA(row[i], v, lanes[l])
	}
	return Halved(lanes[:])
}

// float64s returns a slice of float64 as such.
func float64s[T float32 | float64](x []T) []float64 {
	return unsafe.Slice((*float64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// dotFloat64 is dotByLanes for float64, and at least 8 products. Its lanes stay
// in memory: a compiler that cannot rely on the instruction saves registers
// around each fused multiply-add. The first products are added as DotOfFew
// does.
func dotFloat64(row, x []float64) float64 {
	v, w := (*[8]float64)(row), (*[8]float64)(x)
	var l [8]float64
	l[0], l[1] = float64(v[0]*w[0]), float64(v[1]*w[1])
	l[2], l[3] = float64(v[2]*w[2]), float64(v[3]*w[3])
	l[4], l[5] = float64(v[4]*w[4]), float64(v[5]*w[5])
	l[6], l[7] = float64(v[6]*w[6]), float64(v[7]*w[7])
	addToLanes(&l, row[8:], x[8:])
	if s := Halved(l[:]); s != 0 {
		return s
	}
	l = [8]float64{}
	addToLanes(&l, row, x)
	return Halved(l[:])
}

// addToLanes adds products to the lanes of Dots.
func addToLanes(l *[8]float64, row, x []float64) {
	for len(x) >= 8 && len(row) >= 8 {
		v, w := (*[8]float64)(row), (*[8]float64)(x)
		l[0] = math.FMA(v[0], w[0], l[0])
		l[1] = math.FMA(v[1], w[1], l[1])
		l[2] = math.FMA(v[2], w[2], l[2])
		l[3] = math.FMA(v[3], w[3], l[3])
		l[4] = math.FMA(v[4], w[4], l[4])
		l[5] = math.FMA(v[5], w[5], l[5])
		l[6] = math.FMA(v[6], w[6], l[6])
		l[7] = math.FMA(v[7], w[7], l[7])
		row, x = row[8:], x[8:]
	}
	row = row[:len(x)]
	for i, v := range x {
		lane := &l[i&7]
		*lane = math.FMA(row[i], v, *lane)
	}
}
