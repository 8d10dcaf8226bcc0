package arithmetic_test

import (
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestOnePairIsRounded holds that the replay of a long sum of fused products is
// right where both products of its first pair are rounded: the last place of a
// short sum is lost below a long one.
func TestOnePairIsRounded(t *testing.T) {
	t.Parallel()
	f := fp.Binary64
	for _, n := range []int{257, 302} {
		target := revealtest.Dot(n, f, func(x, y []float64) float64 { return sumByFives(f, x, y) })
		for seed := range revealtest.Everyday(64) {
			got, err := reveal.Reveal(t.Context(), target, reveal.Options{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if !got.Verified {
				continue
			}
			b := probe.NewBatch(target)
			b.X[0], b.Y[0] = f.Round(1.1, fp.NearestEven), f.Round(1.3, fp.NearestEven)
			b.X[1], b.Y[1] = -b.X[0], f.NextUp(b.Y[0])
			if err := target.Call(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			r, err := got.Tree.Replay(*got.Arithmetic, b.X, b.Y)
			if err != nil || r != b.Out[0] {
				t.Errorf("n=%d, seed %d: replay %v, target %v", n, seed, r, b.Out[0])
			}
		}
	}
}

// sumByFives adds products by fives, as the reference BLAS does: what is left
// over first, rounded, and then the fifth product fused with the sum so far,
// and pairs fused with each other.
func sumByFives(f fp.Format, x, y []float64) float64 {
	mul := func(i int) float64 { return f.Mul(x[i], y[i], fp.NearestEven) }
	fma := func(i int, s float64) float64 { return f.FMA(x[i], y[i], s, fp.NearestEven) }
	first := len(x) % 5
	s := mul(0)
	for i := 1; i < first; i++ {
		s = f.Add(s, mul(i), fp.NearestEven)
	}
	for i := first; i < len(x); i += 5 {
		pairs := f.Add(fma(i, mul(i+1)), fma(i+2, mul(i+3)), fp.NearestEven)
		s = f.Add(fma(i+4, s), pairs, fp.NearestEven)
	}
	return s
}

// TestFirstOfManyBeginsWithZero holds that a long sum of fused products is
// verified where one leaf of many begins with +0: the first product of the rest
// is added to a register, and the first of a block is not.
func TestFirstOfManyBeginsWithZero(t *testing.T) {
	t.Parallel()
	f := fp.Binary64
	target := revealtest.Dot(353, f, func(x, y []float64) float64 {
		fma := func(i int, s float64) float64 { return f.FMA(x[i], y[i], s, fp.NearestEven) }
		var s float64
		first := len(x) % 5
		for i := range first {
			s = fma(i, s)
		}
		for i := first; i < len(x); i += 5 {
			block := f.Mul(x[i], y[i], fp.NearestEven)
			for k := i + 1; k < i+5; k++ {
				block = fma(k, block)
			}
			s = f.Add(s, block, fp.NearestEven)
		}
		return s
	})
	got := revealtest.Find(t, target, 1)
	if !got.Verified {
		t.Fatalf("%v: %s", got.Verdict, got.Meaning())
	}
}
