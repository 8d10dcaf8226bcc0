//go:build !amd64 || purego

package f32

// vectors returns nothing: there are no kernels for this processor.
func vectors() []vectorSet { return nil }
