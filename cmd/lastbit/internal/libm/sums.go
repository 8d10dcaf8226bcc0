package libm

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"math/bits"
	"math/rand/v2"
)

// Sums finds a result that differs between two runs of a function, although it
// holds no results: it has sums of hashes of them.
//
// Each result i has a hash h modulo sumPrime. In each of sumRounds rounds it
// belongs to a random bucket: one of two that share half of the results, or one
// of those with a quarter, an eighth and so on. A bucket has Σ h and Σ i·h.
// Where one result of a bucket differs, its two sums change by d and i·d, which
// gives i, and h of the other run. Several results pass for one with a chance
// of 3·2^17/2^47 for all buckets together. Some bucket has one result, whatever
// the number of those that differ, with a chance of more than 0.97.
//
// Each round is an ℓ0-sampler with recovery of one element, as Cormode and
// Firmani describe it.
//
// References:
//   - [Cormode2014] Graham Cormode and Donatella Firmani. A unifying framework
//     for ℓ0-sampling algorithms. Distributed and Parallel Databases
//     32(3):315–335, 2014.
type Sums []uint64

const (
	sumPrime   = 1<<47 - 115
	sumRounds  = 3
	sumBuckets = 18 // of a round: of 2^17 results, the last has 2 or so
	sumBytes   = 6  // of a sum in a text
)

// sumsOf returns the sums of results.
func sumsOf[T Float](results []T) Sums {
	s := make(Sums, 2*sumRounds*sumBuckets)
	for i, v := range results {
		h := sumHash(i, bitsOf(v))
		ih := uint64(i) * h % sumPrime
		for _, b := range bucketsOf(i) {
			s[2*b] = (s[2*b] + h) % sumPrime
			s[2*b+1] = (s[2*b+1] + ih) % sumPrime
		}
	}
	return s
}

// sumHash returns the hash of the bits of result i.
func sumHash(i int, b uint64) uint64 {
	return rand.NewPCG(b, uint64(i)).Uint64() % sumPrime
}

// bucketsOf returns the bucket of result i in each round. A round takes 21
// random bits: the zeros at their end, and for a number without any the first.
func bucketsOf(i int) (buckets [sumRounds]int) {
	const width = 64 / sumRounds
	u := rand.NewPCG(uint64(i), 1).Uint64()
	for r := range buckets {
		zeros := min(bits.TrailingZeros64(u), sumBuckets-2)
		if zeros == 0 && u>>(width-1)&1 != 0 {
			zeros = sumBuckets - 1
		}
		buckets[r] = r*sumBuckets + zeros
		u >>= width
	}
	return buckets
}

// changed returns the index of one of n results that another run gave
// otherwise, and the hash of its result there.
func (s Sums) changed(here Sums, n int, hash func(i int) uint64) (i int, there uint64, ok bool) {
	if len(s) != len(here) {
		return 0, 0, false
	}
	d := make(Sums, len(s))
	for k, v := range s {
		d[k] = (v + sumPrime - here[k]) % sumPrime
	}
	for i = range n {
		for _, b := range bucketsOf(i) {
			if d[2*b] != 0 && uint64(i)*d[2*b]%sumPrime == d[2*b+1] {
				return i, (hash(i) + d[2*b]) % sumPrime, true
			}
		}
	}
	return 0, 0, false
}

// String returns the sums in base64.
func (s Sums) String() string {
	var b []byte
	for _, v := range s {
		b = append(b, binary.BigEndian.AppendUint64(nil, v)[8-sumBytes:]...)
	}
	return base64.StdEncoding.EncodeToString(b)
}

// ParseSums reads the output of String.
func ParseSums(text string) (Sums, error) {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	if len(b) != 2*sumRounds*sumBuckets*sumBytes {
		return nil, errors.New("libm: it is not a list of sums")
	}
	var s Sums
	for ; len(b) > 0; b = b[sumBytes:] {
		v := binary.BigEndian.Uint64(append(make([]byte, 8-sumBytes), b[:sumBytes]...))
		if v >= sumPrime {
			return nil, errors.New("libm: a sum is not below its modulus")
		}
		s = append(s, v)
	}
	return s, nil
}
