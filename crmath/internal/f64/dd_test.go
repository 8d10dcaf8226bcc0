package f64

import (
	"math"
	"math/big"
	"testing"

	"github.com/lastbit/lastbit/crmath/internal/args"
)

// TestErrorFree compares the transforms with package big.
func TestErrorFree(t *testing.T) {
	rng := args.Generator("dd")
	sum := func(x ...float64) *big.Float {
		z := new(big.Float).SetPrec(500)
		for _, v := range x {
			z.Add(z, big.NewFloat(v))
		}
		return z
	}
	kind := args.Magnitudes(-200, 200)
	for range 200_000 {
		x, y := kind(rng), kind(rng)
		if rng.IntN(2) == 0 {
			y = math.Ldexp(y, math.Ilogb(x)-math.Ilogb(y)+rng.IntN(120)-60)
		}
		want := sum(x, y)
		if s, e := twoSum(x, y); s != x+y || sum(s, e).Cmp(want) != 0 {
			t.Fatalf("twoSum(%x, %x) = %x, %x", x, y, s, e)
		}
		if math.Abs(x) < math.Abs(y) {
			x, y = y, x
		}
		if s, e := fastTwoSum(x, y); s != x+y || sum(s, e).Cmp(want) != 0 {
			t.Fatalf("fastTwoSum(%x, %x) = %x, %x", x, y, s, e)
		}
		if s, e := fastTwoSum(0, y); s != y || e != 0 {
			t.Fatalf("fastTwoSum(0, %x) = %x, %x", y, s, e)
		}
		exact := new(big.Float).SetPrec(500).Mul(big.NewFloat(x), big.NewFloat(y))
		p, e := twoProd(x, y)
		rest, _ := new(big.Float).SetPrec(500).Sub(exact, sum(p, e)).Float64()
		if p != float64(x*y) || math.Abs(rest) > math.Abs(p)*0x1p-103 {
			t.Fatalf("twoProd(%x, %x) = %x, %x: off by %g", x, y, p, e, rest)
		}
		if h, g := head(x),
			head(y); new(big.Float).SetPrec(52).Mul(big.NewFloat(h),
			big.NewFloat(g)).Acc() != big.Exact ||
			math.Abs(x-h) >= math.Abs(x)*0x1p-25 || sum(h, x-h).Cmp(big.NewFloat(x)) != 0 {
			t.Fatalf("head(%x) = %x", x, h)
		}
		z := 2 * (rng.Float64() - 0.5)
		if c := coarse(z, 0x1.8p26); c != math.RoundToEven(z*0x1p26)*0x1p-26 ||
			sum(c, z-c).Cmp(big.NewFloat(z)) != 0 {
			t.Fatalf("coarse(%x) = %x", z, c)
		}
	}
}

// TestZiv checks that the rounding test rejects a sum whose error reaches a
// midpoint, and accepts any other.
func TestZiv(t *testing.T) {
	for _, c := range []struct {
		hi, lo, e, want float64
		ok              bool
	}{
		{1, 0, 0x1p-60, 1, true},
		{1, 0x1p-53, 0x1p-70, 0, false},
		{1, 0x1p-53 - 0x1p-69, 0x1p-70, 1, true},
		{1, 0x1p-53 + 0x1p-69, 0x1p-70, 1 + 0x1p-52, true},
		{1, 0x1p-53 + 0x1p-71, 0x1p-70, 0, false},
		{1, -0x1p-54, 0x1p-70, 0, false},
		{1, 0x1p-20, 0x1p-70, 1 + 0x1p-20, true},
		{0, 0, 0, 0, true},
	} {
		if r, ok := ziv(c.hi, c.lo, c.e); ok != c.ok || ok && r != c.want {
			t.Errorf("ziv(%x, %x, %x) = %x, %v", c.hi, c.lo, c.e, r, ok)
		}
	}
}
