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
)

// norm32 returns a norm of float32 that adds squares of summands in float64, in
// the order of a chain, and rounds its root to float32 once.
func norm32(n int, square func(x float64) float64) probe.Target {
	key := probe.Key{Target: "test:norm", Op: probe.SumSq, DType: fp.Binary32, Out: fp.Binary32,
		N: n}
	return revealtest.SumOf(key, func(x []float64) (s float64) {
		for _, v := range x {
			s += square(v)
		}
		return fp.Binary32.Round(math.Sqrt(s), fp.NearestEven)
	})
}

// TestRootsOfWideSums reveals norms of float32 with a float64 accumulator and
// squares that are exact or rounded first.
func TestRootsOfWideSums(t *testing.T) {
	for name, square := range map[string]func(x float64) float64{
		"exact":   func(x float64) float64 { return float64(x * x) },
		"rounded": func(x float64) float64 { return fp.Binary32.Mul(x, x, fp.NearestEven) },
	} {
		for _, n := range []int{7, 20} {
			target := norm32(n, square)
			f, err := reveal.Reveal(t.Context(), target, reveal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !f.Verified || !f.Tree.Equal(probetest.Chain(n)) {
				t.Errorf("%s squares of %d: %s, %s", name, n, f.Verdict, f.Warnings)
				continue
			}
			revealtest.Replays(t, target, f, 50)
		}
	}
}

// TestWideSumsOfFewSquares reveals norms, means of squares and roots of these
// of three to seven float32, which add squares in float64 in a random order.
func TestWideSumsOfFewSquares(t *testing.T) {
	for name, result := range map[string]func(s, n float64) float64{
		"norm": func(s, _ float64) float64 { return math.Sqrt(s) },
		"root of the float32": func(s, _ float64) float64 {
			return math.Sqrt(fp.Binary32.Round(s, fp.NearestEven))
		},
		"mean":             func(s, n float64) float64 { return s / n },
		"root of the mean": func(s, n float64) float64 { return math.Sqrt(s / n) },
	} {
		for n := 3; n <= 7; n++ {
			order := probetest.RandomTree(rand.New(rand.NewPCG(uint64(n), 7)), n, probetest.Uniform)
			key := probe.Key{Target: "test:" + name, Op: probe.SumSq, DType: fp.Binary32,
				Out: fp.Binary32, N: n}
			target := revealtest.SumOf(key, func(x []float64) float64 {
				squares := make([]float64, n)
				for i, v := range x {
					squares[i] = float64(v * v)
				}
				s := revealtest.By(order, fp.Binary64, squares)
				return fp.Binary32.Round(result(s, float64(n)), fp.NearestEven)
			})
			f := revealtest.Find(t, target, 0)
			if !f.Verified || !f.Tree.Equal(order) {
				t.Errorf("%s of %d: %s, %s", name, n, f.Verdict, f.Warnings)
				continue
			}
			revealtest.Replays(t, target, f, 50)
		}
	}
}

// TestWideMeansOfFewShortSquares reveals means of squares of three to seven
// float16, which add squares in float32 in a random order.
func TestWideMeansOfFewShortSquares(t *testing.T) {
	const in, acc = fp.Binary16, fp.Binary32
	for n := 3; n <= 7; n++ {
		order := probetest.RandomTree(rand.New(rand.NewPCG(uint64(n), 8)), n, probetest.Uniform)
		key := probe.Key{Target: "test:mean", Op: probe.SumSq, DType: in, Out: in, N: n}
		target := revealtest.SumOf(key, func(x []float64) float64 {
			squares := make([]float64, n)
			for i, v := range x {
				squares[i] = float64(v * v)
			}
			s := revealtest.By(order, acc, squares)
			return in.Round(acc.Round(s/float64(n), fp.NearestEven), fp.NearestEven)
		})
		f := revealtest.Find(t, target, 0)
		if !f.Verified || !f.Tree.Equal(order) {
			t.Errorf("%d summands: %s, %s", n, f.Verdict, f.Warnings)
			continue
		}
		revealtest.Replays(t, target, f, 50)
	}
}

// TestClampedNorm holds that a norm which clamps large summands is not verified
// where a float64 accumulator holds their squares.
func TestClampedNorm(t *testing.T) {
	f := revealtest.Find(t, norm32(20, func(x float64) float64 {
		x = math.Min(x, 1e30)
		return float64(x * x)
	}), 0)
	if f.Verified {
		revealtest.Wrong(t, f)
	}
}
