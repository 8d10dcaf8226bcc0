package kernel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestCompensatedDot compares compensated sums with exact sums, and with the
// sums of the portable body.
func TestCompensatedDot(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	for n := range 70 {
		x, y := make([]float64, n), make([]float64, n+1)
		exact, size := new(big.Float).SetPrec(2000), 0.0
		for i := range x {
			x[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30)
			y[i] = math.Ldexp(rng.NormFloat64(), rng.IntN(60)-30)
			product := new(big.Float).SetPrec(106)
			exact.Add(exact, product.Mul(big.NewFloat(x[i]), big.NewFloat(y[i])))
			size += math.Abs(x[i] * y[i])
		}
		wantS, wantC := Generic.CompensatedDot(x, y)
		for _, l := range Levels() {
			s, c := l.CompensatedDot(x, y)
			if s != wantS || c != wantC {
				t.Fatalf("%v, n = %d: %v + %v, want %v + %v", l, n, s, c, wantS, wantC)
			}
		}
		exact.Sub(exact, big.NewFloat(wantS))
		exact.Sub(exact, big.NewFloat(wantC))
		// The bound of Ogita2005: the correction has n roundings.
		bound := float64(n*n) * 0x1p-106 * size
		if e, _ := exact.Abs(exact).Float64(); e > bound {
			t.Fatalf("n = %d: error %g, bound %g", n, e, bound)
		}
	}
}
