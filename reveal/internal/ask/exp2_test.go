package ask

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestQuickExp2 holds the powers of two of long inputs against math.Exp2.
func TestQuickExp2(t *testing.T) {
	const seed = 21
	rng := rand.New(rand.NewPCG(seed, 22))
	for range 100_000 {
		x := 2000*rng.Float64() - 1000
		if rng.IntN(2) == 0 {
			x = 12*rng.Float64() - 6
		}
		got, want := quickExp2(x), math.Exp2(x)
		if math.Abs(got/want-1) > 0x1p-27 {
			t.Fatalf("seed %d: 2^%v is %v, not %v", seed, x, want, got)
		}
	}
	for e := -1000; e <= 1000; e++ {
		if got := quickExp2(float64(e)); got != math.Ldexp(1, e) {
			t.Fatalf("2^%d is %v", e, got)
		}
	}
}
