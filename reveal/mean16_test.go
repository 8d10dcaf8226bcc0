package reveal_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// halfMean returns the mean of float16 summands: a float32 sum along a tree,
// divided in the format quotient.
func halfMean(tree *sumtree.Tree, quotient fp.Format) probe.Target {
	last := quotientBy(quotient, tree.Leaves(), false)
	return probetest.FromTree(tree, probetest.Options{
		DType: fp.Binary16, Acc: fp.Binary32, Out: fp.Binary32, Key: meanKey(fp.Binary16),
		Each: func(lane int, s float64) float64 {
			return fp.Binary16.Round(last(lane, s), fp.NearestEven)
		}})
}

// TestMeansOfManyHalves reveals means that show one summand at a time, and
// holds that a quotient in another format than the sum's is found where it
// shows.
func TestMeansOfManyHalves(t *testing.T) {
	const n = 9001
	tree := sumtree.Family{Kind: sumtree.Pairwise, Block: 128, Unroll: 8}.Tree(n)
	for quotient, want := range map[fp.Format]fp.Format{fp.Binary32: 0, fp.Binary64: fp.Binary64} {
		target := halfMean(tree, quotient)
		f := revealtest.Must(t, target, reveal.Options{}, tree)
		if f.Arithmetic.Quotient != want || f.Arithmetic.Nodes.Acc != fp.Binary32 {
			t.Errorf("quotient in %v: arithmetic %+v", quotient, f.Arithmetic)
		}
		revealtest.Replays(t, target, f, 50)
	}
	tooMany := halfMean(probetest.Chain(1<<15), fp.Binary32)
	if f := revealtest.Find(t, tooMany, 1); f.Verdict != reveal.Unsupported {
		t.Errorf("a mean of 2^15:")
		revealtest.Wrong(t, f)
	}
}

// TestMeansOfHalvesInSlightlyAnotherOrder swaps two leaves of a known order,
// which few counts and results of 11 bits hardly show.
func TestMeansOfHalvesInSlightlyAnotherOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	for _, n := range []int{100, 1000} {
		tree := sumtree.Family{Kind: sumtree.Pairwise, Block: 128, Unroll: 8}.Tree(n)
		for _, distance := range []int{1, 8} {
			at := rng.IntN(n - distance)
			other := swapLeaves(tree, at, at+distance)
			f := revealtest.Find(t, halfMean(other, fp.Binary32), 1)
			if f.Verified && !f.Tree.Equal(other) {
				t.Errorf("%d summands, %d and %d swapped: a wrong tree is verified", n, at,
					at+distance)
			}
		}
	}
}

// TestRunningMeansAreRefused holds that the mean of Welford's recurrence, which
// PyTorch's layer_norm subtracts, is refused with its reason: it is not a sum.
func TestRunningMeansAreRefused(t *testing.T) {
	for _, n := range []int{5, 40, 1000} {
		target := probetest.FromFunc("running", n, fp.Binary32,
			func(_ fp.Format, x []float64, _ int) float64 {
				var m float32
				for i, v := range x {
					m += float32((float32(v) - m) * (1 / float32(i+1)))
				}
				return float64(m)
			})
		f := revealtest.Find(t, keyed{target, meanKey(fp.Binary32)(target.Key())}, 1)
		if f.Verdict != reveal.NotASum || f.Witness == nil ||
			!strings.Contains(f.Witness.What, "running mean") {
			t.Errorf("%d summands:", n)
			revealtest.Wrong(t, f)
		}
	}
}

// keyed is a target with another key.
type keyed struct {
	probe.Target
	key probe.Key
}

func (k keyed) Key() probe.Key { return k.key }

// TestMeansAddedToZero reveals means whose quotient is rounded and added to a
// zero, as PyTorch's avg_pool1d does: one that is rounded to −0 is +0.
func TestMeansAddedToZero(t *testing.T) {
	t.Parallel()
	for n, f := range map[int]fp.Format{9: fp.BFloat16, 33: fp.BFloat16, 40: fp.Binary16} {
		target := revealtest.Sum(n, f, func(x []float64) float64 {
			s := revealtest.Added(fp.Binary32, x)
			mean := fp.Binary32.Round(s/float64(n), fp.NearestEven)
			return 0 + f.Round(mean, fp.NearestEven)
		})
		got := revealtest.Must(t, target, reveal.Options{}, probetest.Chain(n))
		if err := revealtest.Mismatch(t.Context(), target, got, 1, 2000); err != nil {
			t.Errorf("n=%d: %v", n, err)
		}
	}
}

// TestPairwiseMeansAddedToZero is TestMeansAddedToZero for sums in float16 by
// pairs: no verified mean has another sign of zero.
func TestPairwiseMeansAddedToZero(t *testing.T) {
	t.Parallel()
	const n = 43
	f := fp.Binary16
	tree := sumtree.Family{Kind: sumtree.Pairwise, Block: 2, Unroll: 1}.Tree(n)
	target := revealtest.Sum(n, f, func(x []float64) float64 {
		return 0 + f.Round(revealtest.By(tree, f, x)/n, fp.NearestEven)
	})
	for seed := range revealtest.Everyday(64) {
		got := revealtest.Find(t, target, seed)
		if !got.Verified {
			continue
		}
		if err := revealtest.Mismatch(t.Context(), target, got, seed, 500); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
	}
}
