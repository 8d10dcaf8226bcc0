package f32

import (
	"math/rand/v2"
	"testing"
)

// TestCalls compares single calls with the functions without fused operations.
func TestCalls(t *testing.T) {
	for _, f := range functions {
		strata(15, func(x float32) {
			if got, want := f.f(x), f.plain(x); !identical(got, want) {
				t.Fatalf("%s(%x) = %x, want %x", f.name, x, got, want)
			}
		})
	}
	for _, f := range binaries {
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 1 << 15 {
			x, y := f.kinds[i%len(f.kinds)](rng)
			if got, want := f.f(x, y), f.plain(x, y); !identical(got, want) {
				t.Fatalf("%s(%x, %x) = %x, want %x", f.name, x, y, got, want)
			}
		}
	}
}
