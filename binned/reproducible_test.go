package binned

import (
	"testing"
)

func TestReproducible(t *testing.T) {
	t.Run("float64", testReproducible[float64])
	t.Run("float32", testReproducible[float32])
}

// testReproducible shuffles, splits and merges at random: the result never
// changes.
func testReproducible[T Float](t *testing.T) {
	rng := newRand(t)
	for _, d := range distributions[T]() {
		for _, a := range algorithms[T]() {
			for range 14 {
				n, k := rng.IntN(900), 1+rng.IntN(11)
				x := d.make(rng, n)
				want, err := a.sum(x, k)
				must(t, want, err)
				for range 5 {
					rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
					parts := splitRandomly(rng, x)
					if got := a.merged(t, rng, parts, int64(n), k); bitsOf(got) != bitsOf(want) {
						t.Fatalf("%s of %s, n = %d, k = %d, %d parts: %g, not %g", a.name, d.name,
							n, k, len(parts), got, want)
					}
				}
			}
		}
	}
}

// TestBlocks is the experiment of Demmel2013: blocks of b = 2^l summands, 32 ≤
// b ≤ n, each summed sequentially, and reduced by a flat and a binary tree.
func TestBlocks(t *testing.T) {
	t.Run("float64", testBlocks[float64])
	t.Run("float32", testBlocks[float32])
}

func testBlocks[T Float](t *testing.T) {
	rng := newRand(t)
	const n = 1 << 11
	for _, d := range distributions[T]() {
		x := d.make(rng, n)
		for _, a := range algorithms[T]() {
			for k := 1; k <= 3; k++ {
				want, err := a.sum(x, k)
				must(t, want, err)
				for b := 32; b <= n; b *= 2 {
					var parts [][]T
					for i := 0; i < n; i += b {
						parts = append(parts, x[i:i+b])
					}
					for _, tree := range []func(int) (int, int){
						func(int) (int, int) { return 0, 1 }, // flat
						func(m int) (int, int) {
							return 0, m - 1
						}, // flat, from the other end
						func(m int) (int, int) { return m - 2, m - 1 },   // flat, nested
						func(m int) (int, int) { return m/2 - 1, m - 1 }, // binary
					} {
						got := a.reduce(t, parts, n, k, tree, false)
						if bitsOf(got) != bitsOf(want) {
							t.Fatalf("%s of %s, k = %d, b = %d: %g, not %g", a.name, d.name, k, b,
								got, want)
						}
					}
				}
			}
		}
	}
}

// TestSplits splits one set of values in 1000 ways.
func TestSplits(t *testing.T) {
	rng := newRand(t)
	const n = 400
	for _, d := range distributions[float64]() {
		if d.name != "all exponents" && d.name != "near overflow" {
			continue
		}
		x := d.make(rng, n)
		for _, a := range algorithms[float64]() {
			want, err := a.sum(x, 2)
			must(t, want, err)
			for range 1000 {
				rng.Shuffle(n, func(i, j int) { x[i], x[j] = x[j], x[i] })
				got := a.merged(t, rng, splitRandomly(rng, x), n, 2)
				if bitsOf(got) != bitsOf(want) {
					t.Fatalf("%s of %s: %g, not %g", a.name, d.name, got, want)
				}
			}
		}
	}
}
