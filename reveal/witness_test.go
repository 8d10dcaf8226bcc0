package reveal_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
)

// TestThreadsAreNamedEarly reveals a sum that two threads share as they find
// the time: the verdict takes few calls, whatever n is, and its witness is
// small.
func TestThreadsAreNamedEarly(t *testing.T) {
	const n = 300_000
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
	if f.Verdict != reveal.Nondeterministic || f.Calls > 300 {
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

// TestWitnessesAreSmall holds the witnesses of refusals of many summands
// against the results that they claim.
func TestWitnessesAreSmall(t *testing.T) {
	for _, c := range probetest.Refusals(600, fp.Binary64) {
		t.Run(c.Name, func(t *testing.T) {
			f, err := reveal.Reveal(context.Background(), c.Target, reveal.Options{})
			if err != nil {
				t.Skip("it fails otherwise")
			}
			w := f.Witness
			if w == nil || w.Want == nil {
				return
			}
			if k := summands(w.X); f.Verdict == reveal.Compensated && f.Evidence.ReplayTried > 64 && k > 40 {
				t.Errorf("%s: the witness has %d summands", f.Verdict, k)
			}
			if w.Seen[0] == (*w.Want)[0] {
				t.Errorf("%s: the witness expects the result that it saw", f.Verdict)
			}
		})
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
