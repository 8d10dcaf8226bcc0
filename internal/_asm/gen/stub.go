package gen

import "math/bits"

// Float returns Go's name of the format with elements of size bytes.
func Float(size int) string {
	if size == 4 {
		return "float32"
	}
	return "float64"
}

// Stub returns the name of a stub: operation, format, level.
func Stub(operation string, size int, level string) string {
	format := "Float64"
	if size == 4 {
		format = "Float32"
	}
	return operation + format + level
}

// Origin returns the lines of a stub's comment that name its sources.
func Origin(generator string) string {
	return "\nIts contract and code: internal/_asm/" + generator + ". All kernels: doc.go."
}

// Log2 returns the logarithm of a power of two.
func Log2(n int) int { return bits.Len(uint(n)) - 1 }
