package reveal_test

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/sumtree"
)

// TestDifferentFindingsAreShown compares targets whose results agree on random
// inputs. An input that shows the difference is derived from their findings.
func TestDifferentFindingsAreShown(t *testing.T) {
	const n = 7
	chain := probetest.Chain(n)
	for _, c := range []struct {
		name string
		a, b probetest.Options
		in   string
	}{
		{"flushed", probetest.Options{}, probetest.Options{DAZ: true, FTZ: true}, "subnormals"},
		{"results flushed", probetest.Options{}, probetest.Options{FTZ: true}, "subnormals"},
		{"begins with +0", probetest.Options{}, probetest.Options{FromZero: true}, "initial"},
		{"products", probetest.Options{Products: true},
			probetest.Options{Products: true, DAZ: true, FTZ: true}, "subnormals"},
		{"range", probetest.Options{DType: fp.BFloat16, Acc: fp.Binary32},
			probetest.Options{DType: fp.BFloat16, Acc: fp.Binary64}, "accumulator"},
	} {
		t.Run(c.name, func(t *testing.T) {
			targets := []probe.Target{
				probetest.FromTree(chain, c.a), probetest.FromTree(chain, c.b),
			}
			got, err := reveal.Compare(context.Background(), targets, reveal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Groups) != 2 || len(got.Differences) != 1 {
				t.Fatalf("groups %v, unshown %+v", got.Groups, got.Unshown)
			}
			d := got.Differences[0]
			if !slices.Contains(d.DifferIn, c.in) {
				t.Errorf("they differ in %q, not in %s", d.DifferIn, c.in)
			}
			if d.Witness == nil {
				t.Fatal("no input shows the difference")
			}
			var outs []float64
			for _, target := range targets {
				b := probe.NewBatch(target)
				copy(b.X, d.Witness.X)
				if d.Witness.Y != nil {
					copy(b.Y, d.Witness.Y)
				}
				if err := target.Call(context.Background(), b); err != nil {
					t.Fatal(err)
				}
				outs = append(outs, b.Out[0])
			}
			if fmt.Sprint(outs) != fmt.Sprint([]float64(d.Witness.Outs)) ||
				d.Witness.Bits[0] == d.Witness.Bits[1] {
				t.Errorf("the witness gives %v, and claims %v", outs, d.Witness.Outs)
			}
		})
	}
}

// TestRareTreesAreShown compares trees of many summands that differ in two
// neighbours: random inputs seldom show it.
func TestRareTreesAreShown(t *testing.T) {
	const n = 600
	pairwise := sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}.Tree(n)
	targets := []probe.Target{
		probetest.FromTree(pairwise, probetest.Options{}),
		probetest.FromTree(swapLeaves(pairwise, 299, 300), probetest.Options{}),
	}
	c, err := reveal.Compare(context.Background(), targets, reveal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Groups) != 2 || c.Differences[0].Witness == nil ||
		!slices.Equal(c.Differences[0].DifferIn, []string{"tree"}) {
		t.Errorf("groups %v, differences %+v", c.Groups, c.Differences)
	}
}

// TestEqualFindingsAgree compares two targets that differ in nothing.
func TestEqualFindingsAgree(t *testing.T) {
	chain := probetest.Chain(9)
	targets := []probe.Target{
		probetest.FromTree(chain, probetest.Options{DAZ: true}),
		probetest.FromTree(chain, probetest.Options{DAZ: true}),
	}
	c, err := reveal.Compare(context.Background(), targets, reveal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Groups) != 1 || len(c.Unshown) > 0 {
		t.Errorf("groups %v, unshown %+v", c.Groups, c.Unshown)
	}
}

// TestSmallPairs compares targets whose results hide most differences of their
// orders: the witness has few summands nevertheless, and gives its results.
func TestSmallPairs(t *testing.T) {
	for _, c := range []struct {
		a, b string
		spec probe.Spec
	}{
		{"go:rmsnorm:32", "go:rmsnorm:128",
			probe.Spec{Op: probe.RMSNorm, DType: fp.Binary32, N: 256}},
		{"go:softmax:16", "go:softmax:64",
			probe.Spec{Op: probe.Softmax, DType: fp.Binary32, N: 128}},
		{"go:naive", "go:pairwise",
			probe.Spec{Op: probe.SumSq, DType: fp.Binary16, N: 200}},
		{"go:naive", "go:pairwise", probe.Spec{Op: probe.Sum, DType: fp.Binary64, N: 3000}},
	} {
		var targets []probe.Target
		for _, address := range []string{c.a, c.b} {
			target, err := open(t.Context(), address, c.spec)
			if err != nil {
				t.Fatal(err)
			}
			defer target.Close()
			targets = append(targets, target)
		}
		got, err := reveal.Compare(t.Context(), targets, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Differences) != 1 || got.Differences[0].Witness == nil {
			t.Fatalf("%s and %s: no difference is shown", c.a, c.b)
		}
		w := got.Differences[0].Witness
		if k := summands(w.X); k > 16 || k != w.Summands {
			t.Errorf("%s and %s: a witness of %d summands claims %d", c.a, c.b, k, w.Summands)
		}
		for i, target := range targets {
			b := probe.NewBatch(target)
			copy(b.X, w.X)
			if err := target.Call(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			if b.Out[0] != w.Outs[i] || w.Outs[0] == w.Outs[1] {
				t.Errorf("%s and %s: %v for %v", c.a, c.b, b.Out, w.Outs)
			}
		}
	}
}

// together is a target whose first call waits for the first calls of others.
type together struct {
	probe.Target
	once  sync.Once
	begun *sync.WaitGroup
}

func (t *together) Call(ctx context.Context, b *probe.Batch) error {
	t.once.Do(func() {
		t.begun.Done()
		t.begun.Wait()
	})
	return t.Target.Call(ctx, b)
}

// OtherThreads returns 0, as the target does.
func (*together) OtherThreads() (time.Duration, bool) { return 0, true }

// TestTargetsAreRevealedTogether compares targets that wait for each other: one
// after the other they would wait for ever, which ends the test. The findings
// are the same as when targets are revealed one after the other.
func TestTargetsAreRevealedTogether(t *testing.T) {
	const n, count = 9, 3
	synctest.Test(t, func(t *testing.T) {
		var begun sync.WaitGroup
		begun.Add(count)
		var apart, waiting []probe.Target
		for k := range count {
			target := func() probe.Target {
				return probetest.FromTree(probetest.Chain(n), probetest.Options{FTZ: k == 1})
			}
			apart = append(apart, target())
			waiting = append(waiting, &together{Target: target(), begun: &begun})
		}
		want, err := reveal.Compare(t.Context(), apart, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := reveal.Compare(t.Context(), waiting, reveal.Options{Parallel: count})
		if err != nil {
			t.Fatal(err)
		}
		if len(want.Groups) != 2 || !reflect.DeepEqual(got.Groups, want.Groups) {
			t.Fatalf("groups %v, and %v one after the other", got.Groups, want.Groups)
		}
		for k, f := range want.Findings {
			g := got.Findings[k]
			if g.Calls != f.Calls || !g.Verified || !g.Tree.Equal(f.Tree) ||
				!reflect.DeepEqual(g.Arithmetic, f.Arithmetic) {
				t.Errorf("target %d: %+v, and %+v one after the other", k, g, f)
			}
		}
	})
}
