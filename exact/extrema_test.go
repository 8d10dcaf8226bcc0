package exact

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestExtrema(t *testing.T) {
	nan, inf, minus := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	for _, c := range []struct {
		x        []float64
		min, max float64
	}{
		{nil, nan, nan},
		{[]float64{1}, 1, 1},
		{[]float64{0, minus}, minus, 0},
		{[]float64{minus, 0}, minus, 0},
		{[]float64{minus}, minus, minus},
		{[]float64{0}, 0, 0},
		{[]float64{-1, -2}, -2, -1},
		{[]float64{5, inf, -inf}, -inf, inf},
		{[]float64{inf}, inf, inf},
		{[]float64{0x1p-1074, minus, -0x1p-1074}, -0x1p-1074, 0x1p-1074},
		{[]float64{math.MaxFloat64, -math.MaxFloat64}, -math.MaxFloat64, math.MaxFloat64},
		{[]float64{nan}, nan, nan},
		{[]float64{1, math.Copysign(nan, -1), 2}, nan, nan},
		{[]float64{math.Float64frombits(0x7ff0000000000001), -inf}, nan, nan},
		{[]float64{math.Float64frombits(0xfff0000000000001), -inf}, nan, nan},
	} {
		for cut := range len(c.x) + 1 {
			var a, b, one Extrema
			a.AddSlice(c.x[:cut])
			for _, v := range c.x {
				one.Add(v)
			}
			if y := single(c.x[cut:]); c.max != math.MaxFloat64 && c.max != 0x1p-1074 {
				b.AddSlice32(y)
			} else { // none of float32
				b.AddSlice(c.x[cut:])
			}
			a.Merge(&b)
			if !same(a.Min(), c.min) || !same(a.Max(), c.max) || a.Count() != int64(len(c.x)) {
				t.Errorf("%v, cut at %d: %v to %v, %d numbers", c.x, cut, a.Min(), a.Max(),
					a.Count())
			}
			if a.Digest() != one.Digest() {
				t.Errorf("%v: two digests", c.x)
			}
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	rounds(rng, 200, func(name string, x []float64) {
		var e Extrema
		e.AddSlice(x)
		for i, v := range x {
			if v < e.Min() || v > e.Max() {
				t.Errorf("%s: x[%d] = %v is not between %v and %v", name, i, v, e.Min(), e.Max())
			}
		}
	})
}
