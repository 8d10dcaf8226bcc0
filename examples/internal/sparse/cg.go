package sparse

import (
	"errors"
	"fmt"
	"math"
	"slices"

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
// an error if b is not finite, if the matrix is not positive definite, or if
// the residual does not become small enough in as many iterations as there are
// unknowns, and ten.
//
// The bits of x do not depend on Workers: Arithmetic computes products and
// dots, and the updates of vectors work on one element at a time.
func (s Solver) Solve(a *Matrix, b []float64) (x []float64, iterations int, err error) {
	goal := s.Tolerance * s.norm(b)
	if math.IsNaN(goal) || math.IsInf(goal, 0) {
		return nil, 0, errors.New("conjugate gradients: the norm of the right-hand side is not " +
			"finite")
	}
	v := newVectors(b)
	for ; !(s.norm(v.r) <= goal); iterations++ { // a norm of NaN ends in an error
		if iterations == len(b)+10 {
			return nil, iterations, fmt.Errorf("conjugate gradients: the residual is above %g of "+
				"the right-hand side after %d iterations: choose a greater tolerance", s.Tolerance,
				iterations)
		}
		if err := s.iterate(a, v); err != nil {
			return nil, iterations, err
		}
	}
	return v.x, iterations, nil
}

// vectors holds the vectors of an iteration, by their usual names.
type vectors struct {
	x, r    []float64 // the solution so far, and its residual
	z, p, q []float64 // M⁻¹·r, the direction of the search, and A·p
	rz      float64
}

func newVectors(b []float64) *vectors {
	n := len(b)
	return &vectors{x: make([]float64, n), r: slices.Clone(b), z: make([]float64, n),
		p: make([]float64, n), q: make([]float64, n), rz: 1}
}

// iterate improves x by a step along p.
func (s Solver) iterate(a *Matrix, v *vectors) error {
	s.Preconditioner.Solve(v.z, v.r, s.Workers)
	rz := s.dot(v.r, v.z)
	s.turn(v, rz/v.rz)
	v.rz = rz
	a.Mul(v.q, v.p, s.Arithmetic, s.Workers)
	curvature := s.dot(v.p, v.q)
	if !(curvature > 0) {
		return fmt.Errorf("conjugate gradients: p·A·p is %g: the matrix is not positive definite",
			curvature)
	}
	s.step(v, rz/curvature)
	return nil
}

func (s Solver) dot(x, y []float64) float64 { return s.Arithmetic.Dot(x, y, s.Workers) }

func (s Solver) norm(x []float64) float64 { return math.Sqrt(s.dot(x, x)) }

// turn computes p = z + β·p.
func (s Solver) turn(v *vectors, beta float64) {
	demo.Split(len(v.p), s.Workers, func(_, from, to int) {
		for i := from; i < to; i++ {
			v.p[i] = v.z[i] + float64(beta*v.p[i])
		}
	})
}

// step computes x = x + α·p and r = r − α·q.
func (s Solver) step(v *vectors, alpha float64) {
	demo.Split(len(v.x), s.Workers, func(_, from, to int) {
		for i := from; i < to; i++ {
			v.x[i] += float64(alpha * v.p[i])
			v.r[i] -= float64(alpha * v.q[i])
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
