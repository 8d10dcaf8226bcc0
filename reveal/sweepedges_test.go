package reveal_test

import (
	"context"
	"math"
	"testing"

	"github.com/lastbit/lastbit/probe"
	"github.com/lastbit/lastbit/probe/gofunc"
	"github.com/lastbit/lastbit/reveal"
)

// TestInvariantSeesEdges sweeps over two loops that differ for sums of −0, for
// sums that overflow, or for infinities only: two classes.
func TestInvariantSeesEdges(t *testing.T) {
	plain := func(x []float32) float32 {
		s := x[0]
		for _, v := range x[1:] {
			s += v
		}
		return s
	}
	for name, other := range map[string]func(x []float32) float32{
		"+0": func(x []float32) float32 {
			var zero float32
			return plain(x) + zero
		},
		"clips": func(x []float32) float32 {
			s := plain(x)
			if math.IsInf(float64(s), 1) {
				return math.MaxFloat32
			}
			return s
		},
		"NaN": func(x []float32) float32 {
			s := plain(x)
			if s-s != 0 {
				return float32(math.NaN())
			}
			return s
		},
	} {
		for _, n := range []int{2, 8, 300} {
			s := reveal.Sweep{Axis: "m", Values: []string{"1", "2"},
				Open: func(_ context.Context, i int) (probe.Target, error) {
					return gofunc.New(name, [...]func(x []float32) float32{plain, other}[i], n), nil
				}}
			inv, err := reveal.Invariant(t.Context(), s, reveal.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if inv.Invariant || len(inv.Classes) != 2 {
				t.Errorf("%s, n = %d: %d classes, invariant %v", name, n, len(inv.Classes),
					inv.Invariant)
			}
		}
	}
}
