//go:build !purego && !race

package vector

// kernels reports whether this build has kernels. The race detector would not
// see what they read and write.
const kernels = true
