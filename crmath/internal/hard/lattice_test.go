package main

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLattice compares with a scan, for slopes and intervals of all sizes; the
// slope changes from line to line as a parabola's does.
func TestLattice(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	found := 0
	for range 3000 {
		b := rng.Uint64() >> rng.IntN(64)
		if rng.IntN(2) == 0 {
			b = -b
		}
		n := uint64(2 + rng.IntN(1000))
		below, above := uint64(0), uint64(0)
		for _, bound := range []*uint64{&below, &above} {
			*bound = rng.Uint64() >> (2 + rng.IntN(20))
		}
		var l lattice
		change := rng.Uint64() >> (2 * bits.Len64(n))
		for range 8 {
			a := rng.Uint64()
			var want []uint64
			for i := range n {
				if a+b*i+below <= below+above {
					want = append(want, i)
				}
			}
			got := l.hits(nil, a, b, below, above, n)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("a = %#x, b = %#x, from -%#x to %#x, n = %d: %v, want %v", a, b, below,
					above, n, got, want)
			}
			found += len(want)
			b += change
		}
	}
	if found < 5000 {
		t.Errorf("only %d hits", found)
	}
}

// BenchmarkLattice takes lines as the search does.
func BenchmarkLattice(b *testing.B) {
	const n = 1 << 18
	rng := rand.New(rand.NewPCG(1, 2))
	slope := rng.Uint64()
	var l lattice
	var list []uint64
	for b.Loop() {
		x := rng.Uint64()
		list = l.hits(list[:0], x, slope, 0, 1<<45, n)
		slope += 1 << 29
	}
}
