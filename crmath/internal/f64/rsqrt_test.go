package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
)

var rsqrtKinds = []args.Kind{args.Between(0, 4), args.Between(0, 1000), args.Near(1),
	args.Positive(args.Magnitudes(-1074, 1024)), args.Positive(args.Multiples(0x1p-1074, 1<<20)),
	args.Positive(args.Multiples(1, 1<<20)), args.Positive(args.AnyBits), args.AnyBits}

func TestRsqrt(t *testing.T) {
	t.Parallel()
	everyMode(t, "rec_sqrt", Rsqrt, rsqrtKinds...)
	hardInEveryMode(t, "rec_sqrt", Rsqrt)
}

// TestRsqrtSpecial tests special cases and exact results.
func TestRsqrtSpecial(t *testing.T) {
	inf := math.Inf(1)
	inEveryDirection(t, Rsqrt, []special{{0, inf}, {math.Copysign(0, -1), -inf}, {inf, 0},
		{-inf, math.NaN()}, {-1, math.NaN()}, {-5e-324, math.NaN()}, {math.NaN(), math.NaN()}})
	for k := -537; k < 512; k++ {
		inEveryDirection(t, Rsqrt, []special{{math.Ldexp(1, 2*k), math.Ldexp(1, -k)}})
	}
}

// TestRsqrtBound compares the error of the fast path with its bound.
func TestRsqrtBound(t *testing.T) {
	rng := args.Generator("rsqrtBound")
	worst := 0.0
	for range 20_000 {
		x := math.Ldexp(1+rng.Float64(), rng.IntN(2046)-1022)
		var z wide.Float
		wide.Rsqrt.Set(&z, x, 0, wide.First)
		r := 1 / math.Sqrt(x)
		worst = max(worst, within(t, "Rsqrt", x, r, rsqrtRest(x, r), float64(r*rsqrtErr), &z))
	}
	t.Logf("largest error over its bound: %.2f", worst)
	atLeast(t, "Rsqrt", worst, 0.05)
}

func TestGoldenRsqrt(t *testing.T) {
	kinds := append(rsqrtKinds, hardOnes(t, "rec_sqrt"))
	golden(t, "Rsqrt", nearest(Rsqrt), 0xbc5d2fc53814a62f, kinds...)
	goldenModes(t, "Rsqrt", Rsqrt, 0xdf2c039965f2407f, kinds...)
}

func TestRsqrtAllocatesNothing(t *testing.T) {
	allocatesNothing(t, accuratePath(wide.Rsqrt), 0.3, 7, 1e300)
	allocatesNothing(t, nearest(Rsqrt), 0.3, 7, 1e300, 5e-324)
}
