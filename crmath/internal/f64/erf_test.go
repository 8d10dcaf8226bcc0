package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/tables"
	"github.com/lastbit/lastbit/crmath/internal/wide"
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

// slowMPFR divides the number of arguments of tests with functions that take
// MPFR tens of microseconds.
const slowMPFR = 20

func TestErf(t *testing.T) {
	t.Parallel()
	sampleInEveryMode(t, "erf", args.SampleSize(t)/slowMPFR, Erf, erfKinds...)
}

func TestErfc(t *testing.T) {
	t.Parallel()
	sampleInEveryMode(t, "erfc", args.SampleSize(t)/slowMPFR, Erfc, erfcKinds...)
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

// TestErfTables recomputes the errors of polynomials.
func TestErfTables(t *testing.T) {
	t.Parallel()
	for i := range 6*128 + 1 {
		if c := float64(i) / 128; i < 3 || i%61 == 0 || i > 6*128-2 {
			checkExpansion(t, "erf", &erfTable[i], c, tables.ErfSeriesAt(c, 30), tables.Expanded)
		}
	}
	last := math.Float64bits(erfcEnd)>>(52-erfcBits) - erfcFirst
	for i := range last + 1 {
		if i > 2 && i%61 != 0 && i < last-2 {
			continue
		}
		c := tables.ErfcCentre(erfcFirst + i)
		radius := c - math.Float64frombits((erfcFirst+i)<<(52-erfcBits))
		checkExpansion(t, "erfc", &erfcTable[i], c, tables.ErfcSeriesAt(c, 30), radius)
	}
	if erfTable[6*128+1] != (expansion{}) || erfcTable[last+1] != (expansion{}) {
		t.Error("a table has more rows than are tested")
	}
}

// TestErfBounds compares the errors of the fast paths with their bounds.
func TestErfBounds(t *testing.T) {
	t.Parallel()
	rng := args.Generator("erf bounds")
	var erf, sum, far float64
	for range 5000 {
		var z wide.Float
		x := rng.Float64() * erfLarge
		if rng.IntN(3) == 0 {
			x = math.Ldexp(x, -rng.IntN(60))
		}
		wide.Erf.Set(&z, x, 0, wide.First)
		hi, lo, e := erfNear(x)
		erf = max(erf, within(t, "erfNear", x, hi, lo, e, &z))

		x = math.Copysign(x, rng.Float64()-0.5)
		if x < erfcNear {
			wide.Erfc.Set(&z, x, 0, wide.First)
			hi, lo, e = erfcSum(x, math.Abs(x))
			sum = max(sum, within(t, "erfcSum", x, hi, lo, e, &z))
		}

		x = erfcNear + rng.Float64()*(erfcEnd-erfcNear)
		wide.Erfc.Set(&z, x, 0, wide.First)
		k, hi, lo, e := erfcFar(x)
		z.Exp -= int(int64(k<<44) >> 44 >> expBits)
		far = max(far, within(t, "erfcFar", x, hi, lo, e, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f", erf, sum, far)
	atLeast(t, "erfNear", erf, 0.2)
	atLeast(t, "erfcSum", sum, 0.2)
	atLeast(t, "erfcFar", far, 0.2)
}

// TestHardErf is for arguments whose results are next to a midpoint or a
// representable number.
func TestHardErf(t *testing.T) {
	t.Parallel()
	hardInEveryMode(t, "erf", Erf)
	hardInEveryMode(t, "erfc", Erfc)
}

func TestGoldenErf(t *testing.T) {
	golden(t, "Erf", nearest(Erf), 0x1005a2c9e8885b15, erfKinds...)
	goldenModes(t, "Erf", Erf, 0x576b693c78c67848, erfKinds...)
	golden(t, "Erfc", nearest(Erfc), 0xbf185be2a073e9bc, erfcKinds...)
	goldenModes(t, "Erfc", Erfc, 0x98ab373240e95a04, erfcKinds...)
}

func TestErfAllocatesNothing(t *testing.T) {
	for _, f := range []directedFunction{Erf, Erfc, erfAccurate, erfcAccurate} {
		allocatesNothing(t, nearest(f), 0.3, -5, -1e-3, 1.7)
	}
}
