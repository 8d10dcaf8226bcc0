package proof

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/sumtree"
)

// TestNeverMinusZero replays sums with and without +0 added in the end: results
// are the same where isNeverMinusZero holds, and differ somewhere in each of
// the ways to break its conditions.
func TestNeverMinusZero(t *testing.T) {
	const seed = 71
	rng := rand.New(rand.NewPCG(seed, 72))
	formats := []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16}
	differs := map[string]bool{"down": false, "short": false, "flushes": false}
	for range 40_000 {
		in, acc, out := formats[rng.IntN(4)], formats[rng.IntN(4)], formats[rng.IntN(4)]
		mode := modes()[rng.IntN(4)]
		a := sumtree.Arithmetic{In: in, Out: out, PlusZero: true, DAZ: rng.IntN(4) == 0,
			FTZ: rng.IntN(4) == 0, Nodes: sumtree.NodeArith{Acc: acc, Mode: mode}}
		tree := probetest.RandomTree(rng, 2+rng.IntN(4), probetest.Uniform)
		x := make([]float64, tree.Leaves())
		for i := range x {
			x[i] = smallValue(rng, in)
		}
		got := a
		got.PlusZeroOut = true
		want, err := tree.Replay(a, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := tree.Replay(got, x, nil)
		if err != nil {
			t.Fatal(err)
		}
		same := ask.SameBits(sum, want)
		switch {
		case isNeverMinusZero(a, acc, mode):
			if !same {
				t.Fatalf("seed %d: %v of %v: %v, with +0 added %v", seed, a, x, want, sum)
			}
		case same:
		case mode == fp.Down:
			differs["down"] = true
		case a.FTZ:
			differs["flushes"] = true
		default:
			differs["short"] = true
		}
	}
	for condition, seen := range differs {
		if !seen {
			t.Errorf("seed %d: no sum shows the condition %q", seed, condition)
		}
	}
}

// smallValue returns a zero or one of the smallest numbers of a format, or of
// binary16, of either sign.
func smallValue(rng *rand.Rand, f fp.Format) float64 {
	least := f.Smallest()
	switch rng.IntN(4) {
	case 0:
		least = f.MinNormal()
	case 1:
		least = max(least, fp.Binary16.Smallest())
	}
	return math.Copysign(float64(rng.IntN(3))*least, float64(rng.IntN(2))-0.5)
}
