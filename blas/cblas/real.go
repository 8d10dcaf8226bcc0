package cblas

import (
	"fmt"
	"math"
	"slices"

	gonumlapack "gonum.org/v1/gonum/lapack"

	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas/lapack"
)

// realCall is a call of LAPACK in float32 or float64, computed in float64.
type realCall[N float32 | float64] struct{ *Call }

// run computes the call.
func (c realCall[N]) run() error {
	switch c.Routine {
	case Gesv:
		c.gesv()
	case Getrf:
		c.getrf()
	case Potrf:
		c.potrf()
	case Geqrf:
		c.geqrf()
	case Orgqr:
		c.orgqr()
	case Syevd:
		c.syevd()
	case Gesdd:
		c.gesdd()
	case Geev:
		c.geev()
	default:
		return fmt.Errorf("%v: not for real numbers", c.Routine)
	}
	return nil
}

func (c realCall[N]) load(slot, rows, cols int, ld int64) []float64 {
	return load(slice[N](c.Call, slot), rows, cols, int(ld),
		func(v N) float64 { return float64(v) })
}

func (c realCall[N]) store(src []float64, slot, rows, cols int, ld int64) {
	store(src, slice[N](c.Call, slot), rows, cols, int(ld), func(v float64) N { return N(v) })
}

// storeVector rounds a vector to the format.
func (c realCall[N]) storeVector(src []float64, slot int) {
	c.store(src, slot, len(src), 1, int64(len(src)))
}

// factor computes the LU decomposition of matrix A, m × n, and stores it.
func (c realCall[N]) factor(m, n int) (lu []float64, pivots []int) {
	lu = c.load(slotA, m, n, c.LDA)
	pivots = make([]int, min(m, n))
	if !(lapack.Implementation{}).Dgetrf(m, n, lu, max(1, n), pivots) {
		c.Info = firstZero(lu, m, n)
	}
	c.store(lu, slotA, m, n, c.LDA)
	c.storePivots(pivots)
	return lu, pivots
}

func (c realCall[N]) getrf() { c.factor(int(c.M), int(c.N)) }

func (c realCall[N]) gesv() {
	n, width := int(c.N), int(c.K)
	lu, pivots := c.factor(n, n)
	if c.Info != 0 || n == 0 || width == 0 {
		return
	}
	b := c.load(slotB, n, width, c.LDB)
	lapack.Implementation{}.Dgetrs(gonum.NoTrans, n, width, lu, n, pivots, b, width)
	c.store(b, slotB, n, width, c.LDB)
}

func (c realCall[N]) potrf() {
	n := int(c.N)
	a := c.load(slotA, n, n, c.LDA)
	if !(lapack.Implementation{}).Dpotrf(gonum.Uplo(c.Uplo), n, a, max(1, n)) {
		c.Info = firstNotPositive(a, n)
	}
	c.store(a, slotA, n, n, c.LDA)
}

// firstNotPositive returns the place of the first pivot that a Cholesky
// decomposition failed at, counted from 1.
func firstNotPositive(a []float64, n int) int64 {
	for i := range n {
		if !(a[i*n+i] > 0) {
			return int64(i) + 1
		}
	}
	return int64(n)
}

// workspace calls a routine of LAPACK twice: for the length of the workspace
// that it would like, and with one.
func workspace(call func(work []float64, lwork int)) {
	var wanted [1]float64
	call(wanted[:], -1)
	length := max(1, int(wanted[0])) //lastbit:ignore floatconv the length of a workspace
	call(make([]float64, length), length)
}

func (c realCall[N]) geqrf() {
	m, n := int(c.M), int(c.N)
	a := c.load(slotA, m, n, c.LDA)
	tau := make([]float64, min(m, n))
	if len(tau) == 0 {
		return
	}
	workspace(func(work []float64, lwork int) {
		lapack.Implementation{}.Dgeqrf(m, n, a, max(1, n), tau, work, lwork)
	})
	c.store(a, slotA, m, n, c.LDA)
	c.storeVector(tau, slotB)
}

func (c realCall[N]) orgqr() {
	m, n, k := int(c.M), int(c.N), int(c.K)
	a := c.load(slotA, m, n, c.LDA)
	tau := c.load(slotB, k, 1, c.K)
	workspace(func(work []float64, lwork int) {
		lapack.Implementation{}.Dorgqr(m, n, k, a, max(1, n), tau, work, lwork)
	})
	c.store(a, slotA, m, n, c.LDA)
}

func (c realCall[N]) syevd() {
	n := int(c.N)
	a := c.load(slotA, n, n, c.LDA)
	w := make([]float64, n)
	ok := true
	workspace(func(work []float64, lwork int) {
		ok = lapack.Implementation{}.Dsyev(gonumlapack.EVJob(c.JobU), gonum.Uplo(c.Uplo), n, a,
			max(1, n), w, work, lwork)
	})
	if !ok {
		c.Info = 1
	}
	c.store(a, slotA, n, n, c.LDA)
	c.storeVector(w, slotB)
}

func (c realCall[N]) gesdd() {
	m, n := int(c.M), int(c.N)
	a := c.load(slotA, m, n, c.LDA)
	if slices.ContainsFunc(a, math.IsNaN) {
		c.Info = -4 // LAPACK's sign of a NaN, since 3.7
		return
	}
	s := make([]float64, min(m, n))
	columns, rows := 0, 0 // of U and of Vᵀ
	switch c.JobU {
	case 'A':
		columns, rows = m, n
	case 'S':
		columns, rows = len(s), len(s)
	}
	u, vt := make([]float64, m*columns), make([]float64, rows*n)
	ok := true
	workspace(func(work []float64, lwork int) {
		job := gonumlapack.SVDJob(c.JobU)
		ok = lapack.Implementation{}.Dgesvd(job, job, m, n, a, max(1, n), s,
			u, max(1, columns), vt, max(1, n), work, lwork)
	})
	if !ok {
		c.Info = 1
	}
	c.storeVector(s, slotB)
	c.store(u, slotC, m, columns, c.LDB)
	c.store(vt, slotD, rows, n, c.LDC)
}

func (c realCall[N]) geev() {
	n := int(c.N)
	a := c.load(slotA, n, n, c.LDA)
	wr, wi := make([]float64, n), make([]float64, n)
	var vl, vr []float64
	if c.JobU == 'V' {
		vl = make([]float64, n*n)
	}
	if c.JobV == 'V' {
		vr = make([]float64, n*n)
	}
	workspace(func(work []float64, lwork int) {
		c.Info = int64(lapack.Implementation{}.Dgeev(gonumlapack.LeftEVJob(c.JobU),
			gonumlapack.RightEVJob(c.JobV), n, a, max(1, n), wr, wi,
			vl, max(1, n), vr, max(1, n), work, lwork))
	})
	c.storeVector(wr, slotB)
	c.storeVector(wi, slotC)
	if vl != nil {
		c.store(vl, slotD, n, n, c.LDB)
	}
	if vr != nil {
		c.store(vr, slotE, n, n, c.LDC)
	}
}
