package reveal_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestEveryAlgorithmOnRandomTrees demands the tree itself, by every algorithm
// that can find it.
func TestEveryAlgorithmOnRandomTrees(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 6))
	for _, algorithm := range reveal.Algorithms() {
		for _, shape := range probetest.Shapes() {
			binary := []string{"naive", "fprev-binary", "triples"}
			if !shape.Binary() && slices.Contains(binary, algorithm) {
				continue
			}
			for i := range 12 {
				if !revealtest.IsOfToday(i) {
					continue
				}
				n := 1 + rng.IntN(60)
				if algorithm == "naive" {
					n = 1 + rng.IntN(6)
				}
				tree := probetest.RandomTree(rng, n, shape)
				if algorithm == "family" {
					tree = sumtree.Candidates(n)[rng.IntN(len(sumtree.Candidates(n)))].Tree(n)
				}
				t.Run(fmt.Sprintf("%s/%v/%d", algorithm, shape, n), func(t *testing.T) {
					target := probetest.FromTree(tree, probetest.Options{AlignBits: 24})
					revealtest.Must(t, target, reveal.Options{Algorithm: algorithm}, tree)
				})
			}
		}
	}
}

// FuzzRandomTrees reveals random trees, binary and fused, of up to 300 leaves.
func FuzzRandomTrees(f *testing.F) {
	for seed := range revealtest.Everyday(24) {
		f.Add(seed, uint16(seed*13), uint8(seed))
	}
	f.Fuzz(func(t *testing.T, seed uint64, n uint16, kind uint8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		shape := probetest.Shapes()[int(kind)%len(probetest.Shapes())]
		tree := probetest.RandomTree(rng, 1+int(n)%300, shape)
		dtype := []fp.Format{fp.Binary32, fp.Binary64, fp.Binary16}[rng.IntN(3)]
		o := probetest.Options{DType: dtype, AlignBits: 24, FromZero: rng.IntN(2) == 0}
		if o.DType != fp.Binary16 && shape.Binary() {
			o.Products, o.FMA = rng.IntN(2) == 0, rng.IntN(2) == 0
		}
		target := probetest.FromTree(tree, o)
		found := revealtest.Must(t, target, reveal.Options{Seed: seed}, tree)
		revealtest.Replays(t, target, found, 10)
	})
}
