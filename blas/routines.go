package blas

import (
	"gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/internal/chain"
)

// checked holds the entry points of levels 2 and 3: they check the arguments as
// gonum does, return where there is nothing to compute, and leave the rest to
// the routines of an implementation.
type checked[T number] struct{ routines[T] }

// routines compute what the entry points have checked. Alpha is not zero,
// except for a product of no terms. Vectors are contiguous; nothing is empty.
type routines[T number] interface {
	// matVec computes y ← α·A·x + β·y for m stored rows, vecMat the same with
	// their transpose. An alpha of zero leaves A and x unread.
	matVec(m int, alpha T, a rows[T], x []T, beta T, y []T)
	vecMat(m int, alpha T, a rows[T], conj bool, x []T, beta T, y []T)

	// fullMatVec and fullVecMat are matVec and vecMat for a matrix of m rows of
	// n elements.
	fullMatVec(m, n int, alpha T, a matrix[T], x []T, beta T, y []T)
	fullVecMat(m, n int, alpha T, a matrix[T], x []T, beta T, y []T)

	// symVec computes y ← α·A·x + β·y for a triangle of a symmetric or
	// Hermitian matrix. An alpha of zero leaves A and x unread.
	symVec(of symmetry, upper bool, alpha T, a rows[T], x []T, beta T, y []T)

	// triVec computes x ← op(A)·x and triSolve x ← op(A)⁻¹·x for a triangle.
	triVec(upper, trans, conj, unit bool, a rows[T], x []T)
	triSolve(upper, trans, conj, unit bool, a rows[T], x []T)

	// rankOne adds α·x·yᵀ to stored rows, or α·x·yᴴ with conj.
	rankOne(conj bool, alpha T, x, y []T, a rows[T])

	// fullRankOne is rankOne for a matrix of m rows. Element i of the vector x
	// is incX elements after element i−1.
	fullRankOne(conj bool, m int, alpha T, x []T, incX int, y []T, a matrix[T])

	// rankTwo adds α·x·yᵀ + α·y·xᵀ, or α·x·yᴴ + conj(α)·y·xᴴ.
	rankTwo(of symmetry, alpha T, x, y []T, a rows[T])

	// realDiagonal stores real parts in the diagonal of a Hermitian matrix.
	realDiagonal(of symmetry, ul blas.Uplo, n int, a rows[T])

	// full returns a symmetric or Hermitian matrix of order n in full.
	full(of symmetry, ul blas.Uplo, n int, a []T, lda int) []T

	// product computes the part of C ← α·A·B + β·C, m × n elements of depth
	// products. A depth of zero leaves A and B unread.
	product(part chain.Part, m, n, depth int, alpha T, a, b matrix[T], beta T, c []T, ldc int)

	// twoProducts computes the part of C ← α·A·Bᵀ + α·B·Aᵀ + β·C, or of
	// C ← α·A·Bᴴ + conj(α)·B·Aᴴ + β·C. A depth of zero leaves A and B unread.
	twoProducts(of symmetry, part chain.Part, n, depth int, alpha T, a, b matrix[T],
		beta T, c []T, ldc int)

	// triProduct computes B ← α·L·B and triSystem B ← α·L⁻¹·B for a lower
	// triangle L of order n, and B of n × width elements.
	triProduct(unit bool, n, width int, alpha T, l, b matrix[T])
	triSystem(unit bool, n, width int, alpha T, l, b matrix[T])
}

// isComplex reports whether numbers have two parts.
func isComplex[T number]() bool {
	var v T
	switch any(v).(type) {
	case complex64, complex128:
		return true
	}
	return false
}
