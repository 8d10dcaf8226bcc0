package blas

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/cmd/lastbit/internal/bench/openblas"

	gonum "gonum.org/v1/gonum/blas"
	gonumblas "gonum.org/v1/gonum/blas/gonum"
	gonumlapack "gonum.org/v1/gonum/lapack/gonum"

	"github.com/lastbit/lastbit/blas"
	"github.com/lastbit/lastbit/blas/lapack"
	"github.com/lastbit/lastbit/internal/kernel"
)

// contest compares a routine of this module with the same routine of other
// libraries.
type contest struct {
	routine string
	n       int
	ours    way
	theirs  []way
}

// way is a way to compute the same.
type way struct {
	library string
	run     func()
	goal    float64 // of our speed over theirs, or of our time; 0: none
	isTime  bool    // the goal bounds our time over theirs from above
}

// The names of libraries in a table.
const (
	nameOrdered  = "Ordered"
	nameExact    = "Exact"
	nameOpenBLAS = "OpenBLAS"
	nameGonum    = "gonum"
)

// parts returns the names of the parts of BLAS.
func parts() []string {
	return []string{"dgemm", "sgemm", "dgemv", "triangles", "vectors", "few", "lu",
		"solvers", "exact"}
}

// libraries holds the implementations to compare.
type libraries struct {
	ordered, gonum goImplementation
	exact          blas.Exact
	open           *openblas.Library // nil: missing
	rng            *rand.Rand
}

func newLibraries(open *openblas.Library) *libraries {
	return &libraries{
		ordered: goImplementation{blas.Ordered{}, blas.Ordered{}},
		gonum:   goImplementation{gonumblas.Implementation{}, gonumblas.Implementation{}},
		open:    open,
		rng:     rand.New(rand.NewPCG(1, 2)),
	}
}

// cases returns the cases of an experiment, with matrices of some orders.
func (l *libraries) cases(experiment string, n orders) (all []contest) {
	switch experiment {
	case "dgemm":
		for _, n := range n.of(256, 512, 1024, 2048) {
			all = append(all, l.dgemm(n))
		}
	case "sgemm":
		for _, n := range n.of(256, 512, 1024, 2048) {
			all = append(all, l.sgemm(n))
		}
	case "dgemv":
		for _, n := range n.times(2).of(256, 1024, 4096) {
			all = append(all, l.dgemv("dgemv", gonum.NoTrans, n),
				l.dgemv("dgemv T", gonum.Trans, n))
		}
	case "triangles":
		for _, n := range n.times(2).of(64, 256, 1024, 4096) {
			all = append(all, l.triangles(n)...)
		}
	case "few":
		for _, n := range (orders{1, n.most}).of(1, 2, 4, 8, 16, 32, 64) {
			all = append(all, l.few(n)...)
		}
		for _, n := range (orders{1, n.most}).of(2, 8, 32) {
			all = append(all, l.fewMatrices(n)...)
			all = append(all, l.fewComplex(n)...)
		}
	case "vectors":
		for _, n := range n.squared().times(4).of(1000, 1<<16, 1<<24) {
			all = append(all, l.vectors(n)...)
		}
	case "lu":
		for _, n := range n.of(16, 64, 256, 1024) {
			all = append(all, l.factorizations(n)...)
		}
	case "solvers":
		for _, n := range (orders{1, n.most}).of(4, 16, 64, 128, 256) {
			all = append(all, l.solvers(n)...)
		}
	case "exact":
		for _, n := range n.of(512, 1024) {
			all = append(all, l.exactGemm(n, 0), l.exactGemm(n, 20))
		}
		for _, n := range n.of(32, 64, 128, 512, 1024, 2048) {
			all = append(all, l.exactGemv("dgemv", gonum.NoTrans, n),
				l.exactGemv("dgemv T", gonum.Trans, n))
		}
	}
	return all
}

// orders is a range of orders of matrices, or of lengths of vectors.
type orders struct{ least, most int }

func (o orders) times(f int) orders { return orders{f * o.least, f * o.most} }
func (o orders) squared() orders    { return orders{o.least * o.least, o.most * o.most} }

// of returns the sizes that lie in the range, or the largest order if none
// does.
func (o orders) of(sizes ...int) []int {
	among := slices.DeleteFunc(sizes, func(n int) bool { return n < o.least || n > o.most })
	if len(among) == 0 {
		return []int{o.most}
	}
	return among
}

// random returns n numbers between −1 and 1, times powers of two from −spread
// to spread.
func (l *libraries) random(n, spread int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = 2*l.rng.Float64() - 1
		if spread > 0 {
			x[i] = math.Ldexp(x[i], l.rng.IntN(2*spread+1)-spread)
		}
	}
	return x
}

// isPortable reports whether our kernels are portable Go.
func isPortable() bool { return kernel.Best() == kernel.Generic }

// against returns OpenBLAS's way to run a routine, if there is one. Portable
// kernels have no goal.
func (l *libraries) against(goal float64, run func(implementation)) []way {
	if l.open == nil {
		return nil
	}
	if isPortable() {
		goal = 0
	}
	return []way{{library: nameOpenBLAS, goal: goal, run: func() { run(l.open) }}}
}

// maxGonum bounds the order of products that gonum computes: larger ones take
// it seconds.
const maxGonum = 1024

func (l *libraries) dgemm(n int) contest {
	a, b, c := l.random(n*n, 0), l.random(n*n, 0), make([]float64, n*n)
	run := func(i implementation) { i.Dgemm(n, a, b, c) }
	theirs := l.against(0.95, run)
	if n <= maxGonum {
		goal := 0.0
		switch {
		case isPortable() && asksForFMA:
		case isPortable() && isGonumPortable:
			goal = 1
		case !isPortable() && !isGonumPortable:
			goal = 6
		}
		theirs = append(theirs, way{library: nameGonum, goal: goal,
			run: func() { run(l.gonum) }})
	}
	return contest{"dgemm", n, l.way(run), theirs}
}

// way returns our way to run a routine.
func (l *libraries) way(run func(implementation)) way {
	return way{library: nameOrdered, run: func() { run(l.ordered) }}
}

func (l *libraries) sgemm(n int) contest {
	a, b, c := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for i := range a {
		a[i], b[i] = 2*l.rng.Float32()-1, 2*l.rng.Float32()-1
	}
	run := func(i implementation) { i.Sgemm(n, a, b, c) }
	return contest{"sgemm", n, l.way(run), l.against(0.9, run)}
}

func (l *libraries) dgemv(name string, t gonum.Transpose, n int) contest {
	a, x, y := l.random(n*n, 0), l.random(n, 0), make([]float64, n)
	run := func(i implementation) { i.Dgemv(t, n, a, x, y) }
	return contest{name, n, l.way(run), l.against(0.9, run)}
}

func (l *libraries) vectors(n int) (all []contest) {
	x, y := l.random(n, 0), l.random(n, 0)
	for _, routine := range []struct {
		name string
		run  func(implementation)
	}{
		{"ddot", func(i implementation) { i.Ddot(x, y) }},
		{"daxpy", func(i implementation) { i.Daxpy(0x1p-20, x, y) }},
		{"dasum", func(i implementation) { i.Dasum(x) }},
	} {
		all = append(all, contest{routine.name, n, l.way(routine.run),
			l.against(0.9, routine.run)})
	}
	return all
}

// factorizer is a LAPACK.
type factorizer interface {
	Dgetrf(m, n int, a []float64, lda int, ipiv []int) bool
	Dpotrf(ul gonum.Uplo, n int, a []float64, lda int) bool
	Dgeqrf(m, n int, a []float64, lda int, tau, work []float64, lwork int)
}

// factorizations compares factorizations. Each copies the matrix first.
func (l *libraries) factorizations(n int) (all []contest) {
	a, b, pivots := l.random(n*n, 0), make([]float64, n*n), make([]int, n)
	tau, work := make([]float64, n), make([]float64, 64*n)
	definite := slices.Clone(a)
	for i := range n {
		definite[i*n+i] += float64(2 * n)
	}
	for _, f := range []struct {
		name        string
		a           []float64
		goal, large float64 // the second from order 1024 on
		run         func(factorizer)
	}{
		{"LU", a, 1, 3, func(f factorizer) { f.Dgetrf(n, n, b, n, pivots) }},
		{"Cholesky", definite, 0, 1, func(f factorizer) { f.Dpotrf(gonum.Upper, n, b, n) }},
		{"QR", a, 0, 1, func(f factorizer) { f.Dgeqrf(n, n, b, n, tau, work, len(work)) }},
	} {
		if n >= 1024 {
			f.goal = f.large
		}
		all = append(all, contest{f.name, n, way{library: nameOrdered, run: func() {
			copy(b, f.a)
			f.run(lapack.Implementation{})
		}}, []way{{library: nameGonum, goal: f.goal, run: func() {
			copy(b, f.a)
			f.run(gonumlapack.Implementation{})
		}}}})
	}
	return all
}

// exactGemm compares exact products of numbers of different exponents with
// OpenBLAS's of numbers of about the same.
func (l *libraries) exactGemm(n, spread int) contest {
	c := contest{routine: "dgemm", n: n}
	a, b, z := l.random(n*n, spread), l.random(n*n, spread), make([]float64, n*n)
	c.ours = way{library: nameExact, run: func() {
		l.exact.Dgemm(gonum.NoTrans, gonum.NoTrans, n, n, n, 1, a, n, b, n, 0, z, n)
	}}
	goal := exactGoal
	if kernel.NewResidues(kernel.Best()).IsFast() {
		goal = exactBytesGoal
	}
	if spread > 0 {
		c.routine, goal = fmt.Sprintf("dgemm, 2^±%d", spread), exactSpreadGoal
	}
	x, y := l.random(n*n, 0), l.random(n*n, 0)
	c.theirs = l.timeOver(goal, func() { l.open.Dgemm(n, x, y, z) })
	return c
}

func (l *libraries) exactGemv(name string, t gonum.Transpose, n int) contest {
	a, x, y := l.random(n*n, 0), l.random(n, 0), make([]float64, n)
	theirs := l.timeOver(exactGemvGoal, func() { l.open.Dgemv(t, n, a, x, y) })
	theirs = append(theirs, way{library: nameOrdered, goal: exactGemvGoal, isTime: true,
		run: func() { l.ordered.Dgemv(t, n, a, x, y) }})
	return contest{name, n, way{library: nameExact, run: func() {
		l.exact.Dgemv(t, n, n, 1, a, n, x, 1, 0, y, 1)
	}}, theirs}
}

// The goals of exact routines: their time over OpenBLAS's. Fast products of
// bytes have a lower one.
const (
	exactGoal       = 10.0
	exactBytesGoal  = 6.0
	exactSpreadGoal = 15.0
	exactGemvGoal   = 5.0
)

// timeOver returns OpenBLAS's way, with a goal of our time over its.
func (l *libraries) timeOver(goal float64, run func()) []way {
	if l.open == nil {
		return nil
	}
	return []way{{library: nameOpenBLAS, goal: goal, isTime: true, run: run}}
}
