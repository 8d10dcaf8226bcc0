//go:build (!amd64 && !arm64) || purego || race

package vector

// kernels reports whether this build has kernels.
const kernels = false
