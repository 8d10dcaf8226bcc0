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
// Files whose names begin with zgonum_ are generated from gonum's source by
// internal/_lapack: gonum's routines, without what compilers may fuse, on the
// BLAS of an Implementation. The other files are written by hand. Some
// routines are changed by hand before they are generated: the overlays, which
// are listed below. Folder internal/_lapack/overlay holds them, and describes
// how to change a routine. Generated files and overlays are covered by gonum's
// license, which is in this folder.
//
// # Promise
//
// Ordered, on blas.Ordered: the arguments of a call fix the bits of its
// results. That holds for every routine of gonum's lapack.Float64, and so for
// all factorizations of gonum's mat: LU, Cholesky, QR, LQ, SVD, eigenvalues,
// least squares, and their solves, inverses and condition numbers.
//
// The sign of a NaN changes no number in the results: where a routine takes
// over a sign, a NaN is positive.
//
// # Cost
//
// gonum's LAPACK on a faster BLAS. The innermost routines of LU,
// Cholesky and of reflections call the kernels of blas.Ordered without the BLAS
// between. lastbit bench blas measures factorizations beside gonum's. With AVX2
// or AVX-512, LU, Cholesky, QR, least squares, eigenvalues, singular values and
// inverses take no longer than gonum's from order 5 on. Dpotri, the inverse
// from a Cholesky factorization, does up to order 30.
//
// Some routines choose another algorithm than gonum's for small orders, since
// kernels are fast there: the overlays that are faster and round otherwise.
// Others mend faults of gonum v0.17.
//
// # Overlays
//
// Faster:
//
//   - Dgetf2: A kernel of an ordered BLAS eliminates each column.
//   - Dlahqr: Kernels apply the reflections of three elements, and loops along
//     rows the others.
//   - Dlarf: Kernels of an ordered BLAS apply the reflection.
//   - Dlarfg: An ordered BLAS computes without its checks of arguments, and a
//     few elements without calls.
//   - Dlartg: The sign does not wait for the root.
//   - Dlaset: Whole rows are set, without an index for each element.
//   - Dlasr: Each element is loaded and stored once for all rotations.
//   - Dlatrd: A kernel multiplies small symmetric matrices by vectors.
//   - Dpotf2: A kernel of an ordered BLAS factors the first rows or columns,
//     and others continue.
//   - Dsteqr: The columns that it rotates are made rows, for a kernel, until it
//     is done.
//   - Dsytd2: A kernel takes the place of four calls for small matrices.
//
// Faster, rounds otherwise:
//
//   - Dgetri: The unblocked code inverts by rows, for a kernel, and not by
//     columns.
//   - Dhseqr: Double shifts go up to order 250, since kernels reflect for them.
//   - Dormlq: Reflections of few vectors are applied one by one, not in blocks.
//   - Dormqr: Reflections of few vectors are applied one by one, not in blocks.
//   - Dsytrd: Up to 128 columns are reduced one by one, which a kernel does.
//   - Dtrti2: It inverts by rows, for a kernel, and not by columns.
//
// Mends gonum:
//
//   - Dgebal: A NaN panics before the loops, which run without end for it in
//     gonum.
//   - Dgesvd: The triangle below R is cleared only where it has elements: gonum
//     panics at one element in a slice of one whose rows are farther apart.
//   - Dhseqr: Where double shifts do not converge, multiple ones go on with the
//     first rows, where gonum panics.
//   - Dsterf: Neighbouring elements of a column are 1 apart, not n, for which
//     gonum panics where a norm is below about 2^-405.
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
