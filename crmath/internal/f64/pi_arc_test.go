package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

var (
	halfTurnKinds = []args.Kind{args.Between(-1, 1), args.Between(-0x1p-11, 0x1p-11),
		args.Near(1), args.Near(-1), args.Near(0.5), args.Magnitudes(-60, 0),
		args.Magnitudes(-1074, 1), args.Multiples(0.125, 9), args.Multiples(0x1p-1074, 1<<20),
		args.Between(0.9, 1), args.AnyBits}
	slopeKinds = []args.Kind{args.Between(-1, 1), args.Between(-64, 64), args.Near(1),
		args.Between(-1e5, 1e5), args.Magnitudes(-60, 64), args.Magnitudes(-1074, 1024),
		args.Magnitudes(-320, -290), args.Multiples(0.125, 100),
		args.Multiples(0x1p-1074, 1<<20), args.AnyBits}
)

func TestAsinpi(t *testing.T) {
	t.Parallel()
	everyMode(t, "asinpi", Asinpi, halfTurnKinds...)
	hardInEveryMode(t, "asinpi", Asinpi)
}

func TestAcospi(t *testing.T) {
	t.Parallel()
	everyMode(t, "acospi", Acospi, halfTurnKinds...)
	hardInEveryMode(t, "acospi", Acospi)
}

func TestAtanpi(t *testing.T) {
	t.Parallel()
	everyMode(t, "atanpi", Atanpi, slopeKinds...)
	hardInEveryMode(t, "atanpi", Atanpi)
}

// TestTurnArcsSpecial tests special cases and exact results.
func TestTurnArcsSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	zero := math.Copysign(0, -1)
	above := math.Nextafter(1, 2)
	inEveryDirection(t, Asinpi, []special{{0, 0}, {zero, zero}, {1, 0.5}, {-1, -0.5},
		{above, nan}, {-above, nan}, {inf, nan}, {-inf, nan}, {nan, nan}})
	inEveryDirection(t, Acospi, []special{{0, 0.5}, {zero, 0.5}, {1, 0}, {-1, 1},
		{above, nan}, {-above, nan}, {inf, nan}, {-inf, nan}, {nan, nan}})
	inEveryDirection(t, Atanpi, []special{{0, 0}, {zero, zero}, {1, 0.25}, {-1, -0.25},
		{inf, 0.5}, {-inf, -0.5}, {nan, nan}})
	for _, x := range []float64{5e-324, 1e-300, 1e-30} {
		for m, want := range map[fp.Mode]float64{fp.NearestEven: 0.5, fp.Up: 0.5,
			fp.Down: math.Nextafter(0.5, 0), fp.TowardZero: math.Nextafter(0.5, 0),
			fp.ToOdd: math.Nextafter(0.5, 0)} {
			if got := Acospi(x, m); got != want {
				t.Errorf("Acospi(%v, %v) = %x, want %x", x, m, got, want)
			}
			if got := Atanpi(1/x, m); got != want && 1/x <= math.MaxFloat64 {
				t.Errorf("Atanpi(%v, %v) = %x, want %x", 1/x, m, got, want)
			}
		}
	}
}

// TestTurnArcsBounds compares the errors of the fast paths with their bounds.
func TestTurnArcsBounds(t *testing.T) {
	rng := args.Generator("turnArcsBounds")
	var sine, cosine, tangent float64
	for i := range 20_000 {
		var z wide.Float
		x := rng.Float64()
		if i%2 == 0 {
			x = math.Ldexp(x, -rng.IntN(12))
		}
		if x >= trigSmall {
			h, l, e := arc(x, asinSine)
			wide.Asinpi.Set(&z, x, float64(h/math.Pi), wide.First)
			hi, lo, e := overPi(h, l, e)
			sine = max(sine, within(t, "Asinpi", x, hi, lo, e, &z))
		}
		form := asinCosine + i%4/2
		h, l, e := arc(x, form)
		wide.Acospi.Set(&z, math.Copysign(x, 0.5-float64(i%4/2)), float64(h/math.Pi), wide.First)
		hi, lo, e := overPi(h, l, e)
		cosine = max(cosine, within(t, "Acospi", x, hi, lo, e, &z))

		x = 1 + float64(63*x)
		row := &atanTable[0][atanRow(math.Float64bits(x))+1]
		q, q1, q2 := atanQuotient(x, head19(x), row.sin)
		h, l = atanSum(row.hi, row.lo, q, q1, q2)
		wide.Atanpi.Set(&z, x, float64(h/math.Pi), wide.First)
		hi, lo, e = overPi(h, l, atanErr)
		tangent = max(tangent, within(t, "Atanpi", x, hi, lo, e, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f", sine, cosine, tangent)
	atLeast(t, "Asinpi", sine, 0.1)
	atLeast(t, "Acospi", cosine, 0.1)
	atLeast(t, "Atanpi", tangent, 0.1)
}

func TestGoldenTurnArcs(t *testing.T) {
	sin := append(halfTurnKinds, hardOnes(t, "asinpi"))
	cos := append(halfTurnKinds, hardOnes(t, "acospi"))
	tan := append(slopeKinds, hardOnes(t, "atanpi"))
	golden(t, "Asinpi", nearest(Asinpi), 0xc8acee59431d2c19, sin...)
	goldenModes(t, "Asinpi", Asinpi, 0xe0d4b12b45fcb4fc, sin...)
	golden(t, "Acospi", nearest(Acospi), 0x7a0e0a48a6c5a6d9, cos...)
	goldenModes(t, "Acospi", Acospi, 0xf3908bb98ca9f67d, cos...)
	golden(t, "Atanpi", nearest(Atanpi), 0xbc13591080bc759c, tan...)
	goldenModes(t, "Atanpi", Atanpi, 0x8f9db64e924cd8d, tan...)
}

func TestTurnArcsAllocatesNothing(t *testing.T) {
	for f, fast := range map[wide.Function]directedFunction{
		wide.Asinpi: Asinpi, wide.Acospi: Acospi, wide.Atanpi: Atanpi,
	} {
		allocatesNothing(t, nearest(fast), 0.3, -0.999, -1e-3, 5e-324)
		allocatesNothing(t, func(x float64) float64 {
			return f.Rounded(x, fast(x, fp.NearestEven), fp.NearestEven)
		}, 0.3, -0.999, -1e-3)
	}
}
