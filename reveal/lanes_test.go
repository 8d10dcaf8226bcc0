package reveal_test

import (
	"context"
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestMainLaneHasAnotherTree exchanges two neighbours in the lane asked about.
func TestMainLaneHasAnotherTree(t *testing.T) {
	t.Parallel()
	chain := probetest.Chain(64)
	mine := swapLeaves(chain, 30, 31)
	badTree, badVerdict := 0, 0
	for seed := range revealtest.Everyday(40) {
		f := revealtest.Find(t, newLaned(64, 64, fp.Binary32, func(l int, x []float64) float64 {
			if l == 0 {
				return revealtest.By(mine, fp.Binary32, x)
			}
			return revealtest.By(chain, fp.Binary32, x)
		}), seed)
		if f.Verified && !f.Tree.Equal(mine) {
			badTree++
		}
		if f.Verdict != reveal.TreeVerdict {
			badVerdict++
		}
	}
	if badTree+badVerdict > 0 {
		t.Errorf("seeds: %d verified wrong trees, %d false refusals", badTree, badVerdict)
	}
}

// TestMainLaneHasAnotherAccumulator lets the lane asked about accumulate in
// bf16, and all others in f32, by the same tree.
func TestMainLaneHasAnotherAccumulator(t *testing.T) {
	chain := probetest.Chain(15)
	wide := sumtree.Plain(fp.BFloat16)
	wide.Nodes.Acc = fp.Binary32
	bad := 0
	for seed := range revealtest.Everyday(40) {
		f := revealtest.Find(t, newLaned(15, 128, fp.BFloat16, func(l int, x []float64) float64 {
			if l == 0 {
				return revealtest.By(chain, fp.BFloat16, x)
			}
			v, _ := chain.Replay(wide, x, nil)
			return v
		}), seed)
		if f.Verified && f.Arithmetic.Nodes.Acc == fp.Binary32 && f.Arithmetic.Nodes.Store == 0 {
			bad++
		}
	}
	if bad > 0 {
		t.Errorf("with %d seeds the bf16 accumulator is reported as f32", bad)
	}
}

// TestOtherLanesDifferRarely lets other lanes differ on tiny values only; the
// one asked about is a plain chain.
func TestOtherLanesDifferRarely(t *testing.T) {
	chain, rev := probetest.Chain(24), probetest.ReverseChain(24)
	target := newLaned(24, 8, fp.Binary32, func(l int, x []float64) float64 {
		m := 0.0
		for _, v := range x {
			m = max(m, math.Abs(v))
		}
		if l != 0 && m < 0x1p-100 {
			return revealtest.By(rev, fp.Binary32, x)
		}
		return revealtest.By(chain, fp.Binary32, x)
	})
	f := revealtest.Find(t, target, 0)
	if f.Verdict != reveal.TreeVerdict {
		b := probe.NewBatch(target)
		copy(b.X, f.Witness.X)
		target.Call(context.Background(), b)
		t.Errorf("a plain chain is %s: %s; witness saw %x, gives %x",
			f.Verdict, f.Witness.What, f.Witness.Seen, b.Out[0])
	}
}
