package blas

import (
	gonum "gonum.org/v1/gonum/blas"
	gonumlapack "gonum.org/v1/gonum/lapack"
	gonumroutines "gonum.org/v1/gonum/lapack/gonum"

	"github.com/lastbit/lastbit/blas/lapack"
)

// solver is a LAPACK.
type solver interface {
	Dgetrf(m, n int, a []float64, lda int, pivots []int) bool
	Dgetri(n int, a []float64, lda int, pivots []int, work []float64, lwork int) bool
	Dgels(trans gonum.Transpose, m, n, nrhs int, a []float64, lda int, b []float64, ldb int,
		work []float64, lwork int) bool
	Dsyev(job gonumlapack.EVJob, ul gonum.Uplo, n int, a []float64, lda int, w,
		work []float64, lwork int) bool
	Dgeev(left gonumlapack.LeftEVJob, right gonumlapack.RightEVJob, n int, a []float64,
		lda int, re, im, vl []float64, ldvl int, vr []float64, ldvr int, work []float64,
		lwork int) int
	Dgesvd(jobU, jobVT gonumlapack.SVDJob, m, n int, a []float64, lda int, s, u []float64,
		ldu int, vt []float64, ldvt int, work []float64, lwork int) bool
}

// solvers compares inverses, least squares, eigenvalues and singular values
// with gonum's. Each copies the matrix first.
func (l *libraries) solvers(n int) (all []contest) {
	matrix, a, v := l.random(n*n, 0), make([]float64, n*n), make([]float64, n*n)
	right, b := l.random(n, 0), make([]float64, n)
	x, y, work := make([]float64, n), make([]float64, n), make([]float64, 128*n)
	pivots := make([]int, n)
	for _, s := range []struct {
		name string
		run  func(f solver)
	}{
		{"inverse", func(f solver) {
			f.Dgetrf(n, n, a, n, pivots)
			f.Dgetri(n, a, n, pivots, work, len(work))
		}},
		{"least squares", func(f solver) {
			copy(b, right)
			f.Dgels(gonum.NoTrans, n, n, 1, a, n, b, 1, work, len(work))
		}},
		{"eigenvalues, symmetric", func(f solver) {
			f.Dsyev(gonumlapack.EVNone, gonum.Upper, n, a, n, x, work, len(work))
		}},
		{"eigenvectors, symmetric", func(f solver) {
			f.Dsyev(gonumlapack.EVCompute, gonum.Upper, n, a, n, x, work, len(work))
		}},
		{"eigenvectors", func(f solver) {
			f.Dgeev(gonumlapack.LeftEVNone, gonumlapack.RightEVCompute, n, a, n, x, y, nil, 1,
				v, n, work, len(work))
		}},
		{"singular values", func(f solver) {
			f.Dgesvd(gonumlapack.SVDNone, gonumlapack.SVDNone, n, n, a, n, x, nil, 1, nil, 1,
				work, len(work))
		}},
	} {
		goal := 1.0
		if isPortable() {
			goal = 0
		}
		all = append(all, contest{s.name, n, way{library: nameOrdered, run: func() {
			copy(a, matrix)
			s.run(lapack.Implementation{})
		}}, []way{{library: nameGonum, goal: goal, run: func() {
			copy(a, matrix)
			s.run(gonumroutines.Implementation{})
		}}}})
	}
	return all
}
