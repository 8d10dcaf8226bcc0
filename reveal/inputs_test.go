package reveal_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
)

// picky ends the test where it is asked a number that its format has not: a
// target would round it, and a replay would not.
type picky struct {
	probe.Target
	t *testing.T
}

func (p picky) Call(ctx context.Context, b *probe.Batch) error {
	f := p.Key().DType
	for _, of := range [][]float64{b.X, b.Y} {
		for i, v := range of {
			if v-v == 0 && !f.Contains(v) {
				p.t.Fatalf("%v: %v at %d is no number of %v", p.Key(), v, i, f)
			}
		}
	}
	return p.Target.Call(ctx, b)
}

// TestInputsAreNumbersOfTheFormat asks for plain, fused and flushed sums and
// products in the formats of sums.
func TestInputsAreNumbersOfTheFormat(t *testing.T) {
	t.Parallel()
	for _, f := range []fp.Format{fp.Binary16, fp.BFloat16, fp.Binary32, fp.Binary64} {
		for _, o := range []probetest.Options{{}, {Acc: fp.Binary32}, {FTZ: true},
			{DAZ: true, FTZ: true},
			{Op: probe.Dot}, {Op: probe.Dot, FMA: true}, {Op: probe.Dot, FMA: true, FTZ: true},
			{Op: probe.Dot, FMA: true, Acc: fp.Binary32, FromZero: true}, {Op: probe.SumSq}} {
			if o.DType = f; f == fp.Binary64 && o.Acc != 0 {
				continue
			}
			for _, n := range []int{5, 40} {
				t.Run(fmt.Sprintf("%v/%+v/n=%d", f, o, n), func(t *testing.T) {
					target := picky{probetest.FromTree(probetest.Chain(n), o), t}
					if _, err := reveal.Reveal(t.Context(), target, reveal.Options{}); err != nil {
						t.Fatal(err)
					}
				})
			}
		}
	}
}
