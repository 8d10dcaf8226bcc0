package reveal_test

import (
	"context"
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
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

// by adds x in the order of t, every sum rounded to f.
func by(t *sumtree.Tree, f fp.Format, x []float64) float64 {
	v, _ := t.Replay(sumtree.Plain(f), x, nil)
	return v
}

// find reveals a target that can be run.
func find(t *testing.T, target probe.Target, seed uint64) *reveal.Finding {
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sum returns a target of one lane that computes by f.
func sum(n int, d fp.Format, f func(x []float64) float64) probe.Target {
	plain := func(_ fp.Format, x []float64, _ int) float64 { return f(x) }
	return probetest.FromFunc("x", n, d, plain)
}

// wrong fails the test and prints the finding.
func wrong(t *testing.T, f *reveal.Finding) {
	t.Errorf("%s verified=%v calls=%d %s arith=%+v witness=%v warn=%v", f.Verdict, f.Verified,
		f.Calls, f.Traits, f.Arithmetic, f.Witness != nil, f.Warnings)
}

// equalBits compares bits; any NaN equals any other.
func equalBits(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
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

// dotTarget computes a dot product by g.
type dotTarget struct {
	laned
	g func(x, y []float64) float64
}

func (t dotTarget) Call(_ context.Context, b *probe.Batch) error {
	b.Out[0] = t.g(b.X, b.Y)
	return nil
}

// meanTarget divides the sum of a chain by g.
type meanTarget struct {
	laned
	g func(s float64) float64
}

func (t meanTarget) Call(_ context.Context, b *probe.Batch) error {
	b.Out[0] = t.g(by(probetest.Chain(t.key.N), t.key.DType, b.X))
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
	b.Out[0] = by(t.tree, fp.Binary64, b.X) / float64(t.key.N)
	return nil
}

// meanDropped is a mean that drops summand 4.
type meanDropped struct{ laned }

func (meanDropped) Call(_ context.Context, b *probe.Batch) error {
	x := append([]float64(nil), b.X...)
	x[4] = 0
	b.Out[0] = by(probetest.Chain(8), fp.Binary32, x) / 8
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
