//go:build !amd64 || purego || race

package vector

// kernels says whether there are any.
const kernels = false
