package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

var logPlusKinds = []args.Kind{args.Between(-1, 1), args.Between(-1, 1000),
	args.Between(-0x1p-10, 0x1p-10), args.Between(-0x1p-9, 0x1p-9), args.Magnitudes(-60, 60),
	args.Positive(args.Magnitudes(-1074, 1024)), args.Near(-1), args.Near(0x1p-10),
	args.Positive(args.AnyBits), args.AnyBits}

func TestLog2p1(t *testing.T) {
	t.Parallel()
	everyMode(t, "log2p1", Log2p1, logPlusKinds...)
	hardInEveryMode(t, "log2p1", Log2p1)
}

func TestLog10p1(t *testing.T) {
	t.Parallel()
	everyMode(t, "log10p1", Log10p1, logPlusKinds...)
	hardInEveryMode(t, "log10p1", Log10p1)
}

// TestLogPlusPowers tests 1+x = 2^k and 10^k, whose logarithms are exact, the
// neighbours of these x, and x = 2^k.
func TestLogPlusPowers(t *testing.T) {
	t.Parallel()
	log2p1, log10p1 := oracle.Rounded(t, "log2p1"), oracle.Rounded(t, "log10p1")
	for k := -53; k < 54; k++ {
		x := math.Ldexp(1, k) - 1
		inEveryDirection(t, Log2p1, []special{{x, float64(k)}})
		for _, x := range []float64{math.Nextafter(x, -1), math.Nextafter(x, 1e300)} {
			if x > -1 {
				compareModes(t, "log2p1", Log2p1, log2p1, x, directions...)
			}
		}
	}
	for k := 0; k < 16; k++ {
		x := math.Pow10(k) - 1
		inEveryDirection(t, Log10p1, []special{{x, float64(k)}})
		for _, x := range []float64{math.Nextafter(x, -1), math.Nextafter(x, 1e300)} {
			compareModes(t, "log10p1", Log10p1, log10p1, x, directions...)
		}
	}
	for k := 16; k < 300; k++ {
		compareModes(t, "log10p1", Log10p1, log10p1, math.Pow10(k), directions...)
	}
	for k := -1074; k < 1024; k++ {
		x := math.Ldexp(1, k)
		compareModes(t, "log10p1", Log10p1, log10p1, x, fp.NearestEven, fp.Up, fp.Down, fp.ToOdd)
		if k < 300 { // MPFR needs as many bits
			compareModes(t, "log2p1", Log2p1, log2p1, x, fp.NearestEven, fp.Up, fp.Down, fp.ToOdd)
			continue
		}
		up := math.Nextafter(float64(k), 2000)
		if got := Log2p1(x, fp.Up); got != up {
			t.Errorf("log2p1(2^%d), up: %x", k, got)
		}
		if got := Log2p1(x, fp.Down); got != float64(k) {
			t.Errorf("log2p1(2^%d), down: %x", k, got)
		}
	}
}

func TestLogPlusSpecial(t *testing.T) {
	inf := math.Inf(1)
	zero := math.Copysign(0, -1)
	for _, f := range []directedFunction{Log2p1, Log10p1} {
		inEveryDirection(t, f, []special{{0, 0}, {zero, zero}, {inf, inf}, {-1, -inf},
			{-inf, math.NaN()}, {math.Nextafter(-1, -2), math.NaN()}, {math.NaN(), math.NaN()}})
	}
}

// TestLogPlusBounds compares the errors of the fast paths with their bounds.
func TestLogPlusBounds(t *testing.T) {
	rng := args.Generator("logPlusBounds")
	var two, ten float64
	for i := range 20_000 {
		x := math.Ldexp(1+rng.Float64(), rng.IntN(90)-10)
		if i%2 == 0 {
			x = math.Expm1(-float64(rng.Float64()*36) - 0x1p-9)
		}
		var z wide.Float
		u, s, k := splitPlus1(x)
		h, l := logReduced(u, s, 0)
		wide.Log2p1.Set(&z, x, 0, wide.First)
		hi, lo := logProduct(coarse(h, 0x1.8p26), h, l, k, invLn2Hi, invLn2Lo, invLn2)
		two = max(two, within(t, "Log2p1", x, hi, lo, logErrScaled, &z))
		wide.Log10p1.Set(&z, x, 0, wide.First)
		hi, lo = logProduct(coarse(h, 0x1.8p26), h, l, float64(k*logLg2Hi), invLn10Hi, invLn10Lo,
			invLn10)
		ten = max(ten,
			within(t, "Log10p1", x, hi, lo+float64(k*logLg2Lo), logErrScaled, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f", two, ten)
	atLeast(t, "Log2p1", two, 0.1)
	atLeast(t, "Log10p1", ten, 0.05)
}

func TestGoldenLogPlus(t *testing.T) {
	two := append(logPlusKinds, hardOnes(t, "log2p1"))
	ten := append(logPlusKinds, hardOnes(t, "log10p1"))
	golden(t, "Log2p1", nearest(Log2p1), 0x76bf6c6bdf18447d, two...)
	goldenModes(t, "Log2p1", Log2p1, 0x83a7fb6be0946cc, two...)
	golden(t, "Log10p1", nearest(Log10p1), 0x889dd632f3281dcb, ten...)
	goldenModes(t, "Log10p1", Log10p1, 0x23adb672100e662, ten...)
}

func TestLogPlusAllocatesNothing(t *testing.T) {
	for _, f := range []wide.Function{wide.Log2p1, wide.Log10p1} {
		allocatesNothing(t, accuratePath(f), 0.3, -0.9, 1e-3, 1e300)
	}
	allocatesNothing(t, nearest(Log2p1), 0.3, -0.9, 1e-3, 1e300, 1e-310)
	allocatesNothing(t, nearest(Log10p1), 0.3, -0.9, 1e-3, 1e300, 1e-310)
}
