package odd

import (
	"math"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/crmath/internal/wide/widetest"
)

// TestOdd compares with rounding to odd of a longer precision, and tests exact
// results.
func TestOdd(t *testing.T) {
	t.Parallel()
	rng := args.Generator("odd")
	check := func(name string, x, y, got float64, z *wide.Float) {
		t.Helper()
		if want := toOdd(z); !args.Identical(got, want) {
			t.Fatalf("%s(%x, %x) = %x, want %x", name, x, y, got, want)
		}
	}
	for range 2000 {
		var z wide.Float
		x, y := rng.Float64()*4, rng.Float64()*200-100
		z.SetPow(x, y, 6)
		check("Pow", x, y, Pow(x, y), &z)
	}
	for _, c := range [][3]float64{
		{3, 2, 9}, {4097, 4, 4097. * 4097 * 4097 * 4097}, {0x1p-1074, 0.5, 0x1p-537},
		{2, 0.5, 0x1.6a09e667f3bcdp+00}, {1, 3, 1}, {7, 0, 1},
		{2, 2000, math.MaxFloat64}, {2, -2000, 5e-324}, {2, -1074, 5e-324}, {2, -1074.5, 5e-324},
		{0.75, 0x1p-1074, 0x1.fffffffffffffp-01}, {1 + 0x1p-52, -0x1p-1073, 0x1.fffffffffffffp-01},
		{0.75, -0x1p-1000, 1 + 0x1p-52}, {5, 0x1p-65, 1 + 0x1p-52},
		{0x1p-1074, 0x1p-65, 0x1.fffffffffffffp-01}, {math.MaxFloat64, 0x1.fp-64, 1 + 0x1p-52},
	} {
		if got := Pow(c[0], c[1]); got != c[2] {
			t.Errorf("Pow(%v, %v) = %x, want %x", c[0], c[1], got, c[2])
		}
	}
}

// toOdd rounds a normal number to odd, by package big.
func toOdd(z *wide.Float) float64 {
	x := widetest.Big(z, 6)
	x.Abs(x)
	f, _ := new(big.Float).SetMode(big.ToZero).SetPrec(53).Set(x).Float64()
	if new(big.Float).SetFloat64(f).Cmp(x) != 0 {
		f = math.Float64frombits(math.Float64bits(f) | 1)
	}
	return f
}
