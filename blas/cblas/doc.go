// Package cblas computes the calls of BLAS and LAPACK routines that C and
// Fortran programs make, on packages blas and lapack.
//
// A [Call] holds the arguments of any routine. [Call.Run] brings matrices
// stored by columns to the row-major routines of package blas, without copying
// them: a matrix by columns is its transpose by rows. So a routine has the tree
// that package blas gives for its row-major twin: Aᵀ·x by rows for A·x by
// columns, for example.
//
// LAPACK's factorizations of float64 are those of blas/lapack, on transposed
// copies, so that a Fortran program gets the bits of a Go program. Those of
// float32 and complex64 are computed in the wider format and rounded once at
// the end; those of complex128 are in this package.
//
// # Promise
//
// Ordered: the arguments of a call, its layout included, fix the bits of its
// results.
//
// # Special values
//
// Those of package blas, and, where it panics, those of the reference BLAS
// (libblas 3.11): a routine of level 1 takes increments of zero and negative
// lengths, and Scal with α = 0 makes NaN of ∞ and NaN. With finite α and β, an
// element of a real result is a number, an infinity or NaN where that of the
// reference is. A complex element is finite where that of the reference is. If
// it is not, its parts may be others: the reference multiplies with a real
// number as with one of imaginary part +0, which makes NaN of ∞, and adds the
// two products of a part before it adds them to the sum.
package cblas
