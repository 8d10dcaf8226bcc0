package main

import (
	"math/rand/v2"
	"testing"
)

// TestFirstHit compares with a scan, for slopes and intervals of all sizes.
func TestFirstHit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 30_000 {
		a, b := rng.Uint64(), rng.Uint64()>>rng.IntN(20)
		if rng.IntN(2) == 0 {
			b = -b
		}
		lo := rng.Uint64()
		hi := lo + rng.Uint64()>>(2+rng.IntN(12))
		n := uint64(1 + rng.IntN(1000))
		want, v := uint64(0), a
		for ; want < n && v-lo > hi-lo; want++ {
			v += b
		}
		if got := firstHit(a, b, lo, hi, n); got != want {
			t.Fatalf("firstHit(%#x, %#x, %#x, %#x, %d) = %d, want %d", a, b, lo, hi, n, got, want)
		}
		if want > 0 && want < n {
			found++
		}
	}
	if found < 5000 {
		t.Errorf("only %d of the hits are beyond the first argument", found)
	}
}

func BenchmarkFirstHit(b *testing.B) {
	const n = 1 << 18
	rng := rand.New(rand.NewPCG(1, 2))
	for b.Loop() {
		x := rng.Uint64()
		firstHit(x, x*0x9e3779b97f4a7c15, 0, 1<<44, n)
	}
}
