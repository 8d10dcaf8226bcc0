package kernel

import "unsafe"

// Overlap reports whether dst and x share memory without beginning at the same
// address, so that a loop would read values from x that it stored in dst.
func Overlap[T float32 | float64](dst, x []T) bool {
	if len(dst) == 0 || len(x) == 0 || &dst[0] == &x[0] {
		return false
	}
	d, a, size := uintptr(unsafe.Pointer(&dst[0])), uintptr(unsafe.Pointer(&x[0])),
		unsafe.Sizeof(x[0])
	return d < a+size*uintptr(len(x)) && a < d+size*uintptr(len(dst))
}
