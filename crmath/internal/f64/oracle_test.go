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

// withNeighbours returns x and two neighbours on either side, of either sign.
func withNeighbours(x float64) (all []float64) {
	u := math.Float64bits(math.Abs(x))
	for v := max(u, 2) - 2; v <= u+2; v++ {
		y := math.Float64frombits(v)
		all = append(all, y, -y)
	}
	return all
}

// bordersInEveryMode compares f with MPFR's function of that name in all
// directions: on special arguments, on those given, and on their neighbours.
func bordersInEveryMode(t *testing.T, name string, f directedFunction, borders ...float64) {
	t.Helper()
	correct := oracle.Rounded(t, name)
	for _, border := range append(borders, specials...) {
		for _, x := range withNeighbours(border) {
			compareModes(t, name, f, correct, x, fp.NearestEven)
			compareModes(t, name, f, correct, x, directions...)
		}
	}
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

// A directedPair is a function of two arguments in every direction.
type directedPair func(x, y float64, m fp.Mode) float64

// compareModes2 is compareModes for two arguments.
func compareModes2(t *testing.T, name string, f, correct directedPair, x, y float64,
	modes ...fp.Mode) {
	t.Helper()
	for _, m := range modes {
		if got, want := f(x, y, m), correct(x, y, m); !args.Identical(got, want) {
			t.Fatalf("%s(%x, %x, %v) = %x, want %x", name, x, y, m, got, want)
		}
	}
}

// everyMode2 is everyMode for two arguments.
func everyMode2(t *testing.T, name string, f directedPair, kinds ...pairs) {
	t.Helper()
	correct := oracle.Rounded2(t, name)
	rng := args.Generator(name)
	for i := range args.SampleSize(t) {
		x, y := kinds[i%len(kinds)](rng)
		compareModes2(t, name, f, correct, x, y, fp.NearestEven,
			directions[rng.IntN(len(directions))])
	}
	for _, x := range args.Hard(t, name) {
		compareModes2(t, name, f, correct, x[0], x[1], fp.NearestEven)
		compareModes2(t, name, f, correct, x[0], x[1], directions...)
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
	goldenOf(t, name, want, func(i int, rng *rand.Rand) float64 {
		return f(kinds[i%len(kinds)](rng))
	})
}

// goldenModes is golden for all directions except to nearest.
func goldenModes(t *testing.T, name string, f directedFunction, want uint64, kinds ...args.Kind) {
	t.Helper()
	goldenOf(t, name+", directed", want, func(i int, rng *rand.Rand) float64 {
		return f(kinds[i%len(kinds)](rng), directions[i/len(kinds)%len(directions)])
	})
}

// goldenOf compares a hash of results, each of the i-th argument drawn.
func goldenOf(t *testing.T, name string, want uint64, result func(i int, rng *rand.Rand) float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	h := fnv.New64a()
	for i := range 16_384 {
		y := result(i, rng)
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

// accuratePath returns the accurate path of a function whose kernel needs no
// guess.
func accuratePath(f wide.Function) func(float64) float64 {
	return func(x float64) float64 { return f.Rounded(x, 0, fp.NearestEven) }
}

// special is a result that is the same in every direction.
type special struct{ x, want float64 }

// inEveryDirection tests special cases in all directions.
func inEveryDirection(t *testing.T, f directedFunction, cases []special) {
	t.Helper()
	for _, c := range cases {
		for _, m := range append(directions, fp.NearestEven) {
			if got := f(c.x, m); !args.Identical(got, c.want) {
				t.Errorf("%x, %v: %x, want %x", c.x, m, got, c.want)
			}
		}
	}
}

// integersInEveryMode compares the results of the integers in [a, b) in all
// directions with MPFR's.
func integersInEveryMode(t *testing.T, name string, f directedFunction, a, b int) {
	t.Helper()
	correct := oracle.Rounded(t, name)
	for k := a; k < b; k++ {
		compareModes(t, name, f, correct, float64(k), fp.NearestEven)
		compareModes(t, name, f, correct, float64(k), directions...)
	}
}
