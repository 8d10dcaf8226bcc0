package reveal_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/reveal"
	"github.com/lastbit/lastbit/reveal/revealtest"
)

// rowsTarget computes each row of a matrix product by g, which gets all rows.
type rowsTarget struct {
	laned
	g func(lane int, rows, y []float64) float64
}

func (t rowsTarget) Call(_ context.Context, b *probe.Batch) error {
	for l := range b.Out {
		b.Out[l] = t.g(l, b.X, b.Y)
	}
	return nil
}

// newRows returns a matrix product whose rows are computed by g.
func newRows(n, lanes int, f fp.Format, g func(lane int, rows, y []float64) float64) rowsTarget {
	key := probe.Key{Target: "rows", Op: probe.Gemv, DType: f, Out: f, N: n, M: lanes,
		OutIndex: []int{0}, Threads: 1}
	return rowsTarget{laned{key: key, lanes: lanes}, g}
}

// TestOtherRows holds that a product is value-dependent, and not verified or
// nondeterministic, where a row is computed otherwise if other rows meet a
// condition.
func TestOtherRows(t *testing.T) {
	t.Parallel()
	f := fp.Binary32
	any := func(holds func(v float64) bool) func(lane, n int, rows []float64) bool {
		return func(lane, n int, rows []float64) bool {
			return slices.ContainsFunc(rows[:lane*n], holds) ||
				slices.ContainsFunc(rows[(lane+1)*n:], holds)
		}
	}
	for name, turns := range map[string]func(lane, n int, rows []float64) bool{
		"not zero": any(func(v float64) bool { return v != 0 }),
		"above 1":  any(func(v float64) bool { return math.Abs(v) > 1 }),
		"huge":     any(func(v float64) bool { return math.Abs(v) > 1e20 }),
		"negative": any(func(v float64) bool { return v < 0 }),
		"tiny":     any(func(v float64) bool { return v != 0 && math.Abs(v) < 1e-20 }),
	} {
		for _, n := range []int{5, 33} {
			for _, lanes := range []int{2, 16} {
				target := newRows(n, lanes, f, func(lane int, rows, y []float64) float64 {
					p := revealtest.Products(f, rows[lane*n:(lane+1)*n], y)
					if turns(lane, n, rows) {
						slices.Reverse(p)
					}
					return revealtest.Added(f, p)
				})
				for _, one := range []bool{false, true} {
					got, err := reveal.Reveal(t.Context(), target, reveal.Options{OneLane: one})
					if err != nil {
						t.Fatal(err)
					}
					if got.Verdict != reveal.ValueDependent || got.Witness == nil ||
						!strings.Contains(got.Witness.What, "other rows") {
						t.Errorf("%s, %d rows of %d, one lane %v:", name, lanes, n, one)
						revealtest.Wrong(t, got)
					}
				}
			}
		}
	}
}
