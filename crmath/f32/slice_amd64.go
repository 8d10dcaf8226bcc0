//go:build !purego

package f32

import "github.com/lastbit/lastbit/internal/cpu"

// vectors returns the kernels of each instruction set that this processor has, the
// fastest last.
func vectors() []vectorSet {
	var all []vectorSet
	if cpu.AVX2 {
		all = append(all, vectorSet{"AVX2", expAVX2, exp2AVX2, expm1AVX2, logAVX2, log2AVX2, log10AVX2, log1pAVX2, sinAVX2, cosAVX2, tanAVX2, tanhAVX2, powLaneAVX2})
	}
	if cpu.AVX512 {
		all = append(all, vectorSet{"AVX-512", expAVX512, exp2AVX512, expm1AVX512, logAVX512, log2AVX512, log10AVX512, log1pAVX512, sinAVX512, cosAVX512, tanAVX512, tanhAVX512, powLaneAVX512})
	}
	return all
}
