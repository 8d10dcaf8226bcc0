package eft

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// number draws a finite number whose exponent lies between lo and hi.
func number(rng *rand.Rand, lo, hi int) float64 {
	v := math.Ldexp(1+rng.Float64(), lo+rng.IntN(hi-lo))
	if rng.IntN(4) == 0 {
		v = math.Ldexp(1, math.Ilogb(v)) // few bits
	}
	return v * float64(1-2*rng.IntN(2))
}

func exact(x float64) *big.Float { return new(big.Float).SetPrec(4500).SetFloat64(x) }

func TestTwoSum(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for i := range 300_000 {
		a, b := number(rng, -1074, 1022), number(rng, -1074, 1022)
		if i%2 == 0 { // of like size, often cancelling
			b = math.Ldexp(b, math.Ilogb(a)-math.Ilogb(b)+rng.IntN(110)-55)
		}
		s, e := TwoSum(a, b)
		if math.IsInf(b, 0) || math.IsInf(s, 0) {
			continue
		}
		sum := exact(a)
		sum.Add(sum, exact(b))
		if s != a+b || sum.Cmp(exact(s).Add(exact(s), exact(e))) != 0 {
			t.Fatalf("TwoSum(%x, %x) = %x, %x", a, b, s, e)
		}
		if s2, e2 := TwoSum(b, a); s2 != s || e2 != e {
			t.Fatalf("TwoSum(%x, %x) depends on their order", a, b)
		}
	}
}

func TestTwoProd(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 300_000 {
		a := number(rng, -480, 500)
		b := number(rng, -480, 500)
		p, e := TwoProd(a, b)
		product := exact(a)
		product.Mul(product, exact(b))
		if p != float64(a*b) || product.Cmp(exact(p).Add(exact(p), exact(e))) != 0 {
			t.Fatalf("TwoProd(%x, %x) = %x, %x", a, b, p, e)
		}
	}
	// The contract's bound: a product just above it still has an exact error.
	if p, e := TwoProd(1+0x1p-52, (1+0x1p-52)*0x1p-969); p != (1+0x1p-51)*0x1p-969 ||
		e != 0x1p-1073 {
		t.Errorf("at the bound: %x, %x", p, e)
	}
}
