package f64

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/fp"
)

// calls are the functions for single calls, what they compute, and what they
// are compiled from, by the names of the slice functions.
var calls = map[string]struct {
	fast, one func(x float64, m fp.Mode) float64
	call      func(x float64) (float64, bool)
}{
	"exp": {FastExp, Exp, expCall}, "exp2": {FastExp2, Exp2, exp2Call},
	"exp10": {FastExp10, Exp10, exp10Call}, "expm1": {FastExpm1, Expm1, expm1Call},
	"log": {FastLog, Log, logCall}, "log2": {FastLog2, Log2, log2Call},
	"log10": {FastLog10, Log10, log10Call}, "log1p": {FastLog1p, Log1p, log1pCall},
	"sin": {FastSin, Sin, sinCall}, "cos": {FastCos, Cos, cosCall},
	"tan": {FastTan, Tan, tanCall}, "asin": {FastAsin, Asin, asinCall},
	"acos": {FastAcos, Acos, acosCall}, "atan": {FastAtan, Atan, atanCall},
	"sinh": {FastSinh, Sinh, sinhCall}, "cosh": {FastCosh, Cosh, coshCall},
	"tanh": {FastTanh, Tanh, tanhCall}, "asinh": {FastAsinh, Asinh, asinhCall},
	"acosh": {FastAcosh, Acosh, acoshCall}, "atanh": {FastAtanh, Atanh, atanhCall},
	"cbrt": {FastCbrt, Cbrt, cbrtCall},
}

// pairCalls are the functions of two arguments, in the order of planes: x
// first.
var pairCalls = map[string]struct {
	fast, one func(x, y float64, m fp.Mode) float64
	call      func(x, y float64) (float64, bool)
}{
	"pow": {FastPow, Pow, powCall}, "hypot": {FastHypot, Hypot, hypotCall},
	"atan2": {
		func(x, y float64, m fp.Mode) float64 { return FastAtan2(y, x, m) },
		func(x, y float64, m fp.Mode) float64 { return Atan2(y, x, m) }, atan2Call,
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
// themselves, in every direction, and with the Go code that they are compiled
// from, which has to decide almost all typical arguments.
func TestCalls(t *testing.T) {
	for _, f := range sliceFunctions {
		c := calls[f.name]
		rng := args.Generator("calls of " + f.name)
		kinds := append(slices.Clone(f.kinds), hardOnes(t, f.name), halfSteps, halfSteps)
		for i, x := range drawn(rng, args.SampleSize(t)/10, kinds) {
			m := fp.NearestEven
			if i%8 == 0 {
				m = directions[i/8%len(directions)]
			}
			if got, want := c.fast(x, m), c.one(x, m); !args.Identical(got, want) {
				t.Errorf("%s(%x), %v: %x, want %x", f.name, x, m, got, want)
			}
			if got, ok := c.call(x); ok && !args.Identical(got, f.one(x)) {
				t.Errorf("%sCall(%x) = %x, want %x", f.name, x, got, f.one(x))
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

// TestPairCalls is TestCalls for two arguments.
func TestPairCalls(t *testing.T) {
	for _, f := range slicePairs {
		c := pairCalls[f.name]
		rng := args.Generator("calls of " + f.name)
		x, y := drawnPairs(rng, args.SampleSize(t)/10, f.kinds, f.hardPairs(t))
		for i, a := range x {
			b, m := y[i], fp.NearestEven
			if i%8 == 0 {
				m = directions[i/8%len(directions)]
			}
			if got, want := c.fast(a, b, m), c.one(a, b, m); !args.Identical(got, want) {
				t.Errorf("%s(%x, %x), %v: %x, want %x", f.name, a, b, m, got, want)
			}
			if got, ok := c.call(a, b); ok && !args.Identical(got, f.one(a, b)) {
				t.Errorf("%sCall(%x, %x) = %x, want %x", f.name, a, b, got, f.one(a, b))
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
		if refused < 40 {
			t.Errorf("%s: only %d hard arguments are undecided", name, refused)
		}
	}
}
