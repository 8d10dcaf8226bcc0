package kernel

import (
	"math"
	"unsafe"
)

// TriangleOrder is the most rows of SymmetricTimes and SymmetricUpdate.
const TriangleOrder = 64

// triangles holds the bodies of SymmetricTimes and SymmetricUpdate for an upper
// and for a lower triangle.
type triangles[T float32 | float64] struct {
	timesUpper, timesLower   func(n int, alpha T, x, y, a *T, aRow int)
	updateUpper, updateLower func(n int, x, y, a *T, aRow int)
}

// HasTriangles reports whether the level has the kernels of SymmetricTimes and
// SymmetricUpdate for n rows.
func (c Chain[T]) HasTriangles(n int) bool {
	return c.body.timesUpper != nil && 1 <= n && n <= TriangleOrder
}

// SymmetricTimes sets y to alpha·A·x. The upper or lower triangle of A is
// stored, and has at most TriangleOrder rows, as many as x and y have elements.
// For rows i ascending, from +0 on,
//
//	y[i] ← fma(alpha, fma(a(i, i), x[i], s), y[i])
//	y[j] ← fma(alpha⊗x[i], a(i, j), y[j])
//
// where j are the columns beside the diagonal of the stored row, and s is the
// sum of a(i, j)·x[j] by the lanes of [Chain.Dots]. The level has the kernel:
// HasTriangles. The columns of a are neighbours: Col is 1.
func (c Chain[T]) SymmetricTimes(isUpper bool, alpha T, x, y []T, a Operand[T]) {
	body := c.body.timesLower
	if isUpper {
		body = c.body.timesUpper
	}
	body(len(x), alpha, data(x), data(y), a.At, a.Row)
}

// SymmetricUpdate subtracts x·yᵀ and y·xᵀ from a stored triangle, as large as
// in SymmetricTimes:
//
//	a(i, j) ← fma(−x[i], y[j], a(i, j)), then fma(−y[i], x[j], a(i, j))
//
// The level has the kernel: HasTriangles. The columns of a are neighbours: Col
// is 1.
func (c Chain[T]) SymmetricUpdate(isUpper bool, x, y []T, a Operand[T]) {
	body := c.body.updateLower
	if isUpper {
		body = c.body.updateUpper
	}
	body(len(x), data(x), data(y), a.At, a.Row)
}

// trianglesGeneric returns the portable bodies.
func trianglesGeneric() triangles[float64] {
	return triangles[float64]{
		func(n int, alpha float64, x, y, a *float64, aRow int) {
			symmetricTimesGeneric(true, n, alpha, x, y, a, aRow)
		},
		func(n int, alpha float64, x, y, a *float64, aRow int) {
			symmetricTimesGeneric(false, n, alpha, x, y, a, aRow)
		},
		func(n int, x, y, a *float64, aRow int) { symmetricUpdateGeneric(true, n, x, y, a, aRow) },
		func(n int, x, y, a *float64, aRow int) { symmetricUpdateGeneric(false, n, x, y, a, aRow) },
	}
}

// symmetricTimesGeneric is the portable body of SymmetricTimes.
func symmetricTimesGeneric(
	isUpper bool, n int, alpha float64, px, py, a *float64, aRow int,
) {
	x, y, m := unsafe.Slice(px, n), unsafe.Slice(py, n), Operand[float64]{a, aRow, 1}
	clear(y)
	for i, v := range x {
		row := m.RowOf(i, n)
		diagonal, from, to := row[i], 0, i
		if isUpper {
			from, to = i+1, n
		}
		row = row[from:to]
		s := dotAndAdd(float64(alpha*v), row, x[from:to], y[from:to])
		y[i] = math.FMA(alpha, math.FMA(diagonal, v, s), y[i])
	}
}

// dotAndAdd adds a multiple of a row to y, and returns the sum of its products
// with x by lanes.
func dotAndAdd(factor float64, row, x, y []float64) float64 {
	var l [8]float64
	x, y = x[:len(row)], y[:len(row)]
	for j, e := range row {
		lane := &l[j&7]
		*lane = math.FMA(e, x[j], *lane)
		y[j] = math.FMA(factor, e, y[j])
	}
	return Halved(l[:])
}

// symmetricUpdateGeneric is the portable body of SymmetricUpdate.
func symmetricUpdateGeneric(isUpper bool, n int, px, py, a *float64, aRow int) {
	x, y, m := unsafe.Slice(px, n), unsafe.Slice(py, n), Operand[float64]{a, aRow, 1}
	for i, v := range x {
		from, to := 0, i+1
		if isUpper {
			from, to = i, n
		}
		row, u, vx, vy := m.RowOf(i, n)[from:to], y[i], x[from:to], y[from:to]
		for j, e := range row {
			row[j] = math.FMA(-u, vx[j], math.FMA(-v, vy[j], e))
		}
	}
}
