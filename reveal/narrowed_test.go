package reveal_test

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestNarrowAccumulators holds that sums of float64 in a float32 accumulator
// are verified, whether each summand is rounded first or each sum, and that one
// which skips a rounding is verified with its own bits only.
func TestNarrowAccumulators(t *testing.T) {
	const f, g = fp.Binary32, fp.Binary64
	store := func(s float64) float64 { return f.Round(s, fp.NearestEven) }
	for name, sum := range map[string]func(x []float64) float64{
		"summands": func(x []float64) (s float64) {
			for _, v := range x {
				s = store(s + store(v))
			}
			return s
		},
		"sums": func(x []float64) (s float64) {
			for _, v := range x {
				s = store(s + v)
			}
			return s
		},
		"lanes": func(x []float64) float64 {
			var s [2]float64
			for i, v := range x[:len(x)-1] {
				s[i%2] = store(s[i%2] + v)
			}
			return store(store(s[0]+s[1]) + x[len(x)-1])
		},
		"one kept": func(x []float64) (s float64) {
			for i, v := range x {
				if s = store(s + store(v)); i == 1 {
					s = store(store(x[0]) + v)
				}
			}
			return s
		},
	} {
		for _, n := range []int{3, 5, 20} {
			target := revealtest.Sum(n, g, sum)
			got := revealtest.Find(t, target, 0)
			if !got.Verified && name != "one kept" {
				t.Errorf("%s of %d: %s, not verified", name, n, got.Verdict)
			}
			if got.Verified {
				revealtest.Replays(t, target, got, 50)
			}
		}
	}
}

// TestWideSumsRoundedToZero holds that the zero of a product which only the
// result is too short for shows a +0 that is added in the end.
func TestWideSumsRoundedToZero(t *testing.T) {
	const n = 5
	tree := probetest.Chain(n)
	for _, plus := range []bool{false, true} {
		a := sumtree.Arithmetic{In: fp.Binary32, Out: fp.Binary32, Products: true, Significand: 64,
			Nodes: sumtree.NodeArith{Acc: fp.Binary64}, PlusZero: true, PlusZeroOut: plus}
		target := revealtest.Dot(n, fp.Binary32, func(x, y []float64) float64 {
			s, err := tree.Replay(a, x, y)
			if err != nil {
				t.Fatal(err)
			}
			return s
		})
		f := revealtest.Must(t, target, reveal.Options{}, tree)
		if f.Arithmetic.PlusZeroOut != plus {
			t.Errorf("+0 added in the end: %v, want %v", f.Arithmetic.PlusZeroOut, plus)
		}
	}
}
