package f64

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// cbrtKinds are the kinds of arguments of the cube root.
var cbrtKinds = []args.Kind{
	args.Between(-8, 8), args.Magnitudes(-1074, 1024), args.Magnitudes(-3, 3),
	args.Multiples(1, 1<<20), args.AnyBits,
	func(rng *rand.Rand) float64 { // around cubes
		m := 1 + float64(rng.Int64N(1<<27))*0x1p-27
		return float64(float64(m*m)*m) + float64(rng.IntN(3)-1)*0x1p-52
	},
}

func TestCbrt(t *testing.T) {
	t.Parallel()
	againstMPFR(t, "cbrt", Cbrt, cbrtKinds...)
}

func TestCbrtSpecial(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range [][2]float64{
		{inf, inf}, {-inf, -inf}, {math.NaN(), math.NaN()}, {0, 0},
		{math.Copysign(0, -1), math.Copysign(0, -1)},
		{0x1p-1074, 0x1p-358}, {-0x1p-1071, -0x1p-357}, {27 * 0x1p-1074, 3 * 0x1p-358},
		{0x1p1023, 0x1p341},
	} {
		if got := Cbrt(c[0]); !args.Identical(got, c[1]) {
			t.Errorf("Cbrt(%x) = %x, want %x", c[0], got, c[1])
		}
	}
	for k := range 1 << 17 {
		if got := Cbrt(float64(k) * float64(k) * float64(k)); got != float64(k) {
			t.Errorf("Cbrt(%d³) = %x", k, got)
		}
	}
}

// TestCbrtBounds compares the error of the fast path with its bound.
func TestCbrtBounds(t *testing.T) {
	rng, worst := args.Generator("cbrt bounds"), 0.0
	for range 20_000 {
		m, j := 0.6875*(1+rng.Float64()), rng.Uint64N(3)
		y, c := cbrtNear(m, j)
		root := new(big.Float).SetPrec(300).Add(big.NewFloat(y), big.NewFloat(c))
		cube := new(big.Float).Mul(root, root)
		cube.Mul(cube, root).Quo(cube, big.NewFloat(math.Ldexp(m, int(j))))
		// Nearly three times the relative error.
		off, _ := cube.Sub(cube, big.NewFloat(1)).Float64()
		worst = max(worst, math.Abs(off)/3*y)
	}
	if worst > 0x1p-68 || worst < 0x1p-71 {
		t.Errorf("the largest error is 2^%.1f", math.Log2(worst))
	}
	t.Logf("2^%.2f", math.Log2(worst))
}

// TestNearest compares the exact decision, which the fast paths rarely need,
// with MPFR.
func TestNearest(t *testing.T) {
	t.Parallel()
	cbrt, hypot := oracle.Unary(t, "cbrt"), oracle.Binary(t, "hypot")
	rng := args.Generator("nearest")
	for range 20_000 {
		x := math.Abs(args.Magnitudes(-1022, 1024)(rng))
		want := cbrt(x)
		for _, r := range []float64{math.Nextafter(want, 0), want, math.Nextafter(want, 8*want)} {
			var w wide.Float
			w.SetFloat64(x, wide.First)
			if got := w.NearestRoot(r, 3, wide.First); !args.Identical(got, want) {
				t.Fatalf("∛%x = %x from %x, want %x", x, got, r, want)
			}
		}
		y := x * math.Ldexp(rng.Float64(), -rng.IntN(28))
		want = hypot(x, y)
		for _, r := range []float64{math.Nextafter(want, 0), want, math.Nextafter(want, 8*want)} {
			if got := hypotExact(max(x, y), min(x, y), r); !args.Identical(got, want) {
				t.Fatalf("Hypot(%x, %x) = %x from %x, want %x", x, y, got, r, want)
			}
		}
	}
}

func TestCbrtHard(t *testing.T) {
	t.Parallel()
	hardAgainstMPFR(t, "cbrt", Cbrt)
}

func TestCbrtAllocates(t *testing.T) {
	allocatesNothing(t, Cbrt, 2, 0x1p-1060, 0x1.8p300)
	if n := testing.AllocsPerRun(100, func() { hypotExact(3, 2, 3.6) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestGoldenCbrt(t *testing.T) {
	golden(t, "Cbrt", Cbrt, 0x50baeccd1ff885e4, cbrtKinds...)
	golden(t, "Hypot", func(x float64) float64 { return Hypot(x, 3-x) + Hypot(x, 0x1p-20*x) },
		0x75eb4a1324c7c315, args.Between(-10, 10), args.Magnitudes(-1074, 1024), args.AnyBits)
}
