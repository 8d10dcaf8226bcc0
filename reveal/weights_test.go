package reveal_test

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// weighing returns a float32 chain of products of the summands and of weights,
// and multiplies its sum by factor.
func weighing(n int, factor float32, weight func(i int) float32) probe.Target {
	return sum(n, fp.Binary32, func(x []float64) float64 {
		var s float32
		for i, v := range x {
			s += float32(weight(i) * float32(v))
		}
		return float64(s * factor)
	})
}

// ends returns the weights of summands, those of the first and the last apart.
func ends(n int, end, others float32) func(int) float32 {
	return func(i int) float32 {
		if i == 0 || i == n-1 {
			return end
		}
		return others
	}
}

// TestWeights reveals trees whose summands have weights that follow a rule.
func TestWeights(t *testing.T) {
	const n = 20
	for name, c := range map[string]struct {
		factor, end, others float32
		want                string
	}{
		"trapezoid": {1, 0.5, 1, "0.5 for the summands 0,19"},
		"trapezoid of step": {1, 0.25, 0.5,
			"0.25 for the summands 0,19, 0.5 for the summands 1-18"},
		"half":            {0.5, 1, 1, "0.5 for the sum"},
		"quarter of each": {1, 0.25, 0.25, "0.25 for the summands 0-19"},
	} {
		target := weighing(n, c.factor, ends(n, c.end, c.others))
		f := revealtest.Must(t, target, reveal.Options{}, probetest.Chain(n))
		if f.Traits.Weights != c.want {
			t.Errorf("%s: weights %q, want %q", name, f.Traits.Weights, c.want)
		}
		revealtest.Replays(t, target, f, 100)
	}
	undeclared := sum(n, fp.Binary32, func(x []float64) float64 {
		return float64(float32(by(probetest.Chain(n), fp.Binary32, x)) / n)
	})
	f := revealtest.Must(t, undeclared, reveal.Options{}, probetest.Chain(n))
	if !f.Arithmetic.Mean || f.Key.Mean {
		t.Errorf("a mean that its key does not name: %+v", f.Arithmetic)
	}
	revealtest.Replays(t, undeclared, f, 100)
}

// TestWeightsWithoutARule holds that weights that follow no rule are no sum.
func TestWeightsWithoutARule(t *testing.T) {
	const n = 12
	one := func(at int, w float32) func(int) float32 {
		return func(i int) float32 {
			if i == at {
				return w
			}
			return 1
		}
	}
	for name, weight := range map[string]func(int) float32{
		"drops the first": one(0, 0), "drops the last": one(n-1, 0), "drops one": one(5, 0),
		"doubles the first": one(0, 2), "doubles the last": one(n-1, 2), "doubles one": one(5, 2),
		"halves the first": one(0, 0.5), "halves the last": one(n-1, 0.5),
		"halves the second": one(1, 0.5), "scales one": one(7, 1+0x1p-23),
		"ends quartered": ends(n, 0.25, 1), "ends doubled": ends(n, 2, 1),
		"all tripled": ends(n, 3, 3), "none": ends(n, 0, 0),
		"Simpson's": func(i int) float32 { return float32(1 + i%2) },
	} {
		f := find(t, weighing(n, 1, weight), 1)
		if f.Verdict != reveal.NotASum || f.Witness == nil {
			t.Errorf("%s:", name)
			wrong(t, f)
		}
	}
	for _, at := range []int{0, 1, 2} {
		if f := find(t, weighing(3, 1, one(at, 2)), 1); f.Verdict != reveal.NotASum {
			t.Errorf("doubles summand %d of 3:", at)
			wrong(t, f)
		}
	}
}
