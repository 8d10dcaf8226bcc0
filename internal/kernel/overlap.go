package kernel

import "unsafe"

// Overlap reports whether dst and x share memory without beginning at the same place, so that
// what a loop stores in dst would be read from x later on.
func Overlap(dst, x []float64) bool {
	if len(dst) == 0 || len(x) == 0 || &dst[0] == &x[0] {
		return false
	}
	d, a := uintptr(unsafe.Pointer(&dst[0])), uintptr(unsafe.Pointer(&x[0]))
	return d < a+uintptr(8*len(x)) && a < d+uintptr(8*len(dst))
}
