package perturb

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// toss tosses the coin of an operation, the first bit of its result: a hash of
// the magnitudes of its operands, in either order, of its result r, and of a
// key, which is odd and comes from the seed. Equal operations have equal
// errors, wherever they are, as in the program itself, and x·y and -x·y have
// opposite errors: x·y - x·y is 0. The result distinguishes operations on equal
// operands, such as x + y and x - y; for products, which are one operation, r
// is 0. It counts in both factors: added to their product, it would leave the
// coins of x + y and x - y equal, or opposite, for most x of a binade. One
// multiplication is not enough: it gives 57 % heads for x += 0.1.
func toss(a, b, r float64, key uint64) uint64 {
	k := key + 2*math.Float64bits(r)
	hi, lo := bits.Mul64(2*math.Float64bits(a)+k, 2*math.Float64bits(b)+k)
	return (hi ^ lo) * key
}

// spend returns a key that serves once, if Header.Free is set, and else the
// key.
func spend(key uint64) uint64 {
	if free {
		return key + 2*atomic.AddUint64(&header.Counter, 1)*0xd1342543de82ef95
	}
	return key
}

// Seeds without coins: in the mode Random, every inexact result is rounded away
// from 0, or toward 0.
const (
	Away   = 1<<63 + 1
	Toward = 1 << 63
)

// directed is set if the seed of this process is Away or Toward.
var directed bool

// away is 1<<63 for the seed Away, and else 0.
var away uint64

// direct returns the coin of a result r with the error e that the direction of
// this process gives.
func direct(r, e float64) uint64 { return math.Float64bits(r) ^ math.Float64bits(e) ^ away }

// coinKey returns the key of a seed, an odd number.
func coinKey(seed uint64) uint64 { return mix(mix(seed)+0x9e3779b97f4a7c15) | 1 }

// mix scrambles 64 bits: the finalizer of SplitMix64 (Steele, Lea and Flood,
// OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
