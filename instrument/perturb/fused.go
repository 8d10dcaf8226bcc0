//lastbit:ignore fma these stand for products and sums that a compiler may fuse

package perturb

import (
	"math"
	"unsafe"
)

// Two or three operations in one call: a sum, and products, whose sites are the
// next ones.

// MulAdd returns x·y + z.
func MulAdd[T Float](x, y, z T, site uint32) T {
	if active {
		return T(mulAdd(float64(x), float64(y), float64(z), site, unsafe.Sizeof(x)))
	}
	return x*y + z
}

// MulSub returns x·y - z.
func MulSub[T Float](x, y, z T, site uint32) T {
	if active {
		return T(mulAdd(float64(x), float64(y), -float64(z), site, unsafe.Sizeof(x)))
	}
	return x*y - z
}

// AddMul returns z + x·y.
func AddMul[T Float](z, x, y T, site uint32) T {
	if active {
		return T(mulAdd(float64(x), float64(y), float64(z), site, unsafe.Sizeof(x)))
	}
	return z + x*y
}

// SubMul returns z - x·y.
func SubMul[T Float](z, x, y T, site uint32) T {
	if active {
		return T(mulAdd(-float64(x), float64(y), float64(z), site, unsafe.Sizeof(x)))
	}
	return z - x*y
}

// MulAddMul returns x·y + z·w. It takes float64 only, or compilers would not
// put it in its place.
func MulAddMul(x, y, z, w float64, site uint32) float64 {
	if active {
		return mulAddMul(x, y, z, w, site)
	}
	return x*y + z*w
}

// MulSubMul returns x·y - z·w, as MulAddMul does.
func MulSubMul(x, y, z, w float64, site uint32) float64 {
	if active {
		return mulAddMul(x, y, -z, w, site)
	}
	return x*y - z*w
}

// mulAdd is x·y + z.
//
//go:nosplit
func mulAdd(x, y, z float64, site uint32, size uintptr) float64 {
	p := float64(x * y)
	key := quick
	if size == singleSize || extreme(p) >= key<<63 {
		return add(mul(x, y, site+1, size), z, site, size)
	}
	p = nudge(p, math.FMA(-x, y, p), toss(x, y, 0, key))
	s := p + z
	if math.Float64bits(s)<<1 >= infinity<<1 {
		return s
	}
	return nudge(s, (s-z-p)+(s-p-z), toss(p, z, s, key))
}

// mulAddMul is x·y + z·w.
//
//go:nosplit
func mulAddMul(x, y, z, w float64, site uint32) float64 {
	p, q := float64(x*y), float64(z*w)
	key := quick
	if extreme(p)|extreme(q) >= key<<63 {
		return add(mul(x, y, site+1, doubleSize), mul(z, w, site+2, doubleSize), site, doubleSize)
	}
	p = nudge(p, math.FMA(-x, y, p), toss(x, y, 0, key))
	q = nudge(q, math.FMA(-z, w, q), toss(z, w, 0, key))
	s := p + q // finite: p and q are at most 2^512
	return nudge(s, (s-q-p)+(s-p-q), toss(p, q, s, key))
}
