package exact

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"math/rand/v2"
	"testing"
)

// bitsHash hashes results.
type bitsHash struct{ hash.Hash }

// put hashes the bits of values. All NaN are the same one.
func (h bitsHash) put(values ...float64) {
	for _, v := range values {
		if v != v {
			v = math.NaN()
		}
		h.Write(binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))
	}
}

func (h bitsHash) putDigest(d [sha256.Size]byte) { h.Write(d[:]) }

func (h bitsHash) putLimbs(limbs []int64) {
	for _, v := range limbs {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(v)))
	}
}

// hold compares the hash with want, which every processor has to give.
func (h bitsHash) hold(t *testing.T, want string) {
	t.Helper()
	if got := hex.EncodeToString(h.Sum(nil)); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

// TestGolden hashes sums and states over every distribution: every processor
// and every body of the kernels has to give these bits. The numbers are drawn
// without package math's functions, which differ between processors.
func TestGolden(t *testing.T) {
	const want = "375e7d9642214880d57d0d26306c3b6ac0a5b0c5b4606b7da643d4d1f3af7946"
	everyLevel(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		h := bitsHash{sha256.New()}
		for i := range 400 {
			n := rng.IntN(40)
			if i%20 == 0 {
				n = rng.IntN(20_000)
			}
			x, y := scattered(rng, n), scattered(rng, n)
			x32, y32 := single(x), single(y)
			h.put(Sum(x), Asum(x), Dot(x, y), Nrm2(x))
			h.put(float64(Sum(x32)), float64(Asum(x32)), float64(Dot(x32, y32)),
				float64(Nrm2(x32)))
			h.put(DotInc(n/2, x, 2, y, -1))
			var a Accumulator
			a.AddSlice(x)
			a.AddDot(x, y)
			a.AddSlice32(x32)
			h.put(a.Float64(), float64(a.Float32()))
			h.putDigest(a.Digest())
			h.putLimbs(a.AppendLimbs(nil))
		}
		h.hold(t, want)
	})
}

// scattered draws n numbers whose exponents spread over a part of the range,
// another one each time.
func scattered(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	width := 1 + rng.IntN(1<<(1+rng.IntN(11)))
	low := rng.IntN(2048)
	for i := range x {
		e := uint64(min(low+rng.IntN(width), 2046))
		x[i] = math.Float64frombits(rng.Uint64()&(1<<63|1<<52-1) | e<<52)
		if rng.IntN(3000) == 0 {
			x[i] = math.Float64frombits(rng.Uint64() | 0x7ff<<52)
		}
		if rng.IntN(30) == 0 {
			x[i] = math.Copysign(0, x[i])
		}
	}
	return x
}
