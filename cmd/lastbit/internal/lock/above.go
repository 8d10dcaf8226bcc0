package lock

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
)

// A library shares an operation among threads from a size on that differs from
// one to the next. Survey.above looks for it: it computes random inputs of
// growing shapes with one thread and with two, and takes the first shape whose
// results differ.

// larger returns the shapes that above tries for an operation: the summands of
// a result, rows and columns.
func larger(op probe.Op) [][3]int {
	switch op {
	case probe.Gemm:
		return [][3]int{{500, 64, 64}, {500, 300, 300}}
	case probe.Gemv:
		return [][3]int{{2000, 128, 0}, {4000, 1000, 0}}
	}
	return [][3]int{{1e5, 0, 0}, {1 << 20, 0, 0}}
}

// above returns requests for the operations of a profile of standard operations
// that depend on the number of threads in larger shapes only: the first of
// these shapes, and a result that changes.
func (s *Survey) above(ctx context.Context, p *lockfile.Profile) (list []lockfile.Request) {
	type kind struct{ target, op, dtype string }
	depends := map[kind]bool{}
	var kinds []lockfile.Request
	for _, o := range p.Operations {
		k := kind{o.Target, string(o.Spec.Op), o.Spec.DType.String()}
		if _, known := depends[k]; !known && o.Threads != "" {
			kinds = append(kinds, lockfile.Request{Target: o.Target, Spec: o.Spec})
		}
		depends[k] = depends[k] || o.Threads == lockfile.Yes
	}
	kinds = slices.DeleteFunc(kinds, func(r lockfile.Request) bool {
		return depends[kind{r.Target, string(r.Spec.Op), r.Spec.DType.String()}]
	})
	for i, r := range kinds {
		s.Show(r.Target+" with more threads", i, len(kinds))
		for _, shape := range larger(r.Spec.Op) {
			r.Spec.N, r.Spec.M, r.Spec.Cols = shape[0], shape[1], shape[2]
			at, changes, err := s.changes(ctx, r)
			if err != nil {
				break // it does not compute this shape
			}
			if changes {
				r.Spec.OutIndex = at
				list = append(list, r)
				break
			}
		}
	}
	return list
}

// changes reports whether the results of random inputs change with a second
// thread, and where: nil for the first result.
func (s *Survey) changes(
	ctx context.Context, r lockfile.Request,
) (at []int, changes bool, err error) {
	var results [2][]float64
	var cols int
	for k := range results {
		r.Spec.Threads = k + 1
		if results[k], cols, err = s.randomResults(ctx, r); err != nil {
			return nil, false, err
		}
	}
	for i, v := range results[0] {
		if w := results[1][i]; v == w && math.Signbit(v) == math.Signbit(w) || v != v && w != w {
			continue
		}
		if cols > 0 && i > 0 {
			at = []int{i / cols, i % cols}
		}
		return at, true, nil
	}
	return nil, false, nil
}

// randomResults returns the results of the request for random inputs, and the
// columns of the matrix that they are, or 0.
func (s *Survey) randomResults(
	ctx context.Context, r lockfile.Request,
) (out []float64, cols int, err error) {
	t, err := s.open(ctx, r)
	if err != nil {
		return nil, 0, err
	}
	defer t.Close()
	rng := rand.New(rand.NewPCG(1, uint64(r.Spec.N)))
	b := probe.NewBatch(t)
	for _, v := range [][]float64{b.X, b.Y} {
		for i := range v {
			v[i] = t.Key().DType.Round(float64(2*rng.Float64())-1, 0)
		}
	}
	c, isMatrix := t.(probe.CellTarget)
	if !isMatrix {
		err = t.Call(ctx, b)
		return b.Out, 0, err
	}
	rows, cols := c.Cells()
	all := make([]float64, rows*cols)
	err = c.CallCells(ctx, b, all)
	return all, cols, err
}
