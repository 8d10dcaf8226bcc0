package arithmetic_test

import (
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestBeyondTheCountOfTheFormat reveals sums of more summands than the format
// can count: 2^11 in float16, 2^8 in bfloat16.
func TestBeyondTheCountOfTheFormat(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(21, 22))
	for _, c := range []struct {
		o         probetest.Options
		algorithm string
		n         int
	}{
		{probetest.Options{DType: fp.Binary16, Acc: fp.Binary32}, "auto", 2100},
		{probetest.Options{DType: fp.BFloat16}, "auto", 400},
		{probetest.Options{DType: fp.BFloat16}, "scaled", 300},
		{probetest.Options{DType: fp.BFloat16, Acc: fp.Binary32,
			Op: probe.Gemm, Lanes: 300, Cols: 1}, "scaled", 300},
		{probetest.Options{DType: fp.Binary16, Lanes: 20}, "auto", 2100},
	} {
		tree := probetest.RandomTree(rng, c.n, probetest.Balanced)
		f := revealtest.Must(t, probetest.FromTree(tree, c.o),
			reveal.Options{Algorithm: c.algorithm}, tree)
		t.Logf("%v n=%d: %d calls by %s", c.o.DType, c.n, f.Calls, f.Algorithm)
	}
}

// TestScaledOnFusedTrees holds Algorithm 5 against Algorithm 4 where both
// apply.
func TestScaledOnFusedTrees(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(23, 24))
	for _, n := range []int{40, 300} {
		for _, shape := range []probetest.Shape{probetest.Fused, probetest.FusedChain} {
			tree := probetest.RandomTree(rng, n, shape)
			o := probetest.Options{
				DType:     fp.BFloat16,
				Acc:       fp.Binary32,
				Products:  true,
				Lanes:     64,
				AlignBits: 24,
				Op:        probe.Gemm,
				Cols:      1,
			}
			revealtest.Must(t, probetest.FromTree(tree, o), reveal.Options{Algorithm: "scaled"},
				tree)
		}
	}
}

// TestMillions builds, compares and replays trees of a million leaves.
func TestMillions(t *testing.T) {
	const n = 1 << 20
	for _, f := range []sumtree.Family{
		{Kind: sumtree.Chain}, {Kind: sumtree.ReverseChain},
		{Kind: sumtree.Pairwise, Block: 1, Unroll: 1},
	} {
		tree := f.Tree(n)
		again, err := sumtree.Parse(tree.String())
		if err != nil || !again.Equal(tree) {
			t.Fatalf("%s: the text of %d leaves is read back as another tree (%v)", f, n, err)
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = 1
		}
		if s, err := tree.Replay(sumtree.Plain(fp.Binary32), x, nil); err != nil || s != n {
			t.Errorf("%s: %d ones sum to %v (%v)", f, n, s, err)
		}
	}
}
