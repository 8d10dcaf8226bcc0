// Package cblas computes the calls of BLAS and LAPACK routines that C and
// Fortran programs make, on packages blas and lapack.
//
// A [Call] holds the arguments of any routine. [Call.Run] brings matrices
// stored by columns to the row-major routines of package blas, without copying
// them: a matrix by columns is its transpose by rows. So a routine has the tree
// that package blas gives for its row-major twin: Aᵀ·x by rows for A·x by
// columns, for example.
//
// Package blas/lapack computes LAPACK's factorizations of float64, on
// transposed copies, so that a Fortran program gets the bits of a Go program.
// This package factorizes matrices of complex128. Factorizations of float32 and
// complex64 are computed in the wider format and rounded once at the end.
//
// # Promise
//
// Ordered: the arguments of a call, its layout included, fix the bits of its
// results.
//
// # Special values
//
// NaN, infinities and zeros are treated as in package blas, and, where it
// panics, as in the reference BLAS (libblas 3.11): a routine of level 1 takes
// increments of zero and negative lengths, and Scal with α = 0 makes NaN of ∞
// and NaN. With finite α and β, an element of a real result is of the same kind
// as the reference's element: a number, an infinity or NaN. A complex element
// is finite where the reference's element is. If it is not, its parts may be
// others: the reference multiplies with a real number as with one of imaginary
// part +0, which makes NaN of ∞, and adds the two products of a part before it
// adds them to the sum.
package cblas
