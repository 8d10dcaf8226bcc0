package fp

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/internal/eft"
)

// TestShortcutsOfRounding holds the shortcuts of Round and Add against the
// general ways that they replace, around ties, at both ends of the range, and
// on random values.
func TestShortcutsOfRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	for _, f := range []Format{Binary32, Binary16, BFloat16, E5M2, TF32} {
		check := func(a, b float64) {
			x := a + b
			for _, m := range modes {
				if r, ok := f.roundNormal(x, m); ok && r != f.roundScaled(x, 0, m) {
					t.Fatalf("%v of %x, %v: %x, want %x", f, x, m, r, f.roundScaled(x, 0, m))
				}
			}
			s, e := eft.TwoSum(a, b)
			if got, want := f.Add(a, b, NearestEven), f.roundSum(s, e, NearestEven); got != want {
				t.Fatalf("%v: %x + %x = %x, want %x", f, a, b, got, want)
			}
		}
		for range 200000 {
			exp := f.MinExp() - 3 + rng.IntN(f.MaxExp()-f.MinExp()+4)
			a := math.Ldexp(2*rng.Float64()-1, exp)
			switch rng.IntN(4) {
			case 0: // a value of the format
				a = f.roundScaled(a, 0, TowardZero)
			case 1: // halfway between two
				a = f.roundScaled(a, 0, TowardZero)
				a += f.ULP(a) / 2
			}
			b := math.Ldexp(2*rng.Float64()-1, exp-rng.IntN(70))
			switch rng.IntN(3) {
			case 0:
				b = math.Ldexp(float64(1-2*rng.IntN(2)), exp-rng.IntN(90))
			case 1:
				b = f.ULP(a) / 2
			}
			if a != 0 && a+b != 0 {
				check(a, b)
			}
		}
		for _, a := range []float64{f.Max(), f.MinNormal(), f.Smallest(), 1} {
			for _, by := range []float64{0.5, 1 - 0x1p-50, 1, 1 + 0x1p-50, 1.5} {
				check(a, by*f.ULP(a)/2)
				check(-a, -by*f.ULP(a)/2)
			}
		}
	}
}
