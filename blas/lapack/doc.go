// Package lapack is a LAPACK with the same bits on every platform: gonum's, on
// a BLAS of package blas, without an operation that a compiler may fuse.
//
//	blas64.Use(blas.Ordered{})
//	lapack64.Use(lapack.Implementation{})
//
// gonum's own LAPACK does not keep that promise on any BLAS: its loops
// x[i]*y[i] + z compile to fused multiply-adds on arm64, ppc64le, s390x,
// riscv64 and with GOAMD64=v3, so that QR, least squares, eigenvalues and
// singular values differ between platforms.
//
// The files that say so in their first line are generated from gonum's source
// by internal/_lapack. They are covered by gonum's license, which is in this
// folder.
//
// # Promise
//
// Ordered, on blas.Ordered: the arguments of a call fix the bits of its
// results. That holds for every routine of gonum's lapack.Float64, and so for
// all factorizations of gonum's mat: LU, Cholesky, QR, LQ, SVD, eigenvalues,
// least squares, and their solves, inverses and condition numbers.
//
// The sign of a NaN changes no number in the results: where a routine takes
// over a sign, that of a NaN is positive.
//
// # Cost
//
// That of gonum's LAPACK on a faster BLAS. The innermost routines of LU,
// Cholesky and of reflections call the kernels of blas.Ordered without the BLAS
// between. lastbit bench blas measures factorizations beside gonum's. With AVX2
// or AVX-512, LU, Cholesky, QR, least squares, eigenvalues, singular values and
// inverses take no longer than gonum's from order 5 on. Dpotri, the inverse
// from a Cholesky factorization, does up to order 30.
//
// Some routines choose another algorithm than gonum's for small orders, since
// kernels are fast there: Dsytrd reduces up to 128 columns one by one, Dormqr
// and Dormlq apply reflections of few vectors so, Dhseqr takes double shifts up
// to order 250, and Dtrti2 and Dgetri invert by rows instead of columns.
//
// # Where gonum is wrong
//
// Four routines have a fault in gonum v0.17 that they have not here. Its
// Dgebal, and so Dgeev, runs without end for a NaN; here it panics. Its Dhseqr
// panics where double shifts do not converge; here it goes on with multiple
// ones. Its Dsterf, and so Dsyev without vectors, panics where a norm is below
// about 2^-405, and its Dgesvd at one element in a slice of one whose rows are
// farther apart.
package lapack

import (
	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
)

//go:generate go run ../../internal/_lapack

// Implementation implements gonum's lapack.Float64, and the routines that those
// call.
type Implementation struct {
	// BLAS computes the products; nil is blas.Ordered{}.
	BLAS gonum.Float64
}

func (impl Implementation) blas() gonum.Float64 {
	if impl.BLAS != nil {
		return impl.BLAS
	}
	return blas.Ordered{}
}

func (impl Implementation) norm1(x []float64) float64 { return impl.norm1Inc(x, len(x), 1) }

func (impl Implementation) norm1Inc(x []float64, n, inc int) float64 {
	return impl.blas().Dasum(n, x, inc)
}
