package blas

import (
	gonum "gonum.org/v1/gonum/blas"
	gonumblas "gonum.org/v1/gonum/blas/gonum"

	"github.com/lastbit/lastbit/blas"
)

// few compares routines of a few elements with gonum's: n is the length of the
// vectors, or the order of the matrices.
func (l *libraries) few(n int) (all []contest) {
	x, y, a, c := l.random(n, 0), l.random(n, 0), l.random(n*n, 0), make([]float64, n*n)
	for _, r := range []struct {
		name string
		goal float64
		run  func(g gonum.Float64)
	}{
		{"ddot", 0.9, func(g gonum.Float64) { g.Ddot(n, x, 1, y, 1) }},
		{"dasum", 0.9, func(g gonum.Float64) { g.Dasum(n, x, 1) }},
		{"daxpy", 0.9, func(g gonum.Float64) { g.Daxpy(n, 0x1p-40, x, 1, y, 1) }},
		{"dscal", 0.9, func(g gonum.Float64) { g.Dscal(n, -1, y, 1) }},
		{"dnrm2", 0, func(g gonum.Float64) { g.Dnrm2(n, x, 1) }},
		{"dgemv", 0, func(g gonum.Float64) {
			g.Dgemv(gonum.NoTrans, n, n, 1, a, n, x, 1, 0, y, 1)
		}},
		{"dgemm", 0, func(g gonum.Float64) {
			g.Dgemm(gonum.NoTrans, gonum.NoTrans, n, n, n, 1, a, n, a, n, 0, c, n)
		}},
	} {
		if isPortable() {
			r.goal = 0
		}
		all = append(all, contest{r.name, n,
			way{library: nameOrdered, run: func() { r.run(l.ordered.Float64) }},
			[]way{{library: nameGonum, goal: r.goal, run: func() { r.run(l.gonum.Float64) }}}})
	}
	return all
}

// fewMatrices is few for updates, symmetric and triangular matrices.
func (l *libraries) fewMatrices(n int) (all []contest) {
	x, y, a, c := l.random(n, 0), l.random(n, 0), l.random(n*n, 0), make([]float64, n*n)
	triangle := make([]float64, n*n) // the identity: vectors keep their size
	for i := range n {
		triangle[i*n+i] = 1
	}
	for _, r := range []struct {
		name string
		run  func(g gonum.Float64)
	}{
		{"dger", func(g gonum.Float64) { g.Dger(n, n, 0x1p-60, x, 1, x, 1, c, n) }},
		{"dsymv", func(g gonum.Float64) { g.Dsymv(gonum.Upper, n, 1, a, n, x, 1, 0, y, 1) }},
		{"dsyr", func(g gonum.Float64) { g.Dsyr(gonum.Lower, n, 0x1p-60, x, 1, c, n) }},
		{"dtrmv", func(g gonum.Float64) {
			g.Dtrmv(gonum.Upper, gonum.NoTrans, gonum.NonUnit, n, triangle, n, x, 1)
		}},
		{"dtrsv", func(g gonum.Float64) {
			g.Dtrsv(gonum.Upper, gonum.NoTrans, gonum.NonUnit, n, triangle, n, x, 1)
		}},
		{"dsyrk", func(g gonum.Float64) {
			g.Dsyrk(gonum.Upper, gonum.NoTrans, n, n, 1, a, n, 0, c, n)
		}},
	} {
		all = append(all, contest{r.name, n,
			way{library: nameOrdered, run: func() { r.run(l.ordered.Float64) }},
			[]way{{library: nameGonum, run: func() { r.run(l.gonum.Float64) }}}})
	}
	return all
}

// fewComplex is few for complex numbers.
func (l *libraries) fewComplex(n int) (all []contest) {
	x, y, a := l.randomComplex(n), l.randomComplex(n), l.randomComplex(n*n)
	c := make([]complex128, n*n)
	var ours, theirs gonum.Complex128 = blas.Ordered{}, gonumblas.Implementation{}
	for _, r := range []struct {
		name string
		run  func(g gonum.Complex128)
	}{
		{"zdotu", func(g gonum.Complex128) { g.Zdotu(n, x, 1, y, 1) }},
		{"zaxpy", func(g gonum.Complex128) { g.Zaxpy(n, 0x1p-40, x, 1, y, 1) }},
		{"zscal", func(g gonum.Complex128) { g.Zscal(n, 1i, y, 1) }},
		{"zgemv", func(g gonum.Complex128) {
			g.Zgemv(gonum.NoTrans, n, n, 1, a, n, x, 1, 0, y, 1)
		}},
		{"zgemm", func(g gonum.Complex128) {
			g.Zgemm(gonum.NoTrans, gonum.NoTrans, n, n, n, 1, a, n, a, n, 0, c, n)
		}},
	} {
		all = append(all, contest{r.name, n,
			way{library: nameOrdered, run: func() { r.run(ours) }},
			[]way{{library: nameGonum, run: func() { r.run(theirs) }}}})
	}
	return all
}

func (l *libraries) randomComplex(n int) []complex128 {
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(2*l.rng.Float64()-1, 2*l.rng.Float64()-1)
	}
	return x
}

// triangles compares symmetric and triangular matrices times a vector, and
// updates of a matrix by vectors, with OpenBLAS's. The matrix is near the
// identity, so that vectors keep their size from call to call.
func (l *libraries) triangles(n int) (all []contest) {
	a, x, y := l.random(n*n, 0), l.random(n, 0), make([]float64, n)
	for i := range a {
		a[i] *= 0x1p-30
	}
	for i := range n {
		a[i*n+i] = 1
	}
	for _, r := range []struct {
		name string
		run  func(i implementation)
	}{
		{"dsymv", func(i implementation) { i.Dsymv(n, a, x, y) }},
		{"dtrmv", func(i implementation) { i.Dtrmv(n, a, x) }},
		{"dtrsv", func(i implementation) { i.Dtrsv(n, a, x) }},
		{"dger", func(i implementation) { i.Dger(n, 0x1p-60, x, x, a) }},
		{"dsyr", func(i implementation) { i.Dsyr(n, 0x1p-60, x, a) }},
	} {
		all = append(all, contest{r.name, n, l.way(r.run), l.against(0, r.run)})
	}
	return all
}

func (g goImplementation) Dsymv(n int, a, x, y []float64) {
	g.Float64.Dsymv(gonum.Lower, n, 1, a, n, x, 1, 0, y, 1)
}

func (g goImplementation) Dtrmv(n int, a, x []float64) {
	g.Float64.Dtrmv(gonum.Lower, gonum.NoTrans, gonum.NonUnit, n, a, n, x, 1)
}

func (g goImplementation) Dtrsv(n int, a, x []float64) {
	g.Float64.Dtrsv(gonum.Lower, gonum.NoTrans, gonum.NonUnit, n, a, n, x, 1)
}

func (g goImplementation) Dger(n int, alpha float64, x, y, a []float64) {
	g.Float64.Dger(n, n, alpha, x, 1, y, 1, a, n)
}

func (g goImplementation) Dsyr(n int, alpha float64, x, a []float64) {
	g.Float64.Dsyr(gonum.Lower, n, alpha, x, 1, a, n)
}
