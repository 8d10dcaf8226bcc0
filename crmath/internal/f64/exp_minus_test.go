package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

var (
	exp2m1Kinds = []args.Kind{args.Between(-1, 1), args.Between(-60, 60),
		args.Between(-0x1p-5, 0x1p-5), args.Between(-0x1p-4, 0x1p-4), args.Between(-70, 1026),
		args.Magnitudes(-60, 11), args.Magnitudes(-1074, 12), args.Multiples(0.5, 160),
		args.Multiples(1.0/512, 1<<10), args.Near(0x1p-5), args.AnyBits}
	exp10m1Kinds = []args.Kind{args.Between(-0.5, 0.5), args.Between(-20, 20),
		args.Between(-0x1p-7, 0x1p-7), args.Between(-0x1p-6, 0x1p-6), args.Between(-22, 310),
		args.Magnitudes(-60, 9), args.Magnitudes(-1074, 10), args.Multiples(0.5, 60),
		args.Near(16), args.Near(0x1p-7), args.AnyBits}
)

func TestExp2m1(t *testing.T) {
	t.Parallel()
	everyMode(t, "exp2m1", Exp2m1, exp2m1Kinds...)
	hardInEveryMode(t, "exp2m1", Exp2m1)
}

func TestExp10m1(t *testing.T) {
	t.Parallel()
	everyMode(t, "exp10m1", Exp10m1, exp10m1Kinds...)
	hardInEveryMode(t, "exp10m1", Exp10m1)
}

// TestExpMinusIntegers compares 2^k - 1 and 10^k - 1, of any k, with MPFR in
// every direction: exact ones, midpoints and others next to a power.
func TestExpMinusIntegers(t *testing.T) {
	t.Parallel()
	integersInEveryMode(t, "exp2m1", Exp2m1, -1100, 1100)
	integersInEveryMode(t, "exp10m1", Exp10m1, -330, 330)
}

func TestExpMinusSpecial(t *testing.T) {
	inf := math.Inf(1)
	zero := math.Copysign(0, -1)
	for _, f := range []directedFunction{Exp2m1, Exp10m1} {
		inEveryDirection(t, f, []special{{0, 0}, {zero, zero}, {inf, inf}, {-inf, -1},
			{math.NaN(), math.NaN()}})
	}
	for _, c := range []struct {
		m         fp.Mode
		two, ten  float64
		huge, low float64
	}{
		{fp.NearestEven, 0x1p54, 1e16, inf, -1},
		{fp.Up, 0x1p54, 1e16, inf, math.Nextafter(-1, 0)},
		{fp.Down, 0x1p54 - 2, 1e16 - 2, math.MaxFloat64, -1},
		{fp.TowardZero, 0x1p54 - 2, 1e16 - 2, math.MaxFloat64, math.Nextafter(-1, 0)},
		{fp.ToOdd, 0x1p54 - 2, 1e16 - 2, math.MaxFloat64, math.Nextafter(-1, 0)},
	} {
		for _, r := range []struct {
			name      string
			got, want float64
		}{
			{"Exp2m1(54)", Exp2m1(54, c.m), c.two}, {"Exp10m1(16)", Exp10m1(16, c.m), c.ten},
			{"Exp2m1(1024)", Exp2m1(1024, c.m), c.huge},
			{"Exp10m1(309)", Exp10m1(309, c.m), c.huge},
			{"Exp2m1(-1000)", Exp2m1(-1000, c.m), c.low},
			{"Exp10m1(-1e300)", Exp10m1(-1e300, c.m), c.low},
		} {
			if !args.Identical(r.got, r.want) {
				t.Errorf("%s, %v: %x, want %x", r.name, c.m, r.got, r.want)
			}
		}
	}
}

// TestExpMinusBounds compares the errors of the fast paths with their bounds.
func TestExpMinusBounds(t *testing.T) {
	rng := args.Generator("expMinusBounds")
	var small, near1 float64
	for i := range 20_000 {
		x := float64((rng.Float64()*2 - 1) * 0x1p-5)
		if i%2 == 0 {
			x = math.Ldexp(x, -rng.IntN(40))
		}
		var z wide.Float
		wide.Exp2m1.Set(&z, x, 0, wide.First)
		hi, lo, e := expm1Product(headProduct(x, ln2Hi, ln2Lo))
		small = max(small, within(t, "Exp2m1", x, hi, lo, e, &z))
		x /= 4
		wide.Exp10m1.Set(&z, x, 0, wide.First)
		hi, lo, e = expm1Product(headProduct(x, ln10Hi, ln10Lo))
		small = max(small, within(t, "Exp10m1", x, hi, lo, e, &z))

		x = -float64(rng.Float64() * 20)
		wide.Exp10m1.Set(&z, x, 0, wide.First)
		k, r, s := splitSteps(x, exp10StepInverse, exp10StepHi, exp10StepLo)
		rh, rl := expProduct(r, s, ln10Hi, ln10Lo)
		hi, lo, e = expMinus1(k, rh, rl)
		near1 = max(near1, within(t, "Exp10m1", x, hi, lo, e, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f", small, near1)
	atLeast(t, "expm1Product", small, 0.2)
	atLeast(t, "expMinus1", near1, 0.2)
}

func TestGoldenExpMinus(t *testing.T) {
	two := append(exp2m1Kinds, hardOnes(t, "exp2m1"))
	ten := append(exp10m1Kinds, hardOnes(t, "exp10m1"))
	golden(t, "Exp2m1", nearest(Exp2m1), 0x9d161ced5daddf91, two...)
	goldenModes(t, "Exp2m1", Exp2m1, 0xac402d57f0044cee, two...)
	golden(t, "Exp10m1", nearest(Exp10m1), 0xc43e620da2c36e1e, ten...)
	goldenModes(t, "Exp10m1", Exp10m1, 0x162e52a78053ef92, ten...)
}

func TestExpMinusAllocatesNothing(t *testing.T) {
	for _, f := range []wide.Function{wide.Exp2m1, wide.Exp10m1} {
		allocatesNothing(t, accuratePath(f), 0.3, -7, -1e-3, 300)
	}
	allocatesNothing(t, nearest(Exp2m1), 0.3, -7, -1e-3, 1023.5, 54)
	allocatesNothing(t, nearest(Exp10m1), 0.3, -7, -1e-3, 308.1, 16)
}
