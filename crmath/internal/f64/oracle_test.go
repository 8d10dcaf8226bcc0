package f64

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

// A directedFunction is a function of one argument in every direction.
type directedFunction func(x float64, m fp.Mode) float64

var directions = []fp.Mode{fp.TowardZero, fp.Up, fp.Down, fp.ToOdd}

// nearest returns f rounded to nearest.
func nearest(f directedFunction) func(float64) float64 {
	return func(x float64) float64 { return f(x, fp.NearestEven) }
}

// everyMode compares f with MPFR's function of that name, bit for bit, on
// arguments of all kinds in turn: to nearest, and in one other direction.
func everyMode(t *testing.T, name string, f directedFunction, kinds ...args.Kind) {
	t.Helper()
	correct := oracle.Rounded(t, name)
	rng := args.Generator(name)
	for i := range args.SampleSize(t) {
		x := kinds[i%len(kinds)](rng)
		compareModes(t, name, f, correct, x, fp.NearestEven, directions[rng.IntN(len(directions))])
	}
}

// compareModes compares one result in some directions.
func compareModes(t *testing.T, name string, f, correct directedFunction, x float64,
	modes ...fp.Mode) {
	t.Helper()
	for _, m := range modes {
		if got, want := f(x, m), correct(x, m); !args.Identical(got, want) {
			t.Fatalf("%s(%x, %v) = %x, want %x", name, x, m, got, want)
		}
	}
}

// hardInEveryMode compares the results of the hard arguments in all directions
// with MPFR's.
func hardInEveryMode(t *testing.T, name string, f directedFunction) {
	t.Helper()
	correct := oracle.Rounded(t, name)
	for _, x := range args.Hard(t, name) {
		compareModes(t, name, f, correct, x[0], fp.NearestEven)
		compareModes(t, name, f, correct, x[0], directions...)
	}
}

// againstMPFR compares f with MPFR's function of that name, bit for bit, on
// arguments of all kinds in turn.
func againstMPFR(t *testing.T, name string, f func(float64) float64, kinds ...args.Kind) {
	t.Helper()
	correct := oracle.Unary(t, name)
	rng := args.Generator(name)
	wrong := 0
	for i := range args.SampleSize(t) {
		x := kinds[i%len(kinds)](rng)
		if got, want := f(x), correct(x); !args.Identical(got, want) {
			t.Errorf("%s(%x) = %x, want %x (kind %d)", name, x, got, want, i%len(kinds))
			if wrong++; wrong == 10 {
				t.FailNow()
			}
		}
	}
}

// parse returns 10^k by the standard library's conversion, which is correctly
// rounded.
func parse(t *testing.T, k int) float64 {
	t.Helper()
	v, err := strconv.ParseFloat("1e"+strconv.Itoa(k), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// check fails where the error of a polynomial is above the allowance in a
// bound.
func check(t *testing.T, name string, got, want float64) {
	t.Helper()
	if got > want {
		t.Errorf("%s: the polynomial is off by up to 2^%.2f, where 2^%.2f is reckoned with", name,
			math.Log2(got), math.Log2(want))
	}
}

// golden compares a hash of f's results, on arguments of all kinds, with the
// hash that every machine gives. Correct rounding fixes it: it changes only
// with the arguments.
func golden(t *testing.T, name string, f func(float64) float64, want uint64, kinds ...args.Kind) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	h := fnv.New64a()
	for i := range 16_384 {
		y := f(kinds[i%len(kinds)](rng))
		if y != y {
			y = math.NaN()
		}
		h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(y)))
	}
	if got := h.Sum64(); got != want {
		t.Errorf("%s: hash %#x, want %#x", name, got, want)
	}
}

// allocatesNothing fails where a call allocates.
func allocatesNothing(t *testing.T, f func(float64) float64, arguments ...float64) {
	t.Helper()
	for _, x := range arguments {
		if n := testing.AllocsPerRun(100, func() { f(x) }); n != 0 {
			t.Errorf("%v allocations for %v", n, x)
		}
	}
}

// hardOnes draws the hard arguments of a function of one argument in turn.
func hardOnes(t *testing.T, name string) args.Kind {
	t.Helper()
	all, i := args.Hard(t, name), 0
	return func(*rand.Rand) float64 {
		i++
		return all[i%len(all)][0]
	}
}

// hardAgainstMPFR is againstMPFR for hard arguments.
func hardAgainstMPFR(t *testing.T, name string, f func(float64) float64) {
	t.Helper()
	correct := oracle.Unary(t, name)
	for _, x := range args.Hard(t, name) {
		if got, want := f(x[0]), correct(x[0]); !args.Identical(got, want) {
			t.Errorf("%s(%x) = %x, want %x", name, x[0], got, want)
		}
	}
}

// accuratePath returns the accurate path of a function whose kernel needs no
// guess.
func accuratePath(f wide.Function) func(float64) float64 {
	return func(x float64) float64 { return f.Rounded(x, 0, fp.NearestEven) }
}
