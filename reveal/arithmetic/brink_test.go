package arithmetic_test

import (
	"fmt"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestShortSumsThatCarry reveals Kahan's summation of few float32 values in
// float64. What it carries along reaches the result only where one summand is
// large and the others are about half of its last place: a plain tree is never
// verified for it.
func TestShortSumsThatCarry(t *testing.T) {
	carry := func(_ fp.Format, x []float64, _ int) float64 {
		var sum, lost float64
		for _, v := range x {
			v -= lost
			next := sum + v
			lost = (next - sum) - v
			sum = next
		}
		return sum
	}
	for n := 3; n <= 8; n++ {
		for seed := range revealtest.Everyday(12) {
			t.Run(fmt.Sprintf("%d/%d", n, seed), func(t *testing.T) {
				target := wideOut{probetest.FromFunc("carry", n, fp.Binary32, carry)}
				f, err := reveal.Reveal(t.Context(), target, reveal.Options{Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				if f.Verdict != reveal.TreeVerdict || !f.Verified {
					return
				}
				b := probe.NewBatch(target)
				b.X[0], b.X[1], b.X[2] = 0x1p31, 0x1.9ap-23, 0x1.9ap-23
				if err := target.Call(t.Context(), b); err != nil {
					t.Fatal(err)
				}
				got, err := f.Tree.Replay(*f.Arithmetic, b.X, nil)
				if err != nil || got != b.Out[0] {
					t.Errorf("verified as %s, but %v gives %v, not %v",
						f.Traits, b.X, b.Out[0], got)
				}
			})
		}
	}
}

// wideOut is a target whose results are float64.
type wideOut struct{ probe.Target }

// Key returns the key with its format.
func (w wideOut) Key() probe.Key {
	k := w.Target.Key()
	k.Out = fp.Binary64
	return k
}
