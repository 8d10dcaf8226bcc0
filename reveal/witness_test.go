package reveal_test

import (
	"context"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
)

// TestWitnessesAreSmall makes the witnesses of refusals of many summands small,
// and holds them against the target.
func TestWitnessesAreSmall(t *testing.T) {
	const n = 600
	tried := 0
	for _, c := range probetest.Refusals(n, fp.Binary64) {
		if !slices.Contains([]string{"kahan", "neumaier", "double-double"}, c.Name) {
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
	if tried < 3 {
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
