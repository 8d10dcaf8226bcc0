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
package cblas
