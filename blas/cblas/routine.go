package cblas

import "fmt"

// Routine is a routine of BLAS or LAPACK without the letter of its format.
type Routine int32

// The routines, in the order of cmd/liblastbit_blas/call.h. Symmetric matrices
// of level 2 are Hermitian in complex formats.
const (
	Copy Routine = iota
	Swap
	Axpy
	Scal
	Dot
	Dotc
	Nrm2
	Asum
	Iamax
	Rot
	Rotm

	Gemv
	Gbmv
	Symv
	Sbmv
	Spmv
	Trmv
	Tbmv
	Tpmv
	Trsv
	Tbsv
	Tpsv
	Ger
	Gerc
	Syr
	Spr
	Syr2
	Spr2

	Gemm
	Symm
	Hemm
	Syrk
	Herk
	Syr2k
	Her2k
	Trmm
	Trsm

	Gesv
	Getrf
	Potrf
	Geqrf
	Orgqr
	Syevd
	Gesdd
	Geev
)

const firstFactorization = Gesv

var names = [...]string{
	"copy", "swap", "axpy", "scal", "dot", "dotc", "nrm2", "asum", "iamax", "rot", "rotm",
	"gemv", "gbmv", "symv", "sbmv", "spmv", "trmv", "tbmv", "tpmv", "trsv", "tbsv", "tpsv",
	"ger", "gerc", "syr", "spr", "syr2", "spr2",
	"gemm", "symm", "hemm", "syrk", "herk", "syr2k", "her2k", "trmm", "trsm",
	"gesv", "getrf", "potrf", "geqrf", "orgqr", "syevd", "gesdd", "geev",
}

func (r Routine) String() string {
	if r < 0 || int(r) >= len(names) {
		return fmt.Sprintf("routine %d", int32(r))
	}
	return names[r]
}
