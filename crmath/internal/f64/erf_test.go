package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/fp"
)

// Kinds of arguments of error functions.
var (
	erfKinds = []args.Kind{args.Between(-1, 1), args.Between(-6.1, 6.1),
		args.Between(-0x1p-6, 0x1p-6), args.Magnitudes(-60, 4), args.Magnitudes(-1074, 5),
		args.Near(erfLarge), args.Multiples(0x1p-8, 1600), args.AnyBits}
	erfcKinds = []args.Kind{args.Between(-1, 1), args.Between(-6.1, 6.1), args.Between(0, 28),
		args.Magnitudes(-60, 5), args.Magnitudes(-1074, 6), args.Near(-erfLarge), args.Near(0.5),
		args.Between(26.5, 27.3), args.Multiples(0x1p-8, 7000), args.AnyBits}
)

func TestErf(t *testing.T) {
	t.Parallel()
	everyMode(t, "erf", Erf, erfKinds...)
}

func TestErfc(t *testing.T) {
	t.Parallel()
	everyMode(t, "erfc", Erfc, erfcKinds...)
}

// TestErfSpecial tests the special cases, and results next to 1, 2 and 0, in
// every direction.
func TestErfSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	below1, above1, below2 := math.Nextafter(1, 0), math.Nextafter(1, 2), math.Nextafter(2, 0)
	same := func(v float64) [5]float64 { return [5]float64{v, v, v, v, v} }
	for _, c := range []struct {
		name string
		f    directedFunction
		x    float64
		want [5]float64 // NearestEven, TowardZero, Up, Down, ToOdd
	}{
		{"Erf", Erf, inf, same(1)}, {"Erf", Erf, -inf, same(-1)}, {"Erf", Erf, nan, same(nan)},
		{"Erf", Erf, 0, same(0)}, {"Erf", Erf, zero, same(zero)},
		{"Erf", Erf, 6, [5]float64{1, below1, 1, below1, below1}},
		{"Erf", Erf, -1e300, [5]float64{-1, -below1, -below1, -1, -below1}},
		{"Erf", Erf, 5e-324, [5]float64{5e-324, 5e-324, 1e-323, 5e-324, 5e-324}},
		{"Erf", Erf, -1e-323, [5]float64{-1e-323, -1e-323, -1e-323, -1.5e-323, -1.5e-323}},
		{"Erfc", Erfc, inf, same(0)}, {"Erfc", Erfc, -inf, same(2)}, {"Erfc", Erfc, nan, same(nan)},
		{"Erfc", Erfc, 0, same(1)}, {"Erfc", Erfc, zero, same(1)},
		{"Erfc", Erfc, 5e-324, [5]float64{1, below1, 1, below1, below1}},
		{"Erfc", Erfc, -5e-324, [5]float64{1, 1, above1, 1, above1}},
		{"Erfc", Erfc, -6, [5]float64{2, below2, 2, below2, below2}},
		{"Erfc", Erfc, 28, [5]float64{0, 0, 5e-324, 0, 5e-324}},
		{"Erfc", Erfc, math.MaxFloat64, [5]float64{0, 0, 5e-324, 0, 5e-324}},
	} {
		for i, m := range append([]fp.Mode{fp.NearestEven}, directions...) {
			if got := c.f(c.x, m); !args.Identical(got, c.want[i]) {
				t.Errorf("%s(%v, %v) = %v, want %v", c.name, c.x, m, got, c.want[i])
			}
		}
	}
}

func TestErfAllocatesNothing(t *testing.T) {
	for _, f := range []directedFunction{Erf, Erfc, erfAccurate, erfcAccurate} {
		allocatesNothing(t, nearest(f), 0.3, -5, -1e-3, 1.7)
	}
}
