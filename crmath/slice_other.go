//go:build !amd64 || purego

package crmath

// vectors returns nothing: this processor has no kernels.
func vectors() []vectorSet { return nil }
