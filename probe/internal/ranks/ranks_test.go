package ranks

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestCut checks that the parts follow each other, hold all summands, and
// differ by one summand at most.
func TestCut(t *testing.T) {
	for n := range 40 {
		for ranks := 1; ranks < 20; ranks++ {
			end := 0
			for r := range ranks {
				from, to := Cut(n, ranks, r)
				if from != end || to-from != n/ranks && to-from != n/ranks+1 {
					t.Fatalf("rank %d of %d has %d to %d of %d", r, ranks, from, to, n)
				}
				end = to
			}
			if end != n {
				t.Fatalf("%d ranks have %d of %d", ranks, end, n)
			}
		}
	}
	if from, to := Cut(7, 3, 0); from != 0 || to != 3 {
		t.Errorf("the first of 3 ranks has %d to %d of 7", from, to)
	}
}

func TestPartial(t *testing.T) {
	minus := math.Copysign(0, -1)
	for _, tt := range []struct {
		acc  fp.Format
		x, y []float64
		want float64
	}{
		{fp.Binary32, nil, nil, 0},
		{fp.Binary32, []float64{minus}, nil, minus},
		{fp.Binary32, []float64{minus}, []float64{1}, 0},
		{fp.Binary32, []float64{1, 0x1p-24, 0x1p-24}, nil, 1},
		{fp.Binary64, []float64{1, 0x1p-24, 0x1p-24}, nil, 1 + 0x1p-23},
		// The product keeps its last bit until it is added.
		{fp.Binary32, []float64{-1, 1 + 0x1p-12}, []float64{1 + 0x1p-11, 1 + 0x1p-12}, 0x1p-24},
		{fp.Binary32, []float64{math.MaxFloat32, math.MaxFloat32}, nil, math.Inf(1)},
		{fp.Binary32, []float64{math.Inf(1), math.Inf(-1)}, nil, math.NaN()},
	} {
		got := Partial(tt.acc, tt.x, tt.y)
		alike := math.Float64bits(got) == math.Float64bits(tt.want)
		if !alike && (got == got || tt.want == tt.want) {
			t.Errorf("%v %v %v: %v, want %v", tt.acc, tt.x, tt.y, got, tt.want)
		}
	}
}
