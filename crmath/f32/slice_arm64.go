//go:build !purego

package f32

// vectors returns NEON's kernels, which every arm64 processor has.
func vectors() []vectorSet { return []vectorSet{kernelsNEON()} }
