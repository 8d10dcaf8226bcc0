package f64

import (
	"math"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/tables"
)

// Kinds of arguments of logarithms.
var (
	logKinds = []args.Kind{args.Between(0, 1000), args.Between(0.5, 2), args.Near(1),
		args.Positive(args.Magnitudes(-1074, 1024)),
		args.Positive(args.Multiples(0x1p-1074, 1000)), args.Positive(args.Multiples(1, 1<<20)),
		args.Positive(args.AnyBits), args.AnyBits}
	log1pKinds = []args.Kind{args.Between(-1, 1), args.Between(0, 1000), args.Magnitudes(-60, 60),
		args.Between(-0x1p-9, 0x1p-9),
		args.Near(-1), args.Positive(args.Magnitudes(-1074, 1024)), args.Magnitudes(-1074, 0),
		args.AnyBits}
)

func TestLog(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "log", Log, logKinds...)
}

func TestLog2(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "log2", Log2, logKinds...)
}

func TestLog10(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "log10", Log10, logKinds...)
}

func TestLog1p(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "log1p", Log1p, log1pKinds...)
}

// TestLogSpecial tests the special cases, which the formulas do not cover.
func TestLogSpecial(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	functions := map[string]func(float64) float64{"Log": Log, "Log2": Log2, "Log10": Log10}
	for name, f := range functions {
		for _, c := range []struct{ x, want float64 }{
			{inf, inf}, {-inf, nan}, {nan, nan}, {0, -inf}, {zero, -inf}, {-1, nan}, {-5e-324, nan},
			{-math.MaxFloat64, nan}, {1, 0},
		} {
			if got := f(c.x); !args.Identical(got, c.want) {
				t.Errorf("%s(%v) = %v, want %v", name, c.x, got, c.want)
			}
		}
	}
	for _, c := range []struct{ x, want float64 }{
		{inf, inf}, {-inf, nan}, {nan, nan}, {0, 0}, {zero, zero}, {-1, -inf}, {-2, nan},
		{5e-324, 5e-324}, {-5e-324, -5e-324},
		{math.Nextafter(-1, -2), nan}, {-math.MaxFloat64, nan},
	} {
		if got := Log1p(c.x); !args.Identical(got, c.want) {
			t.Errorf("Log1p(%v) = %v, want %v", c.x, got, c.want)
		}
	}
	for k := -1074; k < 1024; k++ {
		if got := Log2(math.Ldexp(1, k)); !args.Identical(got, float64(k)) {
			t.Errorf("Log2(2^%d) = %v", k, got)
		}
	}
	for k := range 23 {
		if got := Log10(parse(t, k)); !args.Identical(got, float64(k)) {
			t.Errorf("Log10(10^%d) = %v", k, got)
		}
	}
}

// TestLogPolynomials is TestExpPolynomials for logarithms.
func TestLogPolynomials(t *testing.T) {
	taylor := tables.Log1pSeries(120)[3:]
	check(t, "log",
		tables.Bound(taylor, []float64{logC3, logC4, logC5, logC6, logC7, logC8},
			logRadius)*(logRadius*logRadius*logRadius), 0.2*0x1p-76)
	check(t, "log1p",
		tables.Bound(taylor, []float64{log1pC3, log1pC4, log1pC5, log1pC6, log1pC7}, 0x1p-10),
		0.8*0x1p-53/3)
}

// TestHardLog is TestHardExp for logarithms.
func TestHardLog(t *testing.T) {
	t.Parallel()
	hardAgainstMPFR(t, "log", Log)
	hardAgainstMPFR(t, "log2", Log2)
	hardAgainstMPFR(t, "log10", Log10)
	hardAgainstMPFR(t, "log1p", Log1p)
}

func TestGoldenLog(t *testing.T) {
	golden(t, "Log", Log, 0xa4855b64ae773345, append(logKinds, hardOnes(t, "log"))...)
	golden(t, "Log2", Log2, 0x6e660b7d65729afd, append(logKinds, hardOnes(t, "log2"))...)
	golden(t, "Log10", Log10, 0xb216b593a138bdb2, append(logKinds, hardOnes(t, "log10"))...)
	golden(t, "Log1p", Log1p, 0xb10d2c25f92ecd9b, append(log1pKinds, hardOnes(t, "log1p"))...)
}

func TestLogAllocatesNothing(t *testing.T) {
	for _, f := range []func(float64) float64{Log, Log2, Log10, Log1p, logAccurate, log2Accurate,
		log10Accurate, log1pAccurate} {
		allocatesNothing(t, f, 0.3, 1.0001, 1e-3, 300)
	}
}
