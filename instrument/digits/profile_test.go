package digits

import (
	"testing"

	"github.com/lastbit/lastbit/instrument"
	"github.com/lastbit/lastbit/instrument/perturb"
)

// TestDrift finds the loss of a sum of 16 numbers, without the loss of the
// numbers themselves.
func TestDrift(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		summand     float64 // the error of three of four summands
		sum         float64 // the error of each addition
		least, most float64
	}{
		{"exact numbers, long sum", 0, 1e-9, 6, 9.5},
		{"numbers with errors, exact sum", 1e-6, 0, 0, 1},
		{"small errors, long sum", 1e-15, 1e-9, 5, 9.5},
	} {
		runs := make([]*perturb.Record, 4)
		for k := range runs {
			sign := []float64{0, 1, -1, 1}[k]
			runs[k] = &perturb.Record{Count: 16}
			s := 0.0
			for i := range 16 {
				x := 1.0
				if i%4 < 3 {
					x += float64(sign * c.summand)
				}
				r := s + x + float64(sign*c.sum)
				runs[k].Sample[i] = perturb.Sample{Number: uint64(i + 1), A: s, B: x, R: r}
				s = r
			}
		}
		if got := loss(instrument.Sum, runs, 0); got < c.least || got > c.most {
			t.Errorf("%s: %.1f digits, not %g to %g", c.name, got, c.least, c.most)
		}
	}
}
