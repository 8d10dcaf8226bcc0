package explainfiles

import (
	"context"
	"iter"
	"slices"
	"strconv"
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

// vectorAddresses are the targets of products of a matrix and a vector.
var vectorAddresses = []string{"py:numpy.matmul", "py:torch.mv"}

// Bounds of a reveal: of most sums it takes less than a second.
const (
	mostCalls   = 4000
	mostSeconds = 20
)

// trees returns a function that reveals the orders of this machine's libraries
// for a problem, nil where no library may be called. They are asked in the
// short formats of the results, too.
func (q *Question) trees(
	p *explain.Problem, inputs, results []explain.Array,
) func(context.Context, [2]int) iter.Seq[explain.Tree] {
	if q.Open == nil {
		return nil
	}
	shapes := shapesOf(p, inputs[0].Shape, q.Axis)
	formats := []fp.Format{p.In}
	for _, r := range results {
		f := explain.ShortFormat(r.Values)
		if p.In == fp.Binary32 && f != 0 && !slices.Contains(formats, f) {
			formats = append(formats, f)
		}
	}
	return func(ctx context.Context, element [2]int) iter.Seq[explain.Tree] {
		return func(yield func(explain.Tree) bool) {
			for _, dtype := range formats {
				for _, shape := range shapes {
					s := shape.spec(probe.Spec{DType: dtype, N: p.N}, element)
					for _, address := range shape.addresses {
						t, ok := q.reveal(ctx, address, s)
						if t.Name += shape.remark; ok && !yield(t) {
							return
						}
					}
				}
			}
		}
	}
}

// shape is a way to compute a problem with a library.
type shape struct {
	addresses []string
	op        probe.Op
	m, cols   int
	axis      string
	between   bool   // the axis has dimensions on either side
	remark    string // after the name of the target
}

// shapesOf returns the shape of a problem. For a product of two matrices it
// returns its rows one by one, too: a batch of one takes other code. For sums
// of a matrix it returns the other memory order, as of a transposed array:
// libraries choose their loops by strides.
func shapesOf(p *explain.Problem, x []int, axis int) []shape {
	s := shape{addresses: addresses[p.Op], op: probe.Sum}
	switch {
	case p.Op == explain.Dot || p.Op == explain.MatMul && len(p.Shape) == 0:
		s.addresses, s.op = addresses[explain.Dot], probe.Dot
	case p.Op == explain.MatMul && len(p.Shape) == 1 && len(x) == 1:
		s.op, s.m, s.cols = probe.Gemm, 1, p.Shape[0]
	case p.Op == explain.MatMul && len(p.Shape) == 1:
		s.addresses, s.op, s.m = vectorAddresses, probe.Gemv, p.Shape[0]
	case p.Op == explain.MatMul:
		s.op, s.m, s.cols = probe.Gemm, p.Shape[0], p.Shape[1]
		if s.m > 1 {
			row := s
			row.m, row.remark = 1, ", row by row"
			return []shape{s, row}
		}
	case axis == len(x)-1 && axis > 0: // dimensions before it are one
		s.axis, s.m = "1", p.Elements()
	case axis == 0 && len(x) > 1:
		s.axis, s.m = "0", p.Elements()
	case axis > 0: // a matrix of each index of the dimensions before it
		s.axis, s.m, s.between = "0", 1, true
		for _, d := range x[axis+1:] {
			s.m *= d
		}
	}
	if s.op == probe.Sum && len(x) == 2 && s.axis != "" {
		turned := s
		turned.remark = ", the other memory order"
		turned.axis = strconv.Itoa(1 - axis)
		return []shape{s, turned}
	}
	return []shape{s}
}

// spec completes a specification with the shape, for one element.
func (s *shape) spec(spec probe.Spec, element [2]int) probe.Spec {
	spec.Op, spec.M, spec.Cols, spec.Axis = s.op, s.m, s.cols, s.axis
	switch {
	case s.op == probe.Gemm:
		spec.OutIndex = []int{min(element[0], s.m-1), element[1]}
	case s.between:
		spec.OutIndex = []int{min(element[1], s.m-1)}
	case s.op == probe.Gemv || s.axis != "":
		spec.OutIndex = []int{element[0]}
	}
	return spec
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
