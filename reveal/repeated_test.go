package reveal_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// TestMoreThanATree holds that no function is verified that adds a summand
// twice and takes it away once, doubles it and subtracts it, or leaves out
// opposite neighbours: few inputs tell them from a plain loop.
func TestMoreThanATree(t *testing.T) {
	const f = fp.Binary32
	add := func(a, b float64) float64 { return f.Add(a, b, fp.NearestEven) }
	for name, step := range map[string]func(s float64, x []float64, i int) float64{
		"again and away": func(s float64, x []float64, i int) float64 {
			if i == len(x)/2 {
				s = add(add(s, x[i]), -x[i])
			}
			return add(s, x[i])
		},
		"doubled": func(s float64, x []float64, i int) float64 {
			if i == 1 {
				return add(s, add(add(x[i], x[i]), -x[i]))
			}
			return add(s, x[i])
		},
		"opposites left out": func(s float64, x []float64, i int) float64 {
			n := len(x)
			if i >= n-2 && x[n-2] == -x[n-1] {
				return s
			}
			return add(s, x[i])
		},
	} {
		for _, n := range []int{3, 9, 64} {
			target := revealtest.Sum(n, f, func(x []float64) (s float64) {
				for i := range x {
					s = step(s, x, i)
				}
				return s
			})
			got := revealtest.Find(t, target, 0)
			if got.Verified || got.Witness == nil {
				t.Errorf("%s, n = %d: %s, verified %v", name, n, got.Verdict, got.Verified)
			}
		}
	}
}

// TestWholeNumbersAsIntegers holds that a loop which adds whole numbers below
// 10^6 as integers is not verified, although 33 of them hardly exceed 2^24.
func TestWholeNumbersAsIntegers(t *testing.T) {
	const f = fp.Binary32
	isWhole := func(v float64) bool { return math.Abs(v) < 1e6 && v == math.Trunc(v) }
	for _, n := range []int{33, 40} {
		target := revealtest.Sum(n, f, func(x []float64) (s float64) {
			exact, whole := 0.0, true
			for _, v := range x {
				s = f.Add(s, v, fp.NearestEven)
				exact, whole = exact+v, whole && isWhole(v)
			}
			if whole {
				return f.Round(exact, fp.NearestEven)
			}
			return s
		})
		if got := revealtest.Find(t, target, 0); got.Verified {
			t.Errorf("n = %d: %s is verified", n, got.Family)
		}
	}
}

// TestBlocksInAWiderFormat reveals a loop whose blocks are added in float64 and
// rounded to float32 before they are added.
func TestBlocksInAWiderFormat(t *testing.T) {
	const f = fp.Binary32
	for _, n := range []int{5, 16, 35} {
		target := revealtest.Sum(n, f, func(x []float64) (s float64) {
			for ; len(x) > 0; x = x[min(4, len(x)):] {
				var block float64
				for _, v := range x[:min(4, len(x))] {
					block += v
				}
				s = f.Add(s, f.Round(block, fp.NearestEven), fp.NearestEven)
			}
			return s
		})
		revealtest.Replays(t, target, revealtest.Must(t, target, reveal.Options{}, nil), 100)
	}
}

// TestEverySecondProductFused reveals a loop that fuses every second product
// and rounds the others alone, the first one too.
func TestEverySecondProductFused(t *testing.T) {
	const f, rne = fp.Binary32, fp.NearestEven
	for _, n := range []int{3, 5, 17} {
		target := revealtest.Dot(n, f, func(x, y []float64) (s float64) {
			for i := range x {
				if i%2 == 1 {
					s = f.FMA(x[i], y[i], s, rne)
				} else {
					s = f.Add(s, f.Mul(x[i], y[i], rne), rne)
				}
			}
			return s
		})
		got := revealtest.Must(t, target, reveal.Options{}, nil)
		if !got.Arithmetic.RoundsStarts {
			t.Errorf("n = %d: the first product is not rounded before +0 is added", n)
		}
		revealtest.Replays(t, target, got, 100)
	}
}

// TestSquaresInTheOrderOfASign holds that a sum of squares is not verified
// whose order depends on the sign of an input, although its results are too
// short to show its order.
func TestSquaresInTheOrderOfASign(t *testing.T) {
	for _, n := range []int{4, 9} {
		key := probe.Key{Target: "squares", Op: probe.SumSq, DType: fp.Binary32,
			Out: fp.Binary32, N: n, Threads: 1}
		target := revealtest.SumOf(key, func(x []float64) (s float64) {
			for i := range x {
				v := x[i]
				if x[0] < 0 {
					v = x[len(x)-1-i]
				}
				s += float64(v * v)
			}
			return float64(float32(s))
		})
		if got := revealtest.Find(t, target, 0); got.Verified {
			t.Errorf("n = %d: %s, verified", n, got.Verdict)
		}
	}
}

// TestMeanOfProductsSomeFused holds the sign of a zero mean of products that
// vanish: one is fused with its addition.
func TestMeanOfProductsSomeFused(t *testing.T) {
	const f, rne, n = fp.Binary32, fp.NearestEven, 5
	call := func(x, y []float64) (s float64) {
		for i := range x {
			if i == 2 {
				s = f.FMA(x[i], y[i], s, rne)
			} else {
				s = f.Add(s, f.Mul(x[i], y[i], rne), rne)
			}
		}
		return f.Round(s/n, rne)
	}
	got := revealtest.Must(t, revealtest.Dot(n, f, call), reveal.Options{}, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	from := []float64{0, math.Copysign(0, -1), 0x1p-100, -0x1p-100}
	for range 2000 {
		x, y := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], y[i] = from[rng.IntN(4)], from[rng.IntN(4)]
		}
		s, err := got.Tree.Replay(*got.Arithmetic, x, y)
		if want := call(x, y); err != nil || !revealtest.EqualBits(s, want) {
			t.Fatalf("%v · %v: replay %v, want %v (%v)", x, y, s, want, err)
		}
	}
}
