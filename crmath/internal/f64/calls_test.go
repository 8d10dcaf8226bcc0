package f64

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
)

// calls are the functions for single calls, what they compute, and what they
// are compiled from, by the names of the slice functions.
var calls = map[string]struct {
	fast, one func(x float64) float64
	call      func(x float64) (float64, bool)
}{
	"exp": {FastExp, nearestExp, expCall}, "exp2": {FastExp2, nearestExp2, exp2Call},
	"exp10": {FastExp10, nearestExp10, exp10Call}, "expm1": {FastExpm1, nearestExpm1, expm1Call},
	"log": {FastLog, nearestLog, logCall}, "log2": {FastLog2, nearestLog2, log2Call},
	"log10": {FastLog10, nearestLog10, log10Call}, "log1p": {FastLog1p, nearestLog1p, log1pCall},
	"sin": {FastSin, nearestSin, sinCall}, "cos": {FastCos, nearestCos, cosCall},
	"tan": {FastTan, nearestTan, tanCall}, "asin": {FastAsin, nearestAsin, asinCall},
	"acos": {FastAcos, nearestAcos, acosCall}, "atan": {FastAtan, nearestAtan, atanCall},
	"sinh": {FastSinh, nearestSinh, sinhCall}, "cosh": {FastCosh, nearestCosh, coshCall},
	"tanh": {FastTanh, nearestTanh, tanhCall}, "asinh": {FastAsinh, nearestAsinh, asinhCall},
	"acosh": {FastAcosh, nearestAcosh, acoshCall}, "atanh": {FastAtanh, nearestAtanh, atanhCall},
	"cbrt": {FastCbrt, nearestCbrt, cbrtCall}, "erf": {FastErf, nearestErf, erfCall},
	"erfc": {FastErfc, nearestErfc, erfcCall}, "gamma": {FastGamma, nearestGamma, gammaCall},
	"lgamma":  {FastLgamma, nearestLgamma, lgammaCall},
	"exp2m1":  {FastExp2m1, nearestExp2m1, exp2m1Call},
	"exp10m1": {FastExp10m1, nearestExp10m1, exp10m1Call},
	"log2p1":  {FastLog2p1, nearestLog2p1, log2p1Call},
	"log10p1": {FastLog10p1, nearestLog10p1, log10p1Call},
	"sinpi":   {FastSinpi, nearestSinpi, sinpiCall}, "cospi": {FastCospi, nearestCospi, cospiCall},
	"tanpi":    {FastTanpi, nearestTanpi, tanpiCall},
	"asinpi":   {FastAsinpi, nearestAsinpi, asinpiCall},
	"acospi":   {FastAcospi, nearestAcospi, acospiCall},
	"atanpi":   {FastAtanpi, nearestAtanpi, atanpiCall},
	"rec_sqrt": {FastRsqrt, nearestRsqrt, rsqrtCall},
}

// pairCalls are the functions of two arguments, in the order of planes: x
// first.
var pairCalls = map[string]struct {
	fast, one func(x, y float64) float64
	call      func(x, y float64) (float64, bool)
}{
	"pow": {FastPow, nearestPow, powCall}, "hypot": {FastHypot, nearestHypot, hypotCall},
	"atan2": {
		func(x, y float64) float64 { return FastAtan2(y, x) },
		func(x, y float64) float64 { return nearestAtan2(y, x) }, atan2Call,
	},
}

// leastDecided is the share of typical arguments that calls have to decide,
// without the function itself.
const leastDecided = 0.998

// halfSteps draws arguments next to the points of a table, which are 2^-7,
// π/256 or the like apart, and next to the ends of their intervals: there a
// product is largest beside the number from the table.
func halfSteps(rng *rand.Rand) float64 {
	steps := []float64{0x1p-7, math.Pi / 256, math.Ln2 / 256, math.Ln2 / math.Ln10 / 256, 0x1p-8}
	i := 0.5 * float64(1+rng.IntN(1<<rng.IntN(13)))
	off := math.Ldexp(rng.Float64()*2-1, -rng.IntN(40))
	return math.Copysign(i*steps[rng.IntN(len(steps))]*(1+off), rng.Float64()-0.5)
}

// TestCalls compares the functions for single calls with the functions
// themselves, and with the Go code that they are compiled from, which has to
// decide almost all typical arguments.
func TestCalls(t *testing.T) {
	tried := 0
	for _, f := range everySlice() {
		c, ok := calls[f.name]
		if !ok {
			continue
		}
		tried++
		rng := args.Generator("calls of " + f.name)
		kinds := append(slices.Clone(f.kinds), hardOnes(t, f.name), halfSteps, halfSteps)
		for _, x := range drawn(rng, args.SampleSize(t)/10, kinds) {
			want := c.one(x)
			if got := c.fast(x); !args.Identical(got, want) {
				t.Errorf("%s(%x) = %x, want %x", f.name, x, got, want)
			}
			if got, ok := c.call(x); ok && !args.Identical(got, want) {
				t.Errorf("%sCall(%x) = %x, want %x", f.name, x, got, want)
			}
		}
		decided, n := 0, 20_000
		for range n {
			if _, ok := c.call(f.typical(rng)); ok {
				decided++
			}
		}
		if float64(decided) < leastDecided*float64(n) {
			t.Errorf("%s decides only %d of %d", f.name, decided, n)
		}
	}
	if tried != len(calls) {
		t.Errorf("%d of %d functions have arguments", tried, len(calls))
	}
}

// TestPairCalls is TestCalls for two arguments.
func TestPairCalls(t *testing.T) {
	for _, f := range slicePairs {
		c := pairCalls[f.name]
		rng := args.Generator("calls of " + f.name)
		x, y := drawnPairs(rng, args.SampleSize(t)/10, f.kinds, f.hardPairs(t))
		for i, a := range x {
			b := y[i]
			want := c.one(a, b)
			if got := c.fast(a, b); !args.Identical(got, want) {
				t.Errorf("%s(%x, %x) = %x, want %x", f.name, a, b, got, want)
			}
			if got, ok := c.call(a, b); ok && !args.Identical(got, want) {
				t.Errorf("%sCall(%x, %x) = %x, want %x", f.name, a, b, got, want)
			}
		}
		decided, n := 0, 20_000
		for range n {
			if _, ok := c.call(f.typical(rng)); ok {
				decided++
			}
		}
		if float64(decided) < leastDecided*float64(n) {
			t.Errorf("%s decides only %d of %d", f.name, decided, n)
		}
	}
}

// TestCallsRefuse tries the rounding tests of the calls on arguments whose
// results are hardest to round: some have to stay undecided.
func TestCallsRefuse(t *testing.T) {
	for name, c := range calls {
		refused := 0
		for _, x := range args.Hard(t, name) {
			if _, ok := c.call(x[0]); !ok {
				refused++
			}
		}
		if refused < 40 && name != "rec_sqrt" { // whose error is below any distance
			t.Errorf("%s: only %d hard arguments are undecided", name, refused)
		}
	}
}

// TestCallsLinear tries arguments whose results are proportional to them, next
// to subnormal numbers and among them.
func TestCallsLinear(t *testing.T) {
	rng := args.Generator("linear calls")
	for _, name := range []string{"exp2m1", "exp10m1", "log2p1", "log10p1", "sinpi", "tanpi",
		"asinpi", "atanpi", "erf"} {
		c, refused := calls[name], 0
		for range 20_000 {
			x := args.Magnitudes(-1074, -1015)(rng)
			want := c.one(x)
			if got := c.fast(x); !args.Identical(got, want) {
				t.Errorf("%s(%x) = %x, want %x", name, x, got, want)
			}
			got, ok := c.call(x)
			if !ok {
				refused++
			} else if !args.Identical(got, want) {
				t.Errorf("%sCall(%x) = %x, want %x", name, x, got, want)
			}
		}
		if refused > 20 {
			t.Errorf("%s: %d calls are undecided", name, refused)
		}
	}
}
