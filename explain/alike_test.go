package explain_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/explain"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

// TestRowsAlike holds that rows which are one row again, or its multiples by
// powers of two, are evidence once: results of two orders that are not in the
// catalogue are unexplained.
func TestRowsAlike(t *testing.T) {
	const n, rows = 100, 200
	f := fp.Binary32
	rng := rand.New(rand.NewPCG(1, 2))
	for k := range 40 {
		x := explain.Array{Format: f, Shape: []int{rows, n}, Values: make([]float64, rows*n)}
		for i := range n {
			x.Values[i] = f.Round(rng.NormFloat64(), fp.NearestEven)
		}
		for r := 1; r < rows; r++ {
			scale := 1.0
			if k%2 == 1 {
				scale = math.Ldexp(float64(1-2*(r%2)), r%40-20)
			}
			for i := range n {
				x.Values[r*n+i] = x.Values[i] * scale
			}
		}
		var sides [2]explain.Array
		for side := range sides {
			tree := probetest.RandomTree(rng, n, probetest.Uniform)
			sides[side] = explain.Array{Format: f, Shape: []int{rows}}
			for r := range rows {
				s, err := tree.Replay(sumtree.Plain(f), x.Values[r*n:(r+1)*n], nil)
				if err != nil {
					t.Fatal(err)
				}
				sides[side].Values = append(sides[side].Values, s)
			}
		}
		p, err := explain.NewSum(explain.Sum, x, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := explain.Explain(context.Background(), p, sides[0], sides[1], explain.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Explained {
			t.Errorf("%d: %v: %s and %s", k, got.Causes, got.A.Model, got.B.Model)
		}
	}
}

// TestArgumentsAlike holds that one argument is evidence once.
func TestArgumentsAlike(t *testing.T) {
	const n = 1000
	f := fp.Binary32
	values := func(v float64) explain.Array {
		a := explain.Array{Format: f, Shape: []int{n}, Values: make([]float64, n)}
		for i := range a.Values {
			a.Values[i] = v
		}
		return a
	}
	right := f.Round(math.Exp(1.5), fp.NearestEven)
	constant := func(v float64) func(context.Context, []float64, []float64, []float64) error {
		return func(_ context.Context, out, _, _ []float64) error {
			for i := range out {
				out[i] = v
			}
			return nil
		}
	}
	above, below := f.NextUp(right), -f.NextUp(-right)
	got, err := explain.ExplainFunction(context.Background(), values(1.5), explain.Array{},
		values(above), values(below), []explain.Function{
			{Name: "exact", Exact: true, Evaluate: constant(right)},
			{Name: "above", Evaluate: constant(above)},
			{Name: "below", Evaluate: constant(below)},
		})
	if err != nil {
		t.Fatal(err)
	}
	if got.Explained {
		t.Errorf("%v: %s and %s", got.Causes, got.A.Model, got.B.Model)
	}
}
