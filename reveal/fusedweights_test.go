package reveal_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestFusedLongWeights reveals random trees of products of the summands and of
// weights of all bits that enter their additions unrounded.
func TestFusedLongWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	rules := []sumtree.FMA{sumtree.FMAChain, sumtree.FMALater, sumtree.FMAEarlier,
		sumtree.FMAMixed}
	for k := range 24 {
		n := 5 + rng.IntN(60)
		f := []fp.Format{fp.Binary32, fp.Binary64}[k%2]
		tree := probetest.RandomTree(rng, n, probetest.Uniform)
		if k%3 == 0 {
			tree = probetest.Chain(n)
		}
		a := sumtree.Plain(f)
		a.PlusZero, a.FMA = true, rules[k%len(rules)]
		if a.FMA == sumtree.FMAMixed { // one of two leaves that meet is fused at most
			other := sumtree.Arithmetic{Products: true, FMA: sumtree.FMALater}
			fused := other.FusedLeaves(tree)
			for i := range fused {
				fused[i] = fused[i] && rng.IntN(2) == 0
			}
			a.Fused = sumtree.RangesOf(fused)
		}
		for i := range n {
			w := f.Round(rng.NormFloat64(), fp.NearestEven)
			a.Weights = append(a.Weights,
				sumtree.Weight{Leaves: sumtree.Ranges{{i, i + 1}}, Factor: w})
		}
		target := weighted(t, tree, a)
		g := revealtest.Must(t, target, reveal.Options{}, tree)
		if g.Arithmetic.FMA == sumtree.FMANone {
			t.Errorf("%d: %+v, want %+v", k, g.Arithmetic, a)
		}
		replaysAll(t, target, g)
	}
}

// TestFusedLongWeightsThatAreRefused holds that functions that almost are sums
// of fused products are not verified.
func TestFusedLongWeightsThatAreRefused(t *testing.T) {
	const n = 20
	rng := rand.New(rand.NewPCG(53, 54))
	w := make([]float32, n)
	for i := range w {
		w[i] = float32(rng.NormFloat64())
	}
	fma := func(x, y, z float32) float32 {
		return float32(fp.Binary32.FMA(float64(x), float64(y), float64(z), fp.NearestEven))
	}
	for name, step := range map[string]func(i int, v, s float32) float32{
		"one weight depends on the sign": func(i int, v, s float32) float32 {
			if i == 9 && v < 0 {
				return fma(v, math.Nextafter32(w[i], 0), s)
			}
			return fma(v, w[i], s)
		},
		"rounded where the sum is small": func(i int, v, s float32) float32 {
			if s < 1 && s > -1 {
				return s + float32(v*w[i])
			}
			return fma(v, w[i], s)
		},
		"the last sum saturates": func(i int, v, s float32) float32 {
			if i == n-1 {
				return min(max(fma(v, w[i], s), -math.MaxFloat32), math.MaxFloat32)
			}
			return fma(v, w[i], s)
		},
	} {
		target := revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
			var s float32
			for i, v := range x {
				s = step(i, float32(v), s)
			}
			return float64(s)
		})
		if g := revealtest.Find(t, target, 1); g.Verified {
			t.Errorf("%s:", name)
			revealtest.Wrong(t, g)
		}
	}
}

// TestNegativeDivisor reveals weighted means whose weights add up to a negative
// number.
func TestNegativeDivisor(t *testing.T) {
	for _, n := range []int{5, 6, 24} {
		a := sumtree.Plain(fp.Binary64)
		a.PlusZero = true
		for i := range n {
			w := 0.1*float64(i%3) - 0.37
			a.Weights = append(a.Weights,
				sumtree.Weight{Leaves: sumtree.Ranges{{i, i + 1}}, Factor: w})
			a.Divisor += w
		}
		target := weighted(t, probetest.Chain(n), a)
		g := revealtest.Must(t, target, reveal.Options{}, probetest.Chain(n))
		if g.Arithmetic.Divisor != a.Divisor {
			t.Errorf("n = %d: divisor %v, want %v", n, g.Arithmetic.Divisor, a.Divisor)
		}
		replaysAll(t, target, g)
	}
}
