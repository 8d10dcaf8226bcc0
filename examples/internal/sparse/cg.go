package sparse

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/examples/internal/demo"
)

// A Preconditioner computes z = M⁻¹·r for a matrix M that is close to the
// system's.
type Preconditioner interface {
	Solve(z, r []float64, workers int)
}

// A Solver solves A·x = b, for a symmetric and positive definite A, by
// preconditioned conjugate gradients.
type Solver struct {
	Arithmetic     Arithmetic
	Preconditioner Preconditioner
	Workers        int
	Tolerance      float64 // the residual at the end, relative to b
}

// Solve returns the solution, and the number of iterations that it took. It is
// an error if the matrix is not positive definite, or if the residual does not
// become small enough in as many iterations as there are unknowns, and ten.
//
// The bits of x do not depend on Workers: products and dots are those of
// Arithmetic, and the updates of vectors work on one element at a time.
func (s Solver) Solve(a *Matrix, b []float64) (x []float64, iterations int, err error) {
	n := len(b)
	x = make([]float64, n)
	r, z, p, q := append([]float64(nil), b...), make([]float64, n), make([]float64, n),
		make([]float64, n)
	goal := s.Tolerance * math.Sqrt(s.dot(b, b))
	before := 1.0
	for !(math.Sqrt(s.dot(r, r)) <= goal) { // NaN goes on, to an error
		if iterations == n+10 {
			return nil, iterations, fmt.Errorf("conjugate gradients: the residual is above %g of "+
				"the right-hand side after %d iterations: choose a greater tolerance", s.Tolerance,
				iterations)
		}
		s.Preconditioner.Solve(z, r, s.Workers)
		rz := s.dot(r, z)
		beta := rz / before
		before = rz
		s.addTo(p, z, beta)
		a.Mul(q, p, s.Arithmetic, s.Workers)
		curvature := s.dot(p, q)
		if !(curvature > 0) {
			return nil, iterations, fmt.Errorf("conjugate gradients: p·A·p is %g: the matrix "+
				"is not positive definite", curvature)
		}
		alpha := rz / curvature
		s.step(x, r, p, q, alpha)
		iterations++
	}
	return x, iterations, nil
}

func (s Solver) dot(x, y []float64) float64 { return s.Arithmetic.Dot(x, y, s.Workers) }

// addTo computes p = z + β·p.
func (s Solver) addTo(p, z []float64, beta float64) {
	demo.Split(len(p), s.Workers, func(_, from, to int) {
		for i := from; i < to; i++ {
			p[i] = z[i] + float64(beta*p[i])
		}
	})
}

// step computes x = x + α·p and r = r − α·q.
func (s Solver) step(x, r, p, q []float64, alpha float64) {
	demo.Split(len(x), s.Workers, func(_, from, to int) {
		for i := from; i < to; i++ {
			x[i] += float64(alpha * p[i])
			r[i] -= float64(alpha * q[i])
		}
	})
}

// Jacobi returns the preconditioner of a matrix's diagonal.
func Jacobi(a *Matrix) Preconditioner {
	d := make(diagonal, a.Rows())
	for i := range d {
		d[i] = a.At(i, i)
	}
	return d
}

type diagonal []float64

// Solve divides by the diagonal.
func (d diagonal) Solve(z, r []float64, workers int) {
	demo.Split(len(z), workers, func(_, from, to int) {
		for i := from; i < to; i++ {
			z[i] = r[i] / d[i]
		}
	})
}
