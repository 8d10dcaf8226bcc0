package f32

import (
	"math/rand/v2"
	"testing"
)

// plain holds the functions without fused operations, by MPFR's names.
var plain = map[string]func(float32) float32{
	"exp": exp, "exp2": exp2, "exp10": exp10, "expm1": expm1, "exp2m1": exp2m1,
	"exp10m1": exp10m1, "log": log, "log2": log2, "log10": log10, "log1p": log1p,
	"log2p1": log2p1, "log10p1": log10p1, "sin": sin, "cos": cos, "tan": tan, "asin": asin,
	"acos": acos, "atan": atan, "sinpi": sinpi, "cospi": cospi, "tanpi": tanpi, "asinpi": asinpi,
	"acospi": acospi, "atanpi": atanpi, "sinh": sinh, "cosh": cosh, "tanh": tanh, "asinh": asinh,
	"acosh": acosh, "atanh": atanh, "cbrt": cbrt, "rec_sqrt": rsqrt, "erf": erf, "erfc": erfc,
	"gamma": gamma,
	"lgamma": func(x float32) float32 {
		if x > 0 {
			return lgamma(x)
		}
		return lgammaNumber(x)
	},
}

var plainPairs = map[string]func(x, y float32) float32{
	"hypot": hypot, "pow": pow, "atan2": atan2,
}

// TestCalls compares single calls with the functions without fused operations.
func TestCalls(t *testing.T) {
	for _, f := range functions {
		g := plain[f.name]
		strata(15, func(x float32) {
			if got, want := f.f(x), g(x); !identical(got, want) {
				t.Fatalf("%s(%x) = %x, want %x", f.name, x, got, want)
			}
		})
	}
	for _, f := range binaries {
		g := plainPairs[f.name]
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 1 << 15 {
			x, y := f.kinds[i%len(f.kinds)](rng)
			if got, want := f.f(x, y), g(x, y); !identical(got, want) {
				t.Fatalf("%s(%x, %x) = %x, want %x", f.name, x, y, got, want)
			}
		}
	}
}
