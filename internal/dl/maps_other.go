//go:build purego || faketime || static || !((linux && !android) || (darwin && !ios)) || !(amd64 || arm64)

package dl

// Loops reports whether Map and Map2 call C from a loop outside of Go.
const Loops = false

// loop is never called.
func loop[T float32 | float64](uintptr, []T, []T, []T) {}
