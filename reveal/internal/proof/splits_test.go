package proof

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// positive returns a channel to a target of squares, and its levels.
func positive(t *testing.T, target probe.Target) (*ask.Channel, *ask.Levels) {
	t.Helper()
	c := ask.NewChannel(t.Context(), target, ask.Options{})
	l, err := ask.FindLevels(c)
	if err != nil || l == nil {
		t.Fatal(l, err)
	}
	return c, l
}

// splitOptions returns arithmetics whose trees are certified by splits.
func splitOptions() []probetest.Options {
	all := []probetest.Options{{}, {FMA: true, Root: true}, {DType: fp.Binary64},
		{DType: fp.Binary64, Root: true, Lanes: 5}}
	for k := range all {
		all[k].Op = probe.SumSq
	}
	return all
}

// TestSplits certifies trees by splits, and no tree that differs from them in
// one node or in two leaves, wherever those are.
func TestSplits(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	numpy := sumtree.Family{Kind: sumtree.Pairwise, Block: 128, Unroll: 8}
	trees := []*sumtree.Tree{numpy.Tree(2048), numpy.Tree(1500), probetest.Chain(600),
		sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}.Tree(300)}
	for _, shape := range probetest.Shapes() {
		if shape.Binary() {
			trees = append(trees, probetest.RandomTree(rng, 257+rng.IntN(200), shape))
		}
	}
	for k, tree := range trees {
		n := tree.Leaves()
		c, l := positive(t, probetest.FromTree(tree, splitOptions()[k%len(splitOptions())]))
		var done Certificate
		if ok, err := certifySplits(c, l, tree, &done); err != nil || !ok {
			t.Fatalf("tree %d: certified %v, %v", k, ok, err)
		}
		if done.Calls > n+2*n/3 {
			t.Errorf("tree %d: %d calls for %d leaves", k, done.Calls, n)
		}
		mutants := map[string]*sumtree.Tree{}
		for range 12 {
			mutants["a node"] = interchanged(tree, n+rng.IntN(n-2), rng.IntN(2))
			a, b := rng.IntN(n), rng.IntN(n)
			swapped, err := exchanged(tree, a, b)
			if err != nil {
				t.Fatal(err)
			}
			mutants["two leaves"] = swapped
			for what, mutant := range mutants {
				if mutant.Equal(tree) {
					continue
				}
				if ok, err := certifySplits(c, l, mutant, &done); err != nil || ok {
					t.Errorf("tree %d: certified with %s changed, %v", k, what, err)
				}
			}
		}
	}
}

// TestSplitsAlone holds that the splits of nodes prove a tree without the tiny
// summands that are lost one by one.
func TestSplitsAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	for range 6 {
		tree := probetest.RandomTree(rng, 300, probetest.Balanced)
		c, l := positive(t, probetest.FromTree(tree, splitOptions()[0]))
		s, err := ask.FindSplitLevels(c, l)
		if err != nil || s == nil {
			t.Fatal(s, err)
		}
		for k := range 20 {
			claimed := tree
			if k > 0 {
				claimed = interchanged(tree, 300+rng.IntN(298), rng.IntN(2))
			}
			x := newSplitProof(c, claimed)
			ok, err := x.nodes(s, &Certificate{})
			if err != nil || ok != claimed.Equal(tree) {
				t.Errorf("claim %d: certified %v, %v", k, ok, err)
			}
		}
	}
}

// TestSplitsRefuse holds that no tree is certified where one node adds in a
// wider format, where one adds three operands at once, and where a summand is
// dropped or counts twice.
func TestSplitsRefuse(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 66))
	const n = 300
	for _, shape := range []probetest.Shape{probetest.Balanced, probetest.Uniform} {
		tree := probetest.RandomTree(rng, n, shape)
		for range 10 {
			wide := n + rng.IntN(n-2)
			o := probetest.Options{Op: probe.SumSq, NodeAcc: func(id int) fp.Format {
				if id == wide {
					return fp.Binary64
				}
				return fp.Binary32
			}}
			targets := map[string]probe.Target{"wide": probetest.FromTree(tree, o)}
			plain := probetest.FromTree(tree, splitOptions()[0])
			at := rng.IntN(n)
			targets["dropped"] = changedSummand{plain, at, 0}
			targets["twice"] = changedSummand{plain, at, 1.5}
			for what, target := range targets {
				c, l := positive(t, target)
				if ok, err := certifySplits(c, l, tree, &Certificate{}); err != nil || ok {
					t.Errorf("%s, node %d, summand %d: certified, %v", what, wide, at, err)
				}
			}
		}
	}
}

// changedSummand multiplies one input.
type changedSummand struct {
	probe.Target
	at int
	by float64
}

func (t changedSummand) Call(ctx context.Context, b *probe.Batch) error {
	x := slices.Clone(b.X)
	x[t.at] *= t.by
	return t.Target.Call(ctx, &probe.Batch{X: x, Out: b.Out})
}
