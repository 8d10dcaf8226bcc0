package reveal_test

import (
	"context"
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// edgeCases returns chains that differ from a plain one at the edges of the
// format only.
func edgeCases() map[string]func(fp.Format, []float64, int) float64 {
	chain := func(f fp.Format, x []float64, _ int) float64 {
		var s float64
		for _, v := range x {
			s = f.Add(s, v, fp.NearestEven)
		}
		return s
	}
	return map[string]func(fp.Format, []float64, int) float64{
		"saturates": func(f fp.Format, x []float64, k int) float64 {
			return max(-f.Max(), min(f.Max(), chain(f, x, k)))
		},
		"zero is −0": func(f fp.Format, x []float64, k int) float64 {
			if s := chain(f, x, k); s != 0 {
				return s
			}
			return math.Copysign(0, -1)
		},
		"adds again in float64": func(f fp.Format, x []float64, k int) float64 {
			s := chain(f, x, k)
			if s-s != 0 {
				s = f.Round(chain(fp.Binary64, x, k), fp.NearestEven)
			}
			return s
		},
	}
}

// TestEdgesAreHeld reveals functions that are not a chain at the edges of their
// format: a chain is never verified for them.
func TestEdgesAreHeld(t *testing.T) {
	for name, sum := range edgeCases() {
		for seed := range revealtest.Everyday(4) {
			target := probetest.FromFunc("edge", 6, fp.Binary32, sum)
			f, err := reveal.Reveal(t.Context(), target, reveal.Options{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if f.Verified {
				t.Errorf("%s, seed %d: verified as %s, %s", name, seed, f.Verdict, f.Traits)
			}
		}
	}
}

// TestEdgesAreCompared compares such functions with a chain.
func TestEdgesAreCompared(t *testing.T) {
	for name, sum := range edgeCases() {
		targets := []probe.Target{
			probetest.FromTree(probetest.Chain(6), probetest.Options{FromZero: true}),
			probetest.FromFunc("edge", 6, fp.Binary32, sum),
		}
		c, err := reveal.Compare(context.Background(), targets, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Groups) != 2 || c.Differences[0].Witness == nil {
			t.Errorf("%s: groups %v", name, c.Groups)
		}
	}
}

// TestHalfOfWideSums reveals a float16 result of a float32 chain, which flushes
// nothing.
func TestHalfOfWideSums(t *testing.T) {
	for n := 2; n < 12; n++ {
		o := probetest.Options{DType: fp.Binary32, Acc: fp.Binary32, Out: fp.Binary16}
		target := probetest.FromTree(probetest.Chain(n), o)
		f, err := reveal.Reveal(t.Context(), target, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !f.Verified {
			continue
		}
		x := make([]float64, n)
		x[0] = fp.Binary32.Round(1e-6, fp.NearestEven)
		got, err := f.Tree.Replay(*f.Arithmetic, x, nil)
		if want := fp.Binary16.Round(x[0], fp.NearestEven); err != nil || got != want {
			t.Errorf("n = %d: verified as %s, which gives %v for %v, not %v", n, f.Traits, got,
				x[0], want)
		}
	}
}
