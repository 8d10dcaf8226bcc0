package reveal_test

import (
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestRangesOfValues holds that sums are not verified which go another way for
// large summands beside ordinary ones, or for positive summands in a narrow
// range.
func TestRangesOfValues(t *testing.T) {
	const f = fp.Binary32
	apart := func(x []float64) float64 {
		var small, large float64
		for _, v := range x {
			if math.Abs(v) > 1e4 {
				large = f.Add(large, v, fp.NearestEven)
			} else {
				small = f.Add(small, v, fp.NearestEven)
			}
		}
		return f.Add(small, large, fp.NearestEven)
	}
	shifted := func(x []float64) float64 {
		low := slices.Min(x)
		if low <= 0 || slices.Max(x) > 1.1*low {
			return revealtest.Added(f, x)
		}
		y := []float64{0}
		for _, v := range x {
			y = append(y, f.Add(v, -low, fp.NearestEven))
		}
		offset := f.Mul(float64(len(x)), low, fp.NearestEven)
		return f.Add(offset, revealtest.Added(f, y), fp.NearestEven)
	}
	for _, c := range []struct {
		f func(x []float64) float64
		n int
	}{{apart, 3}, {apart, 5}, {apart, 8}, {shifted, 3}, {shifted, 5}, {shifted, 100}} {
		target := revealtest.Sum(c.n, f, func(x []float64) float64 { return c.f(slices.Clone(x)) })
		if g := revealtest.Find(t, target, 0); g.Verified {
			revealtest.Wrong(t, g)
		}
	}
}

// TestCloseValues holds that a plain sum which adds numbers of one sign and of
// nearly one size in another way is not verified: their distances from the
// least one, from the last to the first, or in a wider format.
func TestCloseValues(t *testing.T) {
	const f = fp.Binary32
	ways := map[string]func(x []float64) float64{
		"distances": func(x []float64) float64 {
			low := slices.Min(x)
			y := []float64{0}
			for _, v := range x {
				y = append(y, f.Add(v, -low, fp.NearestEven))
			}
			offset := f.Mul(float64(len(x)), low, fp.NearestEven)
			return f.Add(offset, revealtest.Added(f, y), fp.NearestEven)
		},
		"backward": func(x []float64) float64 {
			x = slices.Clone(x)
			slices.Reverse(x)
			return revealtest.Added(f, x)
		},
		"wide": func(x []float64) float64 {
			return f.Round(revealtest.Added(fp.Binary64, x), fp.NearestEven)
		},
	}
	for name, way := range ways {
		for _, within := range []float64{2, 1.1, 1.001} {
			for _, n := range []int{3, 5, 20} {
				target := revealtest.Sum(n, f, func(x []float64) float64 {
					if low := slices.Min(x); low <= 0 || slices.Max(x) > within*low {
						return revealtest.Added(f, x)
					}
					return way(x)
				})
				if g := revealtest.Find(t, target, uint64(n)); g.Verified {
					t.Errorf("%s within a factor of %v, n=%d: verified", name, within, n)
				}
			}
		}
	}
}

// TestEpsilonOfNorms holds that norms of short formats are not verified with
// another place of a small ε than they have.
func TestEpsilonOfNorms(t *testing.T) {
	const acc = fp.Binary32
	round := func(v float64) float64 { return acc.Round(v, fp.NearestEven) }
	for _, c := range []struct {
		name string
		f    fp.Format
		root func(mean float64) float64
	}{
		{"beside the root", fp.Binary16, func(mean float64) float64 {
			return round(round(math.Sqrt(mean)) + round(1e-12))
		}},
		{"the larger one", fp.BFloat16, func(mean float64) float64 {
			return round(math.Sqrt(max(mean, round(1e-5))))
		}},
	} {
		key := probe.Key{Target: c.name, Op: probe.RMSNorm, DType: c.f, Out: c.f, N: 8, Threads: 1}
		target := revealtest.SumOf(key, func(x []float64) float64 {
			var squares []float64
			top := x[0]
			for _, v := range x {
				squares = append(squares, acc.Mul(v, v, fp.NearestEven))
				if math.Abs(v) > math.Abs(top) {
					top = v
				}
			}
			v := round(top / c.root(round(revealtest.Added(acc, squares)/8)))
			return c.f.Round(v, fp.NearestEven)
		})
		if g := revealtest.Find(t, target, 0); g.Verified {
			revealtest.Wrong(t, g)
		}
	}
}

// TestOneFusedProduct holds that long dot products in float64 are either
// revealed with their one fused product or not verified.
func TestOneFusedProduct(t *testing.T) {
	const n, at = 130, 65
	target := revealtest.Dot(n, fp.Binary64, func(x, y []float64) float64 {
		var s float64
		for i, v := range x {
			if i == at {
				s = math.FMA(v, y[i], s)
			} else {
				s += float64(v * y[i])
			}
		}
		return s
	})

	for seed := range revealtest.Everyday(3) {
		g := revealtest.Find(t, target, seed)
		if g.Verified && g.Traits.FMA != reveal.PartlyFused {
			t.Errorf("seed %d:", seed)
			revealtest.Wrong(t, g)
		}
	}
}

// TestEndsOfWeights holds that a trapezoidal rule whose last term is halved
// once more, after it is rounded, is not verified as one with another last
// weight: their results differ at the lower end of the format only.
func TestEndsOfWeights(t *testing.T) {
	for _, f := range []fp.Format{fp.Binary32, fp.Binary64} {
		h := f.Round(0.05, fp.NearestEven)
		for _, n := range []int{5, 9, 30, 120} {
			g := revealtest.Find(t, revealtest.Sum(n, f, func(x []float64) float64 {
				var z []float64
				for i, v := range x[1:] {
					z = append(z, f.Mul(f.Add(x[i], v, fp.NearestEven), h, fp.NearestEven))
				}
				z[n-2] = f.Round(z[n-2]/2, fp.NearestEven)
				return revealtest.Added(f, z)
			}), 0)
			if g.Verified {
				revealtest.Wrong(t, g)
			}
		}
	}
}
