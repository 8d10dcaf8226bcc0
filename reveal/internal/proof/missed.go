package proof

import (
	"math"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/reveal/internal/ask"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// missedWhere returns the inputs that the closest arithmetic misses, in a
// clause that begins with "where", or "" if they have nothing in common that is
// known here.
func (m *Mismatch) missedWhere() string {
	common := []struct {
		holds func(x []float64, want, seen float64) bool
		where string
	}{
		{func(x []float64, want, seen float64) bool {
			return math.IsInf(want, 0) && seen != seen && areFinite(x)
		}, "where the sum of finite summands overflows, the result is NaN and not infinite"},
		{func(_ []float64, want, seen float64) bool {
			return math.IsInf(want, 0) && seen != seen
		}, "where the sum overflows, or a summand is infinite, the result is NaN and not infinite"},
		{func(_ []float64, want, seen float64) bool {
			return want == 0 && seen == 0
		}, "where the result is zero, it has another sign"},
	}
	for _, c := range common {
		if m.eachMissed(c.holds) {
			return c.where
		}
	}
	return ""
}

// eachMissed reports whether a condition holds for each sample that the closest
// arithmetic misses, with the result that it gives and the one seen.
func (m *Mismatch) eachMissed(holds func(x []float64, want, seen float64) bool) bool {
	for _, s := range m.Samples {
		want, err := m.Tree.Replay(m.Closest, s.X, s.Y)
		if err != nil {
			return false
		}
		if !ask.SameBits(want, s.Out) && !holds(s.X, want, s.Out) {
			return false
		}
	}
	return true
}

// areFinite reports whether no number is infinite or NaN.
func areFinite(x []float64) bool {
	for _, v := range x {
		if v-v != 0 {
			return false
		}
	}
	return true
}

// RunningMean returns the fact that a running mean of the summands, one after
// the other, gives every result, or nil. It is Welford's: m ← m + (x − m)/k for
// the k-th summand x. Its rounding errors differ from the errors of a sum
// divided by n.
func (m *Mismatch) RunningMean(c *ask.Channel) (*verdict.Fact, error) {
	f := c.Key.Out
	if !c.Key.Mean || c.N < 2 || c.Key.DType != f {
		return nil, nil
	}
	moderate := 0
	for _, s := range m.Samples {
		if !s.Kind.IsModerate() {
			continue
		}
		if moderate++; !ask.SameBits(runningMean(f, s.X), s.Out) {
			return nil, nil
		}
	}
	if moderate < minRunning {
		return nil, nil
	}
	return m.fact(verdict.ScaledBetween, "the result is a running mean, which is not a sum "+
		"divided by n: each summand moves the mean by a k-th of its distance from it"), nil
}

// minRunning is the least number of results that RunningMean rests on.
const minRunning = 8

// runningMean returns Welford's mean, each operation rounded to f.
func runningMean(f fp.Format, x []float64) float64 {
	var m float64
	for k, v := range x {
		d := f.Round(f.Add(v, -m, fp.NearestEven)/float64(k+1), fp.NearestEven)
		m = f.Add(m, d, fp.NearestEven)
	}
	return m
}
