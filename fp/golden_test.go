package fp

import (
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"
)

// golden is the hash of the operations below, the same on every architecture.
const golden = 0xb4742443f31e0307

// TestGolden computes in the formats of 16 bits and more, in every mode, on
// fixed operands, and compares a hash of all results.
func TestGolden(t *testing.T) {
	h := fnv.New64a()
	rng := rand.New(rand.NewPCG(59, 26))
	write := func(x float64) {
		var b [8]byte
		for k := range b {
			b[k] = byte(math.Float64bits(x) >> (8 * k))
		}
		h.Write(b[:])
	}
	for f := Binary64; f <= BFloat16; f++ {
		number := func() float64 {
			m := float64(int64(rng.Uint64())>>11) * 0x1p-52
			return f.Round(math.Ldexp(m, rng.IntN(30)-15), NearestEven)
		}
		for m := NearestEven; m <= Down; m++ {
			for range 2000 {
				a, b, c := number(), number(), number()
				write(f.Add(a, b, m))
				write(f.Mul(a, b, m))
				if f != Binary64 || m == NearestEven {
					write(f.FMA(a, b, c, m))
				}
				write(f.Round(float64(a*b), m))
				write(f.FromBits(f.Bits(a)))
				write(f.NextUp(a))
				write(f.ULP(b))
			}
		}
	}
	if h.Sum64() != golden {
		t.Errorf("the results hash to %#x, not to %#x", h.Sum64(), uint64(golden))
	}
}
