package cblas

import (
	"math"
	"slices"
	"testing"
)

// TestStill computes with increments of zero: one element in the place of all,
// read or written again and again.
func TestStill(t *testing.T) {
	nan, zero := math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct {
		routine      Routine
		incX, incY   int64
		alpha        float64
		x, y         []float64
		wantX, wantY []float64
		result       float64
	}{
		{Copy, 0, 1, 0, []float64{7}, []float64{1, 2, 3}, []float64{7}, []float64{7, 7, 7}, 0},
		{Copy, 1, 0, 0, []float64{1, 2, 3}, []float64{9}, []float64{1, 2, 3}, []float64{3}, 0},
		{Copy, -1, 0, 0, []float64{1, 2, 3}, []float64{9}, []float64{1, 2, 3}, []float64{1}, 0},
		{Swap, 0, 1, 0, []float64{7}, []float64{1, 2, 3}, []float64{3}, []float64{7, 1, 2}, 0},
		{Axpy, 1, 0, 2, []float64{1, 2, 3}, []float64{5}, []float64{1, 2, 3}, []float64{17}, 0},
		{Dot, 0, 1, 0, []float64{2}, []float64{1, 2, 3}, []float64{2}, []float64{1, 2, 3}, 12},
		{Nrm2, 0, 1, 0, []float64{2}, nil, []float64{2}, nil, 2 * math.Sqrt(3)},
		{Nrm2, -1, 1, 0, []float64{2, 3, 6}, nil, []float64{2, 3, 6}, nil, 7},
		{Asum, 0, 1, 0, []float64{2}, nil, []float64{2}, nil, 0},
		{Iamax, 0, 1, 0, []float64{2}, nil, []float64{2}, nil, 0},
		{Iamax, -1, 1, 0, []float64{2, 3, 1}, nil, []float64{2, 3, 1}, nil, 0},
		{Scal, 0, 1, 5, []float64{2}, nil, []float64{2}, nil, 0},
		{Scal, 1, 1, 0, []float64{-1, math.Inf(1), 4}, nil, []float64{zero, nan, 0}, nil, 0},
	} {
		call := Call{
			Routine: c.routine, Format: 'd', Layout: 'C', N: 3, IncX: c.incX, IncY: c.incY,
			Alpha: [2]float64{c.alpha},
		}
		x, y := slices.Clone(c.x), slices.Clone(c.y)
		call.Arrays[slotX], call.Arrays[slotY] = array(x), array(y)
		if err := call.Run(); err != nil {
			t.Fatal(err)
		}
		if !sameBits(x, c.wantX) || !sameBits(y, c.wantY) || call.Result[0] != c.result {
			t.Errorf("%v of increments %d, %d: x %v, y %v, result %v; want %v, %v, %v", c.routine,
				c.incX, c.incY, x, y, call.Result[0], c.wantX, c.wantY, c.result)
		}
	}
}

// sameBits compares numbers bit for bit, and takes one NaN for another.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
	})
}
