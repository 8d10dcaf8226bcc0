package blas

import (
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/internal/kernel"
)

// blockRows is the number of rows of a block of a triangle. Kernels compute the
// rectangle beside the block's own triangle, and that is computed by elements.
const blockRows = kernel.UnevenRows

// triangle is a stored triangle of order n.
type triangle[T float32 | float64] struct {
	a       []T
	n, lda  int
	isUpper bool
}

// span is a range of rows, or of columns.
type span struct{ from, end int }

// blocks returns the number of blocks of rows.
func (t *triangle[T]) blocks() int { return (t.n + blockRows - 1) / blockRows }

// block returns the rows of a block, counted from the first row, or from the
// last.
func (t *triangle[T]) block(i int, isReverse bool) span {
	if isReverse {
		end := t.n - i*blockRows
		return span{max(0, end-blockRows), end}
	}
	return span{i * blockRows, min((i+1)*blockRows, t.n)}
}

// beside returns the columns of the rectangle beside a block.
func (t *triangle[T]) beside(rows span) span {
	if t.isUpper {
		return span{rows.end, t.n}
	}
	return span{0, rows.from}
}

// The columns of the rows of a block's own triangle, beside the diagonal and
// with it, as masks for kernels.
const (
	besideLower = 0x7f3f1f0f07030100
	besideUpper = 0x0080c0e0f0f8fcfe
	diagonals   = 0x8040201008040201
)

// masks returns the columns beside the diagonal of the rows of a block.
func (t *triangle[T]) masks(rows span) uint64 {
	if !t.isUpper {
		return besideLower
	}
	return besideUpper & (0x0101010101010101 * (1<<(rows.end-rows.from) - 1))
}

// corner returns a block's own triangle, from its first row on or from its
// last.
func (t *triangle[T]) corner(rows span, isReverse bool) kernel.Operand[T] {
	if isReverse {
		return operandOfRows(t.a, (rows.end-1)*t.lda+rows.from, -t.lda)
	}
	return operandOfRows(t.a, rows.from*t.lda+rows.from, t.lda)
}

func (t *triangle[T]) diagonal(i int) T { return t.a[i*t.lda+i] }

// sums sets the sums of rows beside the diagonal times x by lanes.
func (d *direct[T]) sums(t *triangle[T], rows span, x []T, sums *[blockRows]T) {
	u := kernel.Uneven[T]{Rows: rows.end - rows.from}
	if t.isUpper {
		first := min(rows.from+1, t.n-1) // not beyond the matrix
		u.N, u.Step = t.n-1-rows.from, -1
		u.A = operandOfRows(t.a, rows.from*t.lda+first, t.lda+1)
		u.X, u.XRow = &x[first], 1
	} else {
		u.N, u.Step = rows.from, 1
		u.A, u.X = operandOfRows(t.a, rows.from*t.lda, t.lda), &x[0]
	}
	d.kernels.UnevenDots(u, sums)
}

// addBeside adds the rows of the rectangle beside a block to y, each times its
// factor, from the first row on or from the last.
func (d *direct[T]) addBeside(
	t *triangle[T], rows span, isReverse bool, factors []T, y []T,
) {
	c := t.beside(rows)
	if c.from == c.end {
		return
	}
	a := operandOfRows(t.a, rows.from*t.lda+c.from, t.lda)
	if isReverse {
		a = operandOfRows(t.a, (rows.end-1)*t.lda+c.from, -t.lda)
	}
	d.kernels.AddRows(factors, a, y[c.from:c.end])
}

// inside returns the columns of a block's own triangle beside the diagonal of
// row i.
func (t *triangle[T]) inside(rows span, i int) span {
	if t.isUpper {
		return span{i + 1, rows.end}
	}
	return span{rows.from, i}
}

// addInside adds a factor times row i of a block's own triangle to y.
func (t *triangle[T]) addInside(rows span, i int, factor T, y []T) {
	c := t.inside(rows, i)
	row := t.a[i*t.lda+c.from : i*t.lda+c.end]
	for j, v := range y[c.from:c.end][:len(row)] {
		y[c.from+j] = kernel.FMA(factor, row[j], v)
	}
}

// symv is Dsymv and Ssymv.
func (d *direct[T]) symv(
	ul blas.Uplo, n int, alpha T, a []T, lda int, x []T, incX int, beta T, y []T, incY int,
) {
	if incX == 1 && incY == 1 && (beta == 0 || beta == 1) && alpha != 0 &&
		uint(n-1) < maxTiny && n <= len(x) && n <= len(y) && isTriangle(ul, len(a), n, lda) {
		if beta == 0 {
			clear(y[:n])
		}
		symmetricTimesTiny(ul == blas.Upper, alpha, a, lda, x[:n], y[:n])
		return
	}
	d = d.orBest()
	if alpha == 0 || !isTriangle(ul, len(a), n, lda) ||
		!isVector(len(x), n, incX) || !isVector(len(y), n, incY) {
		d.checked().symv(symmetric, ul, n, alpha, a, lda, x, incX, beta, y, incY)
		return
	}
	t := triangle[T]{a, n, lda, ul == blas.Upper}
	if incX == 1 && incY == 1 {
		d.symmetricTimes(&t, alpha, x[:n], beta, y[:n])
		return
	}
	c := borrow[T]()
	v := contiguousIn(&c.y, y, n, incY)
	d.symmetricTimes(&t, alpha, contiguousIn(&c.x, x, n, incX), beta, v)
	store(v, y, incY)
	c.giveBack()
}

// symmetricTimes computes y ← α·A·x + β·y.
func (d *direct[T]) symmetricTimes(t *triangle[T], alpha T, x []T, beta T, y []T) {
	switch beta {
	case 0:
		clear(y)
	case 1:
	default:
		d.kernels.Multiply(len(y), beta, &y[0])
	}
	var sums, frame [blockRows]T
	for b := range t.blocks() {
		rows := t.block(b, false)
		d.sums(t, rows, x, &sums)
		factors := kernel.Hide(frame[:rows.end-rows.from])
		for i := range factors {
			factors[i] = alpha * x[rows.from+i]
		}
		own := y[rows.from:rows.end]
		if t.isUpper {
			d.kernels.AddCorner(factors, t.corner(rows, false), own, t.masks(rows))
		}
		for i := range own {
			s := kernel.FMA(t.diagonal(rows.from+i), x[rows.from+i], sums[i])
			own[i] = kernel.FMA(alpha, s, own[i])
		}
		if !t.isUpper {
			d.kernels.AddCorner(factors, t.corner(rows, false), own, t.masks(rows))
		}
		d.addBeside(t, rows, false, factors, y)
	}
}

// trmv is Dtrmv and Strmv.
func (d *direct[T]) trmv(
	ul blas.Uplo, tA blas.Transpose, diag blas.Diag, n int, a []T, lda int, x []T, incX int,
) {
	if incX == 1 && uint(n-1) < maxTiny && n <= len(x) &&
		isTriangular(ul, tA, diag, len(a), n, lda) {
		if tA == blas.NoTrans {
			multiplyTiny(ul == blas.Upper, diag == blas.Unit, a, lda, x[:n])
		} else {
			multiplyTransposedTiny(ul == blas.Upper, diag == blas.Unit, a, lda, x[:n])
		}
		return
	}
	d = d.orBest()
	if !isTriangular(ul, tA, diag, len(a), n, lda) || !isVector(len(x), n, incX) {
		trxv(d.rest.triVec, ul, tA, diag, n, a, lda, x, incX)
		return
	}
	t := triangle[T]{a, n, lda, ul == blas.Upper}
	if incX == 1 {
		d.multiplyAny(&t, tA, diag == blas.Unit, x[:n])
		return
	}
	c := borrow[T]()
	v := contiguousIn(&c.x, x, n, incX)
	d.multiplyAny(&t, tA, diag == blas.Unit, v)
	store(v, x, incX)
	c.giveBack()
}

// multiplyAny chooses a routine.
func (d *direct[T]) multiplyAny(t *triangle[T], tA blas.Transpose, unit bool, x []T) {
	if tA == blas.NoTrans {
		d.multiply(t, unit, x)
	} else {
		d.multiplyTransposed(t, unit, x)
	}
}

func isTriangular(
	ul blas.Uplo, tA blas.Transpose, diag blas.Diag, length, n, lda int,
) bool {
	return (tA == blas.NoTrans || tA == blas.Trans || tA == blas.ConjTrans) &&
		(diag == blas.Unit || diag == blas.NonUnit) && isTriangle(ul, length, n, lda)
}

// multiply computes x ← A·x.
func (d *direct[T]) multiply(t *triangle[T], unit bool, x []T) {
	var sums [blockRows]T
	for b := range t.blocks() {
		rows := t.block(b, !t.isUpper)
		d.sums(t, rows, x, &sums)
		for i := rows.from; i < rows.end; i++ {
			if s := sums[i-rows.from]; unit {
				x[i] = s + x[i]
			} else {
				x[i] = kernel.FMA(t.diagonal(i), x[i], s)
			}
		}
	}
}

// multiplyTransposed computes x ← Aᵀ·x.
func (d *direct[T]) multiplyTransposed(t *triangle[T], unit bool, x []T) {
	var frame [blockRows]T
	for b := range t.blocks() {
		rows := t.block(b, t.isUpper)
		own, masks := x[rows.from:rows.end], t.masks(rows)
		factors := kernel.Hide(frame[:len(own)])
		copy(factors, own)
		if t.isUpper {
			slices.Reverse(factors)
			masks = bits.ReverseBytes64(masks) >> (8 * (blockRows - len(own)))
		}
		d.addBeside(t, rows, t.isUpper, factors, x)
		if !unit {
			for i := range own {
				own[i] *= t.diagonal(rows.from + i)
			}
		}
		d.kernels.AddCorner(factors, t.corner(rows, t.isUpper), own, masks)
	}
}

// trsv is Dtrsv and Strsv.
func (d *direct[T]) trsv(
	ul blas.Uplo, tA blas.Transpose, diag blas.Diag, n int, a []T, lda int, x []T, incX int,
) {
	if incX == 1 && uint(n-1) < maxTinyTransposed && n <= len(x) &&
		isTriangular(ul, tA, diag, len(a), n, lda) {
		if tA != blas.NoTrans {
			solveTransposedTiny(ul == blas.Upper, diag == blas.Unit, a, lda, x[:n])
			return
		}
		if n <= maxTinySystem {
			solveTiny(ul == blas.Upper, diag == blas.Unit, a, lda, x[:n])
			return
		}
	}
	d = d.orBest()
	if !isTriangular(ul, tA, diag, len(a), n, lda) || !isVector(len(x), n, incX) {
		trxv(d.rest.triSolve, ul, tA, diag, n, a, lda, x, incX)
		return
	}
	t := triangle[T]{a, n, lda, ul == blas.Upper}
	if incX == 1 {
		d.solveAny(&t, tA, diag == blas.Unit, x[:n])
		return
	}
	c := borrow[T]()
	v := contiguousIn(&c.x, x, n, incX)
	d.solveAny(&t, tA, diag == blas.Unit, v)
	store(v, x, incX)
	c.giveBack()
}

// solveAny chooses a routine.
func (d *direct[T]) solveAny(t *triangle[T], tA blas.Transpose, unit bool, x []T) {
	if tA == blas.NoTrans {
		d.solve(t, unit, x)
	} else {
		d.solveTransposed(t, unit, x)
	}
}

// solve computes x ← A⁻¹·x.
func (d *direct[T]) solve(t *triangle[T], unit bool, x []T) {
	if !t.isUpper && d.kernels.HasLanes() {
		d.solveLower(t, unit, x)
		return
	}
	var sum [1]T
	for p := range t.n {
		i, c := p, span{0, p}
		if t.isUpper {
			i = t.n - 1 - p
			c = span{i + 1, t.n}
		}
		if c.from < c.end {
			row := operandOfRows(t.a, i*t.lda+c.from, t.lda)
			d.kernels.Dots(row, x[c.from:c.end], kernel.Hide(sum[:]))
			x[i] -= sum[0]
		}
		if !unit {
			x[i] /= t.diagonal(i)
		}
	}
}

// solveLower is solve for a lower triangle. The elements of x before a block
// fill lanes of its rows first.
//
// An upper triangle has no such order: the first element of a row, known last,
// is the first of its lane.
func (d *direct[T]) solveLower(t *triangle[T], unit bool, x []T) {
	var lanes kernel.LanesOfRows[T]
	width := kernel.ChainLanes[T]()
	for b := range t.blocks() {
		rows := t.block(b, false)
		first := max(0, rows.end-blockRows) // as many rows as the kernel takes
		if rows.from > 0 {
			a := operandOfRows(t.a, first*t.lda, t.lda)
			d.kernels.Lanes(a, x[:rows.from], &lanes)
		}
		for i := rows.from; i < rows.end; i++ {
			row := lanes[(i-first)*width:][:width]
			for j, v := range t.a[i*t.lda+rows.from : i*t.lda+i] {
				l := (rows.from + j) % width
				row[l] = kernel.FMA(v, x[rows.from+j], row[l])
			}
			x[i] -= kernel.Halved(row)
			if !unit {
				x[i] /= t.diagonal(i)
			}
		}
	}
}

// solveTransposed computes x ← A⁻ᵀ·x.
func (d *direct[T]) solveTransposed(t *triangle[T], unit bool, x []T) {
	var frame [blockRows]T
	for b := range t.blocks() {
		rows := t.block(b, !t.isUpper)
		factors := kernel.Hide(frame[:rows.end-rows.from])
		for p := range factors {
			i := rows.from + p
			if !t.isUpper {
				i = rows.end - 1 - p
			}
			if !unit {
				x[i] /= t.diagonal(i)
			}
			factors[p] = -x[i]
			t.addInside(rows, i, -x[i], x)
		}
		d.addBeside(t, rows, !t.isUpper, factors, x)
	}
}

// syr is Dsyr and Ssyr.
func (d *direct[T]) syr(ul blas.Uplo, n int, alpha T, x []T, incX int, a []T, lda int) {
	if incX == 1 && alpha != 0 && uint(n-1) < maxTiny && n <= len(x) &&
		isTriangle(ul, len(a), n, lda) {
		addSquareTiny(ul == blas.Upper, alpha, x[:n], a, lda)
		return
	}
	d = d.orBest()
	if alpha == 0 || !isTriangle(ul, len(a), n, lda) || incX != 1 || len(x) < n ||
		hasZero(x[:n]) {
		d.checked().syr(symmetric, ul, n, alpha, x, incX, a, lda)
		return
	}
	t := triangle[T]{a, n, lda, ul == blas.Upper}
	d.addSymmetric(&t, alpha, x[:n], x[:n])
}

// hasZero reports whether an element is zero. Dsyr leaves its row as it is.
func hasZero[T float32 | float64](x []T) bool {
	for _, v := range x {
		if v == 0 {
			return true
		}
	}
	return false
}

// syr2 is Dsyr2 and Ssyr2.
func (d *direct[T]) syr2(
	ul blas.Uplo, n int, alpha T, x []T, incX int, y []T, incY int, a []T, lda int,
) {
	if incX == 1 && incY == 1 && alpha != 0 && uint(n-1) < maxTiny &&
		n <= len(x) && n <= len(y) && isTriangle(ul, len(a), n, lda) {
		addCrossedTiny(ul == blas.Upper, alpha, x[:n], y[:n], a, lda)
		return
	}
	d = d.orBest()
	if alpha == 0 || !isTriangle(ul, len(a), n, lda) ||
		!isVector(len(x), n, incX) || !isVector(len(y), n, incY) {
		d.checked().syr2(symmetric, ul, n, alpha, x, incX, y, incY, a, lda)
		return
	}
	t := triangle[T]{a, n, lda, ul == blas.Upper}
	if incX == 1 && incY == 1 {
		d.addSymmetric(&t, alpha, x[:n], y[:n])
		d.addSymmetric(&t, alpha, y[:n], x[:n])
		return
	}
	c := borrow[T]()
	vx, vy := contiguousIn(&c.x, x, n, incX), contiguousIn(&c.y, y, n, incY)
	d.addSymmetric(&t, alpha, vx, vy)
	d.addSymmetric(&t, alpha, vy, vx)
	c.giveBack()
}

// addSymmetric adds α·x·yᵀ to a triangle.
func (d *direct[T]) addSymmetric(t *triangle[T], alpha T, x, y []T) {
	var frame [blockRows]T
	for b := range t.blocks() {
		rows := t.block(b, false)
		factors := kernel.Hide(frame[:rows.end-rows.from])
		for i := range factors {
			factors[i] = alpha * x[rows.from+i]
		}
		masks := t.masks(rows) | diagonals
		d.kernels.AddCornerOuter(factors, y[rows.from:rows.end], t.corner(rows, false), masks)
		if c := t.beside(rows); c.from < c.end {
			a := operandOfRows(t.a, rows.from*t.lda+c.from, t.lda)
			d.kernels.AddOuter(factors, y[c.from:c.end], a)
		}
	}
}
