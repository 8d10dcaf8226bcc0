package main

import (
	"fmt"
	"io"

	"github.com/lastbit/lastbit/examples/internal/demo"
	"github.com/lastbit/lastbit/examples/internal/sparse"
)

func main() { demo.Main(run) }

func run(args []string, stdout io.Writer) error {
	flags := demo.NewFlags("cg")
	n := flags.Int("n", 60, 1, 2000, "rows and columns of the grid of unknowns")
	dot := flags.Word("dot", "how dot products are computed", "exact", "ordered")
	preconditioner := flags.Word("precond", "the preconditioner", "jacobi", "cholesky")
	workers := flags.Workers()
	numbering := flags.Seed("numbering", "seed of a renumbering of the unknowns; 0 leaves them")
	if err := flags.Parse(args, stdout); err != nil {
		return err
	}
	s := solver{dot: *dot, preconditioner: *preconditioner, workers: *workers}
	x, iterations, err := s.solve(*n, demo.Numbering(*n**n, *numbering))
	if err != nil {
		return fmt.Errorf("cg: %w", err)
	}
	_, err = fmt.Fprintf(stdout, "%s  solution of %d equations after %d iterations\n",
		demo.NewHash().Floats(x), len(x), iterations)
	return err
}

// solver is the choice that the flags make.
type solver struct {
	dot, preconditioner string
	workers             int
}

// solve returns the solution of the system, in the order of the grid.
func (s solver) solve(n int, number []int) (x []float64, iterations int, err error) {
	a, b := system(n, number, s.workers)
	cg := sparse.Solver{Arithmetic: sparse.Exact(), Preconditioner: sparse.Jacobi(a),
		Workers: s.workers, Tolerance: 1e-10}
	if s.dot == "ordered" {
		cg.Arithmetic = sparse.Ordered()
	}
	if s.preconditioner == "cholesky" {
		if cg.Preconditioner, err = sparse.Cholesky(a); err != nil {
			return nil, 0, err
		}
	}
	y, iterations, err := cg.Solve(a, b)
	if err != nil {
		return nil, iterations, err
	}
	x = make([]float64, len(y))
	for i := range x {
		x[i] = y[number[i]]
	}
	return x, iterations, nil
}

// system returns the equations of heat that flows between the points of a grid
// of n×n points, along links that conduct it well or badly, and leaks away
// everywhere. Point i has the unknown number[i].
func system(n int, number []int, workers int) (*sparse.Matrix, []float64) {
	random := demo.Random(1)
	var links sparse.Assembly
	link := func(i, j int) {
		conductivity := 1.001 + demo.Uniform(random)
		i, j = number[i], number[j]
		links.Add(i, i, conductivity)
		links.Add(j, j, conductivity)
		links.Add(i, j, -conductivity)
		links.Add(j, i, -conductivity)
	}
	b := make([]float64, n*n)
	for i := range b {
		links.Add(number[i], number[i], 0.001)
		if i%n < n-1 {
			link(i, i+1)
		}
		if i+n < len(b) {
			link(i, i+n)
		}
		b[number[i]] = demo.Uniform(random)
	}
	return links.Matrix(len(b), workers), b
}
