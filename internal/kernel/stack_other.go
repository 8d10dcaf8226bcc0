//go:build purego || !(amd64 || arm64)

package kernel

// FindsStacks reports whether Shared can tell a stack from the heap, and so
// hides slices.
const FindsStacks = false

// Shared returns x as other goroutines may have it. The compiler puts its array
// on the heap.
func Shared[T any](x []T) (shared []T, ok bool) { return x, true }
