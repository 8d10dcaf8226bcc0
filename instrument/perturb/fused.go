//lastbit:ignore fma these stand for products and sums that a compiler may fuse

package perturb

import (
	"math"
	"unsafe"
)

// Two operations in one call: a product, whose site is the next one, and a sum.

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

// mulAdd is x·y + z.
//
//go:nosplit
func mulAdd(x, y, z float64, site uint32, size uintptr) float64 {
	p := float64(x * y)
	all := quick
	if size == singleSize || int(site)+1 >= len(all) || !isSafe(math.Float64bits(p)) {
		return add(mul(x, y, site+1, size), z, site, size)
	}
	p = nudge(p, math.FMA(x, y, -p), toss(x, y, all[site+1]))
	s := p + z
	t := s - p
	e := (p - (s - t)) + (z - t)
	if e != e { // or s is not finite
		return s
	}
	return nudge(s, e, toss(p, z, all[site]))
}
