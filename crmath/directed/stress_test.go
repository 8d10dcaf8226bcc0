package directed_test

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/directed"
	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/hardest"
)

// A function is a function of one argument, with MPFR's name. Where it is
// neither constant nor next to its limits, exponents are from lo to hi.
// near is the function to nearest, which may have code of its own.
type function struct {
	name   string
	f      func(float64, fp.Mode) float64
	near   func(float64) float64
	lo, hi int
}

var functions = []function{
	{"exp", directed.Exp, crmath.Exp, -54, 10},
	{"exp2", directed.Exp2, crmath.Exp2, -54, 11},
	{"exp10", directed.Exp10, crmath.Exp10, -54, 9},
	{"expm1", directed.Expm1, crmath.Expm1, -54, 10},
	{"exp2m1", directed.Exp2m1, crmath.Exp2m1, -54, 11},
	{"exp10m1", directed.Exp10m1, crmath.Exp10m1, -54, 9},
	{"log", directed.Log, crmath.Log, -1074, 1024},
	{"log2", directed.Log2, crmath.Log2, -1074, 1024},
	{"log10", directed.Log10, crmath.Log10, -1074, 1024},
	{"log1p", directed.Log1p, crmath.Log1p, -54, 1024},
	{"log2p1", directed.Log2p1, crmath.Log2p1, -54, 1024},
	{"log10p1", directed.Log10p1, crmath.Log10p1, -54, 1024},
	{"sin", directed.Sin, crmath.Sin, -28, 1024},
	{"cos", directed.Cos, crmath.Cos, -28, 1024},
	{"tan", directed.Tan, crmath.Tan, -28, 1024},
	{"sinpi", directed.Sinpi, crmath.Sinpi, -60, 53},
	{"cospi", directed.Cospi, crmath.Cospi, -28, 53},
	{"tanpi", directed.Tanpi, crmath.Tanpi, -60, 53},
	{"asin", directed.Asin, crmath.Asin, -28, 1},
	{"acos", directed.Acos, crmath.Acos, -54, 1},
	{"atan", directed.Atan, crmath.Atan, -28, 54},
	{"asinpi", directed.Asinpi, crmath.Asinpi, -60, 1},
	{"acospi", directed.Acospi, crmath.Acospi, -54, 1},
	{"atanpi", directed.Atanpi, crmath.Atanpi, -60, 54},
	{"sinh", directed.Sinh, crmath.Sinh, -28, 10},
	{"cosh", directed.Cosh, crmath.Cosh, -28, 10},
	{"tanh", directed.Tanh, crmath.Tanh, -28, 6},
	{"asinh", directed.Asinh, crmath.Asinh, -28, 1024},
	{"acosh", directed.Acosh, crmath.Acosh, 0, 1024},
	{"atanh", directed.Atanh, crmath.Atanh, -28, 1},
	{"cbrt", directed.Cbrt, crmath.Cbrt, -1074, 1024},
	{"rec_sqrt", directed.Rsqrt, crmath.Rsqrt, -1074, 1024},
	{"erf", directed.Erf, crmath.Erf, -54, 4},
	{"erfc", directed.Erfc, crmath.Erfc, -54, 5},
	{"gamma", directed.Gamma, crmath.Gamma, -54, 8},
}

// kinds returns the kinds of arguments of a function, in equal shares: its own
// binades, numbers around 1, a range of common use, and any bits.
func (f function) kinds() []args.Kind {
	return []args.Kind{args.Magnitudes(f.lo, f.hi), args.Magnitudes(-4, 4), args.Between(-20, 20),
		args.AnyBits}
}

// tally counts the arguments of a function.
type tally struct {
	name  string
	count int
	wrong [fp.ToOdd + 1]int
}

// check compares the results for one argument in every direction with the right
// ones, and fails where one differs. With its log a test that takes hours shows
// how far it is.
func (c *tally) check(t *testing.T, f func(fp.Mode) float64, want [fp.ToOdd + 1]float64,
	arguments ...any) {
	t.Helper()
	for m := range want {
		if got := f(fp.Mode(m)); !args.Identical(got, want[m]) {
			if c.wrong[m]++; c.wrong[m] <= 3 {
				t.Errorf("%s%x %v = %x, want %x", c.name, arguments, fp.Mode(m), got, want[m])
			}
		}
	}
	const step = 10_000_000
	if c.count++; c.count%step == 0 {
		c.log(t)
	}
}

// checkNear compares a result to nearest.
func (c *tally) checkNear(t *testing.T, got float64, want [fp.ToOdd + 1]float64, arguments ...any) {
	t.Helper()
	if right := want[fp.NearestEven]; !args.Identical(got, right) {
		if c.wrong[fp.NearestEven]++; c.wrong[fp.NearestEven] <= 3 {
			t.Errorf("%s%x = %x, want %x", c.name, arguments, got, right)
		}
	}
}

func (c *tally) log(t *testing.T) {
	t.Helper()
	t.Logf("%s: %d arguments; wrong: nearest %d, toward zero %d, up %d, down %d, odd %d", c.name,
		c.count, c.wrong[fp.NearestEven], c.wrong[fp.TowardZero], c.wrong[fp.Up],
		c.wrong[fp.Down], c.wrong[fp.ToOdd])
}

// sampleSize returns the number of arguments of a function: that of
// LASTBIT_STRESS, or else few, as package f64 has tests of its own.
func sampleSize(t *testing.T) int {
	n := args.SampleSize(t)
	if os.Getenv("LASTBIT_STRESS") == "" {
		n /= 50
	}
	return n
}

// TestStress compares every function of one argument with MPFR in every
// direction: on random arguments, and on those hardest to round.
func TestStress(t *testing.T) {
	for _, f := range functions {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			correct := oracle.EveryDirection(t, f.name)
			c := tally{name: f.name}
			check := func(x float64) {
				want := correct(x)
				c.check(t, func(m fp.Mode) float64 { return f.f(x, m) }, want, x)
				c.checkNear(t, f.near(x), want, x)
			}
			hard, _ := hardest.Arguments(f.name)
			for _, x := range hard {
				check(x)
				check(-x)
			}
			kinds := f.kinds()
			portions(t, f.name, func(rng *rand.Rand, i int) { check(kinds[i%len(kinds)](rng)) })
			c.log(t)
		})
	}
}

// TestStressSincos compares both results with those of Sin and Cos.
func TestStressSincos(t *testing.T) {
	t.Parallel()
	sine, cosine := oracle.EveryDirection(t, "sin"), oracle.EveryDirection(t, "cos")
	sines, cosines := tally{name: "sincos, sine"}, tally{name: "sincos, cosine"}
	kinds := function{lo: -28, hi: 1024}.kinds()
	portions(t, "sincos", func(rng *rand.Rand, i int) {
		x := kinds[i%len(kinds)](rng)
		var s, c [fp.ToOdd + 1]float64
		for m := range s {
			s[m], c[m] = directed.Sincos(x, fp.Mode(m))
		}
		sines.check(t, func(m fp.Mode) float64 { return s[m] }, sine(x), x)
		cosines.check(t, func(m fp.Mode) float64 { return c[m] }, cosine(x), x)
	})
	sines.log(t)
	cosines.log(t)
}

// TestStressPairs is TestStress for functions of two arguments.
func TestStressPairs(t *testing.T) {
	for _, f := range []struct {
		name string
		f    func(x, y float64, m fp.Mode) float64
		near func(x, y float64) float64
		x, y []args.Kind
	}{
		{"pow", directed.Pow, crmath.Pow,
			[]args.Kind{args.Positive(args.Magnitudes(-6, 6)), args.Between(0, 10),
				args.Magnitudes(-1074, 1024), args.Near(1), args.AnyBits},
			[]args.Kind{args.Magnitudes(-6, 6), args.Between(-10, 10), args.Magnitudes(-20, 11),
				args.Magnitudes(-8, 60), args.AnyBits, args.Multiples(0.5, 40)}},
		{"atan2", directed.Atan2, crmath.Atan2,
			[]args.Kind{args.Magnitudes(-8, 8), args.Between(-10, 10), args.Magnitudes(-1074, 1024),
				args.AnyBits},
			[]args.Kind{args.Magnitudes(-8, 8), args.Between(-10, 10), args.Magnitudes(-60, 60),
				args.Magnitudes(-1074, 1024), args.AnyBits}},
		{"hypot", directed.Hypot, crmath.Hypot,
			[]args.Kind{args.Magnitudes(-8, 8), args.Between(-10, 10), args.Multiples(1, 1<<20),
				args.Magnitudes(-1074, 1024), args.AnyBits},
			[]args.Kind{args.Magnitudes(-8, 8), args.Between(-10, 10), args.Multiples(1, 1<<20),
				args.Magnitudes(-30, 30), args.AnyBits}},
	} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			correct := oracle.EveryDirection2(t, f.name)
			c := tally{name: f.name}
			check := func(x, y float64) {
				want := correct(x, y)
				c.check(t, func(m fp.Mode) float64 { return f.f(x, y, m) }, want, x, y)
				c.checkNear(t, f.near(x, y), want, x, y)
			}
			hard, second := hardest.Arguments(f.name)
			for i, x := range hard {
				check(x, second[i])
			}
			portions(t, f.name, func(rng *rand.Rand, _ int) {
				i := rng.IntN(len(f.x))
				check(f.x[i](rng), f.y[pairedWith(rng, i, len(f.y))](rng))
			})
			c.log(t)
		})
	}
}

// pairedWith returns the kind of a second argument: that of the first, or any.
func pairedWith(rng *rand.Rand, first, kinds int) int {
	if rng.IntN(2) == 0 {
		return min(first, kinds-1)
	}
	return rng.IntN(kinds)
}

// TestStressIntegers is TestStress for functions of a number and an integer.
func TestStressIntegers(t *testing.T) {
	for _, f := range []struct {
		name string
		f    func(x float64, n int, m fp.Mode) float64
		x    []args.Kind
	}{
		{"pow_si", directed.Pown, []args.Kind{args.Magnitudes(-6, 6), args.Near(1),
			args.Magnitudes(-1074, 1024), args.Multiples(1, 1<<12), args.AnyBits}},
		{"compound_si", directed.Compound, []args.Kind{args.Magnitudes(-6, 6),
			args.Magnitudes(-60, 0), args.Near(-1), args.Multiples(1, 1<<12), args.AnyBits}},
		{"rootn_si", directed.Rootn, []args.Kind{args.Magnitudes(-6, 6), args.Near(1),
			args.Magnitudes(-1074, 1024), args.Multiples(1, 1<<12), args.AnyBits}},
	} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			correct := oracle.EveryDirectionInt(t, f.name)
			c := tally{name: f.name}
			portions(t, f.name, func(rng *rand.Rand, _ int) {
				x, n := f.x[rng.IntN(len(f.x))](rng), integer(rng)
				c.check(t, func(m fp.Mode) float64 { return f.f(x, n, m) }, correct(x, n), x, n)
			})
			c.log(t)
		})
	}
}

// integer draws an exponent: small ones more often.
func integer(rng *rand.Rand) int {
	n := int(rng.Uint32() >> (1 + rng.IntN(31)))
	if rng.IntN(2) == 0 {
		return -n
	}
	return n
}

// TestStressIsComplete checks that every list of package hardest belongs to a
// function here.
func TestStressIsComplete(t *testing.T) {
	names := []string{"pow", "atan2", "hypot"}
	for _, f := range functions {
		names = append(names, f.name)
	}
	for _, name := range hardest.Names() {
		if !slices.Contains(names, name) {
			t.Errorf("no function is tried with the hardest arguments of %s", name)
		}
		if x, _ := hardest.Arguments(name); slices.ContainsFunc(x, math.IsNaN) {
			t.Errorf("%s: NaN is not hard", name)
		}
	}
}
