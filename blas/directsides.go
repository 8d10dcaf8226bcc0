package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/internal/kernel"
)

// maxNarrow is the most columns of the right side of a system that is solved by
// elements, and maxElements the highest order and the most columns of a
// triangle and a matrix that are multiplied, or solved, by elements.
const (
	maxNarrow   = 3
	maxElements = 2
)

// maxLeafWidth is the most columns of a matrix beside a triangle of at most
// leaf rows that is multiplied, or solved, row by row at once.
const maxLeafWidth = 64

// sided is a lower triangle of some order beside a matrix of as many rows.
type sided[T float32 | float64] struct {
	lower, right kernel.Operand[T]
	order, width int
	isUnit       bool
}

// sidedOf returns the operands of op(A)·B, or of B·op(A), as sides does. It
// reports whether the arguments are right, and the order and width small.
func sidedOf[T float32 | float64](
	s blas.Side, ul blas.Uplo, t blas.Transpose, diag blas.Diag, m, n int,
	a []T, lda int, b []T, ldb int,
) (p sided[T], ok bool) {
	order, width, isUpper := m, n, (ul == blas.Upper) == (t == blas.NoTrans)
	lowerRow, lowerCol, row, col := lda, 1, ldb, 1
	if t != blas.NoTrans {
		lowerRow, lowerCol = 1, lda
	}
	if s == blas.Right {
		order, width, isUpper = n, m, !isUpper
		lowerRow, lowerCol, row, col = lowerCol, lowerRow, 1, ldb
	}
	if s != blas.Left && s != blas.Right || order > leaf || width > maxLeafWidth ||
		!isMatrix(len(b), m, n, ldb) || !isTriangular(ul, t, diag, len(a), order, lda) {
		return p, false
	}
	from, to := 0, 0
	if isUpper {
		from, to = (order-1)*(lda+1), (order-1)*row
		lowerRow, lowerCol, row = -lowerRow, -lowerCol, -row
	}
	return sided[T]{
		kernel.Operand[T]{At: &a[from], Row: lowerRow, Col: lowerCol},
		kernel.Operand[T]{At: &b[to], Row: row, Col: col},
		order, width, diag == blas.Unit,
	}, true
}

// trsm is Dtrsm and Strsm.
func (d *direct[T]) trsm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, diag blas.Diag, m, n int, alpha T,
	a []T, lda int, b []T, ldb int,
) {
	d = d.orBest()
	if s == blas.Left && alpha == 1 && n <= maxNarrow &&
		isTriangular(ul, tA, diag, len(a), m, lda) && isMatrix(len(b), m, n, ldb) {
		isTransposed := tA != blas.NoTrans
		d.solveLeft((ul == blas.Upper) != isTransposed, isTransposed, diag == blas.Unit,
			m, n, a, lda, b, ldb)
		return
	}
	p, ok := sidedOf(s, ul, tA, diag, m, n, a, lda, b, ldb)
	switch {
	case !ok || alpha == 0:
		d.checked().trsm(s, ul, tA, diag, m, n, alpha, a, lda, b, ldb)
	case alpha == 1 && p.order <= maxElements && p.width <= maxElements:
		p.solveByElements()
	default:
		d.inRows(&p, func() { d.solveRows(&p, alpha) })
	}
}

// trmm is Dtrmm and Strmm.
func (d *direct[T]) trmm(
	s blas.Side, ul blas.Uplo, tA blas.Transpose, diag blas.Diag, m, n int, alpha T,
	a []T, lda int, b []T, ldb int,
) {
	d = d.orBest()
	p, ok := sidedOf(s, ul, tA, diag, m, n, a, lda, b, ldb)
	switch {
	case !ok || alpha == 0:
		d.checked().trmm(s, ul, tA, diag, m, n, alpha, a, lda, b, ldb)
	case p.order <= maxElements && p.width <= maxElements:
		p.multiplyByElements(alpha)
	default:
		d.inRows(&p, func() { d.multiplyRows(&p, alpha) })
	}
}

// inRows calls do with the right matrix in p or, where its columns are not
// neighbours, with a copy that it stores back.
func (d *direct[T]) inRows(p *sided[T], do func()) {
	if p.right.Col == 1 {
		do()
		return
	}
	c, stored := borrow[T](), p.right
	if len(c.y) < leaf*maxLeafWidth {
		c.y = make([]T, leaf*maxLeafWidth)
	}
	p.right = operandOfRows(c.y, 0, p.width)
	copyElements(p.right, stored, p.order, p.width)
	do()
	copyElements(stored, p.right, p.order, p.width)
	c.giveBack()
}

// copyElements copies m × n elements.
func copyElements[T float32 | float64](dst, src kernel.Operand[T], m, n int) {
	for i := range m {
		for j := range n {
			*dst.Element(i, j) = *src.Element(i, j)
		}
	}
}

// factors stores the first elements of a row of the triangle, times alpha.
func (p *sided[T]) factors(i int, alpha T, dst []T) {
	for q := range dst {
		dst[q] = alpha * *p.lower.Element(i, q)
	}
}

// solveRows computes B ← α·L⁻¹·B.
func (d *direct[T]) solveRows(p *sided[T], alpha T) {
	var frame [leaf]T
	for i := range p.order {
		row := p.right.RowOf(i, p.width)
		if alpha != 1 {
			d.kernels.Multiply(p.width, alpha, &row[0])
		}
		factors := kernel.Hide(frame[:i])
		p.factors(i, -1, factors)
		d.kernels.AddRows(factors, p.right, row)
		if !p.isUnit {
			d.kernels.Divide(p.width, *p.lower.Element(i, i), &row[0])
		}
	}
}

// multiplyRows computes B ← α·L·B, the last row first: the others are as they
// were.
func (d *direct[T]) multiplyRows(p *sided[T], alpha T) {
	var frame [leaf]T
	var sums [maxLeafWidth]T
	for i := p.order - 1; i >= 0; i-- {
		factors, sum := kernel.Hide(frame[:i+1]), kernel.Hide(sums[:p.width])
		p.factors(i, alpha, factors)
		if p.isUnit {
			factors[i] = alpha
		}
		clear(sum)
		d.kernels.AddRows(factors, p.right, sum)
		copy(p.right.RowOf(i, p.width), sum)
	}
}

// multiplyByElements computes B ← α·L·B.
func (p *sided[T]) multiplyByElements(alpha T) {
	for i := p.order - 1; i >= 0; i-- {
		for j := range p.width {
			var sum T
			for q := range i {
				sum = kernel.FMA(alpha**p.lower.Element(i, q), *p.right.Element(q, j), sum)
			}
			diagonal, to := alpha, p.right.Element(i, j)
			if !p.isUnit {
				diagonal *= *p.lower.Element(i, i)
			}
			*to = kernel.FMA(diagonal, *to, sum)
		}
	}
}

// solveByElements computes B ← L⁻¹·B.
func (p *sided[T]) solveByElements() {
	for i := range p.order {
		for j := range p.width {
			to := p.right.Element(i, j)
			v := *to
			for q := range i {
				v = kernel.FMA(-*p.lower.Element(i, q), *p.right.Element(q, j), v)
			}
			if !p.isUnit {
				v /= *p.lower.Element(i, i)
			}
			*to = v
		}
	}
}

// solveLeft solves op(A)·X = B for n columns, where op(A) is an upper or lower
// triangle of order m: each element of X is subtracted from the rows that come
// next as soon as it is known.
func (d *direct[T]) solveLeft(
	isUpper, isTransposed, unit bool, m, n int, a []T, lda int, b []T, ldb int,
) {
	down, next, place := lda, ldb, 0 // down is the step from a row of op(A) to the next
	if isTransposed {
		down = 1
	}
	if isUpper {
		down, next, place = -down, -next, m-1
	}
	for left := m - 1; left >= 0; left-- {
		diagonal := a[place*(lda+1)]
		for j := range n {
			x := &b[place*ldb+j]
			if !unit {
				*x /= diagonal
			}
			factor, from, to := -*x, place*(lda+1), place*ldb+j
			for range left {
				from, to = from+down, to+next
				b[to] = kernel.FMA(a[from], factor, b[to])
			}
		}
		if isUpper {
			place--
		} else {
			place++
		}
	}
}

// solveNarrow is kit.solve for few columns. It reports whether they are.
func solveNarrow[T float32 | float64](unit bool, n, width int, l, b matrix[T]) bool {
	if width > maxNarrow {
		return false
	}
	for p := range n {
		diagonal := *l.at(p, p)
		for j := range width {
			x := b.at(p, j)
			if !unit {
				*x /= diagonal
			}
			factor, from, to := -*x, l.offset+p*l.row+p*l.col, b.offset+p*b.row+j*b.col
			for range n - p - 1 {
				from, to = from+l.row, to+b.row
				b.data[to] = kernel.FMA(l.data[from], factor, b.data[to])
			}
		}
	}
	return true
}
