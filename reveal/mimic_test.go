package reveal_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// mimicked names families that the trees in this file are made to be mistaken
// for.
var mimicked = []string{
	"chain", "reverse chain", "pairwise", "pairwise(block=128, unroll=8)",
	"strided(8)+halving", "strided(4)+chain, tail apart", "chunks(8) of chain",
	"head 3, take 4, rest spread, fold 2, fold 1",
	"pair 2, take 4, fold 1, fold 2, rest onto",
	"loop 4 as ((s 3) ((0 2) 1)), loop 2 as (s (0 1)), rest onto",
}

// TestFamiliesWithTwoLeavesExchanged exchanges two leaves at every place:
// nothing short of the whole structure distinguishes such a tree from the
// family.
func TestFamiliesWithTwoLeavesExchanged(t *testing.T) {
	t.Parallel()
	const n = 21
	for k, name := range mimicked {
		family, err := sumtree.ParseFamily(name)
		if err != nil {
			t.Fatal(err)
		}
		for a := range n {
			if !revealtest.IsOfToday(a + k) {
				continue
			}
			b := (a + 1 + k%3) % n
			t.Run(fmt.Sprintf("%s/%d-%d", name, a, b), func(t *testing.T) {
				tree := swapLeaves(family.Tree(n), a, b)
				dtype := []fp.Format{fp.Binary32, fp.Binary64, fp.BFloat16}[a/3%3]
				target := probetest.FromTree(tree, probetest.Options{DType: dtype})
				f := revealtest.Must(t, target, reveal.Options{}, tree)
				revealtest.Replays(t, target, f, 40)
			})
		}
	}
}

// TestLargeMimicsInFewBits reveals sums of more summands than the format can
// count, where most leaves of a masked input carry nothing.
func TestLargeMimicsInFewBits(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(11, 12))
	for k, name := range mimicked {
		for j, dtype := range []fp.Format{fp.BFloat16, fp.Binary16} {
			if (j+k)%2 == 1 && !revealtest.IsWhole() {
				continue
			}
			t.Run(fmt.Sprintf("%s/%v", name, dtype), func(t *testing.T) {
				family, err := sumtree.ParseFamily(name)
				if err != nil {
					t.Fatal(err)
				}
				n := 270 + rng.IntN(100)
				a := rng.IntN(n - 1)
				tree := swapLeaves(family.Tree(n), a, a+1)
				target := probetest.FromTree(tree, probetest.Options{DType: dtype})
				revealtest.Must(t, target, reveal.Options{}, tree)
			})
		}
	}
}
