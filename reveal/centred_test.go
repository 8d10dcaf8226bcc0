package reveal_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestVariance reveals the second pass of variances and of standard deviations
// along random trees, with divisors n and n−1 and products that are fused or
// not.
func TestVariance(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	shapes := []probetest.Shape{probetest.Uniform}
	for _, s := range probetest.Shapes() {
		if s.Binary() {
			shapes = append(shapes, s)
		}
	}
	for k := range 30 {
		n := 4 + rng.IntN(40)
		f := []fp.Format{fp.Binary32, fp.Binary64}[k%2]
		tree := probetest.RandomTree(rng, n, shapes[k%len(shapes)])
		mean := sumtree.Plain(f)
		mean.PlusZero, mean.Mean = true, true
		a := sumtree.Plain(f)
		a.PlusZero, a.Products, a.Squares, a.Centre = true, true, true, &mean
		a.FMA = []sumtree.FMA{sumtree.FMANone, sumtree.FMAChain, sumtree.FMALater}[k%3]
		a.Divisor = float64(n - k/2%2)
		if k%5 > 2 {
			a.After = &sumtree.Epilogue{Kind: sumtree.Root, Format: f}
		}
		r, err := sumtree.NewReplayer(tree, a)
		if err != nil {
			t.Fatal(err)
		}
		target := revealtest.Sum(n, f, func(x []float64) float64 {
			v, _ := r.Sum(x, nil)
			return v
		})
		g := revealtest.Must(t, target, reveal.Options{}, tree)
		if b := g.Arithmetic; b.Centre == nil || b.Divisor != a.Divisor ||
			(b.After == nil) != (a.After == nil) {
			t.Errorf("%d: %+v, want %+v", k, g.Arithmetic, a)
		}
		replaysAll(t, target, g)
	}
}

// TestOtherVariances holds that variances are not verified unless they are two
// passes along one tree, and that a warning names two passes.
func TestOtherVariances(t *testing.T) {
	const n = 18
	meanOf := func(x []float64) float32 {
		var s float32
		for _, v := range x {
			s += float32(v)
		}
		return s / n
	}
	backward := func(x []float64) float32 {
		var s float32
		for i := range x {
			s += float32(x[n-1-i])
		}
		return s / n
	}
	second := func(x []float64, m float32) float32 {
		var s float32
		for _, v := range x {
			d := float32(v) - m
			s += float32(d * d)
		}
		return s
	}
	for name, c := range map[string]struct {
		f     func(x []float64) float64
		named bool
	}{
		"mean of squares": {func(x []float64) float64 {
			var s float32
			for _, v := range x {
				s += float32(float32(v) * float32(v))
			}
			m := meanOf(x)
			return float64(s/n - float32(m*m))
		}, false},
		"running": {func(x []float64) float64 {
			var m, s float32
			for i, v := range x {
				d := float32(v) - m
				m += d / float32(i+1)
				s += float32(d * (float32(v) - m))
			}
			return float64(s / n)
		}, false},
		"the mean in another order": {func(x []float64) float64 {
			return float64(second(x, backward(x)) / n)
		}, true},
		"the mean in float64": {func(x []float64) float64 {
			var m float64
			for _, v := range x {
				m += v
			}
			return float64(second(x, float32(m/n)) / n)
		}, true},
		"corrected": {func(x []float64) float64 {
			m := meanOf(x)
			var e float32
			for _, v := range x {
				e += float32(v) - m
			}
			return float64((second(x, m) - float32(e*e)/n) / n)
		}, true},
		"the root of the mean in another order": {func(x []float64) float64 {
			return math.Sqrt(float64(second(x, backward(x)) / n))
		}, true},
		"the root of a float64": {func(x []float64) float64 {
			return math.Sqrt(float64(second(x, meanOf(x))) / n)
		}, true},
		"the next number to a root": {func(x []float64) float64 {
			r := fp.Binary32.Round(math.Sqrt(float64(second(x, meanOf(x))/n)), fp.NearestEven)
			if r > 1 && r < 2 {
				r = fp.Binary32.NextUp(r)
			}
			return r
		}, true},
		"one difference is off by one place": {func(x []float64) float64 {
			y := append([]float64(nil), x...)
			if m := meanOf(x); m != 0 && y[6] != 0 {
				y[6] = fp.Binary32.NextUp(y[6])
				return float64(second(y, m) / n)
			}
			return float64(second(y, 0) / n)
		}, false},
		"two squares change places": {func(x []float64) float64 {
			m := meanOf(x)
			if m == 0 {
				return float64(second(x, m) / n)
			}
			y := append([]float64{x[9], x[4]}, x...)
			y[6], y[11] = float64(m), float64(m)
			return float64(second(y, m) / n)
		}, true},
	} {
		g := revealtest.Find(t, revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
			return fp.Binary32.Round(c.f(x), fp.NearestEven)
		}), 1)
		if g.Verified || c.named && !strings.Contains(g.Warnings[0], "differences from the mean") {
			t.Errorf("%s:", name)
			revealtest.Wrong(t, g)
		}
	}
}

// TestHiddenDeviation holds that a finding states that the results of a
// standard deviation hide the order: B/2 and the next root round alike.
func TestHiddenDeviation(t *testing.T) {
	f := revealtest.Find(t, revealtest.Sum(8, fp.Binary64, func(x []float64) float64 {
		var m, s float64
		for _, v := range x {
			m += v
		}
		for _, v := range x {
			d := v - m/8
			s += float64(d * d)
		}
		return math.Sqrt(s / 8)
	}), 1)
	if f.Verified || !strings.Contains(strings.Join(f.Warnings, " "), "no result shows one unit") {
		revealtest.Wrong(t, f)
	}
}

// TestOrderOfTheMean holds that a variance is not verified where its mean is
// added in another order than its squares: at one place of many, or for
// positive inputs only.
func TestOrderOfTheMean(t *testing.T) {
	chain := func(x []float64) float64 {
		var s float64
		for _, v := range x {
			s = fp.Binary32.Add(s, v, fp.NearestEven)
		}
		return s
	}
	variance := func(sum func(x []float64) float64) func(x []float64) float64 {
		return func(x []float64) float64 {
			n := float64(len(x))
			m := fp.Binary32.Round(sum(x)/n, fp.NearestEven)
			d := make([]float64, len(x))
			for i, v := range x {
				d[i] = fp.Binary32.Add(v, -m, fp.NearestEven)
				d[i] = fp.Binary32.Mul(d[i], d[i], fp.NearestEven)
			}
			return fp.Binary32.Round(chain(d)/n, fp.NearestEven)
		}
	}
	for _, c := range []struct {
		n   int
		sum func(x []float64) float64
	}{
		{120, func(x []float64) float64 {
			x = slices.Clone(x)
			x[2], x[3] = x[3], x[2]
			return chain(x)
		}},
		{120, func(x []float64) float64 {
			x = slices.Clone(x)
			x[90], x[91] = x[91], x[90]
			return chain(x)
		}},
		{5, func(x []float64) float64 {
			if slices.Min(x) > 0 {
				x = slices.Clone(x)
				slices.Reverse(x)
			}
			return chain(x)
		}},
	} {
		g := revealtest.Find(t, revealtest.Sum(c.n, fp.Binary32, variance(c.sum)), 1)
		if g.Verified {
			revealtest.Wrong(t, g)
		}
	}
	revealtest.Must(t, revealtest.Sum(120, fp.Binary32, variance(chain)), reveal.Options{},
		probetest.Chain(120))
}
