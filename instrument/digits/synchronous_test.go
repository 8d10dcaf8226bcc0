package digits

import (
	"testing"

	"github.com/lastbit/lastbit/instrument"
)

func TestInstability(t *testing.T) {
	exact := []float64{2, 2, 2}
	noise := []float64{-1e-16, 2e-16, 1e-16}
	good := []float64{1, 1 + 0x1p-52, 1}
	zero := []float64{0, 0, 0}
	for _, c := range []struct {
		kind    instrument.Kind
		x, y, r []float64
		want    string
	}{
		{instrument.Sum, good, exact, good, ""},
		{instrument.Sum, good, good, noise, LostDigits},
		{instrument.Sum, noise, noise, noise, ""},
		{instrument.Product, noise, noise, noise, NoiseProduct},
		{instrument.Product, noise, good, noise, ""},
		{instrument.Product, zero, zero, zero, ""},
		{instrument.Quotient, good, noise, noise, NoiseDivision},
		{instrument.Quotient, noise, good, noise, ""},
		{instrument.Function, noise, zero, noise, NoiseFunction},
		{instrument.Comparison, good, exact, zero, ""},
		{instrument.Comparison, good, []float64{1 + 0x1p-52, 1, 1}, zero, NoiseBranch},
		{instrument.Comparison, exact, exact, zero, ""},
		{instrument.ToInteger, good, zero, []float64{1, 0, 1}, NoiseConversion},
		{instrument.ToInteger, good, zero, exact, ""},
		{instrument.Conversion, noise, zero, noise, ""},
	} {
		if got := instability(c.kind, c.x, c.y, c.r); got != c.want {
			t.Errorf("%s of %v and %v, %v: %q, not %q", c.kind, c.x, c.y, c.r, got, c.want)
		}
	}
}
