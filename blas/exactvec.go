package blas

import (
	"slices"
	"sort"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/internal/kernel"
)

// doubles returns numbers as float64: the slice itself, or a copy in buffer.
func doubles[T float32 | float64](x []T, buffer *[]float64) []float64 {
	if v, ok := any(x).([]float64); ok {
		return v
	}
	*buffer = (*buffer)[:0]
	for _, v := range x {
		*buffer = append(*buffer, float64(v))
	}
	return *buffer
}

// columnReader yields the columns of stored rows as slices. It copies blocks of
// adjacent columns, because those of one row share cache lines.
type columnReader[T float32 | float64] struct {
	rows  rows[T]
	m     int // rows, the last of them not empty
	begin int // the first column of the block; −1 without a block
	first [columnBlock]int
	block [columnBlock][]float64
}

// columnBlock is the number of columns of a block, those of a cache line of
// float32.
const columnBlock = 16

func newColumnReader[T float32 | float64](a rows[T], m int) *columnReader[T] {
	for m > 0 {
		if _, row := a(m - 1); len(row) > 0 {
			break
		}
		m--
	}
	return &columnReader[T]{rows: a, m: m, begin: -1}
}

// at returns the stored elements of column j, and the row of the first of them.
// It may overwrite the column that it returned before.
func (c *columnReader[T]) at(j int) (first int, column []float64) {
	if begin := j / columnBlock * columnBlock; begin != c.begin {
		c.load(begin)
	}
	return c.first[j-c.begin], c.block[j-c.begin]
}

// load copies the block that begins with a column. Its rows are adjacent, since
// neither the first nor the last columns of the rows descend.
func (c *columnReader[T]) load(begin int) {
	c.begin = begin
	for l := range c.block {
		c.first[l], c.block[l] = 0, c.block[l][:0]
	}
	i := sort.Search(c.m, func(i int) bool {
		from, row := c.rows(i)
		return from+len(row) > begin
	})
	for ; i < c.m; i++ {
		from, row := c.rows(i)
		if from >= begin+columnBlock {
			return
		}
		for j := max(from, begin); j < min(from+len(row), begin+columnBlock); j++ {
			l := j - begin
			if len(c.block[l]) == 0 {
				c.first[l] = i
			}
			c.block[l] = append(c.block[l], float64(row[j-from]))
		}
	}
}

// line returns the stored elements of a row or a column of a matrix, and the
// index of the first of them. They stay valid until the next call.
type line func(i int) (first int, elements []float64)

// linesOf returns the m stored rows of a matrix, or with trans its columns.
func linesOf[T float32 | float64](trans bool, a rows[T], m int) line {
	if trans {
		return newColumnReader(a, m).at
	}
	var buffer []float64
	return func(i int) (int, []float64) {
		from, row := a(i)
		return from, doubles(row, &buffer)
	}
}

// matVec computes y ← α·A·x + β·y, each element rounded once.
func (k *exactKit[T]) matVec(m int, alpha T, a rows[T], x []T, beta T, y []T) {
	k.lineVec(alpha, linesOf(false, a, m), x, beta, y)
}

// vecMat computes y ← α·Aᵀ·x + β·y, each element rounded once.
func (k *exactKit[T]) vecMat(m int, alpha T, a rows[T], _ bool, x []T, beta T, y []T) {
	k.lineVec(alpha, linesOf(true, a, m), x, beta, y)
}

func (k *exactKit[T]) lineVec(alpha T, a line, x []T, beta T, y []T) {
	if alpha == 0 {
		k.scale(beta, y)
		return
	}
	var e expression
	var buffer []float64
	v := doubles(x, &buffer)
	for i := range y {
		first, elements := a(i)
		e.begin(float64(alpha), float64(beta), float64(y[i]), 1)
		e.add(elements, v[first:first+len(elements)])
		y[i] = rounded[T](&e)
	}
}

// symVec computes y ← α·A·x + β·y for a triangle of a symmetric matrix, each
// element rounded once: row i of the matrix is row i of the triangle and the
// column through the same diagonal element.
func (k *exactKit[T]) symVec(
	_ symmetry, upper bool, alpha T, a rows[T], x []T, beta T, y []T,
) {
	if alpha == 0 {
		k.scale(beta, y)
		return
	}
	var e expression
	var buffer []float64
	v := doubles(x, &buffer)
	rows, cols := linesOf(false, a, len(x)), linesOf(true, a, len(x))
	for i := range y {
		e.begin(float64(alpha), float64(beta), float64(y[i]), 1)
		first, elements := rows(i)
		e.add(elements, v[first:first+len(elements)])
		_, first, elements = cut(!upper, cols, i)
		e.add(elements, v[first:first+len(elements)])
		y[i] = rounded[T](&e)
	}
}

// cut returns the diagonal element of a line of a triangle, which is its first
// or its last, and the elements beside it.
func cut(isFirst bool, a line, i int) (diagonal float64, first int, beside []float64) {
	first, beside = a(i)
	if isFirst {
		return beside[0], first + 1, beside[1:]
	}
	last := len(beside) - 1
	return beside[last], first, beside[:last]
}

// triVec computes x ← op(A)·x for a triangle, each element rounded once.
func (k *exactKit[T]) triVec(upper, trans, _, unit bool, a rows[T], x []T) {
	var e expression
	var buffer []float64
	v := slices.Clone(doubles(x, &buffer))
	lines := linesOf(trans, a, len(x))
	for i := range x {
		d, first, beside := cut(upper != trans, lines, i)
		if unit {
			d = 1
		}
		e.begin(1, 0, 0, 1)
		e.add(beside, v[first:first+len(beside)])
		e.add([]float64{d}, v[i:i+1])
		x[i] = rounded[T](&e)
	}
}

// triSolve computes x ← op(A)⁻¹·x for a triangle by substitution: x[i] becomes
// (x[i] − Σ a[i,p]·x[p]) / a[i,i], rounded once, where each x[p] is an element
// of the solution.
func (k *exactKit[T]) triSolve(upper, trans, _, unit bool, a rows[T], x []T) {
	var e expression
	var buffer []float64
	v := doubles(x, &buffer)
	lines := linesOf(trans, a, len(x))
	for i := range inOrder(len(x), upper != trans) {
		d, first, beside := cut(upper != trans, lines, i)
		if unit {
			d = 1
		}
		e.begin(-1, 1, v[i], d)
		e.add(beside, v[first:first+len(beside)])
		x[i] = rounded[T](&e)
		v[i] = float64(x[i])
	}
}

// rankOne adds α·x·yᵀ to the stored rows of a matrix: a[i,j] + α·x[i]·y[j] is
// rounded once.
func (k *exactKit[T]) rankOne(_ bool, alpha T, x, y []T, a rows[T]) {
	var e expression
	for i, v := range x {
		from, row := a(i)
		if alpha == 1 || alpha == -1 {
			k.axpy(alpha*v, y[from:from+len(row)], row)
			continue
		}
		for j, c := range row {
			s := times(float64(v), float64(y[from+j]))
			sum := s.scaled(float64(alpha)).plus(near{hi: float64(c)})
			if r, ok := settled[T](sum); ok {
				row[j] = r
				continue
			}
			e.begin(float64(alpha), 1, float64(c), 1)
			e.add([]float64{float64(v)}, []float64{float64(y[from+j])})
			row[j] = rounded[T](&e)
		}
	}
}

// rankTwo adds α·x·yᵀ + α·y·xᵀ to the stored rows of a matrix: a[i,j] +
// α·x[i]·y[j] + α·y[i]·x[j] is rounded once.
func (k *exactKit[T]) rankTwo(_ symmetry, alpha T, x, y []T, a rows[T]) {
	var e expression
	for i := range x {
		from, row := a(i)
		for j, c := range row {
			left := [2]float64{float64(x[i]), float64(y[i])}
			right := [2]float64{float64(y[from+j]), float64(x[from+j])}
			s := times(left[0], right[0]).plus(times(left[1], right[1]))
			sum := s.scaled(float64(alpha)).plus(near{hi: float64(c)})
			if r, ok := settled[T](sum); ok {
				row[j] = r
				continue
			}
			e.begin(float64(alpha), 1, float64(c), 1)
			e.add(slices.Clone(left[:]), slices.Clone(right[:]))
			row[j] = rounded[T](&e)
		}
	}
}

// exactTwo returns a·x + b·y, rounded once.
func exactTwo[T float32 | float64](a, x, b, y T) T {
	if a == 1 || a == -1 {
		return kernel.FMA(b, y, a*x)
	}
	if b == 1 || b == -1 {
		return kernel.FMA(a, x, b*y)
	}
	s := times(float64(a), float64(x)).plus(times(float64(b), float64(y)))
	if r, ok := settled[T](s); ok {
		return r
	}
	var sum exact.Accumulator
	sum.AddProduct(float64(a), float64(x))
	sum.AddProduct(float64(b), float64(y))
	return read[T](&sum)
}
