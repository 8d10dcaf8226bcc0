// Package chain computes matrix products by one ascending chain of fused
// multiply-adds for each element. It is the engine of package blas.
package chain
