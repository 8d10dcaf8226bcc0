package reveal_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestFourWaysToFlush reveals sums and dot products that keep subnormals, flush
// sums, flush operands only, or both, for few summands and for many.
func TestFourWaysToFlush(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{2, 3, 4, 5, 7, 20, 40, 100} {
		for mode, want := range []string{"kept", "results flushed", "operands flushed", "flushed"} {
			for _, products := range []bool{false, true} {
				name := fmt.Sprintf("n = %d, %s, products %v", n, want, products)
				tree := probetest.RandomTree(rng, n, probetest.Shapes()[rng.IntN(3)])
				if rng.IntN(2) == 0 {
					tree = probetest.Chain(n)
				}
				target := probetest.FromTree(tree, probetest.Options{Products: products,
					FTZ: mode&1 == 1, DAZ: mode&2 == 2, FromZero: rng.IntN(2) == 0})
				f := find(t, target, uint64(n))
				if !f.Verified || f.Verdict != reveal.TreeVerdict || !f.Tree.Equal(tree) {
					t.Errorf("%s:", name)
					wrong(t, f)
					continue
				}
				if n == 2 && !products && want == "operands flushed" {
					want = "inputs flushed"
				}
				if f.Traits.Subnormals != want {
					t.Errorf("%s: %s", name, f.Traits.Subnormals)
				}
				revealtest.Replays(t, target, f, 100)
			}
		}
	}
}
