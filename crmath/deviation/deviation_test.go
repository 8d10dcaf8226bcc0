package deviation

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
)

// function is a Unary or a Binary.
type function struct {
	name  string
	arity int
	whole bool // the second argument is an integer
	value func(x []float64) float64
	ulps  func(got float64, x []float64) float64
}

func everyFunction() (all []function) {
	for f := Exp; f <= Lgamma; f++ {
		all = append(all, function{f.String(), 1, false,
			func(x []float64) float64 { return f.rounded(x[0]) },
			func(got float64, x []float64) float64 { return f.ULPs(got, x[0]) }})
	}
	for f := Pow; f <= Rootn; f++ {
		all = append(all, function{f.String(), 2, f >= Pown,
			func(x []float64) float64 { return f.rounded(x[0], x[1]) },
			func(got float64, x []float64) float64 { return f.ULPs(got, x[0], x[1]) }})
	}
	return all
}

// kinds are arguments inside and outside of the domains, among them some whose
// values are close to representable numbers.
func kinds() []args.Kind {
	specials := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 2, -2, 4, 8, 10, 27, 100, 1e8,
		1e15, 1e22, 1e23, 16, 64, 3, -3, 23, 1023, 1024, 709.5, 710, -745, -746, -2000, 1e5,
		math.MaxFloat64, -math.MaxFloat64, 0x1p-1022, 5e-324, -5e-324, 0x1p-60, -0x1p-60, 0x1p-61,
		0x1p-59, 0x1p-300, 0x1p-500, 0x1p1000, 1 - 0x1p-53, 1 + 0x1p-52, -1 + 0x1p-53,
		math.Pi, math.Pi / 2, 19.0, 22, 36, 37, 40, 354, 700, -17, -30, -40, math.Inf(1),
		math.Inf(-1), math.NaN()}
	return []args.Kind{
		args.Between(-1, 1), args.Between(-20, 20), args.Positive(args.Between(0, 100)),
		args.Between(-800, 800), args.Magnitudes(-70, 20), args.Magnitudes(-1074, 1024),
		args.Near(1),
		args.Multiples(0.25, 100), args.Multiples(1, 40), args.AnyBits,
		func(rng *rand.Rand) float64 { return specials[rng.IntN(len(specials))] },
	}
}

// wholeKinds are integers.
var wholeKinds = []args.Kind{args.Multiples(1, 3), args.Multiples(1, 60), args.Multiples(1, 1e6),
	args.Multiples(1, 1<<30)}

// draw draws the i-th arguments of f: of all kinds in turn, mixed.
func (f function) draw(rng *rand.Rand, kinds []args.Kind, i int) []float64 {
	x := []float64{kinds[i%len(kinds)](rng)}
	switch {
	case f.whole:
		x = append(x, wholeKinds[rng.IntN(len(wholeKinds))](rng))
	case f.arity == 2:
		x = append(x, kinds[rng.IntN(len(kinds))](rng))
	}
	return x
}

// TestRounded compares deviations with the definition of correct rounding: a
// rounded result deviates by at most half a unit, and its neighbours by at
// least half a unit.
func TestRounded(t *testing.T) {
	kinds := kinds()
	for _, f := range everyFunction() {
		rng := args.Generator("deviation of " + f.name)
		largest := 0.0
		for i := range 1000 {
			x := f.draw(rng, kinds, i)
			r := f.value(x)
			d := f.ulps(r, x)
			if largest = max(largest, math.Abs(d)); !(math.Abs(d) <= 0.5) {
				t.Errorf("%s%x = %x is off by %v ulps", f.name, x, r, d)
			}
			up, down := math.Nextafter(r, math.Inf(1)), math.Nextafter(r, math.Inf(-1))
			above, below := f.ulps(up, x), f.ulps(down, x)
			if r == r && (up != r && !(above >= 0.5) || down != r && !(below <= -0.5)) {
				t.Errorf("%s%x = %x: its neighbours are off by %v and %v ulps", f.name, x, r, above,
					below)
			}
		}
		if largest < 0.48 {
			t.Errorf("%s: no result was off by more than %v ulps", f.name, largest)
		}
	}
}

// TestKnown compares with deviations that are known by other means.
func TestKnown(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	const u = 0x1p-52 // ulp of 1
	byName := map[string]function{}
	for _, f := range everyFunction() {
		byName[f.name] = f
	}
	for _, c := range []struct {
		name string
		got  float64
		x    []float64
		want float64
	}{
		// 1e23 is between two numbers, at 0.4998… of an ulp of 2^76 from the
		// lower; those are exact.
		{"exp10", 1e22, []float64{22}, 0},
		{"exp10", 1e22 + 0x1p21, []float64{22}, 1},
		{"exp2", 1 + u, []float64{0}, 1},
		{"exp2", 0x1p-1074, []float64{-1075}, 0.5},
		{"exp2", 0, []float64{-1075}, -0.5},
		{"exp2", 0, []float64{-1076}, -0.25},
		{"exp2", math.MaxFloat64, []float64{1024}, -1},
		{"exp2", inf, []float64{1024}, 0},
		{"exp2", inf, []float64{1023}, 0x1p52},
		{"exp2", -inf, []float64{1024}, -0x1p54},
		{"exp2", 0, []float64{1500}, -0x1p529},
		{"exp2", 1, []float64{5000}, -inf},
		{"exp2", 0, []float64{2047.5}, -inf},
		{"exp2", 0, []float64{-2048}, -0x1p-974},
		{"exp2", 0x1p-1074, []float64{-2048}, 1},
		{"exp2", 0, []float64{-2148}, -0x1p-1074},
		{"exp2", 0, []float64{-2149}, 0},
		{"exp2", 0, []float64{-2150}, 0},
		{"exp2", 1, []float64{-5000}, inf},
		{"exp2", 1, []float64{inf}, -inf},
		{"exp2", 0x1p-1074, []float64{-inf}, 1},
		{"log2", 3, []float64{8}, 0},
		{"log2", 3 + 2*u, []float64{8}, 1},
		{"log2", 5, []float64{0}, inf},
		{"log2", -inf, []float64{0}, 0},
		{"log2", nan, []float64{0}, nan},
		{"log2", nan, []float64{-1}, 0},
		{"log2", 1, []float64{-1}, nan},
		{"log2", 0, []float64{nan}, nan},
		{"log2", nan, []float64{nan}, 0},
		{"log10", 4, []float64{1e4}, 0},
		{"log10", 4 - 2*u, []float64{1e4}, -0.5},
		{"log10", 4 + 4*u, []float64{1e4}, 1},
		{"log10", 22 + 16*u, []float64{1e22}, 1},
		// The functions' series.
		{"sin", 0x1p-200, []float64{0x1p-200}, 0x1p-347 / 6},
		// x³/6 over 2^-253, for the sine is in the binade below
		{"sin", 0x1.8p-200, []float64{0x1.8p-200},
			0x1.8p-200 * 0x1.8p-200 * 0x1.8p-200 / 6 * 0x1p252},
		{"tan", -0x1p-200, []float64{-0x1p-200}, 0x1p-348 / 3},
		{"asinh", 0x1p-1074, []float64{0x1p-1074}, 0},
		{"cos", 1, []float64{0x1p-300}, 0x1p-548},
		{"cosh", 1, []float64{0x1p-300}, -0x1p-549},
		{"exp", 1, []float64{0x1p-300}, -0x1p-248},
		{"exp", 1, []float64{-0x1p-300}, 0x1p-247},
		{"tanh", 1, []float64{100}, 2 * math.Exp(-200) * 0x1p53},
		{"tanh", -1, []float64{-1e10}, 0},
		{"tanh", -1 + u, []float64{-1e10}, 2},
		{"expm1", -1, []float64{-300}, -math.Exp(-300) * 0x1p53},
		{"pow", 1, []float64{2, 0x1p-300}, -math.Ln2 * 0x1p-248},
		{"pow", 1, []float64{1 + u, 0x1p-300}, -0x1p-300},
		// Powers and roots.
		{"pow", 9, []float64{3, 2}, 0},
		{"pow", -27 + 16*u, []float64{-3, 3}, 1},
		{"pow", 2, []float64{4, 0.5}, 0},
		{"pow", 2 - u, []float64{4, 0.5}, -0.5},
		{"pow", 3, []float64{3, 1}, 0},
		{"pow", 3 + 2*u, []float64{3, 1}, 1},
		{"pow", 1, []float64{nan, 0}, 0},
		{"pow", 1 + u, []float64{1, nan}, 1},
		{"pow", 1 + u, []float64{-1, -inf}, 1},
		{"pow", inf, []float64{-0.0, -3}, 0},
		{"pow", 1, []float64{0, -2}, -inf},
		{"pow", -0.0, []float64{-0.5, 5001}, 0},
		{"pow", 0, []float64{-2, 1025}, 0x1p54},
		{"pow", 0, []float64{-3, 5001}, inf},
		{"pow", 0, []float64{2, -2048}, -0x1p-974},
		{"pow", 0, []float64{0.5, 2100}, -0x1p-1026},
		{"pow", 0, []float64{-4, -1041}, 0x1p-1008},
		{"pow", 0, []float64{2, -5000}, 0},
		{"pow", 1, []float64{2, 2100}, -inf},
		{"cbrt", 3, []float64{27}, 0},
		{"cbrt", -3 - 2*u, []float64{-27}, -1},
		{"cbrt", inf, []float64{1}, inf},
		{"hypot", 5, []float64{3, -4}, 0},
		{"hypot", 5 + 4*u, []float64{3, -4}, 1},
		{"hypot", 1, []float64{0x1p-300, 1}, -0x1p-549},
		{"hypot", 1, []float64{0, 0}, inf},
		{"hypot", inf, []float64{nan, inf}, 0},
		// Angles; π is 0x1.921fb54442d18469898cc51701b839a2520p1.
		{"atan", math.Pi / 2, []float64{inf}, -0x0.469898cc51701b839p0},
		{"atan2", math.Pi, []float64{0, math.Copysign(0, -1)}, -0x0.469898cc51701b839p0},
		{"atan2", -math.Pi / 4, []float64{-inf, inf}, 0x0.469898cc51701b839p0},
		{"atan2", 0, []float64{1, inf}, 0},
		{"atan2", 0, []float64{0, 0}, 0},
		{"atan2", math.Pi / 2, []float64{inf, 5}, -0x0.469898cc51701b839p0},
		{"atan2", 0x1p-1074, []float64{0x1p-1074, 0x1p1000}, 1},
		{"atan2", 0, []float64{0x1p-575, 0x1p500}, -0.5},
		{"atan2", 0x1p-400, []float64{0x1p-200, 0x1p200}, 0x1p-747 / 3},
		{"acos", math.Pi / 2, []float64{0}, -0x0.469898cc51701b839p0},
		{"acos", math.Pi, []float64{-1}, -0x0.469898cc51701b839p0},
		{"acos", 0, []float64{1}, 0},
		{"acosh", 0, []float64{1}, 0},
		{"atanh", -inf, []float64{-1}, 0},
		{"atanh", 1, []float64{1}, -inf},
		// Functions of half turns, with exact values.
		{"sinpi", 1, []float64{0.5}, 0},
		{"sinpi", 0, []float64{1e300}, 0},
		{"cospi", u, []float64{1.5}, 0x1p1022},
		{"tanpi", 1, []float64{0.25}, 0},
		{"tanpi", 1 + u, []float64{0.25}, 1},
		{"tanpi", inf, []float64{0.5}, 0},
		{"asinpi", 0.5, []float64{1}, 0},
		{"acospi", 1 + u, []float64{-1}, 1},
		{"atanpi", 0.5, []float64{inf}, 0},
		{"atanpi", 0.5, []float64{1e300}, 0x1p53 / (math.Pi * 1e300) * 2},
		{"atanpi", 0, []float64{0x1p-1074}, -1 / math.Pi},
		{"cospi", 1, []float64{0x1p-300}, 0x1p-547 * (math.Pi * math.Pi / 2)},
		// Others next to numbers.
		{"rsqrt", 0.5, []float64{4}, 0},
		{"rsqrt", inf, []float64{0}, 0},
		{"exp2m1", 7, []float64{3}, 0},
		{"exp2m1", -1, []float64{-1000}, -0x1p-947},
		{"exp10m1", 999, []float64{3}, 0},
		{"log2p1", 3, []float64{7}, 0},
		{"log2p1", 1000, []float64{0x1p1000}, -math.Log2E * 0x1p-957},
		{"log10p1", 3, []float64{999}, 0},
		{"erf", 1, []float64{30}, 0},
		{"erfc", 1, []float64{0x1p-300}, math.Sqrt(1/math.Pi) * 0x1p-246},
		{"gamma", 24, []float64{5}, 0},
		{"gamma", 0x1p300, []float64{0x1p-300}, 0.5772156649015329 * 0x1p-247},
		{"gamma", inf, []float64{0x1p-1074}, 0},
		{"lgamma", u, []float64{2}, 0x1p1022},
		{"lgamma", inf, []float64{-3}, 0},
		{"pown", 8, []float64{2, 3}, 0},
		{"pown", 8, []float64{2, 2.5}, nan},
		{"compound", 8, []float64{1, 3}, 0},
		{"compound", 1, []float64{0x1p-300, 5}, -5 * 0x1p-248},
		{"rootn", -3, []float64{-27, 3}, 0},
		{"rootn", nan, []float64{-27, 2}, 0},
	} {
		d := byName[c.name].ulps(c.got, c.x)
		// Some of the wanted values are rounded, by package math too. The
		// promise is 2^-45.
		if !(math.Abs(d-c.want) <= math.Abs(c.want)*0x1p-40) &&
			!(d == c.want || d != d && c.want != c.want) {
			t.Errorf("%s%v, got %v: deviation %v, want %v", c.name, c.x, c.got, d, c.want)
		}
	}
}

// TestUnknown tries numbers that name no function.
func TestUnknown(t *testing.T) {
	for want, f := range map[string]func(){
		"deviation: there is no function Unary(36): use one of": func() {
			(Lgamma + 1).ULPs(1,
				1)
		},
		"deviation: there is no function Unary(-1): use one of": func() { Unary(-1).ULPs(1, 1) },
		"deviation: there is no function Binary(6): use one of": func() {
			(Rootn + 1).ULPs(1, 1,
				1)
		},
		"deviation: there is no function Binary(-1)": func() {
			Binary(-1).ULPs(1, 1,
				1)
		},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, want) {
					t.Errorf("panic %q, want %q", got, want)
				}
			}()
			f()
			t.Errorf("no panic, want %q", want)
		}()
	}
}

func TestAllocatesNothing(t *testing.T) {
	for _, f := range everyFunction() {
		x := []float64{0.5, 0.25}
		if n := testing.AllocsPerRun(10, func() { f.ulps(0.7, x) }); n != 0 {
			t.Errorf("%s: %v allocations", f.name, n)
		}
	}
}

func BenchmarkULPs(b *testing.B) {
	for name, f := range map[string]func() float64{
		"exp":       func() float64 { return Exp.ULPs(2.7, 1) },
		"sin":       func() float64 { return Sin.ULPs(0.84, 1) },
		"pow":       func() float64 { return Pow.ULPs(5, 3, 1.5) },
		"atan2":     func() float64 { return Atan2.ULPs(0.4, 1, 2) },
		"exp10=100": func() float64 { return Exp10.ULPs(100, 2) },
		"pow=9":     func() float64 { return Pow.ULPs(9, 3, 2) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				f()
			}
		})
	}
}
