package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// fmaModel returns x·y + z, rounded once to float32, by integers.
func fmaModel(x, y, z float32) float32 {
	sum := float64(x)*float64(y) + float64(z) // its zeros, infinities and NaN are right
	if sum == 0 || math.IsInf(sum, 0) || sum != sum {
		return float32(sum)
	}
	exact := func(v float32) *big.Float {
		return new(big.Float).SetPrec(600).SetFloat64(float64(v))
	}
	product := exact(x)
	product.Mul(product, exact(y))
	r, _ := product.Add(product, exact(z)).Float32()
	return r
}

// TestFMA32 holds the portable FMA of float32 against exact arithmetic: on
// every triple of numbers with rules of their own, and on sums close to
// midpoints.
func TestFMA32(t *testing.T) {
	const tiny = math.SmallestNonzeroFloat32
	var specials []float32
	for _, v := range []float64{0, tiny, 3 * tiny, 0x1p-127, 0x1p-126 - tiny, 0x1p-126, 0x1p-100,
		0x1.fffffep-76, 0x1p-64, 0x1.000002p-24, 0.5, 1, 1 + 0x1p-23, 1 - 0x1p-24, 0x1.fffffep24,
		0x1p64, 0x1.fffffep103, 0x1p127, math.MaxFloat32, math.Inf(1)} {
		specials = append(specials, float32(v), float32(math.Copysign(v, -1)))
	}
	specials = append(specials, float32(math.NaN()))
	hold := func(x, y, z float32) {
		t.Helper()
		if got, want := FMA(x, y, z), fmaModel(x, y, z); !same(got, want) {
			t.Fatalf("FMA(%x, %x, %x) = %x, want %x", x, y, z, got, want)
		}
	}
	for _, x := range specials {
		for _, y := range specials {
			for _, z := range specials {
				hold(x, y, z)
			}
		}
	}
	const seed = 3
	rng := rand.New(rand.NewPCG(seed, seed))
	// near returns a number whose fraction has few ones, or few zeros.
	near := func(exponent int) float32 {
		return float32(math.Ldexp(1+float64(rng.IntN(5)-2)*0x1p-23, exponent))
	}
	rounded := 0
	for range 50000 {
		e, f := rng.IntN(60)-30, rng.IntN(60)-30
		if rng.IntN(4) == 0 {
			e, f = -rng.IntN(150), -rng.IntN(10)
		}
		x, y := near(e), near(f)
		z := float32(math.Ldexp(float64(1<<23+rng.IntN(1<<23)), max(e+f+rng.IntN(6)-2, -149)))
		if rng.IntN(2) == 0 {
			z = -z
		}
		if float32(float64(x)*float64(y)+float64(z)) != fmaModel(x, y, z) {
			rounded++
		}
		hold(x, y, z)
	}
	if rounded < 100 {
		t.Errorf("only %d sums differ if they are rounded twice", rounded)
	}
}
