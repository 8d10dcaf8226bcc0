package f64

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/vector/vectortest"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/require"
)

// An intFunction is a function of a float64 and an integer in every direction.
type intFunction func(x float64, n int, m fp.Mode) float64

// intPairs draws the arguments of an intFunction.
type intPairs func(*rand.Rand) (x float64, n int)

// withInt draws the float64, and integers of either sign of up to that many
// bits.
func withInt(a args.Kind, bits int) intPairs {
	return func(rng *rand.Rand) (x float64, n int) {
		return a(rng), int(int64(rng.Uint64()) >> (64 - bits + rng.IntN(bits)))
	}
}

// withExponent draws x, and n so that n·ln(1+x) is near an exponent.
func withExponent(a, exponent args.Kind, plus1 bool) intPairs {
	return func(rng *rand.Rand) (x float64, n int) {
		x = a(rng)
		l := math.Log(math.Abs(x))
		if plus1 {
			l = math.Log1p(x)
		}
		if y := exponent(rng) / l; math.Abs(y) < 1<<62 {
			return x, int(int64(y))
		}
		return x, rng.IntN(100) - 50
	}
}

// exactInt draws g^k·2^e with small odd g, and n, or a neighbour of that.
func exactInt(rng *rand.Rand) (x float64, n int) {
	k := 1 + rng.IntN(8)
	g := 2*rng.Int64N(1<<(1+rng.IntN(max(1, 40/k)))) + 1
	x = 1
	for range k {
		x *= float64(g)
	}
	x = math.Ldexp(x, k*(rng.IntN(80)-40))
	n = []int{k, -k, 1, 2, -1, 3}[rng.IntN(6)]
	switch rng.IntN(6) {
	case 0:
		x = math.Nextafter(x, 0)
	case 1:
		x = math.Nextafter(x, math.Inf(1))
	case 2:
		x = -x
	}
	return x, n
}

// less1 draws x - 1, rounded.
func less1(f intPairs) intPairs {
	return func(rng *rand.Rand) (x float64, n int) {
		x, n = f(rng)
		return x - 1, n
	}
}

var (
	pownKinds = []intPairs{withInt(args.Between(-10, 10), 8), withInt(args.Near(1), 64),
		withInt(args.AnyBits, 6), withInt(args.Magnitudes(-1074, 1024), 3), exactInt,
		withExponent(args.Near(1), args.Between(-750, 715), false),
		withExponent(args.Near(-1), args.Between(-750, 715), false),
		withExponent(args.Magnitudes(-300, 300), args.Between(-746, -707), false),
		withExponent(args.Magnitudes(-300, 300), args.Between(706, 711), false)}
	compoundKinds = []intPairs{withInt(args.Between(-1, 10), 8), withInt(args.Near(0), 64),
		withInt(args.Between(-0x1p-9, 0x1p-9), 16), withInt(args.Near(-1), 6),
		withInt(args.Positive(args.Magnitudes(-1074, 1024)), 3),
		withInt(args.Magnitudes(-80, 60), 5),
		less1(exactInt), exactInt, withInt(args.AnyBits, 6),
		withInt(args.Multiples(0x1p-8, 1<<9), 5),
		withExponent(args.Magnitudes(-60, -1), args.Between(-750, 715), true),
		withExponent(args.Between(-0.99, 100), args.Between(-746, -707), true),
		withExponent(args.Between(-0.99, 100), args.Between(706, 711), true)}
	rootnKinds = []intPairs{withInt(args.Between(-10, 10), 8), withInt(args.Near(1), 64),
		withInt(args.AnyBits, 6), withInt(args.Magnitudes(-1074, 1024), 3), exactInt,
		withInt(args.AnyBits, 64), withInt(args.Multiples(0x1p-1074, 1<<20), 5),
		withInt(args.Multiples(1, 1<<12), 5),
		func(rng *rand.Rand) (x float64, n int) {
			return math.Ldexp(1, rng.IntN(2098)-1074), rng.IntN(61) - 30
		}}
)

// everyModeInt is everyMode for an intFunction.
func everyModeInt(t *testing.T, name string, f intFunction, kinds ...intPairs) {
	t.Helper()
	correct := oracle.RoundedInt(t, name)
	rng := args.Generator(name)
	for i := range args.SampleSize(t) {
		x, n := kinds[i%len(kinds)](rng)
		for _, m := range []fp.Mode{fp.NearestEven, directions[rng.IntN(len(directions))]} {
			if got, want := f(x, n, m), correct(x, n, m); !args.Identical(got, want) {
				t.Fatalf("%s(%x, %d, %v) = %x, want %x (kind %d)", name, x, n, m, got, want,
					i%len(kinds))
			}
		}
	}
}

func TestPown(t *testing.T) {
	t.Parallel()
	everyModeInt(t, "pow_si", Pown, pownKinds...)
}

func TestCompound(t *testing.T) {
	t.Parallel()
	everyModeInt(t, "compound_si", Compound, compoundKinds...)
}

func TestRootn(t *testing.T) {
	t.Parallel()
	everyModeInt(t, "rootn_si", Rootn, rootnKinds...)
}

// TestIntegerPowerSpecial tests the special cases of IEEE 754, which are the
// same in every direction.
func TestIntegerPowerSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	zero := math.Copysign(0, -1)
	const most, least = math.MaxInt, math.MinInt // odd and even
	for _, c := range []struct {
		f       intFunction
		n       int
		results []special
	}{
		{Pown, 0, []special{{0, 1}, {zero, 1}, {inf, 1}, {-inf, 1}, {nan, 1}, {3, 1}}},
		{Pown, 1, []special{{0, 0}, {zero, zero}, {inf, inf}, {-inf, -inf}, {nan, nan}, {3, 3},
			{5e-324, 5e-324}, {-math.MaxFloat64, -math.MaxFloat64}}},
		{Pown, 2, []special{{0, 0}, {zero, 0}, {inf, inf}, {-inf, inf}, {nan, nan}, {-3, 9}}},
		{Pown, -1, []special{{0, inf}, {zero, -inf}, {inf, 0}, {-inf, zero}, {nan, nan}, {-2, -0.5},
			{0x1p1023, 0x1p-1023}}},
		{Pown, -2, []special{{0, inf}, {zero, inf}, {inf, 0}, {-inf, 0}, {-2, 0.25}}},
		{Pown, most, []special{{0, 0}, {zero, zero}, {inf, inf}, {-inf, -inf}, {-1, -1}, {1, 1},
			{nan, nan}}},
		{Pown, least, []special{{0, inf}, {zero, inf}, {inf, 0}, {-inf, 0}, {-1, 1}, {1, 1}}},
		{Compound, 0, []special{{0, 1}, {-1, 1}, {inf, 1}, {nan, 1}, {-0.5, 1}, {-1.5, nan},
			{-inf, nan}}},
		{Compound, 1, []special{{0, 1}, {zero, 1}, {-1, 0}, {inf, inf}, {nan, nan}, {-2, nan},
			{-inf, nan}, {0.5, 1.5}}},
		{Compound, -1, []special{{0, 1}, {zero, 1}, {-1, inf}, {inf, 0}, {nan, nan}, {-2, nan},
			{1, 0.5}, {-0.5, 2}}},
		{Compound, most, []special{{0, 1}, {-1, 0}, {inf, inf}, {nan, nan}, {-2, nan}}},
		{Compound, least, []special{{0, 1}, {-1, inf}, {inf, 0}, {nan, nan}, {-2, nan}}},
		{Rootn, 0, []special{{0, nan}, {1, nan}, {inf, nan}, {-1, nan}, {nan, nan}}},
		{Rootn, 1, []special{{0, 0}, {zero, zero}, {inf, inf}, {-inf, -inf}, {nan, nan}, {-3, -3},
			{5e-324, 5e-324}}},
		{Rootn, 2, []special{{0, 0}, {zero, 0}, {inf, inf}, {-inf, nan}, {-1, nan}, {9, 3}}},
		{Rootn, 3, []special{{0, 0}, {zero, zero}, {inf, inf}, {-inf, -inf}, {-27, -3}}},
		{Rootn, -1, []special{{0, inf}, {zero, -inf}, {inf, 0}, {-inf, zero}, {-2, -0.5}}},
		{Rootn, -2, []special{{0, inf}, {zero, inf}, {inf, 0}, {-inf, nan}, {4, 0.5}, {-4, nan}}},
		{Rootn, most, []special{{0, 0}, {zero, zero}, {inf, inf}, {-inf, -inf}, {-1, -1}}},
		{Rootn, least, []special{{0, inf}, {zero, inf}, {inf, 0}, {-inf, nan}, {-1, nan}, {1, 1}}},
	} {
		inEveryDirection(t, func(x float64, m fp.Mode) float64 { return c.f(x, c.n, m) }, c.results)
	}
}

// TestCompoundLarge tests (1+2^e)^n, which is next to 2^(e·n), in the direction
// of n, with more bits than any precision has.
func TestCompoundLarge(t *testing.T) {
	for e := 60; e < 1024; e++ {
		x := math.Ldexp(1, e)
		for _, n := range []int{-2, -1, 1, 2, 3} {
			power := math.Ldexp(1, e*n)
			up, down := math.Nextafter(power, math.Inf(1)), power
			switch {
			case e*n == 1024: // the largest number is the next one below
				up, down = power, math.MaxFloat64
			case e*n > 1024 || e*n < -1074:
				continue
			case n < 0:
				up, down = power, math.Nextafter(power, 0)
			}
			for m, want := range map[fp.Mode]float64{fp.Up: up, fp.Down: down,
				fp.TowardZero: down, fp.NearestEven: power} {
				if got := Compound(x, n, m); !args.Identical(got, want) {
					t.Fatalf("Compound(2^%d, %d, %v) = %x, want %x", e, n, m, got, want)
				}
			}
		}
	}
}

// TestIntegerPowerBounds compares the errors of the exponents with their
// bounds.
func TestIntegerPowerBounds(t *testing.T) {
	rng := args.Generator("integerPowerBounds")
	var plus, over float64
	for i := range 20_000 {
		x := math.Ldexp(1+rng.Float64(), rng.IntN(50)-40)
		if i%2 == 0 {
			x = -x
		}
		var z, d wide.Float
		if x > -1 {
			wide.Log1p.Set(&z, x, 0, wide.First)
			hi, lo, e := logPlus1(x)
			plus = max(plus, within(t, "logPlus1", x, hi, lo, e/2.01, &z))
		}
		x, n := rootnKinds[[]int{0, 1, 3}[i%3]](rng)
		if x = math.Abs(x); x == 0 || x == 1 || n == 0 {
			continue
		}
		wide.Log.Set(&z, x, 0, wide.First)
		d.SetInt(int64(n), wide.First+1)
		z.Div(&z, &d, wide.First+1)
		hi, lo := logOver(x, n)
		over = max(over, within(t, "logOver", x, hi, lo, rootErr/2.01, &z))
	}
	t.Logf("largest errors over their bounds: %.2f %.2f", plus, over)
	atLeast(t, "logPlus1", plus, 0.05)
	atLeast(t, "logOver", over, 0.02)
}

func TestGoldenIntegerPowers(t *testing.T) {
	// Kinds that call package math's Log are left out: their arguments are not
	// the same everywhere.
	result := func(f intFunction, kinds []intPairs) func(i int, rng *rand.Rand) float64 {
		return func(i int, rng *rand.Rand) float64 {
			x, n := kinds[i%len(kinds)](rng)
			n = int(int32(n)) // an int may have 32 bits
			return f(x, n, append(directions, fp.NearestEven)[i/len(kinds)%5])
		}
	}
	goldenOf(t, "Pown", 0x71caa644c51128b, result(Pown, pownKinds[:5]))
	goldenOf(t, "Compound", 0xba28e1ef2b668cd4, result(Compound, compoundKinds[:10]))
	goldenOf(t, "Rootn", 0x6a43057ac022b470, result(Rootn, rootnKinds))
}

func TestIntegerPowersAllocateNothing(t *testing.T) {
	for _, f := range []intFunction{Pown, Compound, Rootn} {
		for _, n := range []int{3, -7, 1 << 20, math.MaxInt} {
			up := func(x float64) float64 { return f(x, n, fp.Up) }
			allocatesNothing(t, up, 0.3, 2, 1e-15, 1e300)
		}
	}
}

// TestIntSlices compares slices of functions of a number and an integer with
// single calls.
func TestIntSlices(t *testing.T) {
	x := drawn(args.Generator("integers"), 700, append(slices.Clone(powerBases), halfSteps))
	dst := make([]float64, len(x))
	for _, f := range integerRows {
		for _, n := range []int{0, 1, -1, 2, 3, 5, -7, 100, 1001, math.MaxInt, math.MinInt} {
			f.slice(dst, x, n)
			vectortest.Same(t, f.name, dst, x,
				func(x float64) float64 { return f.one(x, n, fp.NearestEven) })
		}
		if require.Race {
			continue // the race detector allocates
		}
		if n := testing.AllocsPerRun(10, func() { f.slice(dst, x, 3) }); n != 0 {
			t.Errorf("%s: %v allocations", f.name, n)
		}
	}
}

// powerBases are numbers with powers in the range of float64, and others.
var powerBases = []args.Kind{args.Between(-2, 2), args.Between(0, 10), args.Magnitudes(-20, 20),
	args.Near(1)}
