package main

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
	"github.com/lastbit/lastbit/examples/internal/sparse"
)

// The hashes of a grid of 8×8 points.
var golden = map[string]string{
	"-dot exact -precond jacobi":     "5ffe5abbdeacda1f",
	"-dot exact -precond cholesky":   "54a9aa61706fc9b3",
	"-dot ordered -precond jacobi":   "037a3dc24d1ce289",
	"-dot ordered -precond cholesky": "17b83f23ca3cc8a2",
}

// TestGolden solves by several workers; with exact dots and Jacobi's
// preconditioner, with several numberings of the unknowns too.
func TestGolden(t *testing.T) {
	for flags, want := range golden {
		for _, workers := range []int{1, 2, 3, 7} {
			for numbering := range 3 {
				if numbering > 0 && flags != "-dot exact -precond jacobi" {
					continue
				}
				args := fmt.Sprintf("-n 8 %s -workers %d -numbering %d", flags, workers, numbering)
				var out strings.Builder
				err := run(strings.Fields(args), &out)
				if err != nil || !strings.HasPrefix(out.String(), want+" ") {
					t.Errorf("%s: %q (%v), want hash %s", args, out.String(), err, want)
				}
			}
		}
	}
}

// TestResidual computes b − A·x exactly. It is a little larger than the
// tolerance, 1e-10, because the solver updates its residual with roundings.
func TestResidual(t *testing.T) {
	const n = 20
	order := demo.Numbering(n*n, 0)
	a, b := system(n, order, 1)
	for flags := range golden {
		f := strings.Fields(flags)
		x, _, err := solver{dot: f[1], preconditioner: f[3], workers: 2}.solve(n, order)
		if err != nil {
			t.Fatal(err)
		}
		residual := make([]float64, len(b))
		for i := range b {
			var r exact.Accumulator
			r.Add(b[i])
			columns, values := a.Row(i)
			for k, j := range columns {
				r.AddProduct(-values[k], x[j])
			}
			residual[i] = r.Float64()
		}
		if r := exact.Nrm2(residual) / exact.Nrm2(b); !(r < 1.01e-10) {
			t.Errorf("%s: the residual is %g", flags, r)
		}
	}
}

// TestInfinite holds that a right-hand side without a finite norm is refused.
func TestInfinite(t *testing.T) {
	var all sparse.Assembly
	all.Add(0, 0, 1)
	a := all.Matrix(1, 1)
	s := sparse.Solver{Arithmetic: sparse.Exact(), Preconditioner: sparse.Jacobi(a), Workers: 1,
		Tolerance: 1e-10}
	for _, b := range []float64{math.Inf(1), math.NaN(), 1e200} {
		if x, _, err := s.Solve(a, []float64{b}); err == nil {
			t.Errorf("%g gives %v", b, x)
		}
	}
}

// TestIndefinite holds that equations which the method cannot solve are
// refused.
func TestIndefinite(t *testing.T) {
	for _, diagonal := range []float64{-1, 0, math.NaN()} {
		var all sparse.Assembly
		all.Add(0, 0, diagonal)
		a := all.Matrix(1, 1)
		s := sparse.Solver{Arithmetic: sparse.Exact(), Preconditioner: sparse.Jacobi(a), Workers: 1}
		if x, _, err := s.Solve(a, []float64{1}); err == nil {
			t.Errorf("a matrix of %g gives %v", diagonal, x)
		}
		if _, err := sparse.Cholesky(a); err == nil {
			t.Errorf("a matrix of %g has a factorization", diagonal)
		}
	}
}

// TestNaive shows the need: dots of parts that are added in the order of the
// workers give other bits for each number of workers.
func TestNaive(t *testing.T) {
	const n, counts = 20, 6
	a, b := system(n, demo.Numbering(n*n, 0), 1)
	hashes := map[string]bool{}
	for workers := 1; workers <= counts; workers++ {
		s := sparse.Solver{Arithmetic: naive(), Preconditioner: sparse.Jacobi(a), Workers: workers,
			Tolerance: 1e-10}
		x, _, err := s.Solve(a, b)
		if err != nil {
			t.Fatal(err)
		}
		hashes[demo.NewHash().Floats(x).String()] = true
	}
	t.Logf("dots of parts: %d different hashes for %d numbers of workers", len(hashes), counts)
	if len(hashes) == 1 {
		t.Error("the number of workers makes no difference: the equations prove nothing")
	}
}

func naive() sparse.Arithmetic {
	chain := func(x, y []float64) (sum float64) {
		for i, v := range x {
			sum += float64(v * y[i])
		}
		return sum
	}
	return sparse.Arithmetic{Row: chain, Dot: func(x, y []float64, workers int) (sum float64) {
		parts := make([]float64, workers)
		demo.Split(len(x), workers, func(w, from, to int) {
			parts[w] = chain(x[from:to], y[from:to])
		})
		for _, p := range parts {
			sum += p
		}
		return sum
	}}
}

func TestFlags(t *testing.T) {
	const want = "cg: -precond ilu: it must be jacobi or cholesky; cg -h lists the flags"
	if err := run([]string{"-precond", "ilu"}, t.Output()); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
