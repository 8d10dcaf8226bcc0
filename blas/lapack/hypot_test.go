package lapack_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/blas/lapack"
	"github.com/lastbit/lastbit/crmath"
)

// TestHypot compares roots of sums of squares with package crmath: of like and
// very different numbers, exact results and midpoints, and special values.
func TestHypot(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	compare := func(x, y float64) {
		got, want := lapack.Implementation{}.Dlapy2(x, y), crmath.Hypot(x, y)
		if isOther(got, want) {
			t.Errorf("Dlapy2(%x, %x) = %x, want %x", x, y, got, want)
		}
	}
	for range 100000 {
		x := rng.NormFloat64()
		compare(x, 1)
		compare(x, math.Ldexp(rng.NormFloat64(), rng.IntN(160)-80))
		y := math.Ldexp(rng.NormFloat64(), rng.IntN(2200)-1100)
		compare(math.Ldexp(x, rng.IntN(2200)-1100), y)
	}
	for range 20000 {
		m, n := rng.Int64N(1<<27), rng.Int64N(1<<rng.IntN(27))
		a, b := float64(m*m-n*n), float64(2*m*n)
		compare(a, b)
		compare(math.Nextafter(a, b), b)
	}
	special := []float64{0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(),
		math.SmallestNonzeroFloat64, 0x1p-400, 0x1p-401, 0x1p-485, 0x1p500, 0x1p501,
		math.MaxFloat64}
	for _, x := range special {
		for _, y := range special {
			compare(x, y)
		}
	}
}
