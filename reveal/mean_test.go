package reveal_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// meanKey turns the key of a sum into the key of a mean with results of format
// out.
func meanKey(out fp.Format) func(probe.Key) probe.Key {
	return func(k probe.Key) probe.Key {
		k.Mean, k.Out = true, out
		return k
	}
}

// quotientBy returns the last step of a mean of n summands: a division, or a
// product by the rounded 1/n, in the format f.
func quotientBy(f fp.Format, n int, reciprocal bool) func(int, float64) float64 {
	return func(_ int, s float64) float64 {
		if reciprocal {
			return f.Mul(s, f.Round(1/float64(n), fp.NearestEven), fp.NearestEven)
		}
		return f.Round(s/float64(n), fp.NearestEven)
	}
}

// TestMeans reveals means that divide by n and means that multiply by the
// rounded 1/n, in every format, and holds which of the two the finding names.
func TestMeans(t *testing.T) {
	t.Parallel()
	family := sumtree.Family{Kind: sumtree.Pairwise, Block: 128, Unroll: 8}
	for name, c := range map[string]struct {
		in, acc fp.Format
		n       int
	}{
		"f32": {fp.Binary32, fp.Binary32, 37}, "f64": {fp.Binary64, fp.Binary64, 100},
		"bf16": {fp.BFloat16, fp.Binary32, 1000}, "f16": {fp.Binary16, fp.Binary32, 1000},
		"f16, many": {fp.Binary16, fp.Binary32, 4096},
	} {
		for _, reciprocal := range []bool{false, true} {
			tree := family.Tree(c.n)
			last := quotientBy(c.acc, c.n, reciprocal)
			target := probetest.FromTree(tree, probetest.Options{
				DType: c.in, Acc: c.acc, Out: c.acc, Key: meanKey(c.in),
				Each: func(lane int, s float64) float64 {
					return c.in.Round(last(lane, s), fp.NearestEven)
				}})
			f := revealtest.Must(t, target, reveal.Options{}, tree)
			if c.n&(c.n-1) != 0 && f.Arithmetic.Reciprocal != reciprocal {
				t.Errorf("%s of %d: reciprocal %v, want %v", name, c.n, !reciprocal, reciprocal)
			}
			revealtest.Replays(t, target, f, 50)
		}
	}
}

// TestMeansThatFlush holds what a finding names of the subnormals of a mean.
func TestMeansThatFlush(t *testing.T) {
	const n = 24
	tree := probetest.RandomTree(rand.New(rand.NewPCG(33, 34)), n, probetest.Uniform)
	flushed := func(x float64) float64 {
		if math.Abs(x) < fp.Binary32.MinNormal() {
			return math.Copysign(0, x)
		}
		return x
	}
	for want, o := range map[string]probetest.Options{
		"kept": {}, "flushed": {DAZ: true, FTZ: true}, "results flushed": {FTZ: true},
	} {
		last := quotientBy(fp.Binary32, n, true)
		o.Key = meanKey(fp.Binary32)
		o.Each = func(lane int, s float64) float64 {
			if s = last(lane, s); o.FTZ {
				s = flushed(s)
			}
			return s
		}
		target := probetest.FromTree(tree, o)
		f := revealtest.Must(t, target, reveal.Options{}, tree)
		if f.Traits.Subnormals != want || !f.Arithmetic.Reciprocal {
			t.Errorf("subnormals %s, want %s (%+v)", f.Traits.Subnormals, want, f.Arithmetic)
		}
	}
}

// TestOtherMeansAreRefused holds that a mean whose last step is slightly
// another one is not verified.
func TestOtherMeansAreRefused(t *testing.T) {
	const n = 37
	f := fp.Binary32
	for name, last := range map[string]func(float64) float64{
		"the next larger 1/n": func(s float64) float64 {
			return f.Mul(s, f.NextUp(f.Round(1.0/n, fp.NearestEven)), fp.NearestEven)
		},
		"by n-1": func(s float64) float64 { return f.Round(s/(n-1), fp.NearestEven) },
		"truncated": func(s float64) float64 {
			return f.Round(s/n, fp.TowardZero)
		},
		"flushed below the least normal half": func(s float64) float64 {
			if s /= n; math.Abs(s) < f.MinNormal()/2 {
				return 0
			}
			return f.Round(s, fp.NearestEven)
		},
	} {
		if g := revealtest.Find(t, mean(n, f, last), 1); g.Verified {
			t.Errorf("%s:", name)
			revealtest.Wrong(t, g)
		}
	}
}

// bfloatDot returns a chain of bfloat16 products in float32 whose result passes
// through last before it is rounded to bfloat16.
func bfloatDot(n int, last func(float64) float64) probe.Target {
	return probetest.FromTree(probetest.Chain(n), probetest.Options{
		Products: true, DType: fp.BFloat16, Acc: fp.Binary32, Out: fp.Binary32,
		Key: func(k probe.Key) probe.Key {
			k.Out = fp.BFloat16
			return k
		},
		Each: func(_ int, s float64) float64 { return fp.BFloat16.Round(last(s), fp.NearestEven) },
	})
}

// TestConversionFlushes holds that a conversion that flushes the result is not
// mistaken for sums that flush, and that one with another threshold is refused.
func TestConversionFlushes(t *testing.T) {
	below := func(limit float64) func(float64) float64 {
		return func(s float64) float64 {
			if math.Abs(s) < limit {
				return math.Copysign(0, s)
			}
			return s
		}
	}
	for seed := range revealtest.Everyday(4) {
		target := bfloatDot(60, below(0x1p-126))
		f := revealtest.Find(t, target, seed)
		if !f.Verified || !f.Arithmetic.FlushOut || f.Arithmetic.FTZ ||
			f.Arithmetic.Nodes.Acc != fp.Binary32 {
			t.Errorf("seed %d: a conversion that flushes:", seed)
			revealtest.Wrong(t, f)
			continue
		}
		revealtest.Replays(t, target, f, 50)
		if f := revealtest.Find(t, bfloatDot(60, below(0x1p-127)), seed); f.Verified {
			t.Errorf("seed %d: a conversion that flushes less:", seed)
			revealtest.Wrong(t, f)
		}
	}
}

// TestMeansOfProducts holds that dot products divided by n are verified, and
// not products that are divided one by one.
func TestMeansOfProducts(t *testing.T) {
	const f, rne = fp.Binary32, fp.NearestEven
	for _, n := range []int{2, 9, 64} {
		for _, reciprocal := range []bool{false, true} {
			last := quotientBy(f, n, reciprocal)
			target := revealtest.Dot(n, f, func(x, y []float64) float64 {
				return last(0, revealtest.Added(f, revealtest.Products(f, x, y)))
			})
			got := revealtest.Must(t, target, reveal.Options{}, probetest.Chain(n))
			if !got.Arithmetic.Mean || n == 9 && got.Arithmetic.Reciprocal != reciprocal {
				t.Errorf("n = %d: arithmetic %+v", n, got.Arithmetic)
			}
			revealtest.Replays(t, target, got, 50)
		}
	}
	each := revealtest.Dot(9, f, func(x, y []float64) float64 {
		p := revealtest.Products(f, x, y)
		for i := range p {
			p[i] = f.Round(p[i]/9, rne)
		}
		return revealtest.Added(f, p)
	})
	if got := revealtest.Find(t, each, 0); got.Verified {
		t.Errorf("products that are divided one by one: %+v", got.Arithmetic)
	}
}
