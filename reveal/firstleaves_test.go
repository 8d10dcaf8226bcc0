package reveal_test

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestFirstSummandsFlushed holds that sums which flush subnormal results are
// verified wherever an accumulator adds its first summand to +0: in loops that
// go backward, in blocks, also in a block of one summand, and where pairs are
// added to a sum that begins with +0.
func TestFirstSummandsFlushed(t *testing.T) {
	const f = fp.Binary32
	add := func(a, b float64) float64 {
		return revealtest.Flushed(f.Add(a, b, fp.NearestEven))
	}
	backward := func(x []float64) (s float64) {
		for i := range x {
			s = add(s, x[len(x)-1-i])
		}
		return s
	}
	blocks := func(x []float64) (s float64) {
		for ; len(x) > 4; x = x[4:] {
			s = add(s, backward(x[:4]))
		}
		return add(s, backward(x))
	}
	pairs := func(x []float64) (s float64) {
		for ; len(x) > 1; x = x[2:] {
			s = add(s, add(x[0], x[1]))
		}
		for _, v := range x {
			s = add(s, v)
		}
		return s
	}
	for name, sum := range map[string]func(x []float64) float64{
		"backward": backward, "blocks": blocks, "pairs": pairs,
	} {
		for _, n := range []int{2, 5, 9} {
			target := revealtest.Sum(n, f, sum)
			g := revealtest.Find(t, target, 0)
			if g.Verdict != reveal.TreeVerdict || !g.Verified {
				t.Errorf("%s of %d: %s, %v", name, n, g.Verdict, g.Warnings)
				continue
			}
			revealtest.Replays(t, target, g, 50)
		}
	}
}

// TestRanksOfHalves holds that ranks whose accumulators begin with +0, and that
// exchange their sums in float16, are verified as such: a rank whose products
// are −0 has the sum +0, and one whose sum is rounded to −0 has not.
func TestRanksOfHalves(t *testing.T) {
	for _, n := range []int{20, 64} {
		spec := probe.Spec{Op: probe.Gemv, DType: fp.Binary16, N: n, M: 1, Ranks: 4}
		f := revealtest.Must(t, opened(t, "sim:nccl-chain", spec), reveal.Options{}, nil)
		if len(f.Arithmetic.Starts) != 4 || f.Arithmetic.PlusZeroOut {
			t.Errorf("%d products: %+v", n, *f.Arithmetic)
		}
	}
}
