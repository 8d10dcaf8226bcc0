//go:build !amd64 || purego

package f64

// vectors returns nothing: this processor has no kernels.
func vectors() []vectorSet { return nil }
