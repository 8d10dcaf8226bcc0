package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// The bounds of products that are computed row by row: panels of larger ones
// pay.
const (
	maxRowProducts = 512
	maxRowDepth    = 16
	maxRowCopy     = 64 // elements of a right factor whose columns are not neighbours
)

// isRowwise reports whether a product is computed row by row. isDirect reports
// whether the columns of its right factor are neighbours.
func isRowwise(isDirect bool, m, n, depth int) bool {
	return m > 0 && n > 0 && 0 < depth && depth <= maxRowDepth &&
		m <= maxRowProducts && n <= maxRowProducts && m*n*depth <= maxRowProducts &&
		(isDirect || n*depth <= maxRowCopy)
}

// factorAt returns op(A) of a stored matrix.
func factorAt[T float32 | float64](t blas.Transpose, a []T, lda int) kernel.Operand[T] {
	o := kernel.Operand[T]{At: &a[0], Row: lda, Col: 1}
	if t != blas.NoTrans {
		o.Row, o.Col = 1, lda
	}
	return o
}

func isTranspose(t blas.Transpose) bool {
	return t == blas.NoTrans || t == blas.Trans || t == blas.ConjTrans
}

// isStored reports whether a matrix that is m × n once transposed as asked fits
// in length elements.
func isStored(t blas.Transpose, length, m, n, ld int) bool {
	rows, cols := stored(t, m, n)
	return isTranspose(t) && isMatrix(length, rows, cols, ld)
}

// gemm is Dgemm and Sgemm.
func (d *direct[T]) gemm(
	tA, tB blas.Transpose, m, n, depth int, alpha T, a []T, lda int, b []T, ldb int,
	beta T, c []T, ldc int,
) {
	d = d.orBest()
	if alpha == 0 || !isRowwise(tB == blas.NoTrans, m, n, depth) ||
		!isStored(tA, len(a), m, depth, lda) || !isStored(tB, len(b), depth, n, ldb) ||
		!isMatrix(len(c), m, n, ldc) {
		d.checked().gemm(tA, tB, m, n, depth, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	left, right := factorAt(tA, a, lda), factorAt(tB, b, ldb)
	if isFewProducts[T](m, n, depth) {
		productOfFew(chain.All, m, n, depth, alpha, left, right, beta, c, ldc)
		return
	}
	d.rowProduct(chain.All, m, n, depth, alpha, left, right, beta, c, ldc)
}

// syrk is Dsyrk and Ssyrk.
func (d *direct[T]) syrk(
	ul blas.Uplo, t blas.Transpose, n, depth int, alpha T, a []T, lda int,
	beta T, c []T, ldc int,
) {
	d = d.orBest()
	if alpha == 0 || !isRowwise(t != blas.NoTrans, n, n, depth) ||
		!isStored(t, len(a), n, depth, lda) || !isTriangle(ul, len(c), n, ldc) {
		d.checked().syrk(symmetric, ul, t, n, depth, alpha, a, lda, beta, c, ldc)
		return
	}
	x := factorAt(t, a, lda)
	if isFewProducts[T](n, n, depth) {
		productOfFew(partOf(ul), n, n, depth, alpha, x, transposed(x), beta, c, ldc)
		return
	}
	d.rowProduct(partOf(ul), n, n, depth, alpha, x, transposed(x), beta, c, ldc)
}

// syr2k is Dsyr2k and Ssyr2k.
func (d *direct[T]) syr2k(
	ul blas.Uplo, t blas.Transpose, n, depth int, alpha T, a []T, lda int, b []T, ldb int,
	beta T, c []T, ldc int,
) {
	d = d.orBest()
	if alpha == 0 || !isRowwise(t != blas.NoTrans, n, n, depth) ||
		!isStored(t, len(a), n, depth, lda) || !isStored(t, len(b), n, depth, ldb) ||
		!isTriangle(ul, len(c), n, ldc) {
		d.checked().syr2k(symmetric, ul, t, n, depth, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	x, y := factorAt(t, a, lda), factorAt(t, b, ldb)
	d.rowProduct(partOf(ul), n, n, depth, alpha, x, transposed(y), beta, c, ldc)
	d.rowProduct(partOf(ul), n, n, depth, alpha, y, transposed(x), 1, c, ldc)
}

// symm is Dsymm and Ssymm.
func (d *direct[T]) symm(
	s blas.Side, ul blas.Uplo, m, n int, alpha T, a []T, lda int, b []T, ldb int,
	beta T, c []T, ldc int,
) {
	d = d.orBest()
	order := m
	if s == blas.Right {
		order = n
	}
	if alpha == 0 || s != blas.Left && s != blas.Right || !isRowwise(true, m, n, order) ||
		order*order > maxRowCopy || !isTriangle(ul, len(a), order, lda) ||
		!isMatrix(len(b), m, n, ldb) || !isMatrix(len(c), m, n, ldc) {
		d.checked().symm(symmetric, s, ul, m, n, alpha, a, lda, b, ldb, beta, c, ldc)
		return
	}
	var frame [maxRowCopy]T
	full := kernel.Hide(frame[:])
	for i := range order {
		from, to := columns(partOf(ul), i, order)
		for j := from; j < to; j++ {
			v := a[i*lda+j]
			full[i*order+j], full[j*order+i] = v, v
		}
	}
	left, right := operandOfRows(full, 0, order), operandOfRows(b, 0, ldb)
	if s == blas.Right {
		left, right = right, left
	}
	d.rowProduct(chain.All, m, n, order, alpha, left, right, beta, c, ldc)
}

func transposed[T float32 | float64](a kernel.Operand[T]) kernel.Operand[T] {
	return kernel.Operand[T]{At: a.At, Row: a.Col, Col: a.Row}
}

// rowProduct computes the part of C ← α·A·B + β·C, row by row.
func (d *direct[T]) rowProduct(
	part chain.Part, m, n, depth int, alpha T, a, b kernel.Operand[T], beta T, c []T, ldc int,
) {
	if b.Col == 1 {
		d.addRowProducts(part, m, n, depth, alpha, a, b, beta, c, ldc)
		return
	}
	var frame [maxRowCopy]T
	rows := kernel.Hide(frame[:])
	d.kernels.Pack(operandOfRows(rows, 0, n), b, depth, n, 1)
	d.addRowProducts(part, m, n, depth, alpha, a, operandOfRows(rows, 0, n), beta, c, ldc)
}

// addRowProducts is rowProduct for B with neighbouring columns.
func (d *direct[T]) addRowProducts(
	part chain.Part, m, n, depth int, alpha T, a, b kernel.Operand[T], beta T, c []T, ldc int,
) {
	var frame [maxRowDepth]T
	factors := kernel.Hide(frame[:depth])
	for i := range m {
		from, to := columns(part, i, n)
		row := c[i*ldc+from : i*ldc+to]
		switch beta {
		case 0:
			clear(row)
		case 1:
		default:
			for j := range row {
				row[j] *= beta
			}
		}
		if alpha == 1 && a.Col == 1 {
			factors = a.RowOf(i, depth)
		} else {
			for p := range factors {
				factors[p] = alpha * *a.Element(i, p)
			}
		}
		d.kernels.AddRows(factors, b.From(0, from), row)
	}
}
