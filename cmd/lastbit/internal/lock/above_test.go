package lock

import (
	"context"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/lockfile"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestAbove finds the first larger shape whose results change with a second
// thread, and none where a standard shape depends on it, no shape does, or the
// target has no threads.
func TestAbove(t *testing.T) {
	pairwise := sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}
	for _, c := range []struct {
		name    string
		depends lockfile.Answer
		from    int // the least n that two threads share
		want    int
	}{
		{"at once", lockfile.No, 2000, 100000},
		{"later", lockfile.No, 200000, 1 << 20},
		{"never", lockfile.No, 1 << 30, 0},
		{"unknown", lockfile.Unknown, 2000, 100000},
		{"known", lockfile.Yes, 2000, 0},
		{"no threads", "", 2000, 0},
	} {
		s := surveyOf(func(spec probe.Spec) probe.Target {
			if spec.Threads == 2 && spec.N >= c.from {
				return probetest.FromTree(pairwise.Tree(spec.N), probetest.Options{})
			}
			return probetest.FromTree(probetest.Chain(spec.N), probetest.Options{})
		})
		spec := probe.Spec{Op: probe.Sum, DType: fp.Binary32, N: 1000, Threads: -1}
		list := s.above(t.Context(), &lockfile.Profile{Operations: []*lockfile.Operation{
			{Target: "t:x", Spec: spec, Threads: c.depends}}})
		switch {
		case c.want == 0 && len(list) > 0, c.want > 0 && len(list) != 1:
			t.Errorf("%s: %+v", c.name, list)
		case c.want > 0 && (list[0].Spec.N != c.want || list[0].Spec.Threads != -1):
			t.Errorf("%s: %+v", c.name, list[0])
		}
	}
}

// TestAboveNamesTheCell finds the one cell of a matrix product that a second
// thread changes.
func TestAboveNamesTheCell(t *testing.T) {
	s := surveyOf(func(spec probe.Spec) probe.Target {
		o := probetest.Options{Op: probe.Gemm, DType: spec.DType, Lanes: spec.M, Cols: spec.Cols}
		return probetest.FromTree(probetest.Chain(spec.N), o)
	})
	s.Drivers[0].Options |= probe.WithRows | probe.WithCols
	open := s.Drivers[0].Open
	s.Drivers[0].Open = func(ctx context.Context, a string, spec probe.Spec) (probe.Target, error) {
		t, err := open(ctx, a, spec)
		if spec.Threads == 2 {
			t = oneCell{t.(probe.CellTarget)}
		}
		return t, err
	}
	spec := probe.Spec{Op: probe.Gemm, DType: fp.Binary32, N: 128, M: 32, Cols: 32, Threads: -1}
	list := s.above(t.Context(), &lockfile.Profile{Operations: []*lockfile.Operation{
		{Target: "t:x", Spec: spec, Threads: lockfile.No}}})
	if len(list) != 1 || !slices.Equal(list[0].Spec.OutIndex, []int{3, 5}) {
		t.Errorf("%+v", list)
	}
}

// oneCell changes the cell in row 3 and column 5.
type oneCell struct{ probe.CellTarget }

func (t oneCell) CallCells(ctx context.Context, b *probe.Batch, all []float64) error {
	err := t.CellTarget.CallCells(ctx, b, all)
	_, cols := t.Cells()
	all[3*cols+5]++
	return err
}
