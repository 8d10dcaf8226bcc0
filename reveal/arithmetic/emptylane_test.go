package arithmetic_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestEmptyLane splits nine flushed products among four threads. The fourth has
// none, and its +0 is added to the second sum only. A verified finding gives
// the sign of a zero as this does.
func TestEmptyLane(t *testing.T) {
	t.Parallel()
	const n = 9
	f := fp.Binary32
	b := sumtree.NewBuilder(n)
	lane := func(i int) int { return b.Node(b.Node(i, i+1), i+2) }
	first := b.Node(lane(0), lane(6))
	b.Node(first, lane(3))
	tree := b.MustTree()
	a := sumtree.Plain(f)
	a.Products, a.FMA, a.DAZ, a.FTZ, a.Tiny = true, sumtree.FMALater, true, true, sumtree.TinyAfter
	a.Starts = sumtree.Ranges{{0, 1}, {3, 4}, {6, 7}}
	added := a.Nodes
	added.PlusZero = true
	second := tree.Inner() - 2
	a.Except = []sumtree.Exception{{Inner: sumtree.Ranges{{second, second + 1}}, Arith: added}}
	adds, err := sumtree.NewReplayer(tree, a)
	if err != nil {
		t.Fatal(err)
	}
	target := revealtest.Dot(n, f, func(x, y []float64) float64 {
		s, err := adds.Sum(x, y)
		if err != nil {
			t.Error(err)
		}
		return s
	})
	rng := rand.New(rand.NewPCG(9, 63))
	call := probe.NewBatch(target)
	for seed := range revealtest.Everyday(160) {
		got, err := reveal.Reveal(t.Context(), target, reveal.Options{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if !got.Verified {
			continue
		}
		for range 2000 {
			for i := range n {
				call.X[i] = f.Round(math.Ldexp(rng.NormFloat64(), -63), fp.NearestEven)
				call.Y[i] = f.Round(math.Ldexp(rng.NormFloat64(), -64), fp.NearestEven)
			}
			if err := target.Call(t.Context(), call); err != nil {
				t.Fatal(err)
			}
			r, err := got.Tree.Replay(*got.Arithmetic, call.X, call.Y)
			if err != nil || math.Float64bits(r) != math.Float64bits(call.Out[0]) {
				t.Fatalf("seed %d: replay of %v and %v is %v, target %v (%v)", seed, call.X,
					call.Y, r, call.Out[0], err)
			}
		}
	}
}
