package reveal_test

import (
	"context"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/probetest"
	"github.com/lastbit/lastbit/sumtree"
)

// rowsBy is a target that applies a function to each of m rows.
type rowsBy struct {
	probe.Target
	m, n int
	f    func(x []float64) float64
}

func (t rowsBy) Lanes() int { return t.m }

func (t rowsBy) Call(_ context.Context, b *probe.Batch) error {
	for r := range t.m {
		b.Out[r] = t.f(b.X[r*t.n : (r+1)*t.n])
	}
	return nil
}

// TestInvariantRows sweeps over numbers of rows of means and variances that
// their keys do not name.
func TestInvariantRows(t *testing.T) {
	const n = 12
	mean := sumtree.Plain(fp.Binary32)
	mean.PlusZero, mean.Mean = true, true
	variance := sumtree.Plain(fp.Binary32)
	variance.PlusZero, variance.Products, variance.Squares = true, true, true
	variance.Centre, variance.Divisor = &mean, n
	tree, other := probetest.Chain(n), sumtree.Family{Kind: sumtree.Pairwise, Block: 1, Unroll: 1}
	for name, a := range map[string]sumtree.Arithmetic{"mean": mean, "variance": variance} {
		by := func(tree *sumtree.Tree) func(x []float64) float64 {
			r, err := sumtree.NewReplayer(tree, a)
			if err != nil {
				t.Fatal(err)
			}
			return func(x []float64) float64 {
				v, _ := r.Sum(x, nil)
				return v
			}
		}
		one, two := by(tree), by(other.Tree(n))
		for want, changes := range map[string]bool{
			"[1 2 3] verified=true ":                 false,
			"[1 2] verified=true [3] verified=true ": true,
		} {
			s := sweepOf(t, "m", 1, 3, func(m int) probe.Target {
				f := one
				if changes && m == 3 {
					f = two
				}
				return rowsBy{fromTree(tree), m, n, f}
			})
			if got, _ := classesOf(t, s); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}
