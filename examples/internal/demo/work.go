package demo

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
	"math/rand/v2"
	"sync"
)

// Split divides 0 … n−1 into one range for each worker, calls do for each in a
// goroutine of its own, and returns when all have returned.
func Split(n, workers int, do func(worker, from, to int)) {
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() { do(w, n*w/workers, n*(w+1)/workers) })
	}
	all.Wait()
}

// Random returns a source of random numbers: the same ones on every machine.
func Random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// Uniform returns a random multiple of 2^−52 in [−1, 1).
func Uniform(r *rand.Rand) float64 { return float64(int64(r.Uint64())>>11) / (1 << 52) }

// Uniforms returns n of them.
func Uniforms(r *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = Uniform(r)
	}
	return x
}

// Numbering returns numbers 0 … n−1 for n things: their own order for seed 0,
// else a random one.
func Numbering(n int, seed uint64) []int {
	if seed != 0 {
		return Random(seed).Perm(n)
	}
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

// A Hash is the SHA-256 of numbers: of their bits, so that −0 and +0 differ.
type Hash struct{ sum hash.Hash }

// NewHash returns the hash of nothing.
func NewHash() *Hash { return &Hash{sha256.New()} }

// Floats appends the elements of x.
func (h *Hash) Floats(x []float64) *Hash {
	var b [8]byte
	for _, v := range x {
		//lastbit:ignore nankey the values are numbers
		binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
		h.sum.Write(b[:])
	}
	return h
}

// Ints appends the elements of x.
func (h *Hash) Ints(x []int) *Hash {
	var b [8]byte
	for _, v := range x {
		binary.LittleEndian.PutUint64(b[:], uint64(v))
		h.sum.Write(b[:])
	}
	return h
}

// String returns the first eight bytes in hexadecimal.
func (h *Hash) String() string { return hex.EncodeToString(h.sum.Sum(nil)[:8]) }
