package perturb

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// coin tosses the coin of an operation: a hash of its result, its error, its
// site and the seed. One multiplication is not enough: it gives 57 % heads for
// x += 0.1.
func coin(r, e float64, site uint32) bool {
	x := math.Float64bits(r) ^ bits.RotateLeft64(math.Float64bits(e), 32) ^
		seed ^ uint64(site)*0x9e3779b97f4a7c15
	if header.Free != 0 {
		x += atomic.AddUint64(&header.Counter, 1) * 0xd1342543de82ef95
	}
	return mix(x)>>63 != 0
}

// mix scrambles 64 bits: the finalizer of SplitMix64 (Steele, Lea and Flood,
// OOPSLA 2014).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
