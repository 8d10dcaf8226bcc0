package reveal_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
)

// TestThreadsAreNamedEarly reveals a sum that two threads share as they find
// the time: the verdict takes few calls, whatever n is, and its witness is
// small.
func TestThreadsAreNamedEarly(t *testing.T) {
	const n = 40_000
	rng := rand.New(rand.NewPCG(3, 4))
	shared := func(f fp.Format, x []float64, _ int) float64 {
		cut := n/2 + rng.IntN(n/4)
		var a, b float64
		for _, v := range x[:cut] {
			a = f.Add(a, v, fp.NearestEven)
		}
		for _, v := range x[cut:] {
			b = f.Add(b, v, fp.NearestEven)
		}
		return f.Add(a, b, fp.NearestEven)
	}
	target := probetest.FromFunc("threads", n, fp.Binary32, shared)
	f, err := reveal.Reveal(context.Background(), target, reveal.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f.Verdict != reveal.Nondeterministic || f.Calls > 700 {
		t.Fatalf("%s after %d calls", f.Verdict, f.Calls)
	}
	w := f.Witness
	if len(w.Seen) != 2 || w.Seen[0] == w.Seen[1] {
		t.Errorf("the witness saw %v", w.Seen)
	}
	if k := summands(w.X); k > 2000 {
		t.Errorf("the witness has %d summands", k)
	}
}

// TestWitnessesAreSmall makes the witnesses of refusals of many summands small,
// and holds them against the target.
func TestWitnessesAreSmall(t *testing.T) {
	const n = 600
	tried := 0
	for _, c := range probetest.Refusals(n, fp.Binary64) {
		if !slices.Contains([]string{"neumaier", "double-double"}, c.Name) {
			continue
		}
		tried++
		f, err := reveal.Reveal(context.Background(), c.Target, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		w := f.Witness
		if k := summands(w.X); k > 60 {
			t.Errorf("%s, %s: the witness has %d summands", c.Name, f.Verdict, k)
		}
		b := probe.NewBatch(c.Target)
		copy(b.X, w.X)
		if err := c.Target.Call(context.Background(), b); err != nil {
			t.Fatal(err)
		}
		if b.Out[0] != w.Seen[0] || w.Want != nil && w.Seen[0] == (*w.Want)[0] {
			t.Errorf("%s: the witness gives %v, saw %v and wants %v", c.Name, b.Out, w.Seen, w.Want)
		}
	}
	if tried < 2 {
		t.Errorf("%d refusals were tried", tried)
	}
}

// summands returns the number of values that are not zero.
func summands(x []float64) (n int) {
	for _, v := range x {
		if v != 0 {
			n++
		}
	}
	return n
}
