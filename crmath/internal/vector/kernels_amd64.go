//go:build !purego && !race

package vector

// kernels says whether there are any. The race detector would not see what they read and write.
const kernels = true
