//go:build amd64 && !noasm && !gccgo && !safe

package blas

// isGonumPortable reports whether gonum's loops are portable Go in this build.
const isGonumPortable = false
