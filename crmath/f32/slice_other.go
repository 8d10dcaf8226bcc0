//go:build (!amd64 && !arm64) || purego

package f32

// vectors returns nothing: this processor has no kernels.
func vectors() []vectorSet { return nil }
