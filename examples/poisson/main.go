package main

import (
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
	"github.com/lastbit/lastbit/examples/internal/sparse"
)

func main() { demo.Main(run) }

func run(args []string, stdout io.Writer) error {
	flags := demo.NewFlags("poisson")
	n := flags.Int("n", 40, 2, 1000, "squares along a side of the mesh")
	workers := flags.Workers()
	order := flags.Seed("order", "seed of the order of the triangles")
	if err := flags.Parse(args, stdout); err != nil {
		return err
	}
	m := newMesh(*n)
	u, iterations, err := solve(m, *workers, *order)
	if err != nil {
		return fmt.Errorf("poisson: %w", err)
	}
	_, err = fmt.Fprintf(stdout, "%s  −Δu = f on %d triangles, error %.3g after %d iterations\n",
		demo.NewHash().Floats(u), len(m.triangles), m.distance(u), iterations)
	return err
}

// solution is the function to be found: sin(πx)·eʸ. Its values on the boundary
// are given.
func solution(p point) float64 { return float64(crmath.Sin(math.Pi*p.x) * crmath.Exp(p.y)) }

// source is −Δ of it.
func source(p point) float64 { return float64((math.Pi*math.Pi - 1) * solution(p)) }

// solve returns an approximation of solution in the points of a mesh.
func solve(m *mesh, workers int, order uint64) (u []float64, iterations int, err error) {
	a, b := assemble(m, workers, order)
	preconditioner, err := sparse.Cholesky(a)
	if err != nil {
		return nil, 0, err
	}
	s := sparse.Solver{Arithmetic: sparse.Exact(), Preconditioner: preconditioner, Workers: workers,
		Tolerance: 1e-10}
	inside, iterations, err := s.Solve(a, b)
	if err != nil {
		return nil, iterations, err
	}
	u = make([]float64, len(m.points))
	for i, p := range m.points {
		if number := m.unknown[i]; number >= 0 {
			u[i] = inside[number]
		} else {
			u[i] = solution(p)
		}
	}
	return u, iterations, nil
}

// assemble returns the equations of the unknowns. The workers share the
// triangles out, in the order of a seed, and merge when they are done.
func assemble(m *mesh, workers int, order uint64) (*sparse.Matrix, []float64) {
	turns := demo.Numbering(len(m.triangles), order)
	var a, b sparse.Assembly
	var lock sync.Mutex
	demo.Split(len(turns), workers, func(_, from, to int) {
		var ofA, ofB sparse.Assembly
		for _, t := range turns[from:to] {
			m.add(m.triangles[t], &ofA, &ofB)
		}
		lock.Lock()
		defer lock.Unlock()
		a.Merge(&ofA)
		b.Merge(&ofB)
	})
	return a.Matrix(m.unknowns, workers), b.Vector(m.unknowns, workers)
}

// add adds the contributions of a triangle. On the boundary u is known, so the
// contributions of its points go to the right-hand side.
func (m *mesh) add(t [3]int, a, b *sparse.Assembly) {
	corners := [3]point{m.points[t[0]], m.points[t[1]], m.points[t[2]]}
	area, k := stiffness(corners)
	f := load(corners, area, source)
	for i := range t {
		row := m.unknown[t[i]]
		if row < 0 {
			continue
		}
		b.Add(row, 0, f[i])
		for j := range t {
			if column := m.unknown[t[j]]; column >= 0 {
				a.Add(row, column, k[i][j])
			} else {
				b.Add(row, 0, -k[i][j]*solution(corners[j]))
			}
		}
	}
}

// distance returns the root of the mean square of the differences between u and
// the solution.
func (m *mesh) distance(u []float64) float64 {
	d := make([]float64, len(u))
	for i, p := range m.points {
		d[i] = u[i] - solution(p)
	}
	return exact.Nrm2(d) / math.Sqrt(float64(len(d)))
}
