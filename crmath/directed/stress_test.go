package directed_test

import (
	"math"
	"math/big"
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

// unsigned returns the first result of a function that has a sign, too.
func unsigned(y float64, _ int) float64 { return y }

// kinds returns the kinds of arguments of a function, in equal shares: its own
// binades, numbers around 1, a range of common use, and any bits.
func (f function) kinds() []args.Kind {
	return []args.Kind{args.Magnitudes(f.lo, f.hi), args.Magnitudes(-4, 4), args.Between(-20, 20),
		args.AnyBits}
}

// sampleSize returns the number of arguments of a function: the one in
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
			s := &section{f.f, f.near, oracle.EveryDirection(t, f.name),
				oracle.UnaryValue(t, f.name), func(x float64) []any { return []any{x} }}
			c := newTally(f.name)
			hard, _ := hardest.Arguments(f.name)
			for _, x := range hard {
				c.check(t, s, x)
				c.check(t, s, -x)
			}
			kinds := f.kinds()
			portions(t, f.name, func(rng *rand.Rand, n int) {
				clear(c.levels)
				c.sections(t, rng, n, 4, func() (*section, float64) {
					return s, kinds[rng.IntN(len(kinds))](rng)
				})
			})
			c.log(t)
		})
	}
}

// TestStressSincos compares both results with Sin and Cos.
func TestStressSincos(t *testing.T) {
	t.Parallel()
	kinds := function{lo: -28, hi: 1024}.kinds()
	portions(t, "sincos", func(rng *rand.Rand, n int) {
		for range n {
			x := kinds[rng.IntN(len(kinds))](rng)
			for m := range fp.ToOdd + 1 {
				s, c := directed.Sincos(x, m)
				sin, cos := directed.Sin(x, m), directed.Cos(x, m)
				if !args.Identical(s, sin) || !args.Identical(c, cos) {
					t.Fatalf("Sincos(%x) %v = %x, %x", x, m, s, c)
				}
			}
		}
	})
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
			correct, value := oracle.EveryDirection2(t, f.name), oracle.BinaryValue(t, f.name)
			ofX := func(y float64) *section {
				return &section{
					func(x float64, m fp.Mode) float64 { return f.f(x, y, m) },
					func(x float64) float64 { return f.near(x, y) },
					func(x float64) [fp.ToOdd + 1]float64 { return correct(x, y) },
					func(x float64, precision uint) *big.Float { return value(x, y, precision) },
					func(x float64) []any { return []any{x, y} },
				}
			}
			ofY := func(x float64) *section {
				return &section{
					func(y float64, m fp.Mode) float64 { return f.f(x, y, m) },
					func(y float64) float64 { return f.near(x, y) },
					func(y float64) [fp.ToOdd + 1]float64 { return correct(x, y) },
					func(y float64, precision uint) *big.Float { return value(x, y, precision) },
					func(y float64) []any { return []any{x, y} },
				}
			}
			c := newTally(f.name)
			hard, second := hardest.Arguments(f.name)
			for i, x := range hard {
				c.check(t, ofX(second[i]), x)
			}
			portions(t, f.name, func(rng *rand.Rand, n int) {
				clear(c.levels)
				c.sections(t, rng, n, 64, func() (*section, float64) {
					i := rng.IntN(len(f.x))
					x, y := f.x[i](rng), f.y[pairedWith(rng, i, len(f.y))](rng)
					if rng.IntN(2) == 0 {
						return ofY(x), y
					}
					return ofX(y), x
				})
			})
			c.log(t)
		})
	}
}

// pairedWith returns the kind of a second argument: the first argument's, or
// any.
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
		near func(x float64, n int) float64
		// power returns an argument whose result is around e^t, or whose
		// magnitude is.
		power func(t, n float64) float64
		x     []args.Kind
	}{
		{"pow_si", directed.Pown, crmath.Pown,
			func(t, n float64) float64 { return math.Exp(t / n) },
			[]args.Kind{args.Magnitudes(-6, 6), args.Near(1), args.Magnitudes(-1074, 1024),
				args.Multiples(1, 1<<12), args.AnyBits}},
		{"compound_si", directed.Compound, crmath.Compound,
			func(t, n float64) float64 { return math.Expm1(t / n) },
			[]args.Kind{args.Magnitudes(-6, 6), args.Magnitudes(-60, 0), args.Near(-1),
				args.Multiples(1, 1<<12), args.AnyBits}},
		{"rootn_si", directed.Rootn, crmath.Rootn,
			func(t, _ float64) float64 { return math.Exp(t) },
			[]args.Kind{args.Magnitudes(-6, 6), args.Near(1), args.Magnitudes(-1074, 1024),
				args.Multiples(1, 1<<12), args.AnyBits}},
	} {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			correct, value := oracle.EveryDirectionInt(t, f.name), oracle.IntValue(t, f.name)
			of := func(n int) *section {
				return &section{
					func(x float64, m fp.Mode) float64 { return f.f(x, n, m) },
					func(x float64) float64 { return f.near(x, n) },
					func(x float64) [fp.ToOdd + 1]float64 { return correct(x, n) },
					func(x float64, precision uint) *big.Float { return value(x, n, precision) },
					func(x float64) []any { return []any{x, n} },
				}
			}
			c := newTally(f.name)
			hard, second := hardest.Arguments(f.name)
			for i, x := range hard {
				c.check(t, of(int(second[i])), x)
			}
			portions(t, f.name, func(rng *rand.Rand, n int) {
				clear(c.levels)
				c.sections(t, rng, n, 64, func() (*section, float64) {
					n := integer(rng)
					x := f.power(args.Between(-750, 715)(rng), float64(n))
					if rng.IntN(4) == 0 {
						x = f.x[rng.IntN(len(f.x))](rng)
					}
					return of(n), x
				})
			})
			c.log(t)
		})
	}
}

// integer draws an exponent: small ones more often.
func integer(rng *rand.Rand) int {
	n := int(rng.Uint64() >> (1 + rng.IntN(62)))
	if rng.IntN(2) == 0 {
		return -n
	}
	return n
}

// TestStressIsComplete checks that every list of package hardest belongs to a
// function here.
func TestStressIsComplete(t *testing.T) {
	names := []string{"pow", "atan2", "hypot", "pow_si", "compound_si", "rootn_si"}
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
