//go:build !purego

package kernel

import "unsafe"

//go:generate sh -c "cd ../_asm && go run ./hide -out ../kernel/hide_asm_amd64.s -stubs ../kernel/hide_asm_amd64.go -pkg kernel"

// Hide returns x. What is done with the result does not make the compiler put x's array on the
// heap: it is for calls of kernels through variables, which keep no pointer.
func Hide[T float32 | float64](x []T) []T {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(hide((*byte)(unsafe.Pointer(&x[0]))))), len(x))
}
