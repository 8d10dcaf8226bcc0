package arithmetic_test

import (
	"math"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

var flushed = revealtest.Flushed

// addFlushed returns the sum of two values of float32, flushed.
func addFlushed(a, b float64) float64 {
	return flushed(fp.Binary32.Add(flushed(a), flushed(b), fp.NearestEven))
}

// TestSkippedZeros holds that a sum is not verified if it leaves out summands
// that are zero, and a sum before them was flushed to −0, which stays −0.
func TestSkippedZeros(t *testing.T) {
	t.Parallel()
	for _, n := range []int{3, 9, 40, 200} {
		revealtest.NeverVerified(t, 3, func() probe.Target {
			return revealtest.Sum(n, fp.Binary32, func(x []float64) float64 {
				var s float64
				for _, v := range x {
					if flushed(v) != 0 {
						s = addFlushed(s, v)
					}
				}
				return s
			})
		})
	}
}

// TestSkippedZeroProducts holds chains of fused multiply-adds that leave out
// products with a zero: a product before them that is too small for the format
// has made −0 of the sum, which stays −0. Without such a rule they are not
// verified.
func TestSkippedZeroProducts(t *testing.T) {
	t.Parallel()
	rules := map[string]struct {
		skips func(i, n int, x, y float64) bool
		want  sumtree.Skip
	}{
		"first":  {func(_, _ int, x, _ float64) bool { return x == 0 }, sumtree.SkipX},
		"second": {func(_, _ int, _, y float64) bool { return y == 0 }, sumtree.SkipY},
		"either": {func(_, _ int, x, y float64) bool { return x == 0 || y == 0 },
			sumtree.SkipEither},
		"both": {func(_, _ int, x, y float64) bool { return x == 0 && y == 0 }, sumtree.SkipNone},
		"one": {func(i, n int, x, _ float64) bool { return i == max(n/3, 1) && x == 0 },
			sumtree.SkipX},
		"all but one": {func(i, n int, _, y float64) bool { return i != n/2 && y == 0 },
			sumtree.SkipY},
	}
	for name, rule := range rules {
		for n, f := range map[int]fp.Format{3: fp.Binary32, 40: fp.Binary64} {
			target := revealtest.Dot(n, f, func(x, y []float64) float64 {
				var s float64
				for i := range x {
					if !rule.skips(i, n, x[i], y[i]) {
						s = f.FMA(x[i], y[i], s, fp.NearestEven)
					}
				}
				return s
			})
			got := revealtest.Find(t, target, 1)
			if got.Verified != (rule.want != sumtree.SkipNone) ||
				got.Verified && got.Arithmetic.Skips != rule.want {
				t.Errorf("%s, n=%d: verified %v, %v", name, n, got.Verified, got.Arithmetic)
			} else if got.Verified {
				if err := revealtest.Mismatch(t.Context(), target, got, 1, 2000); err != nil {
					t.Errorf("%s, n=%d: %v", name, n, err)
				}
			}
		}
	}
}

// TestSkippedProductOfTwo holds a fused chain of two products that skips the
// product of two zeros, which an addition of two leaves shows.
func TestSkippedProductOfTwo(t *testing.T) {
	t.Parallel()
	f := fp.Binary64
	revealtest.NeverVerified(t, 3, func() probe.Target {
		return revealtest.Dot(2, f, func(x, y []float64) float64 {
			var s float64
			for i := range x {
				if x[i] != 0 || y[i] != 0 {
					s = f.FMA(x[i], y[i], s, fp.NearestEven)
				}
			}
			return s
		})
	})
}

// TestFlushedPairs holds a dot product of pairs, each added to +0, whose lanes
// meet by halves: where sums are flushed, each half may be −0.
func TestFlushedPairs(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	for _, n := range []int{8, 16, 32} {
		target := revealtest.Dot(n, f, func(x, y []float64) float64 {
			lanes := make([]float64, 4)
			for i := 0; i < n; i += 2 {
				p := flushed(f.Mul(flushed(x[i+1]), flushed(y[i+1]), fp.NearestEven))
				p = flushed(f.FMA(flushed(x[i]), flushed(y[i]), p, fp.NearestEven))
				lanes[i/2%4] = addFlushed(lanes[i/2%4], p)
			}
			return addFlushed(addFlushed(lanes[0], lanes[2]), addFlushed(lanes[1], lanes[3]))
		})
		got, err := reveal.Reveal(t.Context(), target, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Verified {
			if err := revealtest.Mismatch(t.Context(), target, got, 1, 2000); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestWeightsThatVanish holds a chain of fused multiply-adds with one weight:
// the product of the first summand may be too small for the format, and −0.
func TestWeightsThatVanish(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	weight := f.Round(0.2, fp.NearestEven)
	for _, n := range []int{2, 5} {
		target := revealtest.Sum(n, f, func(x []float64) float64 {
			var s float64
			for _, v := range x {
				s = f.FMA(v, weight, s, fp.NearestEven)
			}
			return s
		})
		got, err := reveal.Reveal(t.Context(), target, reveal.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !got.Verified {
			revealtest.Wrong(t, got)
			continue
		}
		x := make([]float64, n)
		for i := range x {
			x[i] = math.Copysign(0, -1)
		}
		x[0] = -f.Smallest()
		if s, err := got.Tree.Replay(*got.Arithmetic, x, nil); err != nil || !math.Signbit(s) {
			t.Errorf("n=%d: %v, %v for a negative product that vanishes", n, s, err)
		}
	}
}

// TestFlushedMeans reveals a mean of lanes that begin with +0, where sums are
// flushed: the sign of a result that is zero shows the first summands.
func TestFlushedMeans(t *testing.T) {
	t.Parallel()
	for _, n := range []int{9, 40} {
		key := probe.Key{Target: "mean", Op: probe.Sum, DType: fp.Binary32, Out: fp.Binary32,
			N: n, Mean: true, Threads: 1}
		target := revealtest.SumOf(key, func(x []float64) float64 {
			lanes := make([]float64, 4)
			for i, v := range x {
				lanes[i%4] = addFlushed(lanes[i%4], v)
			}
			s := addFlushed(addFlushed(lanes[0], lanes[1]), addFlushed(lanes[2], lanes[3]))
			return flushed(fp.Binary32.Round(s/float64(n), fp.NearestEven))
		})
		f := revealtest.Must(t, target, reveal.Options{}, nil)
		if err := revealtest.Mismatch(t.Context(), target, f, 1, 2000); err != nil {
			t.Error(err)
		}
	}
}

// addWindows adds windows, each from +0, then windows of their sums, and so on.
func addWindows(x []float64, window int) float64 {
	for {
		var sums []float64
		for part := range slices.Chunk(x, window) {
			var s float64
			for _, v := range part {
				s = addFlushed(s, v)
			}
			sums = append(sums, s)
		}
		if x = sums; len(x) == 1 {
			return x[0]
		}
	}
}

// TestFlushedWindows reveals sums of windows that each begin with +0, where
// sums are flushed, and such sums times the rounded 1/n, as JAX computes a
// mean: the sums of sums begin with +0, too.
func TestFlushedWindows(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	for _, n := range []int{16, 20, 34, 64} {
		for _, isMean := range []bool{false, true} {
			target := revealtest.Sum(n, f, func(x []float64) float64 {
				s := addWindows(x, 8)
				if isMean {
					inverse := f.Round(1/float64(n), fp.NearestEven)
					s = flushed(f.Mul(s, inverse, fp.NearestEven))
				}
				return s
			})
			got := revealtest.Find(t, target, 1)
			if !got.Verified || got.Arithmetic.Mean != isMean || !got.Arithmetic.FTZ ||
				got.Traits.Subnormals != "flushed" {
				t.Errorf("n=%d, mean %v: verified %v, %v, subnormals %v", n, isMean,
					got.Verified, got.Arithmetic, got.Traits.Subnormals)
				continue
			}
			if err := revealtest.Mismatch(t.Context(), target, got, 1, 2000); err != nil {
				t.Errorf("n=%d, mean %v: %v", n, isMean, err)
			}
		}
	}
}

// TestStoredSums reveals a sum of lanes that is added to a zero in memory, and
// to which the rest of the products is added there, as in OpenBLAS's product of
// a matrix and a vector: lanes that round to −0 leave +0.
func TestStoredSums(t *testing.T) {
	t.Parallel()
	f := fp.Binary64
	for _, n := range []int{9, 13, 33, 34} {
		target := revealtest.Dot(n, f, func(x, y []float64) float64 {
			lanes := make([]float64, 4)
			whole := n &^ 3
			for i := range whole {
				lanes[i%4] = f.FMA(x[i], y[i], lanes[i%4], fp.NearestEven)
			}
			s := 0 + (lanes[0] + lanes[2] + (lanes[1] + lanes[3]))
			for i := whole; i < n; i++ {
				s = f.FMA(x[i], y[i], s, fp.NearestEven)
			}
			return s
		})
		got := revealtest.Find(t, target, 1)
		if !got.Verified {
			t.Errorf("n=%d: not verified: %v", n, got.Warnings)
			continue
		}
		if err := revealtest.Mismatch(t.Context(), target, got, 1, 2000); err != nil {
			t.Errorf("n=%d: %v", n, err)
		}
	}
}

// TestFlushedStoredSums holds sums of lanes that are stored before a rest, and
// their means, where sums are flushed: no verified one differs in the sign of a
// zero.
func TestFlushedStoredSums(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	for _, c := range []struct{ n, lanes, rest int }{
		{40, 3, 3}, {52, 4, 4}, {23, 5, 1}, {12, 2, 2},
	} {
		total := func(x []float64, add func(s float64, i int) float64) float64 {
			lanes := make([]float64, c.lanes)
			for i := range c.n - c.rest {
				lanes[i%c.lanes] = add(lanes[i%c.lanes], i)
			}
			s := lanes[0]
			for _, v := range lanes[1:] {
				s = addFlushed(s, v)
			}
			s = addFlushed(0, s)
			for i := c.n - c.rest; i < c.n; i++ {
				s = add(s, i)
			}
			return s
		}
		for k, target := range []probe.Target{
			revealtest.Sum(c.n, f, func(x []float64) float64 {
				s := total(x, func(s float64, i int) float64 { return addFlushed(s, x[i]) })
				return flushed(f.Round(s/float64(c.n), fp.NearestEven))
			}),
			revealtest.Dot(c.n, f, func(x, y []float64) float64 {
				return total(x, func(s float64, i int) float64 {
					return flushed(f.FMA(flushed(x[i]), flushed(y[i]), s, fp.NearestEven))
				})
			}),
		} {
			got := revealtest.Find(t, target, 1)
			if !got.Verified {
				t.Errorf("%v, %d: not verified: %v", c, k, got.Warnings)
			} else if err := revealtest.Mismatch(t.Context(), target, got, 1, 3000); err != nil {
				t.Errorf("%v, %d: %v", c, k, err)
			}
		}
	}
}
