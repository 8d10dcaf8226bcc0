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

// TestWideIsNotCompensated holds that a dot product with a wide accumulator,
// whose order depends on the values, is not called compensated: exact products
// that cancel are as right as carried errors.
func TestWideIsNotCompensated(t *testing.T) {
	for _, turned := range []func(x []float64) bool{
		func(x []float64) bool { return math.Abs(x[0]) > math.Abs(x[len(x)-1]) },
		func(x []float64) bool { return x[len(x)/3] > 1000 },
	} {
		for _, n := range []int{5, 7, 20} {
			key := probe.Key{Target: "wide", Op: probe.Dot, DType: fp.Binary32, Out: fp.Binary32,
				N: n, Threads: 1}
			f := revealtest.Find(t, revealtest.DotOf(key, func(x, y []float64) float64 {
				products := make([]float64, n)
				for i := range x {
					products[i] = x[i] * y[i]
				}
				if turned(x) {
					slices.Reverse(products)
				}
				return fp.Binary32.Round(revealtest.Added(fp.Binary64, products), fp.NearestEven)
			}), 0)
			if f.Verified || f.Verdict == reveal.Compensated {
				revealtest.Wrong(t, f)
			}
		}
	}
}

// TestLeftOutIsNoOrder checks that a function which leaves out small summands,
// or cuts off large ones, is called no sum, with one such summand as witness.
func TestLeftOutIsNoOrder(t *testing.T) {
	const f = fp.Binary32
	for name, change := range map[string]func(v float64) float64{
		"small ones left out": func(v float64) float64 {
			if math.Abs(v) > 1e-30 {
				return v
			}
			return 0
		},
		"large ones cut off": func(v float64) float64 {
			return f.Round(max(-1e6, min(v, 1e6)), fp.NearestEven)
		},
	} {
		for _, n := range []int{3, 7, 20, 100} {
			g := revealtest.Find(t, revealtest.Sum(n, f, func(x []float64) float64 {
				changed := make([]float64, n)
				for i, v := range x {
					changed[i] = change(v)
				}
				return revealtest.Added(f, changed)
			}), 0)
			if g.Verdict != reveal.NotASum || g.Witness == nil || len(nonzero(g.Witness.X)) != 1 {
				t.Log(name)
				revealtest.Wrong(t, g)
			}
		}
	}
}

// TestOtherResultsAreAsked checks a function that multiplies equal summands by
// n: its finding must not claim that the tree gives all results but zeros.
func TestOtherResultsAreAsked(t *testing.T) {
	const f, n = fp.Binary32, 20
	g := revealtest.Find(t, revealtest.Sum(n, f, func(x []float64) float64 {
		if slices.ContainsFunc(x, func(v float64) bool { return v != x[0] }) {
			return revealtest.Added(f, append([]float64{0}, x...))
		}
		return f.Mul(x[0], n, fp.NearestEven)
	}), 0)
	if g.Verified || slices.ContainsFunc(g.Warnings, func(w string) bool {
		return w == "the tree is unverified: it reproduces all other results, but where the "+
			"result is zero, it has another sign"
	}) {
		revealtest.Wrong(t, g)
	}
}
