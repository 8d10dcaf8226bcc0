package reveal_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// miscounting multiplies one input of each lane: by 0, which drops its summand,
// or by √2, which counts it twice.
type miscounting struct {
	probe.Target
	at int
	by float64
}

func (t miscounting) Call(ctx context.Context, b *probe.Batch) error {
	k := t.Key()
	x := slices.Clone(b.X)
	for i := t.at; i < len(x); i += k.N {
		x[i] = k.DType.Round(x[i]*t.by, fp.NearestEven)
	}
	return t.Target.Call(ctx, &probe.Batch{X: x, Y: b.Y, Out: b.Out})
}

// TestInvariantSeesMiscounts holds that a sweep is not invariant where one
// value drops a summand, or counts it twice.
func TestInvariantSeesMiscounts(t *testing.T) {
	t.Parallel()
	for k, n := range []int{600, 40} {
		if !revealtest.IsOfToday(k) {
			continue
		}
		tree := probetest.Chain(n)
		for _, dtype := range []fp.Format{fp.Binary32, fp.Binary64} {
			for _, by := range []float64{0, math.Sqrt2} {
				for _, at := range []int{0, n / 2, n - 1} {
					t.Run(fmt.Sprintf("%d/%v/%.1f/%d", n, dtype, by, at), func(t *testing.T) {
						o := probetest.Options{Op: probe.SumSq, DType: dtype, Root: by == 0}
						s := sweepOf(t, "m", 1, 3, func(v int) probe.Target {
							target := probetest.FromTree(tree, o)
							if v == 2 {
								return miscounting{target, at, by}
							}
							return target
						})
						got, inv := classesOf(t, s)
						if inv.Invariant || slices.Contains(inv.Classes[0].Members, "2") {
							t.Error(got)
						}
					})
				}
			}
		}
	}
}

// TestRevealSeesMiscounts holds that no tree is verified where one of many
// summands is dropped or counts twice.
func TestRevealSeesMiscounts(t *testing.T) {
	const n = 3000
	target := probetest.FromTree(probetest.Chain(n), probetest.Options{Op: probe.SumSq})
	for _, by := range []float64{0, math.Sqrt2, 1 + 0x1p-20} {
		f, err := reveal.Reveal(t.Context(), miscounting{target, 1700, by}, reveal.Options{})
		if err != nil || f.Verified || f.Verdict != reveal.NotASum {
			t.Errorf("times %v: verdict %s, verified %v, %v", by, f.Verdict, f.Verified, err)
		}
	}
}
