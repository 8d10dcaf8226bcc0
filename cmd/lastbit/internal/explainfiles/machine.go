package explainfiles

import (
	"context"
	"iter"
	"slices"
	"time"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
)

// addresses are the targets whose orders are asked for, by operation.
var addresses = map[explain.Op][]string{
	explain.Sum:    {"py:numpy.sum", "py:torch.sum"},
	explain.Mean:   {"py:numpy.mean", "py:torch.mean"},
	explain.Dot:    {"py:numpy.dot", "py:torch.dot"},
	explain.MatMul: {"py:numpy.matmul", "py:torch.mm"},
}

// Bounds of a reveal: of most sums it takes less than a second.
const (
	mostCalls   = 4000
	mostSeconds = 20
)

// trees returns a function that reveals the orders of this machine's libraries
// for a problem, nil where no library may be called. Products are asked for in
// the short formats of the results, too.
func (q *Question) trees(
	p *explain.Problem, inputs, results []explain.Array,
) func(context.Context, [2]int) iter.Seq[explain.Tree] {
	if q.Open == nil {
		return nil
	}
	s := probe.Spec{DType: p.In, N: p.N}
	x := inputs[0]
	switch {
	case p.Op == explain.Dot:
		s.Op = probe.Dot
	case p.Op == explain.MatMul && len(p.Shape) == 2:
		s.Op, s.M, s.Cols = probe.Gemm, p.Shape[0], p.Shape[1]
	case p.Op == explain.MatMul:
		return nil
	default:
		s.Op = probe.Sum
		if len(x.Shape) == 2 && q.Axis >= 0 {
			s.Axis, s.M = string("01"[q.Axis]), x.Shape[1-q.Axis]
		}
	}
	formats := []fp.Format{p.In}
	for _, r := range results {
		f := explain.ShortFormat(r.Values)
		if s.Op == probe.Gemm && p.In == fp.Binary32 && f != 0 && !slices.Contains(formats, f) {
			formats = append(formats, f)
		}
	}
	return func(ctx context.Context, element [2]int) iter.Seq[explain.Tree] {
		switch {
		case s.Op == probe.Gemm:
			s.OutIndex = []int{element[0], element[1]}
		case s.Axis != "":
			s.OutIndex = []int{element[0]}
		}
		return func(yield func(explain.Tree) bool) {
			for _, dtype := range formats {
				s := s
				s.DType = dtype
				for _, address := range addresses[p.Op] {
					if t, ok := q.reveal(ctx, address, s); ok && !yield(t) {
						return
					}
				}
			}
		}
	}
}

// reveal returns the order of a target, if it is verified in time.
func (q *Question) reveal(
	ctx context.Context, address string, s probe.Spec,
) (t explain.Tree, ok bool) {
	ctx, cancel := context.WithTimeout(ctx, mostSeconds*time.Second)
	defer cancel()
	if q.Progress != nil {
		q.Progress("revealing "+address, 0, 0)
	}
	target, err := q.Open(ctx, address, s)
	if err != nil {
		return t, false
	}
	defer target.Close()
	f, err := reveal.Reveal(ctx, target, reveal.Options{MaxCalls: mostCalls})
	if err != nil || !f.Verified || f.Tree == nil || f.Arithmetic == nil {
		return t, false
	}
	name := f.Key.Library + " " + f.Key.Version
	return explain.Tree{Name: address + " (" + name + ")", Tree: f.Tree,
		Arithmetic: f.Arithmetic}, true
}
