//go:build !purego && (amd64 || arm64)

package kernel

import "unsafe"

// FindsStacks reports whether Shared can tell a stack from the heap, and so
// hides slices.
const FindsStacks = true

// stackEnd returns the address behind the stack of the calling goroutine.
func stackEnd() uintptr

// Shared returns x as other goroutines may have it, or reports that none may:
// its array is on the stack of this one. Parameters and results of functions
// are, however large. The result is hidden as Hide does, and no use of it puts
// a shorter array on the heap.
func Shared[T any](x []T) (shared []T, ok bool) {
	end := stackEnd() // first: no call may move the stack behind an address
	var here byte
	at := uintptr(unsafe.Pointer(unsafe.SliceData(x)))
	if uintptr(unsafe.Pointer(&here)) <= at && at < end {
		return nil, false
	}
	return Hide(x), true
}
