// Package cpu says which vector instructions this processor, and its operating
// system, have. They choose how fast something is computed, never its bits.
package cpu

// Features of this processor. Each is false where the kernels that need it are
// not compiled: on other architectures, and with the build tag purego.
var (
	// AVX2 stands for AVX2 together with FMA.
	AVX2 bool
	// AVX512 stands for the foundation with VL, DQ and BW.
	AVX512 bool
)
