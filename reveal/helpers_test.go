package reveal_test

import (
	"context"
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// laned is a sum over the rows of a matrix; lane 0 is the one asked about.
type laned struct {
	key   probe.Key
	lanes int
	f     func(lane int, x []float64) float64
}

func (t laned) Key() probe.Key { return t.key }

func (t laned) Lanes() int { return t.lanes }

func (t laned) Close() error { return nil }

func (t laned) Call(_ context.Context, b *probe.Batch) error {
	for l := range b.Out {
		b.Out[l] = t.f(l, b.X[l*t.key.N:(l+1)*t.key.N])
	}
	return nil
}

// newLaned returns a target whose lanes compute by f.
func newLaned(n, lanes int, d fp.Format, f func(int, []float64) float64) laned {
	key := probe.Key{Target: "laned", Op: probe.Sum, Axis: "1", DType: d, Out: d, N: n, M: lanes,
		OutIndex: []int{0}, Threads: 1}
	return laned{key, lanes, f}
}

// swapLeaves returns the tree with the leaves a and b exchanged.
func swapLeaves(t *sumtree.Tree, a, b int) *sumtree.Tree {
	other := map[int]int{a: b, b: a}
	builder := sumtree.NewBuilder(t.Leaves())
	for id := t.Leaves(); id < t.Nodes(); id++ {
		var kids []int
		for _, c := range t.Children(id) {
			k := int(c)
			if o, ok := other[k]; ok {
				k = o
			}
			kids = append(kids, k)
		}
		builder.Node(kids...)
	}
	return builder.MustTree()
}

// meanTarget divides the sum of a chain by g.
type meanTarget struct {
	laned
	g func(s float64) float64
}

func (t meanTarget) Call(_ context.Context, b *probe.Batch) error {
	b.Out[0] = t.g(revealtest.By(probetest.Chain(t.key.N), t.key.DType, b.X))
	return nil
}

// meanOf returns a target that is a mean and cannot be called.
func meanOf(n int, d fp.Format) laned {
	key := probe.Key{Target: "mean", Op: probe.Sum, DType: d, Out: d, N: n, Mean: true, Threads: 1}
	return laned{key: key, lanes: 1}
}

func mean(n int, d fp.Format, g func(float64) float64) probe.Target {
	return meanTarget{meanOf(n, d), g}
}

// meanTree is a float64 mean in the order of a tree.
type meanTree struct {
	laned
	tree *sumtree.Tree
}

func (t meanTree) Call(_ context.Context, b *probe.Batch) error {
	b.Out[0] = revealtest.By(t.tree, fp.Binary64, b.X) / float64(t.key.N)
	return nil
}

// meanDropped is a mean that drops summand 4.
type meanDropped struct{ laned }

func (meanDropped) Call(_ context.Context, b *probe.Batch) error {
	x := append([]float64(nil), b.X...)
	x[4] = 0
	b.Out[0] = revealtest.By(probetest.Chain(8), fp.Binary32, x) / 8
	return nil
}

// counting counts the calls of a target.
type counting struct {
	probe.Target
	calls int
}

func (c *counting) Call(ctx context.Context, b *probe.Batch) error {
	c.calls++
	return c.Target.Call(ctx, b)
}

// turning is one target, and from some call on another.
type turning struct {
	probe.Target
	then  probe.Target
	after int
	calls int
}

func (t *turning) Call(ctx context.Context, b *probe.Batch) error {
	t.calls++
	if t.calls > t.after {
		return t.then.Call(ctx, b)
	}
	return t.Target.Call(ctx, b)
}

// infiniteFault is a target that cannot be called with infinities.
type infiniteFault struct{ probe.Target }

func (t infiniteFault) Call(ctx context.Context, b *probe.Batch) error {
	for _, v := range b.X {
		if math.IsInf(v, 0) {
			return &probe.Fault{ID: "call-failed", Thing: "x", Cause: "it is infinite"}
		}
	}
	return t.Target.Call(ctx, b)
}
