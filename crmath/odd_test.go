package crmath

import (
	"math"
	"math/big"
	"testing"
)

// TestOdd compares with rounding to odd of what a long precision gives, and holds exact results.
func TestOdd(t *testing.T) {
	t.Parallel()
	rng := generator("odd")
	check := func(name string, x, y, got float64, z *wide) {
		t.Helper()
		if want := toOdd(z); !identical(got, want) {
			t.Fatalf("%s(%x, %x) = %x, want %x", name, x, y, got, want)
		}
	}
	for range 2000 {
		var z, a, b wide
		x, y := rng.Float64()*4, rng.Float64()*200-100
		z.setPow(x, y, 6)
		check("PowOdd", x, y, PowOdd(x, y), &z)
		x, y = magnitudes(-100, 100)(rng), magnitudes(-20, 20)(rng)
		a.setFloat64(math.Abs(y), 7)
		b.setFloat64(x, 7)
		if guess := Atan2(math.Abs(y), x); guess > 0x1p-60 {
			z.setAtan2(&a, &b, guess, 6)
			check("Atan2Odd", y, x, math.Abs(Atan2Odd(y, x)), &z)
		}
	}
	for _, c := range [][3]float64{
		{3, 2, 9}, {4097, 4, 4097. * 4097 * 4097 * 4097}, {0x1p-1074, 0.5, 0x1p-537}, {2, 0.5, 0x1.6a09e667f3bcdp+00}, {1, 3, 1}, {7, 0, 1},
		{2, 2000, math.MaxFloat64}, {2, -2000, 5e-324}, {2, -1074, 5e-324}, {2, -1074.5, 5e-324},
		{0.75, 0x1p-1074, 0x1.fffffffffffffp-01}, {1 + 0x1p-52, -0x1p-1073, 0x1.fffffffffffffp-01}, {0.75, -0x1p-1000, 1 + 0x1p-52}, {5, 0x1p-65, 1 + 0x1p-52},
		{0x1p-1074, 0x1p-65, 0x1.fffffffffffffp-01}, {math.MaxFloat64, 0x1.fp-64, 1 + 0x1p-52},
	} {
		if got := PowOdd(c[0], c[1]); got != c[2] {
			t.Errorf("PowOdd(%v, %v) = %x, want %x", c[0], c[1], got, c[2])
		}
	}
	for _, c := range [][3]float64{ // just below the quotient
		{1, 0x1p100, math.Nextafter(0x1p-100, 0)}, {-1, 0x1p100, -math.Nextafter(0x1p-100, 0)}, {0x1p-1074, 1, 5e-324}, {0x1p-1073, 1, 5e-324}, {3 * 0x1p-1074, 1, 3 * 0x1p-1074},
	} {
		if got := Atan2Odd(c[0], c[1]); got != c[2] {
			t.Errorf("Atan2Odd(%x, %x) = %x, want %x", c[0], c[1], got, c[2])
		}
	}
}

// toOdd rounds a normal number to odd, by package big.
func toOdd(z *wide) float64 {
	x := z.big(6)
	x.Abs(x)
	f, _ := new(big.Float).SetMode(big.ToZero).SetPrec(53).Set(x).Float64()
	if new(big.Float).SetFloat64(f).Cmp(x) != 0 {
		f = math.Float64frombits(math.Float64bits(f) | 1)
	}
	return f
}
