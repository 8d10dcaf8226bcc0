package f64

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/oracle"
)

func TestHypot(t *testing.T) {
	t.Parallel()
	correct := oracle.Binary(t, "hypot")
	scaled := func(a args.Kind) func(*rand.Rand) (x, y float64) {
		return func(rng *rand.Rand) (x, y float64) {
			x = a(rng)
			return x, x * math.Ldexp(1+rng.Float64(), rng.IntN(64)-32)
		}
	}
	kinds := []func(*rand.Rand) (x, y float64){
		func(rng *rand.Rand) (x, y float64) {
			return args.Between(-10, 10)(rng),
				args.Between(-10, 10)(rng)
		},
		scaled(args.Magnitudes(-10, 10)), scaled(args.Magnitudes(-1074, 1024)),
		scaled(args.Magnitudes(-455, -445)), scaled(args.Magnitudes(495, 505)),
		scaled(args.Magnitudes(1021, 1024)), scaled(args.Magnitudes(-1074, -1019)),
		func(rng *rand.Rand) (x, y float64) { return args.AnyBits(rng), args.AnyBits(rng) },
		func(rng *rand.Rand) (x, y float64) { // exact results, and midpoints
			x, y = pythagorean(rng)
			scale := math.Ldexp(1, rng.IntN(2000)-1000)
			return x * scale, y * scale
		},
		func(rng *rand.Rand) (x, y float64) { // next to those
			x, y = pythagorean(rng)
			return math.Nextafter(x, y), y
		},
		// just below 2^-1022, which one rounding reaches, and two may
		func(rng *rand.Rand) (x, y float64) {
			return 0x1p-1022 - float64(rng.Uint64N(64))*0x1p-1074,
				math.Ldexp(1+rng.Float64(), -1052+rng.IntN(12))
		},
		func(rng *rand.Rand) (x, y float64) { // subnormal
			return float64(rng.Uint64N(1<<rng.IntN(53))) * 0x1p-1074,
				float64(rng.Uint64N(1<<rng.IntN(53))) * 0x1p-1074
		},
	}
	rng, wrong := args.Generator("hypot"), 0
	for i := range args.SampleSize(t) {
		x, y := kinds[i%len(kinds)](rng)
		if got, want := Hypot(x, y), correct(x, y); !args.Identical(got, want) {
			t.Errorf("Hypot(%x, %x) = %x, want %x (kind %d)", x, y, got, want, i%len(kinds))
			if wrong++; wrong == 10 {
				t.FailNow()
			}
		}
	}
}

func TestHypotHard(t *testing.T) {
	t.Parallel()
	correct := oracle.Binary(t, "hypot")
	for _, x := range args.Hard(t, "hypot") {
		if got, want := Hypot(x[0], x[1]), correct(x[0], x[1]); !args.Identical(got, want) {
			t.Errorf("Hypot(%x, %x) = %x, want %x", x[0], x[1], got, want)
		}
	}
}

// pythagorean returns the legs of a right triangle, m²-n² and 2·m·n, whose
// hypotenuse m²+n² has up to 54 bits: a midpoint, where the shorter leg has
// fewer.
func pythagorean(rng *rand.Rand) (x, y float64) {
	for {
		m, n := rng.Int64N(1<<27), rng.Int64N(1<<rng.IntN(27))
		if a, b := m*m-n*n, 2*m*n; a > 0 && float64Exact(a) && float64Exact(b) {
			return float64(a), float64(b)
		}
	}
}

func float64Exact(i int64) bool { return int64(float64(i)) == i }

// TestHypotMidpoints builds results halfway between two numbers: x² + y² = M²
// where M has 54 bits.
func TestHypotMidpoints(t *testing.T) {
	rng, n := args.Generator("midpoints"), 0
	for n < 1000 {
		// M = m²+n² odd and above 2^53, x = m²-n² of 53 bits, y = 2mn.
		m := int64(1)<<26 + rng.Int64N(1<<26)
		k := m &^ 1
		l := rng.Int64N(1<<20) | 1
		x, y, mid := k*k-l*l, 2*k*l, k*k+l*l
		if mid < 1<<53 || mid >= 1<<54 || x >= 1<<53 || !float64Exact(y) {
			continue
		}
		n++
		want := float64(mid) // the conversion ties to even
		if got := Hypot(float64(x), float64(y)); got != want {
			t.Fatalf("Hypot(%d, %d) = %x, want %x", x, y, got, want)
		}
	}
}

func TestHypotSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range [][3]float64{
		{inf, nan, inf}, {nan, -inf, inf}, {-inf, 1, inf}, {nan, 1, nan}, {0, nan, nan}, {0, 0, 0},
		{math.Copysign(0, -1), math.Copysign(0, -1), 0},
		{-3, 4, 5}, {math.MaxFloat64, math.MaxFloat64, inf}, {math.MaxFloat64, 1, math.MaxFloat64},
		{math.MaxFloat64, 0x1p996, math.MaxFloat64},
		{5e-324, 0, 5e-324}, {5e-324, 5e-324, 5e-324}, {5e-324, 1e-323, 1e-323},
		{3 * 0x1p-1074, 4 * 0x1p-1074, 5 * 0x1p-1074},
	} {
		if got := Hypot(c[0], c[1]); !args.Identical(got, c[2]) {
			t.Errorf("Hypot(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
		if got := Hypot(c[1], c[0]); !args.Identical(got, c[2]) {
			t.Errorf("Hypot(%v, %v) = %v, want %v", c[1], c[0], got, c[2])
		}
	}
}
