package binned

import (
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// golden is the hash of the sums, vectors and bounds below, the same on every
// architecture.
const golden = 0xbd0cadf560548d69

// TestGolden sums every distribution by every algorithm and compares a hash of
// all results.
func TestGolden(t *testing.T) {
	h := fnv.New64a()
	goldenSums[float64](t, h)
	goldenSums[float32](t, h)
	if h.Sum64() != golden {
		t.Errorf("the sums hash to %#x, not to %#x", h.Sum64(), uint64(golden))
	}
}

func goldenSums[T Float](t *testing.T, h hash.Hash64) {
	write := func(x uint64) {
		var b [8]byte
		for k := range b {
			b[k] = byte(x >> (8 * k))
		}
		h.Write(b[:])
	}
	rng := rand.New(rand.NewPCG(27, 18))
	for _, d := range distributions[T]() {
		for _, n := range []int{1, 3, 50, 700} {
			x := d.make(rng, n)
			for _, a := range algorithms[T]() {
				for _, k := range []int{1, 2, 3, 11} {
					s, err := a.sum(x, k)
					must(t, s, err)
					write(bitsOf(s))
					write(math.Float64bits(a.bound(int64(n), k, MaxAbs(x), s)))
					if a.window != nil {
						w, _ := a.window(int64(n), k)
						w.AddSlice(x)
						for _, v := range w.AppendVector(nil) {
							write(math.Float64bits(v))
						}
					}
				}
			}
		}
	}
}
