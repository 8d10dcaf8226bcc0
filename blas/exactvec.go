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
	*buffer = slices.Grow((*buffer)[:0], len(x))[:len(x)]
	for i, v := range x {
		(*buffer)[i] = float64(v)
	}
	return *buffer
}

// columnReader yields the columns of stored rows as slices, where a number has
// one or two parts in each row. It copies blocks of adjacent columns, because
// their elements in one row share cache lines.
type columnReader[T float32 | float64] struct {
	rows  rows[T]
	parts int
	m     int // rows, the last of them not empty
	begin int // the first column of the block; −1 without a block
	first [columnBlock]int
	block [columnBlock][]float64
}

// columnBlock is the number of columns of a block: as many as a cache line has
// numbers of float32.
const columnBlock = 16

func newColumnReader[T float32 | float64](a rows[T], parts, m int) *columnReader[T] {
	for m > 0 {
		if _, row := a(m - 1); len(row) > 0 {
			break
		}
		m--
	}
	return &columnReader[T]{rows: a, parts: parts, m: m, begin: -1}
}

// at returns the parts of the stored elements of column j, and the index of the
// first of them in the whole column. It may overwrite the column that it
// returned before.
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
		return from+len(row) > begin*c.parts
	})
	for ; i < c.m; i++ {
		from, row := c.rows(i)
		first, end := from/c.parts, (from+len(row))/c.parts
		if first >= begin+columnBlock {
			return
		}
		for j := max(first, begin); j < min(end, begin+columnBlock); j++ {
			l := j - begin
			if len(c.block[l]) == 0 {
				c.first[l] = i * c.parts
			}
			for _, v := range row[j*c.parts-from : (j+1)*c.parts-from] {
				c.block[l] = append(c.block[l], float64(v))
			}
		}
	}
}

// line returns the parts of the stored elements of a row or a column of a
// matrix, and the index of the first of them. They stay valid until the next
// call.
type line func(i int) (first int, parts []float64)

// linesOf returns the m stored rows of a matrix, or with trans its columns.
func linesOf[F float32 | float64, T number](trans bool, a rows[T], m int) line {
	parts := partCount[F, T]()
	byParts := func(i int) (int, []F) {
		from, row := a(i)
		return from * parts, partsOf[F](row)
	}
	if trans {
		return newColumnReader(byParts, parts, m).at
	}
	var buffer []float64
	return func(i int) (int, []float64) {
		from, row := byParts(i)
		return from, doubles(row, &buffer)
	}
}

// cut returns the diagonal element of a line of a triangle, which is its first
// or its last, and the elements beside it.
func (k *exactKit[T, F]) cut(
	isFirst bool, a line, i int,
) (diagonal []float64, first int, beside []float64) {
	first, beside = a(i)
	if isFirst {
		return beside[:k.parts], first + k.parts, beside[k.parts:]
	}
	last := len(beside) - k.parts
	return beside[last:], first, beside[:last]
}

// number returns the parts of element i.
func (k *exactKit[T, F]) number(x []T, i int) []F { return partsOf[F](x[i : i+1]) }

// matVec computes y ← α·A·x + β·y, each part rounded once.
func (k *exactKit[T, F]) matVec(m int, alpha T, a rows[T], x []T, beta T, y []T) {
	k.lineVec(alpha, linesOf[F](false, a, m), operandOf[F](x, false, false), beta, y)
}

// vecMat computes y ← α·Aᵀ·x + β·y, or α·Aᴴ·x + β·y with conj, each part
// rounded once.
func (k *exactKit[T, F]) vecMat(m int, alpha T, a rows[T], conj bool, x []T, beta T, y []T) {
	k.lineVec(alpha, linesOf[F](true, a, m), operandOf[F](x, conj, false), beta, y)
}

func (k *exactKit[T, F]) lineVec(alpha T, a line, x operand, beta T, y []T) {
	if alpha == 0 {
		k.scale(beta, y)
		return
	}
	var c combination
	for i := range y {
		first, elements := a(i)
		c.reset()
		c.add(scalarOf[F](alpha), elements, x.slice(first, len(elements)))
		storeCombination(&c, scalarOf[F](beta), k.number(y, i))
	}
}

// symVec computes y ← α·A·x + β·y for a triangle of a symmetric or Hermitian
// matrix, each part rounded once: row i of the matrix is row i of the triangle
// and the column through the same diagonal element.
func (k *exactKit[T, F]) symVec(
	of symmetry, upper bool, alpha T, a rows[T], x []T, beta T, y []T,
) {
	if alpha == 0 {
		k.scale(beta, y)
		return
	}
	var c combination
	factor := scalarOf[F](alpha)
	plain, mirrored := operandOf[F](x, false, false), operandOf[F](x, of == hermitian, false)
	rows, cols := linesOf[F](false, a, len(x)), linesOf[F](true, a, len(x))
	for i := range y {
		c.reset()
		diagonal, first, beside := k.cut(upper, rows, i)
		c.add(factor, beside, plain.slice(first, len(beside)))
		_, first, beside = k.cut(!upper, cols, i)
		c.add(factor, beside, mirrored.slice(first, len(beside)))
		if of == hermitian {
			diagonal = diagonal[:1]
		}
		c.add(factor, diagonal, plain.slice(i*k.parts, len(diagonal)))
		storeCombination(&c, scalarOf[F](beta), k.number(y, i))
	}
}

// triVec computes x ← op(A)·x for a triangle, each part rounded once.
func (k *exactKit[T, F]) triVec(upper, trans, conj, unit bool, a rows[T], x []T) {
	var c combination
	v := operandOf[F](slices.Clone(x), conj, false)
	lines := linesOf[F](trans, a, len(x))
	for i := range x {
		diagonal, first, beside := k.cut(upper != trans, lines, i)
		if unit {
			diagonal = []float64{1}
		}
		c.reset()
		c.add(scalar{re: 1}, beside, v.slice(first, len(beside)))
		c.add(scalar{re: 1}, diagonal, v.slice(i*k.parts, len(diagonal)))
		storeCombination(&c, scalar{}, k.number(x, i))
	}
}

// triSolve computes x ← op(A)⁻¹·x for a triangle by substitution: x[i] becomes
// (x[i] − Σ a[i,p]·x[p]) / a[i,i], rounded once, where each x[p] is an element
// of the solution. Complex systems are solved as Ordered does.
func (k *exactKit[T, F]) triSolve(upper, trans, conj, unit bool, a rows[T], x []T) {
	if k.parts > 1 {
		k.ordered.triSolve(upper, trans, conj, unit, a, x)
		return
	}
	var e expression
	parts := partsOf[F](x)
	v := doubles(parts, new([]float64))
	lines := linesOf[F](trans, a, len(x))
	for i := range inOrder(len(x), upper != trans) {
		diagonal, first, beside := k.cut(upper != trans, lines, i)
		d := diagonal[0]
		if unit {
			d = 1
		}
		e.begin(false, d)
		e.add(-1, beside, v[first:first+len(beside)])
		e.plus(1, v[i])
		parts[i] = rounded[F](&e)
		v[i] = float64(parts[i])
	}
}

// rankOne adds α·x·yᵀ, or α·x·yᴴ with conj, to the stored rows of a matrix:
// each part of a[i,j] + α·x[i]·y[j] is rounded once.
func (k *exactKit[T, F]) rankOne(conj bool, alpha T, x, y []T, a rows[T]) {
	if k.parts == 1 && (alpha == 1 || alpha == -1) {
		for i, v := range x {
			from, row := a(i)
			k.axpy(k.mul(alpha, v), y[from:from+len(row)], row)
		}
		return
	}
	k.updateRows([]update{
		{scalarOf[F](alpha), k.doubles(x), operandOf[F](y, false, conj)},
	}, a, len(x))
}

// rankTwo adds α·x·yᵀ + α·y·xᵀ, or α·x·yᴴ + conj(α)·y·xᴴ, to the stored rows of
// a matrix, each part rounded once.
func (k *exactKit[T, F]) rankTwo(of symmetry, alpha T, x, y []T, a rows[T]) {
	conj := of == hermitian
	k.updateRows([]update{
		{scalarOf[F](alpha), k.doubles(x), operandOf[F](y, false, conj)},
		{scalarOf[F](k.second(of, alpha)), k.doubles(y), operandOf[F](x, false, conj)},
	}, a, len(x))
}

// update is α·x·yᵀ, of the parts of x.
type update struct {
	alpha scalar
	x     []float64
	y     operand
}

// doubles returns the parts of numbers.
func (k *exactKit[T, F]) doubles(x []T) []float64 {
	return doubles(partsOf[F](x), new([]float64))
}

// updateRows adds updates to m stored rows, each part rounded once.
func (k *exactKit[T, F]) updateRows(updates []update, a rows[T], m int) {
	var c combination
	exactly := func(i, from, j int, row []T) {
		c.reset()
		for _, u := range updates {
			x := u.x[i*k.parts : (i+1)*k.parts]
			c.add(u.alpha, x, u.y.slice((from+j)*k.parts, k.parts))
		}
		storeCombination(&c, scalar{re: 1}, k.number(row, j))
	}
	for i := range m {
		from, row := a(i)
		if k.parts == 1 {
			updateRow(updates, i, from, partsOf[F](row), func(j int) { exactly(i, from, j, row) })
			continue
		}
		for j := range row {
			exactly(i, from, j, row)
		}
	}
}

// updateRow adds updates to row i of real numbers, from a column on: nearly, or
// exactly where the bound of the error does not let an element be rounded.
func updateRow[F float32 | float64](
	updates []update, i, from int, row []F, exactly func(j int),
) {
	for j, v := range row {
		sum := near{hi: float64(v)}
		for u := range updates {
			n := &updates[u]
			sum = sum.plusProduct(times(n.alpha.re, n.x[i]), n.y[0][from+j])
		}
		if r, ok := settled[F](sum); ok {
			row[j] = r
		} else {
			exactly(j)
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
