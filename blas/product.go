package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
)

// op returns a stored matrix as a transpose argument asks for it.
func op[T number](t blas.Transpose, a []T, ld int) matrix[T] {
	m := dense(a, ld)
	if t != blas.NoTrans {
		m = m.transposed()
	}
	m.conj = t == blas.ConjTrans
	return m
}

// product scales the part of c by beta and adds the chains of α·A·B to it.
func (k *kit[T]) product(
	part chain.Part, m, n, depth int, alpha T, a, b matrix[T], beta T, c []T, ldc int,
) {
	if depth > 0 && beta == 0 {
		k.setProduct(part, m, n, depth, alpha, a, b, dense(c, ldc))
		return
	}
	k.scalePart(part, m, n, beta, c, ldc)
	if depth > 0 {
		k.addProduct(part, m, n, depth, alpha, a, b, dense(c, ldc))
	}
}

// twoProducts scales the part of c by beta and adds the chains of α·A·Bᵀ and
// then of α·B·Aᵀ, or of α·A·Bᴴ and then of conj(α)·B·Aᴴ.
func (k *kit[T]) twoProducts(
	of symmetry, part chain.Part, n, depth int, alpha T, a, b matrix[T], beta T, c []T, ldc int,
) {
	k.product(part, n, n, depth, alpha, a, other(of, b), beta, c, ldc)
	k.product(part, n, n, depth, k.second(of, alpha), b, other(of, a), 1, c, ldc)
}

// triProduct computes B ← α·L·B for a lower triangle L of order n.
func (k *kit[T]) triProduct(unit bool, n, width int, alpha T, l, b matrix[T]) {
	c := borrow[T]()
	in := b.copiedTo(&c.x, n, width)
	k.inRows(&c.y, n, width, b, func(rows matrix[T]) {
		for i := range n {
			clear(rows.rowOf(i, width))
		}
		k.multiply(unit, n, width, alpha, l, in, rows)
	})
	c.giveBack()
}

// triSystem computes B ← α·L⁻¹·B for a lower triangle L of order n.
func (k *kit[T]) triSystem(unit bool, n, width int, alpha T, l, b matrix[T]) {
	c := borrow[T]()
	k.inRows(&c.y, n, width, b, func(rows matrix[T]) {
		if alpha != 1 {
			for i := range n {
				k.scaleBy(width, alpha, rows.rowOf(i, width), 1)
			}
		}
		k.solve(unit, n, width, l, rows)
	})
	c.giveBack()
}

// scalePart multiplies the part of a matrix by beta.
func (k *kit[T]) scalePart(part chain.Part, m, n int, beta T, c []T, ldc int) {
	if beta == 1 {
		return
	}
	for i := range m {
		from, to := columns(part, i, n)
		k.scale(beta, c[i*ldc+from:i*ldc+to])
	}
}

// columns returns the range of the columns of row i that are in a part.
func columns(part chain.Part, i, n int) (from, to int) {
	switch part {
	case chain.Lower:
		return 0, min(i+1, n)
	case chain.Upper:
		return min(i, n), n
	}
	return 0, n
}

// partOf returns the part that a triangle is.
func partOf(ul blas.Uplo) chain.Part {
	if ul == blas.Upper {
		return chain.Upper
	}
	return chain.Lower
}

// full returns a symmetric or Hermitian matrix of order n in full.
func (k *kit[T]) full(of symmetry, ul blas.Uplo, n int, a []T, lda int) []T {
	dst := make([]T, n*n)
	part := partOf(ul)
	for i := range n {
		from, to := columns(part, i, n)
		for j := from; j < to; j++ {
			v := a[i*lda+j]
			dst[i*n+j], dst[j*n+i] = v, v
			switch {
			case of != hermitian:
			case i == j:
				dst[i*n+i] = k.real(v)
			default:
				dst[j*n+i] = k.conj(v)
			}
		}
	}
	return dst
}

// sides returns the operands of op(A)·B, or of B·op(A) by way of its transpose,
// as a lower triangle and a matrix of order × width elements on its right. An
// upper triangle is a lower one with its rows and columns in reverse.
func sides[T number](
	s blas.Side, ul blas.Uplo, t blas.Transpose, m, n int, a []T, lda int, b []T, ldb int,
) (lower, right matrix[T], order, width int) {
	lower, right, order, width = op(t, a, lda), dense(b, ldb), m, n
	upper := (ul == blas.Upper) == (t == blas.NoTrans)
	if s == blas.Right {
		lower, right, order, width = lower.transposed(), right.transposed(), n, m
		upper = !upper
	}
	if upper {
		lower, right = lower.turned(order), right.upsideDown(order)
	}
	return lower, right, order, width
}

// leaf is the order of the triangles that are not halved. It does not change a
// result: a chain goes on where the half before it ended.
const leaf = 16

// solve computes B ← L⁻¹·B for a lower triangle L of order n and B of n rows:
// b[i,j] becomes fma(−l[i,p], b[p,j], b[i,j]) for p = 0, 1, …, i−1, and is then
// divided by l[i,i].
func (k *kit[T]) solve(unit bool, n, width int, l, b matrix[T]) {
	if k.solveNarrow != nil && k.solveNarrow(unit, n, width, l, b) {
		return
	}
	if n <= leaf {
		k.solveLeaf(unit, n, width, l, b)
		return
	}
	h := firstHalf(n)
	k.solve(unit, h, width, l, b)
	k.addProduct(chain.All, n-h, width, h, -1, l.from(h, 0), b, b.from(h, 0))
	k.solve(unit, n-h, width, l.from(h, h), b.from(h, 0))
}

func (k *kit[T]) solveLeaf(unit bool, n, width int, l, b matrix[T]) {
	var factors [leaf]T
	for i := range n {
		bi := b.rowOf(i, width)
		k.addRows(-1, k.rowElements(factors[:i], l, i), b, bi)
		if !unit {
			k.divideBy(bi, k.element(l, i, i))
		}
	}
}

// multiply adds α·L·B to C for a lower triangle L of order n: c[i,j] becomes
// fma(α⊗l[i,p], b[p,j], c[i,j]) for p = 0, 1, …, i.
func (k *kit[T]) multiply(unit bool, n, width int, alpha T, l, b, c matrix[T]) {
	if n <= leaf {
		k.multiplyLeaf(unit, n, width, alpha, l, b, c)
		return
	}
	h := firstHalf(n)
	k.multiply(unit, h, width, alpha, l, b, c)
	k.addProduct(chain.All, n-h, width, h, alpha, l.from(h, 0), b, c.from(h, 0))
	k.multiply(unit, n-h, width, alpha, l.from(h, h), b.from(h, 0), c.from(h, 0))
}

func (k *kit[T]) multiplyLeaf(unit bool, n, width int, alpha T, l, b, c matrix[T]) {
	var factors [leaf]T
	for i := range n {
		x := k.rowElements(factors[:i+1], l, i)
		if unit {
			x[i] = 1
		}
		k.addRows(alpha, x, b, c.rowOf(i, width))
	}
}

// firstHalf returns the order of the first half of a triangle, a multiple of
// leaf.
func firstHalf(n int) int { return (n/2 + leaf - 1) / leaf * leaf }

// element returns an element, conjugated if the matrix is.
func (k *kit[T]) element(a matrix[T], i, j int) T {
	v := *a.at(i, j)
	if a.conj {
		return k.conj(v)
	}
	return v
}

// rowElements stores the first elements of a row in dst and returns it.
func (k *kit[T]) rowElements(dst []T, a matrix[T], i int) []T {
	if !a.conj {
		at := a.offset + i*a.row
		for p := range dst {
			dst[p] = a.data[at]
			at += a.col
		}
		return dst
	}
	for p := range dst {
		dst[p] = k.element(a, i, p)
	}
	return dst
}

// inRows calls do with a matrix whose columns are neighbours: the matrix itself
// or, where its columns are not, a copy in a buffer that it stores back.
func (k *kit[T]) inRows(buffer *[]T, m, n int, a matrix[T], do func(rows matrix[T])) {
	if a.col == 1 {
		do(a)
		return
	}
	rows := a.copiedTo(buffer, m, n)
	do(rows)
	for i := range m {
		at := a.offset + i*a.row
		for _, v := range rows.rowOf(i, n) {
			a.data[at] = v
			at += a.col
		}
	}
}
