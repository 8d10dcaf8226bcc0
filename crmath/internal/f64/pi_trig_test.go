package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

var turnKinds = []args.Kind{args.Between(-1, 1), args.Between(-10, 10), args.Between(-1e5, 1e5),
	args.Between(-0x1p-13, 0x1p-13), args.Magnitudes(-60, 55), args.Magnitudes(-1074, 1024),
	args.Near(0.5), args.Near(1), args.Near(-1.5), args.Near(1000.25), args.Multiples(0.125, 100),
	args.Multiples(1.0/256, 1<<12), args.Magnitudes(40, 54), args.AnyBits}

func TestSinpi(t *testing.T) {
	t.Parallel()
	everyMode(t, "sinpi", Sinpi, turnKinds...)
	hardInEveryMode(t, "sinpi", Sinpi)
}

func TestCospi(t *testing.T) {
	t.Parallel()
	everyMode(t, "cospi", Cospi, turnKinds...)
	hardInEveryMode(t, "cospi", Cospi)
}

func TestTanpi(t *testing.T) {
	t.Parallel()
	everyMode(t, "tanpi", Tanpi, turnKinds...)
	hardInEveryMode(t, "tanpi", Tanpi)
}

// TestTurnSpecial tests special cases and exact results, of every size.
func TestTurnSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	zero := math.Copysign(0, -1)
	for _, f := range []directedFunction{Sinpi, Cospi, Tanpi} {
		inEveryDirection(t, f, []special{{inf, nan}, {-inf, nan}, {nan, nan}})
	}
	for _, n := range []float64{0, 2, 4, 1000, 0x1p42, 0x1p43, 0x1p44 + 6} {
		inEveryDirection(t, Sinpi, []special{{n, 0}, {-n, zero}, {n + 1, 0}, {-n - 1, zero},
			{n + 0.5, 1}, {n + 1.5, -1}, {-n - 0.5, -1}, {-n - 1.5, 1}})
		inEveryDirection(t, Cospi, []special{{n, 1}, {-n, 1}, {n + 1, -1}, {-n - 1, -1},
			{n + 0.5, 0}, {n + 1.5, 0}, {-n - 0.5, 0}, {-n - 1.5, 0}})
		inEveryDirection(t, Tanpi, []special{{n, 0}, {-n, zero}, {n + 1, zero}, {-n - 1, 0},
			{n + 0.25, 1}, {n + 0.75, -1}, {n + 1.25, 1}, {-n - 0.25, -1}, {-n - 0.75, 1},
			{n + 0.5, inf}, {-n - 0.5, -inf}, {n + 1.5, -inf}, {-n - 1.5, inf}})
	}
	for _, n := range []float64{0x1p53, 0x1p53 + 2, 0x1p54, 1e300, math.MaxFloat64} {
		inEveryDirection(t, Sinpi, []special{{n, 0}, {-n, zero}})
		inEveryDirection(t, Cospi, []special{{n, 1}, {-n, 1}})
		inEveryDirection(t, Tanpi, []special{{n, 0}, {-n, zero}})
	}
	n := float64(1<<53 - 1)
	inEveryDirection(t, Sinpi, []special{{n, 0}, {-n, zero}})
	inEveryDirection(t, Cospi, []special{{n, -1}, {-n, -1}})
	inEveryDirection(t, Tanpi, []special{{n, zero}, {-n, 0}})
	below := math.Nextafter(1, 0)
	for _, x := range []float64{5e-324, 1e-300, 1e-20, 0x1p-30} {
		for m, want := range map[fp.Mode]float64{fp.NearestEven: 1, fp.Up: 1, fp.Down: below,
			fp.TowardZero: below, fp.ToOdd: below} {
			if got := Cospi(x, m); got != want {
				t.Errorf("Cospi(%v, %v) = %x, want %x", x, m, got, want)
			}
		}
	}
}

// TestTurnBounds compares the errors of the fast paths with their bounds.
func TestTurnBounds(t *testing.T) {
	rng := args.Generator("turnBounds")
	var sine, tangent, small, pole float64
	for range 20_000 {
		var z wide.Float
		x := float64(rng.Float64()*2 - 1)
		k, r := splitTurn(x)
		rh, rl := turnProduct(r)
		if math.Abs(x) > turnSmall {
			wide.Sinpi.Set(&z, x, 0, wide.First)
			hi, lo, e := sinReduced(k, rh, rl)
			sine = max(sine, within(t, "Sinpi", x, hi, lo, e+(turnErr+sinErrLeast), &z))
			wide.Tanpi.Set(&z, x, 0, wide.First)
			hi, lo, e = tanReduced(k, rh, rl, turnErr)
			tangent = max(tangent, within(t, "Tanpi", x, hi, lo, e, &z))
		}
		x = math.Ldexp(x, -14-rng.IntN(30))
		wide.Tanpi.Set(&z, x, 0, wide.First)
		hi, lo, e := oddTurn(float64(x*(trigSteps/2)), 1.0/3, 2.0/15)
		small = max(small, within(t, "tangent near 0", x, hi, lo, e, &z))
		wide.Sinpi.Set(&z, x, 0, wide.First)
		hi, lo, e = oddTurn(float64(x*(trigSteps/2)), -1.0/6, 1.0/120)
		small = max(small, within(t, "sine near 0", x, hi, lo, e, &z))

		x = 0.5 + x
		if x == 0.5 {
			continue
		}
		wide.Tanpi.Set(&z, x, 0, wide.First)
		hi, lo, e = minusCotTurn(float64((x - 0.5) * (trigSteps / 2)))
		pole = max(pole, within(t, "tangent near 1/2", x, hi, lo, e, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f %.2f %.2f", sine, tangent, small, pole)
	atLeast(t, "Sinpi", sine, 0.2)
	atLeast(t, "Tanpi", tangent, 0.1)
	atLeast(t, "near 0", small, 0.05)
	atLeast(t, "near a pole", pole, 0.1)
}

func TestGoldenTurn(t *testing.T) {
	sin, cos := append(turnKinds, hardOnes(t, "sinpi")), append(turnKinds, hardOnes(t, "cospi"))
	tan := append(turnKinds, hardOnes(t, "tanpi"))
	golden(t, "Sinpi", nearest(Sinpi), 0x2408118e0808c18a, sin...)
	goldenModes(t, "Sinpi", Sinpi, 0xecf0acdfe0b1db68, sin...)
	golden(t, "Cospi", nearest(Cospi), 0x1781c19053c3d4d1, cos...)
	goldenModes(t, "Cospi", Cospi, 0xf32fbb7ff3fea89e, cos...)
	golden(t, "Tanpi", nearest(Tanpi), 0xdd5a44a45b676a6a, tan...)
	goldenModes(t, "Tanpi", Tanpi, 0xcfad78df6b03fcd6, tan...)
}

func TestTurnAllocatesNothing(t *testing.T) {
	for _, f := range []wide.Function{wide.Sinpi, wide.Cospi, wide.Tanpi} {
		allocatesNothing(t, accuratePath(f), 0.3, -7.1, -1e-3, 1e300)
	}
	for _, f := range []directedFunction{Sinpi, Cospi, Tanpi} {
		allocatesNothing(t, nearest(f), 0.3, -7.1, -1e-3, 5e-324)
	}
}
