package f64

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
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
	everyMode(t, "cbrt", Cbrt, cbrtKinds...)
}

func TestCbrtSpecial(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range [][2]float64{
		{inf, inf}, {-inf, -inf}, {math.NaN(), math.NaN()}, {0, 0},
		{math.Copysign(0, -1), math.Copysign(0, -1)},
		{0x1p-1074, 0x1p-358}, {-0x1p-1071, -0x1p-357}, {27 * 0x1p-1074, 3 * 0x1p-358},
		{0x1p1023, 0x1p341},
	} {
		if got := Cbrt(c[0], fp.NearestEven); !args.Identical(got, c[1]) {
			t.Errorf("Cbrt(%x) = %x, want %x", c[0], got, c[1])
		}
	}
	for k := range 1 << 17 { // cubes, and cubes of fractions
		m := directions[k%len(directions)]
		x := math.Ldexp(float64(k), k%600-300)
		for _, c := range [][2]float64{{float64(k) * float64(k) * float64(k), float64(k)},
			{-x * x * x, -x}} {
			if got := Cbrt(c[0], m); got != c[1] || Cbrt(c[0], fp.NearestEven) != c[1] {
				t.Errorf("Cbrt(%x, %v) = %x", c[0], m, got)
			}
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

// TestFewCbrtBounds does so for the kernels of AVX-512, and for all exponents.
func TestFewCbrtBounds(t *testing.T) {
	rng, worst := args.Generator("few cbrt bounds"), 0.0
	for range 20_000 {
		x := math.Abs(args.Magnitudes(-1022, 1023)(rng))
		y, c, n := fewCbrt(x)
		root := new(big.Float).SetPrec(300).Add(big.NewFloat(y), big.NewFloat(c))
		if y+c < 1 || y+c > 2 {
			t.Fatalf("%x: %x", x, y+c)
		}
		cube := new(big.Float).Mul(root, root)
		cube.Mul(cube, root).Quo(cube, big.NewFloat(math.Ldexp(x, -3*int(int64(n<<52)>>52))))
		off, _ := cube.Sub(cube, big.NewFloat(1)).Float64()
		worst = max(worst, math.Abs(off)/3*y)
	}
	if worst > 0.9*cbrtFewErr || worst < 0x1p-70 {
		t.Errorf("the largest error is 2^%.1f", math.Log2(worst))
	}
	t.Logf("2^%.2f", math.Log2(worst))
}

// TestRoot compares the exact decision, which the fast paths rarely need, with
// MPFR.
func TestRoot(t *testing.T) {
	t.Parallel()
	cbrt, hypot := oracle.Rounded(t, "cbrt"), oracle.Rounded2(t, "hypot")
	rng := args.Generator("nearest")
	for i := range 20_000 {
		m := append(directions, fp.NearestEven)[i%5]
		x := math.Abs(args.Magnitudes(-1022, 1023)(rng))
		close, want := cbrt(x, fp.NearestEven), cbrt(x, m)
		for _, r := range around(close, m) {
			var w wide.Float
			w.SetFloat64(x, wide.First+1)
			if got := root(&w, r, 3, wide.First+1, m); !args.Identical(got, want) {
				t.Fatalf("∛%x = %x from %x, want %x (%v)", x, got, r, want, m)
			}
		}
		y := x * math.Ldexp(rng.Float64(), -rng.IntN(28))
		close, want = hypot(x, y, fp.NearestEven), hypot(x, y, m)
		for _, r := range around(close, m) {
			if got := hypotExact(max(x, y), min(x, y), r, m); !args.Identical(got, want) {
				t.Fatalf("Hypot(%x, %x) = %x from %x, want %x (%v)", x, y, got, r, want, m)
			}
		}
	}
}

// around returns r, and for the nearest direction its neighbours too, which are
// within 1.5 ulp of what rounds to r.
func around(r float64, m fp.Mode) []float64 {
	if m != fp.NearestEven {
		return []float64{r}
	}
	return []float64{math.Nextafter(r, 0), r, math.Nextafter(r, 8*r)}
}

func TestCbrtHard(t *testing.T) {
	t.Parallel()
	hardInEveryMode(t, "cbrt", Cbrt)
}

func TestCbrtAllocates(t *testing.T) {
	allocatesNothing(t, nearest(Cbrt), 2, 0x1p-1060, 0x1.8p300)
	allocatesNothing(t, func(x float64) float64 { return hypotExact(x, 2, 3.6, fp.Up) }, 3)
}

func TestGoldenCbrt(t *testing.T) {
	golden(t, "Cbrt", nearest(Cbrt), 0x50baeccd1ff885e4, cbrtKinds...)
	goldenModes(t, "Cbrt", Cbrt, 0x979bedc065a93a97, append(cbrtKinds, hardOnes(t, "cbrt"))...)
	hypot := func(x float64, m fp.Mode) float64 { return Hypot(x, 3-x, m) + Hypot(x, 0x1p-20*x, m) }
	kinds := []args.Kind{args.Between(-10, 10), args.Magnitudes(-1074, 1024), args.AnyBits}
	golden(t, "Hypot", nearest(hypot), 0x75eb4a1324c7c315, kinds...)
	goldenModes(t, "Hypot", hypot, 0xaa826963fbb70931, kinds...)
}
