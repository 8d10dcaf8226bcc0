package sums

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestNaive compares the naive results with loops.
func TestNaive(t *testing.T) {
	x, y := []float64{0.1, -2.7, 1e10, 3}, []float64{7, 0.3, 0.7, -1e-3}
	sum, product, square := float32(0), 0.0, float32(0)
	for i := range x {
		sum += float32(x[i])
		product += float64(x[i] * y[i])
		square += float32(float32(x[i]) * float32(x[i]))
	}
	for _, c := range []struct {
		op   string
		f    fp.Format
		want float64
	}{
		{"sum", fp.Binary32, float64(sum)},
		{"mean", fp.Binary32, float64(sum / 4)},
		{"norm", fp.Binary32, float64(float32(math.Sqrt(float64(square))))},
		{"variance", fp.Binary32, float64((square - float32(sum*sum)/4) / 3)},
		{"dot", fp.Binary64, product},
	} {
		algo := Exact(FindOperation(c.op), c.f)
		s := newSeries("", algo)
		g, err := s.group("")
		if err != nil {
			t.Fatal(err)
		}
		for i := range x { // in parts, as from blocks
			if err := s.addRows(g, x[i:i+1], y[i:i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if got := algo.op.naive(g.naive, g.count,
			roundingTo(c.f)); math.Float64bits(got) != math.Float64bits(c.want) {
			t.Errorf("%s in %v: %v, want %v", c.op, c.f, got, c.want)
		}
	}
}
