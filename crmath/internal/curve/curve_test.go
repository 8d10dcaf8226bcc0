package curve

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
)

// TestRounded compares curves with MPFR in every direction: normal results and
// subnormal ones, of both signs, next to 0 and to overflow, and beyond both.
func TestRounded(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name  string
		x     float64
		level int
	}{
		{"exp", 1, 45}, {"exp", 709.7, 36}, {"exp", 720, 36}, {"exp", -708.4, 36},
		{"exp", -744.4, 36}, {"exp", -750, 36}, {"exp", 0x1p-50, 44}, {"log", 1.5, 45},
		{"log", 0.7, 44}, {"log", 0x1p-1024, 40}, {"sin", math.Pi, 40},
		{"cos", 2, 44}, {"tanh", -20, 42}, {"gamma", -170.51, 34}, {"gamma", -180.5, 34},
		{"gamma", 171.62, 34}, {"lgamma", -2.5, 41}, {"cbrt", -7e300, 45}, {"erfc", 26.9, 36},
	} {
		correct := oracle.EveryDirection(t, c.name)
		curve, ok := Through(oracle.UnaryValue(t, c.name), c.x, c.level)
		if !ok {
			t.Errorf("%s: no curve around %v", c.name, c.x)
			continue
		}
		refused := 0
		for k := range 1000 {
			i := rng.Uint64N(1 << c.level)
			if k < 2 {
				i = uint64(k) * (1<<c.level - 1) // the ends
			}
			x := curve.Argument(i)
			got, ok := curve.Rounded(i)
			if want := correct(x); ok && !slices.EqualFunc(got[:], want[:], args.Identical) {
				t.Fatalf("%s(%x) = %x, want %x", c.name, x, got, want)
			}
			if !ok {
				refused++
			}
		}
		if refused > 1 { // next to 1 + 2^-50
			t.Errorf("the curve of %s around %v refuses %d results", c.name, c.x, refused)
		}
	}
}

// TestRefusals tries functions that are no polynomials, not finite, or exact.
func TestRefusals(t *testing.T) {
	value := func(f func(float64) float64) func(float64, uint) *big.Float {
		return func(x float64, _ uint) *big.Float {
			if y := f(x); y == y {
				return big.NewFloat(y)
			}
			return nil
		}
	}
	for name, f := range map[string]func(float64) float64{
		"kink":     func(x float64) float64 { return math.Abs(x - 1.5) },
		"step":     func(x float64) float64 { return math.Floor(4 * x) },
		"infinite": func(x float64) float64 { return 1 / (x - 1.25) },
		"NaN":      func(x float64) float64 { return math.Sqrt(x - 1.25) },
		"zero":     func(float64) float64 { return 0 },
		// Between the nodes only.
		"bump": func(x float64) float64 {
			if x == 1.0625+0x1p-52 {
				return 1 + 0x1p-50
			}
			return 1
		},
	} {
		if _, ok := Through(value(f), 1.1, 52); ok {
			t.Errorf("a curve goes through a function with a %s", name)
		}
	}
	c, ok := Through(value(func(x float64) float64 { return x }), 1.1, 52)
	if !ok {
		t.Fatal("no curve goes through a line")
	}
	for i := range uint64(100) {
		if y, ok := c.Rounded(i * 0x9e3779b97f); ok {
			t.Fatalf("%x, which is exact, is rounded to %x", c.Argument(i), y)
		}
	}
}

// TestPeriodic tries large arguments of the sine: no power of two of their
// distance may pass for a small step, as one here nearly is some full turns.
func TestPeriodic(t *testing.T) {
	sine := oracle.UnaryValue(t, "sin")
	for level := 4; level <= 52; level++ {
		if _, ok := Through(sine, -0x1.f71a69db323ffp+766, level); ok {
			t.Errorf("a curve goes through 2^%d sines", level)
		}
	}
}

func BenchmarkRounded(b *testing.B) {
	c, ok := Through(oracle.UnaryValue(b, "exp"), 1, 45)
	if !ok {
		b.Fatal("no curve")
	}
	i := uint64(0)
	for b.Loop() {
		i = (i + 0x9e3779b97f4a7) & (1<<45 - 1)
		c.Rounded(i)
	}
}

func BenchmarkThrough(b *testing.B) {
	for _, name := range []string{"exp", "sin", "erfc", "gamma", "lgamma"} {
		value := oracle.UnaryValue(b, name)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Through(value, 2.5, 40)
			}
		})
	}
}
