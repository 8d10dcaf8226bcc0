package proof

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// TestHidesRounding adds all pairs of 8-bit numbers in wider formats and every
// direction: rounded to nearest, the sum is the one rounded once, as
// hidesRounding says of formats of twice the bits and two more.
func TestHidesRounding(t *testing.T) {
	for _, c := range []struct{ in, acc fp.Format }{
		{fp.E5M2, fp.BFloat16}, {fp.E5M2, fp.Binary16}, {fp.E5M2, fp.Binary32},
		{fp.E4M3FN, fp.Binary16}, {fp.E4M3FN, fp.Binary64},
	} {
		if c.acc.Precision() < 2*c.in.Precision()+2 {
			t.Fatal(c)
		}
		for _, x := range valuesOf(c.in) {
			for _, y := range valuesOf(c.in) {
				want := c.in.Add(x, y, fp.NearestEven)
				for _, m := range modes() {
					if m == fp.Down && want == 0 { // −0
						continue
					}
					got := c.in.Round(c.acc.Add(x, y, m), fp.NearestEven)
					if math.Float64bits(got) != math.Float64bits(want) {
						t.Fatalf("%v in %v, %v: %v + %v = %v, want %v", c.in, c.acc, m, x, y, got,
							want)
					}
				}
			}
		}
	}
}

// valuesOf returns the finite values of an 8-bit format.
func valuesOf(f fp.Format) (all []float64) {
	for b := range 1 << 8 {
		if v := f.FromBits(uint64(b)); v-v == 0 {
			all = append(all, v)
		}
	}
	return all
}
