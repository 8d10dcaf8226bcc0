package trees

import (
	"unsafe"

	"gonum.org/v1/gonum/blas"

	ours "github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/cmd/liblastbit/internal/array"
)

// A Matrix is one of a batch: element (i, j) of number p is p·Batch + i·Row +
// j·Col elements behind At. Strides may be 0.
type Matrix struct {
	At              unsafe.Pointer
	Batch, Row, Col int
}

// A Product is a batch of matrix products: C, M rows by N columns each, in one
// piece in the order of C, becomes A times B. An element is a chain of K fused
// multiply-adds, in their order, from +0 on.
type Product struct {
	Format         array.Format // Float32 or Float64
	Batch, M, N, K int
	A, B           Matrix
	C              unsafe.Pointer
}

// Run computes the products.
func (p *Product) Run() error {
	switch p.Format {
	case array.Float32:
		run(p, ours.Ordered{}.Sgemm)
	case array.Float64:
		run(p, ours.Ordered{}.Dgemm)
	default:
		return ErrUnknown
	}
	return nil
}

// A gemm is Sgemm or Dgemm.
type gemm[T number] func(tA, tB blas.Transpose, m, n, k int, alpha T, a []T, lda int,
	b []T, ldb int, beta T, c []T, ldc int)

func run[T number](p *Product, multiply gemm[T]) {
	size := p.M * p.N
	if p.Batch == 0 || size == 0 {
		return
	}
	all := elements[T](p.C, p.Batch*size)
	if p.K == 0 {
		clear(all)
		return
	}
	share(workers(p.Batch, p.Batch*size*p.K), p.Batch, func(_, i int) {
		tA, a, lda := stored[T](&p.A, i, p.M, p.K)
		tB, b, ldb := stored[T](&p.B, i, p.K, p.N)
		multiply(tA, tB, p.M, p.N, p.K, 1, a, lda, b, ldb, 0, all[i*size:(i+1)*size], p.N)
	})
}

// stored returns matrix number i, rows by cols, as BLAS takes it: where it is,
// if its rows or its columns are in one piece, or a copy.
func stored[T number](m *Matrix, i, rows, cols int) (t blas.Transpose, a []T, ld int) {
	at := unsafe.Add(m.At, i*m.Batch*int(unsafe.Sizeof(T(0))))
	if ld, ok := leading(rows, cols, m.Row, m.Col); ok {
		return blas.NoTrans, elements[T](at, (rows-1)*ld+cols), ld
	}
	if ld, ok := leading(cols, rows, m.Col, m.Row); ok {
		return blas.Trans, elements[T](at, (cols-1)*ld+rows), ld
	}
	a = make([]T, rows*cols)
	for r := range rows {
		for c := range cols {
			a[r*cols+c] = *(*T)(unsafe.Add(at, (r*m.Row+c*m.Col)*int(unsafe.Sizeof(T(0)))))
		}
	}
	return blas.NoTrans, a, cols
}

// leading returns the leading dimension of a matrix whose rows are in one
// piece, apart from each other, and whether they are.
func leading(rows, cols, row, col int) (ld int, ok bool) {
	if cols > 1 && col != 1 {
		return 0, false
	}
	if rows == 1 {
		return cols, true
	}
	return row, row >= cols
}
