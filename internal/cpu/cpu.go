// Package cpu detects the vector instructions of this processor and its
// operating system. They select how fast something is computed, never its bits.
//
// GODEBUG=cpu.avx512f=off and GODEBUG=cpu.avx2=off leave instructions out, in
// the whole program, as they do in Go's own packages.
package cpu

// Features of this processor. Each is false in builds without the kernels that
// need it: on other architectures, and with the build tag purego.
var (
	// AVX2 is AVX2 together with FMA.
	AVX2 bool
	// AVX512 is AVX-512 F with VL, DQ and BW.
	AVX512 bool
	// VNNI is AVX512 together with AVX-512 VNNI.
	VNNI bool
	// Gathers is AVX512 on Intel's processors from Sapphire Rapids on. Gathers
	// take less time than single loads there, as measured on Emerald Rapids.
	Gathers bool
)
