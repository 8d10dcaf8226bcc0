package sparse

import (
	"testing"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
)

// TestCholesky holds that the factorization is a whole one where it leaves
// nothing out: for a matrix with a band of three and for one without zeros. A
// solver then takes one step, or one more for its roundings.
func TestCholesky(t *testing.T) {
	const n = 30
	for name, band := range map[string]int{"band": 1, "full": n} {
		var all Assembly
		random := demo.Random(1)
		for i := range n {
			all.Add(i, i, n)
			for j := max(0, i-band); j < i; j++ {
				v := demo.Uniform(random)
				all.Add(i, j, v)
				all.Add(j, i, v)
			}
		}
		a := all.Matrix(n, 2)
		m, err := Cholesky(a)
		if err != nil {
			t.Fatal(err)
		}
		s := Solver{Arithmetic: Exact(), Preconditioner: m, Workers: 2, Tolerance: 1e-12}
		b := demo.Uniforms(random, n)
		x, iterations, err := s.Solve(a, b)
		if err != nil || iterations > 2 {
			t.Errorf("%s: %d iterations (%v)", name, iterations, err)
		}
		r := make([]float64, n)
		a.Mul(r, x, Exact(), 1)
		for i := range r {
			r[i] -= b[i]
		}
		if e := exact.Nrm2(r); e > 1e-12*exact.Nrm2(b) {
			t.Errorf("%s: the residual is %g", name, e)
		}
	}
}

// TestTolerance holds that a residual which cannot be reached is an error, and
// that nothing is solved by nothing.
func TestTolerance(t *testing.T) {
	var all Assembly
	for i := range 5 {
		all.Add(i, i, 3)
		all.Add(i, (i+1)%5, 1)
		all.Add((i+1)%5, i, 1)
	}
	a := all.Matrix(5, 1)
	s := Solver{Arithmetic: Ordered(), Preconditioner: Jacobi(a), Workers: 1, Tolerance: 1e-300}
	if x, iterations, err := s.Solve(a, []float64{1, 2, 4, 8, 17}); err == nil {
		t.Errorf("%v is said to be that close, after %d iterations", x, iterations)
	}
	if x, iterations, err := s.Solve(a, make([]float64, 5)); err != nil || iterations != 0 ||
		exact.Nrm2(x) != 0 {
		t.Errorf("zero: %v after %d iterations (%v)", x, iterations, err)
	}
}

// TestMatrix has an empty row, an empty column, and contributions that cancel.
func TestMatrix(t *testing.T) {
	var all, more Assembly
	all.Add(2, 0, 1e300)
	all.Add(0, 3, 5)
	more.Add(2, 0, 1)
	more.Add(2, 0, -1e300)
	all.Merge(&more)
	m := all.Matrix(4, 3)
	for _, c := range []struct {
		i, j int
		want float64
	}{{2, 0, 1}, {0, 3, 5}, {1, 1, 0}, {3, 3, 0}} {
		if v := m.At(c.i, c.j); v != c.want {
			t.Errorf("element %d, %d is %g, want %g", c.i, c.j, v, c.want)
		}
	}
	y := []float64{9, 9, 9, 9}
	m.Mul(y, []float64{1, 2, 3, 4}, Exact(), 9)
	if y[0] != 20 || y[1] != 0 || y[2] != 1 || y[3] != 0 {
		t.Errorf("the product is %v", y)
	}
}
