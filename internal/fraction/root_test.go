package fraction

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestRoot compares roots, rounded, with roots of 2,000 bits: of random
// fractions, of squares, and of numbers next to squares of midpoints of two
// float64, where the first bits alone would round wrongly.
func TestRoot(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	check := func(r *big.Rat) {
		t.Helper()
		f := new(big.Float).SetPrec(2000).SetRat(r)
		want, _ := f.Sqrt(f).Float64()
		if got, _ := Root(r).Float64(); got != want {
			t.Errorf("√%v = %v, want %v", r, got, want)
		}
	}
	check(new(big.Rat))
	tiny := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 900))
	for range 500 {
		x := new(big.Rat).SetFloat64(math.Ldexp(1+rng.Float64(), rng.IntN(600)-300))
		y := new(big.Rat).SetFrac64(rng.Int64()+1, rng.Int64()+1)
		check(x)
		check(y)
		check(x.Mul(x, y))
		check(y.Mul(y, y))
		m := rng.Int64()>>10 | 1<<53 | 1 // of 54 bits: a midpoint
		square := new(big.Rat).SetInt(new(big.Int).Mul(big.NewInt(m), big.NewInt(m)))
		check(square)
		check(new(big.Rat).Add(square, tiny))
		check(new(big.Rat).Sub(square, tiny))
	}
}
