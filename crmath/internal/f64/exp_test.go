package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/tables"
)

// Kinds of arguments of exponentials.
var (
	expKinds = []args.Kind{args.Between(-20, 20), args.Between(-750, 715), args.Magnitudes(-60, 10),
		args.Magnitudes(-1074, 12),
		args.Between(-746, -708), args.Between(708, 710), args.Multiples(math.Ln2/512, 1<<18),
		args.AnyBits}
	exp2Kinds = []args.Kind{args.Between(-20, 20), args.Between(-1080, 1030),
		args.Magnitudes(-60, 11), args.Magnitudes(-1074, 12),
		args.Between(-1076, -1021), args.Multiples(0.5, 2200), args.Multiples(1.0/512, 1<<19),
		args.AnyBits}
	exp10Kinds = []args.Kind{args.Between(-20, 20), args.Between(-325, 310),
		args.Magnitudes(-60, 9), args.Magnitudes(-1074, 10),
		args.Between(-324, -307), args.Multiples(0.5, 660), args.Near(23), args.AnyBits}
	expm1Kinds = []args.Kind{args.Between(-1, 1), args.Between(-40, 40),
		args.Between(-0x1p-5, 0x1p-5), args.Between(-0x1p-4, 0x1p-4),
		args.Between(-40, 711), args.Magnitudes(-60, 10), args.Magnitudes(-1074, 12),
		args.Multiples(math.Ln2/512, 1<<10), args.Near(0x1p-5), args.AnyBits}
)

func TestExp(t *testing.T) {
	t.Parallel()
	everyMode(t, "exp", Exp, expKinds...)
}

func TestExp2(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "exp2", Exp2, exp2Kinds...)
}

func TestExp10(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "exp10", Exp10, exp10Kinds...)
}

func TestExpm1(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "expm1", Expm1, expm1Kinds...)
}

// TestExpSpecial tests the special cases, which the formulas do not cover.
func TestExpSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	exp := nearest(Exp)
	for _, c := range []struct {
		name    string
		f       func(float64) float64
		x, want float64
	}{
		{"Exp", exp, inf, inf}, {"Exp", exp, -inf, 0}, {"Exp", exp, nan, nan}, {"Exp", exp, 0, 1},
		{"Exp", exp, zero, 1},
		{"Exp", exp, 5e-324, 1}, {"Exp", exp, 0x1.62e42fefa39efp+9, 0x1.fffffffffff2ap+1023},
		{"Exp", exp, 0x1.62e42fefa39f0p+9, inf},
		{"Exp", exp, -0x1.74910d52d3051p+9, 5e-324}, {"Exp", exp, -0x1.74910d52d3052p+9, 0},
		{"Exp", exp, math.MaxFloat64, inf}, {"Exp", exp, -math.MaxFloat64, 0},
		{"Exp2", Exp2, inf, inf}, {"Exp2", Exp2, -inf, 0}, {"Exp2", Exp2, nan, nan},
		{"Exp2", Exp2, zero, 1}, {"Exp2", Exp2, 1023, 0x1p1023},
		{"Exp2", Exp2, 1024, inf}, {"Exp2", Exp2, -1074, 5e-324}, {"Exp2", Exp2, -1075, 0},
		{"Exp2", Exp2, math.Nextafter(-1075, 0), 5e-324},
		{"Exp10", Exp10, inf, inf}, {"Exp10", Exp10, -inf, 0}, {"Exp10", Exp10, nan, nan},
		{"Exp10", Exp10, zero, 1}, {"Exp10", Exp10, 22, 1e22},
		{"Exp10", Exp10, 23, 1e23}, {"Exp10", Exp10, 308, 1e308}, {"Exp10", Exp10, 309, inf},
		{"Exp10", Exp10, -323, 1e-323}, {"Exp10", Exp10, -324, 0},
		{"Expm1", Expm1, inf, inf}, {"Expm1", Expm1, -inf, -1}, {"Expm1", Expm1, nan, nan},
		{"Expm1", Expm1, 0, 0}, {"Expm1", Expm1, zero, zero},
		{"Expm1", Expm1, 5e-324, 5e-324}, {"Expm1", Expm1, -5e-324, -5e-324},
		{"Expm1", Expm1, 710, inf}, {"Expm1", Expm1, -800, -1},
	} {
		if got := c.f(c.x); !args.Identical(got, c.want) {
			t.Errorf("%s(%v) = %v, want %v", c.name, c.x, got, c.want)
		}
	}
	for k := -1074; k < 1024; k++ {
		if got, want := Exp2(float64(k)), math.Ldexp(1, k); !args.Identical(got, want) {
			t.Errorf("Exp2(%d) = %v, want %v", k, got, want)
		}
	}
	for k := -330; k < 309; k++ {
		if got, want := Exp10(float64(k)), parse(t, k); !args.Identical(got, want) {
			t.Errorf("Exp10(%d) = %v, want %v", k, got, want)
		}
	}
}

// TestExpPolynomials recomputes the errors of the polynomials, with their
// rounded coefficients, and compares them with the allowances in the bounds.
func TestExpPolynomials(t *testing.T) {
	taylor := tables.ExpSeries(40)[3:]
	check(t, "exp",
		tables.Bound(taylor, []float64{expC3, expC4, expC5, expC6}, 0x1.64p-10)*math.Pow(0x1.64p-10,
			3), 0.1*0x1p-73)
	check(t, "expm1",
		tables.Bound(taylor,
			[]float64{
				expm1C3, expm1C4, expm1C5, expm1C6, expm1C7, expm1C8, expm1C9, expm1C10,
			}, 0x1p-5),
		0.6*0x1p-53/6)
}

// TestHardExp is for arguments whose results are next to a midpoint or a
// representable number.
func TestHardExp(t *testing.T) {
	t.Parallel()
	hardInEveryMode(t, "exp", Exp)
	hardAgainstMPFR(t, "exp2", Exp2)
	hardAgainstMPFR(t, "exp10", Exp10)
	hardAgainstMPFR(t, "expm1", Expm1)
}

func TestGoldenExp(t *testing.T) {
	golden(t, "Exp", nearest(Exp), 0x28924425585d5119, append(expKinds, hardOnes(t, "exp"))...)
	golden(t, "Exp2", Exp2, 0xb30c7c744b480d8e, append(exp2Kinds, hardOnes(t, "exp2"))...)
	golden(t, "Exp10", Exp10, 0x9e609f951a2060a4, append(exp10Kinds, hardOnes(t, "exp10"))...)
	golden(t, "Expm1", Expm1, 0xf3764a74b723af6e, append(expm1Kinds, hardOnes(t, "expm1"))...)
}

func TestExpAllocatesNothing(t *testing.T) {
	for _, f := range []func(float64) float64{nearest(Exp), Exp2, Exp10, Expm1,
		nearest(expAccurate), exp2Accurate, exp10Accurate, expm1Accurate} {
		allocatesNothing(t, f, 0.3, -7, -1e-3, 300)
	}
}
