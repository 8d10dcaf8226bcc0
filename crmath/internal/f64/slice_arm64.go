//go:build !purego

package f64

// vectors returns NEON's kernels, which every arm64 processor has.
func vectors() []vectorSet { return []vectorSet{kernelsNEON()} }
