package grid

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/exact"
	"github.com/lastbit/lastbit/examples/internal/demo"
)

// A Field holds a rank's rows of n×n values. What leaves the grid on one side
// enters on the other.
type Field struct {
	ranks    Ranks
	workers  int
	n        int
	from, to int       // the rows of this rank
	now      []float64 // rows from−1 to to, the first and the last from other ranks
	next     []float64
}

// New returns a field of random values in [−1, 1). The values do not depend on
// the number of ranks, which may be up to n.
func New(ranks Ranks, n, workers int) (*Field, error) {
	if ranks.Size() > n {
		return nil, fmt.Errorf("%d ranks for %d rows: take at most one rank for each row",
			ranks.Size(), n)
	}
	from, to := rowsOf(n, ranks.Rank(), ranks.Size())
	f := &Field{ranks: ranks, workers: workers, n: n, from: from, to: to}
	f.now, f.next = make([]float64, (to-from+2)*n), make([]float64, (to-from+2)*n)
	for i := range to - from {
		copy(f.row(f.now, i), demo.Uniforms(demo.Random(uint64(from+i)), n))
	}
	return f, nil
}

// rowsOf returns the rows of a rank.
func rowsOf(n, rank, size int) (from, to int) { return n * rank / size, n * (rank + 1) / size }

// row returns row i of this rank in a slice of rows; rows −1 and to − from
// belong to the neighbours.
func (f *Field) row(rows []float64, i int) []float64 { return rows[(i+1)*f.n : (i+2)*f.n] }

// Step replaces each value u by
//
//	u + δ·(north + south + west + east − 4u + u − u³)
//
// for a time δ that depends on the norm of the whole field. Reaction and
// diffusion make the field settle to regions near 1 and −1 (Allen and Cahn).
//
// Each value is computed from the same operands in the same order wherever its
// row is. Only the norm adds values of several ranks: it is exact.
func (f *Field) Step() error {
	if err := f.exchange(); err != nil {
		return err
	}
	norm, err := f.Norm()
	if err != nil {
		return err
	}
	f.advance(norm)
	return nil
}

// advance computes the new values of all rows.
func (f *Field) advance(norm float64) {
	delta := 0.2 / (1 + norm/float64(f.n))
	demo.Split(f.to-f.from, f.workers, func(_, from, to int) {
		for i := from; i < to; i++ {
			f.update(i, delta)
		}
	})
	f.now, f.next = f.next, f.now
}

// update computes the new values of row i.
func (f *Field) update(i int, delta float64) {
	north, row, south := f.row(f.now, i-1), f.row(f.now, i), f.row(f.now, i+1)
	out := f.row(f.next, i)
	for j, u := range row {
		west, east := row[(j+f.n-1)%f.n], row[(j+1)%f.n]
		flow := (north[j] + south[j]) + (west + east) - float64(4*u)
		reaction := u - float64(float64(u*u)*u)
		out[j] = u + float64(delta*(flow+reaction))
	}
}

// exchange fetches the rows next to this rank's.
func (f *Field) exchange() error {
	size, last := f.ranks.Size(), f.to-f.from-1
	before, after := (f.ranks.Rank()+size-1)%size, (f.ranks.Rank()+1)%size
	err := f.ranks.Shift(f.row(f.now, 0), before, f.row(f.now, last+1), after)
	if err != nil {
		return err
	}
	return f.ranks.Shift(f.row(f.now, last), after, f.row(f.now, -1), before)
}

// Norm returns the root of the sum of all ranks' squares, rounded once.
func (f *Field) Norm() (float64, error) {
	parts := make([]exact.Accumulator, f.workers)
	own := f.own()
	demo.Split(len(own), f.workers, func(w, from, to int) {
		parts[w].AddDot(own[from:to], own[from:to])
	})
	sum := &parts[0]
	for w := 1; w < f.workers; w++ {
		sum.Merge(&parts[w])
	}
	if err := f.ranks.Merge(sum); err != nil {
		return math.NaN(), err
	}
	return sum.Sqrt(), nil
}

// own returns the values of this rank.
func (f *Field) own() []float64 { return f.now[f.n : len(f.now)-f.n] }

// Gather returns all values in rank 0, and nil in the others.
func (f *Field) Gather() ([]float64, error) {
	if f.ranks.Rank() > 0 {
		return nil, f.ranks.Shift(f.own(), 0, nil, Nobody)
	}
	all := append(make([]float64, 0, f.n*f.n), f.own()...)
	for rank := 1; rank < f.ranks.Size(); rank++ {
		from, to := rowsOf(f.n, rank, f.ranks.Size())
		part := make([]float64, (to-from)*f.n)
		if err := f.ranks.Shift(nil, Nobody, part, rank); err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return all, nil
}
