package kernel

import "testing"

func TestOverlap(t *testing.T) {
	x := make([]float64, 10)
	for _, c := range []struct {
		dst, x []float64
		want   bool
	}{
		{x, x, false}, {x[:3], x[:5], false}, {x[1:], x, true}, {x, x[9:], true},
		{x[:5], x[5:], false}, {x[5:], x[:5], false},
		{x[:6], x[5:], true}, {x[:0], x, false}, {nil, nil, false}, {make([]float64, 3), x, false},
	} {
		if got := Overlap(c.dst, c.x); got != c.want {
			t.Errorf("Overlap of %d and %d elements: %v", len(c.dst), len(c.x), got)
		}
	}
}
