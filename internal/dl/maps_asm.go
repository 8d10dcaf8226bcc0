//go:build !purego && !faketime && !static && ((linux && !android) || (darwin && !ios)) && (amd64 || arm64)

package dl

import (
	"unsafe"

	"github.com/ebitengine/purego"
)

// Loops reports whether Map and Map2 call C from a loop outside of Go.
const Loops = true

// loop runs one of the assembly loops on the system's stack. y is nil for a
// function of one argument. The arrays are on the heap, as SyscallN requires,
// and do not move.
func loop[T float32 | float64](f uintptr, out, x, y []T) {
	n := len(x)
	if n == 0 {
		return
	}
	_ = out[n-1]
	single := unsafe.Sizeof(x[0]) == 4
	var address uintptr
	switch {
	case y == nil && single:
		address = map1Float32Addr()
	case y == nil:
		address = map1Float64Addr()
	case single:
		address = map2Float32Addr()
	default:
		address = map2Float64Addr()
	}
	purego.SyscallN(address, f, uintptr(unsafe.Pointer(&out[0])), uintptr(n),
		uintptr(unsafe.Pointer(&x[0])), uintptr(unsafe.Pointer(unsafe.SliceData(y))))
}
