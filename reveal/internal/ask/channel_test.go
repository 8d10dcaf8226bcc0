package ask

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal/internal/verdict"
)

// chainOf returns a channel to a chain of n summands, in lanes.
func chainOf(n, lanes int, o Options) *Channel {
	target := probetest.FromTree(probetest.Chain(n), probetest.Options{Lanes: lanes})
	return NewChannel(context.Background(), target, o)
}

// one returns the fill of v on leaf i.
func one(i int, v float64) Fill { return func(row []float64) { row[i] = v } }

// TestAskSharesCalls holds that questions to a pool take as few calls as there
// are rounds of lanes, that answers come in order, and that rows are zero
// before every fill.
func TestAskSharesCalls(t *testing.T) {
	c := chainOf(5, 4, Options{})
	c.SetPool([]int{2, 0, 3})
	var fills []Fill
	for k := range 7 {
		fills = append(fills, one(k%5, float64(k+1)))
	}
	out, err := c.Ask(nil, fills...)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(out); got != "[1 2 3 4 5 6 7]" || c.Calls() != 3 {
		t.Errorf("%s in %d calls", got, c.Calls())
	}
	out, err = c.AskMain(nil, fills[:2]...)
	if err != nil || fmt.Sprint(out) != "[1 2]" || c.Calls() != 5 {
		t.Errorf("the main lane: %v in %d calls (%v)", out, c.Calls(), err)
	}
	if out, err := c.AskAll(nil, one(1, 9)); err != nil || fmt.Sprint(out) != "[9 9 9 9]" {
		t.Errorf("all lanes: %v (%v)", out, err)
	}
}

// TestProgressAndLimit holds that every call is counted and announced before it
// is made, and that calls spent before count towards the limit.
func TestProgressAndLimit(t *testing.T) {
	var lines []string
	progress := func(step string, done, expected int) {
		lines = append(lines, fmt.Sprintf("%s %d/%d", step, done, expected))
	}
	c := chainOf(3, 1, Options{MaxCalls: 4, Spent: 2, Progress: progress})
	c.ExpectQuestions("test", 3)
	_, err := c.Ask(nil, one(0, 1), one(1, 1), one(2, 1))
	var fault *probe.Fault
	if !errors.As(err, &fault) || fault.ID != "call-limit" || c.Calls() != 4 {
		t.Errorf("%v after %d calls", err, c.Calls())
	}
	if want := []string{"test 3/5", "test 4/5"}; !slices.Equal(lines, want) {
		t.Errorf("progress %q, want %q", lines, want)
	}
}

// TestShrink drops lanes that compute in another way, and keeps the main lane.
func TestShrink(t *testing.T) {
	target := probetest.FromTree(probetest.Chain(4), probetest.Options{Lanes: 4,
		Each: func(lane int, v float64) float64 {
			if lane == 1 {
				return 2 * v
			}
			return v
		}})
	c := NewChannel(context.Background(), target, Options{})
	c.SetPool([]int{0, 1, 2, 3})
	dropped, err := Shrink(c, Sample{X: []float64{1, 2, 3, 4}})
	if err != nil || !dropped || fmt.Sprint(c.Pool()) != "[0 2 3]" {
		t.Errorf("pool %v, dropped %v (%v)", c.Pool(), dropped, err)
	}
}

// TestScaleReadsWhatItWrites holds that every count survives Output and Count,
// and that other outputs are not counts.
func TestScaleReadsWhatItWrites(t *testing.T) {
	for _, dtype := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		for _, mean := range []bool{false, true} {
			for _, n := range []int{1, 3, 24, 60} {
				k := probe.Key{DType: dtype, Out: dtype, N: n, Mean: mean, Op: probe.Sum}
				s := widestScale(k)
				most := int(min(s.Limit()-1, 1000))
				for k := range most + 1 {
					got, ok := s.Count(s.Output(float64(k)))
					if !ok || got != float64(k) {
						t.Fatalf("%v, n = %d, mean %v: %d is read as %v, %v",
							dtype, n, mean, k, got, ok)
					}
				}
				tooLarge := s.Unit * s.Limit() * 4
				for _, bad := range []float64{math.NaN(), math.Inf(1), -s.Unit, tooLarge} {
					if _, ok := s.Count(bad); ok {
						t.Errorf("%v, n = %d, mean %v: %v is a count", dtype, n, mean, bad)
					}
				}
			}
		}
	}
}

// TestMasksAbsorb holds that a mask of any exponent absorbs every count, in a
// float32 accumulator and in the format's own.
func TestMasksAbsorb(t *testing.T) {
	for _, dtype := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		s := widestScale(probe.Key{DType: dtype, Out: dtype, N: 8, Op: probe.Sum})
		counts := (s.Limit() - 1) * s.Unit
		for e := s.Lo; e <= s.Hi; e++ {
			m := math.Ldexp(1, e)
			for _, acc := range []fp.Format{dtype, fp.Binary32} {
				if dtype == fp.Binary64 && acc == fp.Binary32 {
					continue
				}
				if got := acc.Add(m, counts, fp.NearestEven); got != m {
					t.Errorf("%v in %v: 2^%d + %v = %v", dtype, acc, e, counts, got)
				}
			}
		}
	}
}

// TestRepeat holds that a changed result is a fact, with both results.
func TestRepeat(t *testing.T) {
	calls := 0
	turns := func(_ fp.Format, x []float64, _ int) float64 {
		calls++
		return x[0] + float64(calls/4)
	}
	target := probetest.FromFunc("turns", 3, fp.Binary32, turns)
	c := NewChannel(context.Background(), target, Options{})
	w := c.Witness("", nil, one(0, 1), []float64{1}, nil)
	err := Repeat(c, w)
	var fact *verdict.Fact
	if !errors.As(err, &fact) || fact.Reason != verdict.Changed {
		t.Fatalf("%v", err)
	}
	if got := fmt.Sprint(fact.Witness.Seen); got != "[1 2]" || c.Calls() != 4 {
		t.Errorf("seen %s in %d calls", got, c.Calls())
	}
	if err := Repeat(chainOf(3, 1, Options{}), w); err != nil {
		t.Errorf("a chain changes: %v", err)
	}
}

// TestSamplesAreValues holds that inputs of every kind are values of the
// format.
func TestSamplesAreValues(t *testing.T) {
	shape := NewShape(probetest.Chain(20))
	for _, o := range []probetest.Options{
		{}, {DType: fp.Binary16}, {DType: fp.BFloat16, Products: true},
		{DType: fp.Binary64, Products: true},
	} {
		target := probetest.FromTree(probetest.Chain(20), o)
		c := NewChannel(context.Background(), target, Options{})
		for _, kind := range ReplayKinds() {
			for _, sh := range []*Shape{nil, shape} {
				s := c.Inputs.Sample(kind, sh, c.Inputs.SecondFactors())
				for i, v := range s.X {
					if !c.Key.DType.Contains(v) || v-v != 0 {
						t.Fatalf("%v: kind %d: x[%d] = %v", c.Key.DType, kind, i, v)
					}
				}
			}
		}
	}
}
