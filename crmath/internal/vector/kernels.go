//go:build (amd64 || arm64) && !purego && !race

package vector

// kernels reports whether this build has kernels. The race detector would not
// see their loads and stores.
const kernels = true
