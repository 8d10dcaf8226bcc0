package arithmetic_test

import (
	"context"
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

// ofSquares is a target with the signature of a sum of squares.
type ofSquares struct {
	probe.Target
	f func(x []float64) float64
}

func squaresOf(n int, d fp.Format, f func(x []float64) float64) probe.Target {
	return ofSquares{revealtest.Sum(n, d, f), f}
}

func (t ofSquares) Key() probe.Key {
	k := t.Target.Key()
	k.Op = probe.SumSq
	return k
}

func (t ofSquares) Call(_ context.Context, b *probe.Batch) error {
	b.Out[0] = t.f(b.X)
	return nil
}

// TestScaledSquares reveals sums of squares that are divided or multiplied in
// the end, and roots of those.
func TestScaledSquares(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	for k := range 24 {
		n := 4 + rng.IntN(60)
		f := []fp.Format{fp.Binary32, fp.Binary64}[k%2]
		tree := probetest.RandomTree(rng, n, probetest.Uniform)
		a := sumtree.Plain(f)
		a.PlusZero, a.Products, a.Squares = true, true, true
		a.FMA = []sumtree.FMA{sumtree.FMANone, sumtree.FMAChain, sumtree.FMALater}[k%3]
		switch k / 2 % 6 {
		case 0:
			a.Divisor = float64(n)
		case 1:
			a.Divisor = float64(n - 1)
		case 2:
			a.Factor = f.Round(1/float64(n), fp.NearestEven)
		case 3:
			a.Factor = f.Round(0.1+rng.Float64(), fp.NearestEven)
		case 4:
			a.Divisor = float64(n)
			a.After = &sumtree.Epilogue{Kind: sumtree.Root, Format: f}
		case 5:
			a.Divisor = f.Round(3+rng.Float64(), fp.NearestEven)
		}
		r, err := sumtree.NewReplayer(tree, a)
		if err != nil {
			t.Fatal(err)
		}
		target := squaresOf(n, f, func(x []float64) float64 {
			v, _ := r.Sum(x, nil)
			return v
		})
		g := revealtest.Must(t, target, reveal.Options{}, tree)
		revealtest.Replays(t, target, g, 200)
		if d := a.Divisor; g.Arithmetic.Divisor != d && math.Log2(d) != math.Trunc(math.Log2(d)) {
			t.Errorf("%d: divisor %v, want %v", k, g.Arithmetic.Divisor, a.Divisor)
		}
	}
}

// TestScaledSquaresThatAreRefused holds that functions that almost are a scaled
// sum of squares are not verified.
func TestScaledSquaresThatAreRefused(t *testing.T) {
	const n = 22
	chain := func(x []float64, term func(i int, square float32) float32) float32 {
		var s float32
		for i, v := range x {
			s += term(i, float32(float32(v)*float32(v)))
		}
		return s
	}
	same := func(_ int, square float32) float32 { return square }
	for name, f := range map[string]func(x []float64) float64{
		"each square divided": func(x []float64) float64 {
			return float64(chain(x, func(_ int, q float32) float32 { return q / n }))
		},
		"one square halved": func(x []float64) float64 {
			return float64(chain(x, func(i int, q float32) float32 {
				if i == 7 {
					q /= 2
				}
				return q
			}) / n)
		},
		"divided by another number where large": func(x []float64) float64 {
			s := chain(x, same)
			if s > 1000 {
				return float64(s / (n - 1))
			}
			return float64(s / n)
		},
		"the sum is rounded down before": func(x []float64) float64 {
			s := chain(x, same)
			return float64(math.Nextafter32(s, 0) / n)
		},
		"another order for ordinary numbers": func(x []float64) float64 {
			for _, v := range x {
				if v == 0 {
					return float64(chain(x, same) / n)
				}
			}
			y := append([]float64{x[5], x[3]}, x...)
			y[5], y[7] = 0, 0
			return float64(chain(y, same) / n)
		},
		"the weight depends on the place": func(x []float64) float64 {
			return float64(chain(x, func(i int, q float32) float32 {
				return q * float32(1+i%2)
			}) / n)
		},
	} {
		if g := revealtest.Find(t, squaresOf(n, fp.Binary32, f), 1); g.Verified {
			t.Errorf("%s:", name)
			revealtest.Wrong(t, g)
		}
	}
}

// TestSquaresDividedByThree holds that a mean is not taken for a root: a third
// of 9 is the root of 9.
func TestSquaresDividedByThree(t *testing.T) {
	const f, rne = fp.Binary32, fp.NearestEven
	for _, n := range []int{2, 3, 4, 9} {
		target := squaresOf(n, f, func(x []float64) float64 {
			return f.Round(revealtest.Added(f, revealtest.Products(f, x, x))/3, rne)
		})
		got := revealtest.Must(t, target, reveal.Options{}, probetest.Chain(n))
		if got.Arithmetic.Divisor != 3 {
			t.Errorf("n = %d: divisor %v, factor %v", n, got.Arithmetic.Divisor,
				got.Arithmetic.Factor)
		}
		revealtest.Replays(t, target, got, 50)
	}
}

// TestWideMeanSquares reveals mean squares of float32 that are added in
// float64, and their roots, where the quotient or its root is rounded.
func TestWideMeanSquares(t *testing.T) {
	const f = fp.Binary32
	for _, n := range []int{8, 9, 21} {
		for name, last := range map[string]func(s float64) float64{
			"mean": func(s float64) float64 { return float64(float32(s / float64(n))) },
			"root": func(s float64) float64 { return float64(float32(math.Sqrt(s / float64(n)))) },
			"root of float32": func(s float64) float64 {
				return f.Round(math.Sqrt(float64(float32(s/float64(n)))), fp.NearestEven)
			},
		} {
			target := squaresOf(n, f, func(x []float64) float64 {
				var s float64
				for _, v := range x {
					s += float64(v * v)
				}
				return last(s)
			})
			got := revealtest.Find(t, target, uint64(n))
			if !got.Verified || !got.Tree.Equal(probetest.Chain(n)) {
				t.Errorf("%s of %d:", name, n)
				revealtest.Wrong(t, got)
				continue
			}
			revealtest.Replays(t, target, got, 50)
		}
	}
}
