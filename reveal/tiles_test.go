package reveal_test

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// tiles is a dot product of bfloat16 numbers as tiles of a processor compute
// it: blocks of summands, each in two float32 chains of fused multiply-adds
// that begin with +0, whose sums are added to a register.
type tiles struct {
	block int
	fma   func(block, i int, x, y, s float64) float64 // flushes
	sum   func(a, b float64) float64                  // flushes
	// The register begins with the first block, not with +0.
	fromFirst bool
}

// target returns the tiles as a target of n summands.
func (q tiles) target(n int) probe.Target {
	key := probe.Key{Target: "tiles", Op: probe.Dot, DType: fp.BFloat16, Out: fp.BFloat16,
		N: n, Threads: 1}
	return revealtest.DotOf(key, func(x, y []float64) float64 {
		var s float64
		for b := 0; b*q.block < n; b++ {
			var chain [2]float64
			for i := b * q.block; i < min((b+1)*q.block, n); i++ {
				c := &chain[i%2]
				*c = q.fma(b, i, revealtest.Flushed(x[i]), revealtest.Flushed(y[i]), *c)
			}
			sum := chain[0]
			if n > b*q.block+1 {
				sum = q.sum(chain[0], chain[1])
			}
			if b == 0 && q.fromFirst {
				s = sum
				continue
			}
			s = q.sum(s, sum)
		}
		return fp.BFloat16.Round(s, fp.NearestEven)
	})
}

// fmaFlushed returns x·y + s, rounded once and flushed.
func fmaFlushed(_, _ int, x, y, s float64) float64 {
	return revealtest.Flushed(fp.Binary32.FMA(x, y, s, fp.NearestEven))
}

// sumFlushed returns a + b, rounded and flushed.
func sumFlushed(a, b float64) float64 {
	return revealtest.Flushed(fp.Binary32.Add(a, b, fp.NearestEven))
}

// TestTiles reveals tiles: the first product of each chain is rounded and
// flushed alone, and the first block is added to +0.
func TestTiles(t *testing.T) {
	for name, q := range map[string]tiles{
		"from +0":              {8, fmaFlushed, sumFlushed, false},
		"from the first block": {8, fmaFlushed, sumFlushed, true},
	} {
		for _, n := range []int{9, 17, 22} {
			target := q.target(n)
			f := revealtest.Find(t, target, uint64(n))
			if !f.Verified || f.Verdict != reveal.TreeVerdict {
				t.Errorf("%s, n = %d:", name, n)
				revealtest.Wrong(t, f)
				continue
			}
			revealtest.Replays(t, target, f, 200)
		}
	}
}

// TestTilesThatDeviate holds that no finding is verified where one product of a
// block, or one sum, is computed in another way than all known tiles do.
func TestTilesThatDeviate(t *testing.T) {
	rounded := func(_, i int, x, y, s float64) float64 {
		p := float64(x * y)
		if i == 5 {
			p = fp.BFloat16.Round(p, fp.NearestEven)
		}
		return sumFlushed(s, p)
	}
	keeps := func(_, i int, x, y, s float64) float64 {
		if i == 5 {
			return fp.Binary32.FMA(x, y, s, fp.NearestEven)
		}
		return fmaFlushed(0, i, x, y, s)
	}
	late := func(_, _ int, x, y, s float64) float64 {
		v := fp.Binary32.FMA(x, y, s, fp.NearestEven)
		if math.Abs(v) < 0x1p-124 {
			return math.Copysign(0, v)
		}
		return v
	}
	toZero := func(b, i int, x, y, s float64) float64 {
		if b == 1 {
			return revealtest.Flushed(fp.Binary32.FMA(x, y, s, fp.TowardZero))
		}
		return fmaFlushed(b, i, x, y, s)
	}
	for name, q := range map[string]tiles{
		"a product in bf16":      {8, rounded, sumFlushed, false},
		"flushes below 2^-124":   {8, late, sumFlushed, false},
		"a block toward zero":    {8, toZero, sumFlushed, false},
		"an addition that keeps": {8, keeps, sumFlushed, false},
	} {
		for seed := range revealtest.Everyday(3) {
			target := q.target(17)
			f := revealtest.Find(t, target, seed)
			if !f.Verified {
				continue
			}
			if name != "an addition that keeps" { // which has an arithmetic
				t.Errorf("%s, seed %d:", name, seed)
				revealtest.Wrong(t, f)
			}
			revealtest.Replays(t, target, f, 200)
		}
	}
}
