package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/tables"
	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// Kinds of arguments of inverse hyperbolic functions.
var (
	asinhKinds = []args.Kind{args.Between(-10, 10), args.Between(-1, 1),
		args.Between(-0x1p-4, 0x1p-4), args.Between(-1e6, 1e6), args.Magnitudes(-60, 60),
		args.Magnitudes(-1074, 1024),
		args.Near(0x1p-5), args.Near(logLarge), args.Magnitudes(-29, -24), args.AnyBits}
	acoshKinds = []args.Kind{args.Between(1, 10), args.Between(1, 2), args.Between(1, 1+0x1p-9),
		args.Positive(args.Near(1)), args.Between(1, 1e6), args.Magnitudes(0, 60),
		args.Positive(args.Magnitudes(0, 1024)),
		args.Near(logLarge), args.Near(1 + 0x1p-10), args.AnyBits}
	atanhKinds = []args.Kind{args.Between(-1, 1), args.Between(-0x1p-4, 0x1p-4),
		args.Magnitudes(-60, 0), args.Magnitudes(-1074, 0),
		args.Near(0x1p-6), args.Near(1), args.Near(-1), args.Magnitudes(-29, -24), args.AnyBits}
)

func TestAsinh(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "asinh", Asinh, asinhKinds...)
}

func TestAcosh(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "acosh", Acosh, acoshKinds...)
}

func TestAtanh(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "atanh", Atanh, atanhKinds...)
}

// TestInverseHyperbolicSpecial tests the special cases, which the formulas do
// not cover.
func TestInverseHyperbolicSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range []struct{ x, asinh, acosh, atanh float64 }{
		{inf, inf, inf, nan}, {-inf, -inf, nan, nan}, {nan, nan, nan, nan}, {0, 0, nan, 0},
		{zero, zero, nan, zero},
		{5e-324, 5e-324, nan, 5e-324}, {-0x1p-1022, -0x1p-1022, nan, -0x1p-1022},
		{0x1p-30, 0x1p-30, nan, 0x1p-30},
		{1, 0x1.c34366179d427p-01, 0, inf}, {-1, -0x1.c34366179d427p-01, nan, -inf},
		{math.MaxFloat64, 0x1.633ce8fb9f87ep+9, 0x1.633ce8fb9f87ep+9, nan},
	} {
		if asinh, acosh, atanh := Asinh(c.x), Acosh(c.x),
			Atanh(c.x); !args.Identical(asinh, c.asinh) || !args.Identical(acosh, c.acosh) ||
			!args.Identical(atanh, c.atanh) {
			t.Errorf("Asinh, Acosh, Atanh(%v) = %x, %x, %x, want %x, %x, %x", c.x, asinh, acosh,
				atanh, c.asinh, c.acosh, c.atanh)
		}
	}
}

// TestInverseHyperbolicSeries recomputes the errors of the series and compares
// them with the allowances in the bounds.
func TestInverseHyperbolicSeries(t *testing.T) {
	check(t, "asinh",
		oddTail(tables.AsinhSeries(80),
			[]float64{asinhC3, asinhC5, asinhC7, asinhC9, asinhC11, asinhC13}, 0x1p-5),
		0.95*0x1p-53)
	check(t, "atanh",
		oddTail(tables.AtanhSeries(80), []float64{atanhC3, atanhC5, atanhC7, atanhC9, atanhC11},
			0x1p-6), 0.95*0x1p-53)
	check(t, "acosh",
		12*tables.Bound(tables.AcoshSeries(80)[1:],
			[]float64{acoshC1, acoshC2, acoshC3, acoshC4, acoshC5}, 0x1p-10), 0.95*0x1p-53)
}

// TestInverseHyperbolicBounds compares the errors of the fast paths with their
// bounds.
func TestInverseHyperbolicBounds(t *testing.T) {
	t.Parallel()
	const w = wide.First + 1
	rng := args.Generator("inverseHyperbolicBounds")
	var asinh, acosh, atanh, small float64
	for range 20_000 {
		var a, z wide.Float
		x := math.Ldexp(args.Between(0.5, 1)(rng), rng.IntN(42)-4)
		a.SetFloat64(x, w)
		z.SetAsinh(&a, wide.First)
		hi, lo := asinhReduced(x)
		asinh = max(asinh, within(t, "asinh", x, hi, lo, logErr, &z))

		x = 1 + math.Ldexp(args.Between(0.5, 1)(rng), rng.IntN(42)-9)
		if x < logLarge {
			a.SetFloat64(x, w)
			z.SetAcosh(&a, wide.First)
			hi, lo = acoshReduced(x)
			acosh = max(acosh, within(t, "acosh", x, hi, lo, logErr, &z))
		}

		x = args.Between(0x1p-6, 1)(rng)
		a.SetFloat64(x, w)
		z.SetAtanh(&a, wide.First)
		hi, lo = atanhReduced(x)
		atanh = max(atanh, within(t, "atanhReduced", x, hi, lo, atanhErr, &z))

		x = 1 + math.Ldexp(args.Between(0.5, 1)(rng), -10-rng.IntN(40))
		a.SetFloat64(x, w)
		z.SetAcosh(&a, wide.First)
		hi, lo, e := acoshSmall(x - 1)
		small = max(small, within(t, "acoshSmall", x, hi, lo, e, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f %.2f", asinh, acosh, atanh, small)
	atLeast(t, "asinh", asinh, 0.1)
	atLeast(t, "acosh", acosh, 0.1)
	atLeast(t, "atanhReduced", atanh, 0.05)
	atLeast(t, "acoshSmall", small, 0.1)
}

func TestInverseHyperbolicKernels(t *testing.T) {
	t.Parallel()
	kernelAgainst(t, "asinh", wide.Asinh, args.Between(-10, 10), args.Magnitudes(-60, 1024))
	kernelAgainst(t, "acosh", wide.Acosh, args.Between(1, 10),
		args.Positive(args.Magnitudes(1, 1024)),
		func(rng *rand.Rand) float64 { return 1 + math.Ldexp(rng.Float64(), -rng.IntN(50)) })
	kernelAgainst(t, "atanh", wide.Atanh, args.Between(-1, 1), args.Magnitudes(-60, -1))
}

func TestInverseHyperbolicHard(t *testing.T) {
	t.Parallel()
	hardAgainstMPFR(t, "asinh", Asinh)
	hardAgainstMPFR(t, "acosh", Acosh)
	hardAgainstMPFR(t, "atanh", Atanh)
}

func TestGoldenInverseHyperbolic(t *testing.T) {
	golden(t, "Asinh", Asinh, 0x1ecd9ac31ba1dca2, append(asinhKinds, hardOnes(t, "asinh"))...)
	golden(t, "Acosh", Acosh, 0xc61147cb7d2f554e, append(acoshKinds, hardOnes(t, "acosh"))...)
	golden(t, "Atanh", Atanh, 0x66946dd3842a5dbb, append(atanhKinds, hardOnes(t, "atanh"))...)
}

func TestInverseHyperbolicAllocatesNothing(t *testing.T) {
	for _, f := range []func(float64) float64{Asinh, Acosh, Atanh, accuratePath(wide.Asinh),
		accuratePath(wide.Acosh), accuratePath(wide.Atanh)} {
		allocatesNothing(t, f, 0.3, 1, 0x1p-20)
	}
	for _, f := range []func(float64) float64{Asinh, Acosh, accuratePath(wide.Asinh),
		accuratePath(wide.Acosh)} {
		allocatesNothing(t, f, 1.0001, 7, 1e300)
	}
}
