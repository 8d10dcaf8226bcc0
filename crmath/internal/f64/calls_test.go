package f64

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
)

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
	for _, f := range unaryRows {
		rng := args.Generator("calls of " + f.name)
		kinds := append(slices.Clone(f.kinds), hardOnes(t, f.name), halfSteps, halfSteps)
		for _, x := range drawn(rng, args.SampleSize(t)/10, kinds) {
			want := f.one(x)
			if got := f.fast(x); !args.Identical(got, want) {
				t.Errorf("%s(%x) = %x, want %x", f.name, x, got, want)
			}
			if got, ok := f.call(x); ok && !args.Identical(got, want) {
				t.Errorf("%sCall(%x) = %x, want %x", f.name, x, got, want)
			}
		}
		decided, n := 0, 20_000
		for range n {
			if _, ok := f.call(f.typical(rng)); ok {
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
	for _, f := range pairRows {
		rng := args.Generator("calls of " + f.name)
		x, y := drawnPairs(rng, args.SampleSize(t)/10, f.kinds, f.hardPairs(t))
		for i, a := range x {
			b := y[i]
			want := f.one(a, b)
			if got := f.fast(a, b); !args.Identical(got, want) {
				t.Errorf("%s(%x, %x) = %x, want %x", f.name, a, b, got, want)
			}
			if got, ok := f.call(a, b); ok && !args.Identical(got, want) {
				t.Errorf("%sCall(%x, %x) = %x, want %x", f.name, a, b, got, want)
			}
		}
		decided, n := 0, 20_000
		for range n {
			if _, ok := f.call(f.typical(rng)); ok {
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
	for _, f := range unaryRows {
		refused := 0
		for _, x := range args.Hard(t, f.name) {
			if _, ok := f.call(x[0]); !ok {
				refused++
			}
		}
		if refused < 40 && f.name != "rec_sqrt" { // whose error is below any distance
			t.Errorf("%s: only %d hard arguments are undecided", f.name, refused)
		}
	}
}

// TestCallsLinear tries arguments whose results are proportional to them, next
// to subnormal numbers and among them.
func TestCallsLinear(t *testing.T) {
	rng := args.Generator("linear calls")
	linear := strings.Fields("exp2m1 exp10m1 log2p1 log10p1 sinpi tanpi asinpi atanpi erf")
	for _, f := range unaryRows {
		if !slices.Contains(linear, f.name) {
			continue
		}
		refused := 0
		for range 20_000 {
			x := args.Magnitudes(-1074, -1015)(rng)
			want := f.one(x)
			if got := f.fast(x); !args.Identical(got, want) {
				t.Errorf("%s(%x) = %x, want %x", f.name, x, got, want)
			}
			got, ok := f.call(x)
			if !ok {
				refused++
			} else if !args.Identical(got, want) {
				t.Errorf("%sCall(%x) = %x, want %x", f.name, x, got, want)
			}
		}
		if refused > 20 {
			t.Errorf("%s: %d calls are undecided", f.name, refused)
		}
	}
}
