package reveal_test

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
	"github.com/lastbit/lastbit/sumtree"
)

// trapezoid returns a target that replays a tree of sums of neighbours.
func trapezoid(t *testing.T, tree *sumtree.Tree, a sumtree.Arithmetic) probe.Target {
	r, err := sumtree.NewReplayer(tree, a)
	if err != nil {
		t.Fatal(err)
	}
	return revealtest.Sum(tree.Leaves()+1, a.In, func(x []float64) float64 {
		v, _ := r.Sum(x, nil)
		return v
	})
}

// replaysAll demands the bits of the target on inputs of all kinds.
func replaysAll(t *testing.T, target probe.Target, f *reveal.Finding) {
	t.Helper()
	if err := revealtest.Mismatch(context.Background(), target, f, 7, 30); err != nil {
		t.Error(err)
	}
}

// TestNeighbours reveals random trees of sums of neighbours: plain, halved by
// the trapezoidal rule, with a step, and with steps that all differ.
func TestNeighbours(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for k := range 20 {
		leaves := 2 + rng.IntN(90)
		f := []fp.Format{fp.Binary32, fp.Binary64}[k%2]
		tree := probetest.RandomTree(rng, leaves, probetest.Uniform)
		a := sumtree.Plain(f)
		a.PlusZero, a.Neighbours = true, f
		every := sumtree.Ranges{{0, leaves}}
		step := f.Round(1+rng.Float64(), fp.NearestEven)
		switch k / 2 % 5 {
		case 1:
			a.Weights = []sumtree.Weight{{Leaves: every, Factor: 0.5}}
		case 2:
			a.Weights, a.Rescale = []sumtree.Weight{{Leaves: every, Factor: step}}, 0.5
		case 3:
			a.Weights, a.Rescale = []sumtree.Weight{{Leaves: every, Factor: 0.5}}, step
		case 4:
			for i := range leaves {
				w := f.Round(rng.Float64()+0.1, fp.NearestEven)
				a.Weights = append(a.Weights,
					sumtree.Weight{Leaves: sumtree.Ranges{{i, i + 1}}, Factor: w})
			}
			a.Rescale = 0.5
		}
		target := trapezoid(t, tree, a)
		g := revealtest.Must(t, target, reveal.Options{}, tree)
		if g.Arithmetic.Neighbours != f || g.Arithmetic.Rescale != a.Rescale {
			t.Errorf("%d: %+v, want %+v", k, g.Arithmetic, a)
		}
		replaysAll(t, target, g)
	}
}

// TestNeighboursWithALastStep reveals sums of neighbours that are multiplied or
// divided in the end, and sums in a wider format than the inputs have.
func TestNeighboursWithALastStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	tree := probetest.RandomTree(rng, 40, probetest.Uniform)
	for name, change := range map[string]func(a *sumtree.Arithmetic){
		"half the sum": func(a *sumtree.Arithmetic) { a.Factor = 0.5 },
		"a step":       func(a *sumtree.Arithmetic) { a.Factor = float64(float32(0.05)) },
		"divided":      func(a *sumtree.Arithmetic) { a.Divisor = 78 },
		"wide": func(a *sumtree.Arithmetic) {
			a.Neighbours, a.Nodes.Acc = fp.Binary64, fp.Binary64
		},
		"wide sums of neighbours": func(a *sumtree.Arithmetic) { a.Neighbours = fp.Binary64 },
	} {
		a := sumtree.Plain(fp.Binary32)
		a.PlusZero, a.Neighbours = true, fp.Binary32
		change(&a)
		target := trapezoid(t, tree, a)
		g, err := reveal.Reveal(context.Background(), target, reveal.Options{})
		if err != nil || !g.Verified || !g.Tree.Equal(tree) {
			t.Errorf("%s: %v %v %v", name, err, g.Verdict, g.Warnings)
			continue
		}
		replaysAll(t, target, g)
	}
}

// TestNeighboursThatAreRefused holds that functions that almost are a sum of
// sums of neighbours are not verified.
func TestNeighboursThatAreRefused(t *testing.T) {
	const n = 24
	pairs := func(x []float64) []float32 {
		z := make([]float32, n-1)
		for i := range z {
			z[i] = float32(x[i]) + float32(x[i+1])
		}
		return z
	}
	chain := func(z []float32) float64 {
		var s float32
		for _, v := range z {
			s += v / 2
		}
		return float64(s)
	}
	for name, f := range map[string]func(x []float64) float64{
		"one sum is not rounded": func(x []float64) float64 {
			z := pairs(x)
			z[0], z[1] = 0, 0
			s := float32((x[0]+x[1])/2 + (x[1]+x[2])/2)
			return float64(s) + chain(z)
		},
		"one sum is off by one place": func(x []float64) float64 {
			z := pairs(x)
			if z[9] > 1 {
				z[9] = math.Nextafter32(z[9], 0)
			}
			return chain(z)
		},
		"halved before": func(x []float64) float64 {
			z := pairs(x)
			z[5] = 2 * (float32(x[5])/2 + float32(x[6])/2)
			return chain(z)
		},
		"saturates": func(x []float64) float64 {
			return min(max(chain(pairs(x)), -math.MaxFloat32), math.MaxFloat32)
		},
		"another order where none is zero": func(x []float64) float64 {
			z := pairs(x)
			for _, v := range z {
				if v == 0 {
					return chain(z)
				}
			}
			z[3], z[14] = z[14], z[3]
			return chain(z)
		},
		"compensated": func(x []float64) float64 {
			var s, c float32
			for _, v := range pairs(x) {
				y := v/2 - c
				t := s + y
				c = (t - s) - y
				s = t
			}
			return float64(s)
		},
	} {
		if g := revealtest.Find(t, revealtest.Sum(n, fp.Binary32, f), 1); g.Verified {
			t.Errorf("%s:", name)
			revealtest.Wrong(t, g)
		} else if name == "compensated" && !strings.Contains(g.Warnings[0], "neighbours") {
			t.Errorf("%s: %v", name, g.Warnings)
		}
	}
}
