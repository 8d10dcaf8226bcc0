package unsigned

import (
	"elsewhere"
	"math/rand"
)

type box struct{ f float64 }

type number float64

func product(x, y float64) uint64 {
	return uint64(x * y) // want `^uint64\(x \* y\) fuses on .*; it shows only where`
}

func negated(x, y float64) uint64 {
	return uint64(-(x * y)) // want `fuses on loong64;`
}

func places(b *box, a []float64, x float64) (p uint, q uint64, r uintptr) {
	b.f *= x
	p = uint((b.f)) // want `write float64\(b.f\)`
	a[0] = x * x
	f := x * 3
	return p, uint64(f), uintptr(a[0]) // want `write float64\(f\)` `write float64\(a\[0\]\)`
}

func single(x, y float32) uint64 {
	return uint64(x * y) // want `write float32\(x \* y\)`
}

func named(x, y number) uint64 {
	return uint64(x * y) // want `write number\(x \* y\)`
}

func small(f float64) uint64 {
	return uint64(f) // want `inlined at line 41`
}

func inlined(x, y float64) uint64 {
	return small(x*y) + elsewhere.Unsigned(x*y) // want `is inlined, and its conversion of line`
}

func generic[T float32 | float64, U int64 | uint64](x, y T, z float64) (uint64, U) {
	return uint64(x * y), U(z * z) // want `write T\(x \* y\)` `write float64\(z \* z\)`
}

func exact(n int32, x, y float64) (uint64, uint64, uint64, uint64, uint64) {
	return uint64(float64(n) * 1.1), uint64(rand.Float64() * 1000), uint64(x / 4), uint64(4 * y),
		uint64(float64(x * y))
}

func others(x, y float64) (int64, uint32, uint64) {
	return int64(x * y), uint32(x * y), uint64(x - y)
}
