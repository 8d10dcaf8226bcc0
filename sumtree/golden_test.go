package sumtree

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lastbit/lastbit/fp"
)

// golden is the hash of the replays below, the same on every architecture.
const golden = 0x997a0ab35cd29eeb

// TestGolden replays random trees in every format and mode on fixed inputs and
// compares a hash of all results. The inputs are made of integer arithmetic.
func TestGolden(t *testing.T) {
	h := fnv.New64a()
	rng := rand.New(rand.NewPCG(31, 41))
	number := func(f fp.Format) float64 {
		m := float64(int64(rng.Uint64())>>11) * 0x1p-52
		return f.Round(math.Ldexp(m, rng.IntN(16)-8), fp.NearestEven)
	}
	for _, f := range []fp.Format{fp.Binary64, fp.Binary32, fp.Binary16, fp.BFloat16} {
		for _, mode := range []fp.Mode{fp.NearestEven, fp.TowardZero, fp.Up, fp.Down} {
			for fma := FMANone; fma <= FMAAll; fma++ {
				for _, arity := range []int{2, 5} {
					tree := randomTree(rng, 60, arity)
					a := Arithmetic{
						In:       f,
						Out:      f,
						Products: true,
						FMA:      fma,
						Nodes:    NodeArith{Acc: f, Mode: mode},
					}
					if arity > 2 {
						a.Nodes.Align, a.Nodes.Trunc = 20, mode
					}
					for range 20 {
						x, y := make([]float64, 60), make([]float64, 60)
						for i := range x {
							x[i], y[i] = number(f), number(f)
						}
						s, err := tree.Replay(a, x, y)
						if err != nil {
							t.Fatal(err)
						}
						var b [8]byte
						for k := range b {
							b[k] = byte(math.Float64bits(s) >> (8 * k))
						}
						h.Write(b[:])
					}
				}
			}
		}
	}
	if h.Sum64() != golden {
		t.Errorf("the replays hash to %#x, not to %#x", h.Sum64(), uint64(golden))
	}
}
