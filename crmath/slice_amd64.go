//go:build !purego

package crmath

import "github.com/lastbit/lastbit/internal/cpu"

// vectors returns the kernels of each instruction set that this processor has, the
// fastest last.
func vectors() []vectorSet {
	var all []vectorSet
	if cpu.AVX2 {
		all = append(all, vectorSet{"AVX2", expLaneAVX2, exp2LaneAVX2, expm1LaneAVX2, logLaneAVX2, log2LaneAVX2, log10LaneAVX2, log1pLaneAVX2,
			sinLaneAVX2, cosLaneAVX2, tanLaneAVX2, powLaneAVX2})
	}
	if cpu.AVX512 {
		all = append(all, vectorSet{"AVX-512", expLaneAVX512, exp2LaneAVX512, expm1LaneAVX512, logLaneAVX512, log2LaneAVX512, log10LaneAVX512, log1pLaneAVX512,
			sinLaneAVX512, cosLaneAVX512, tanLaneAVX512, powLaneAVX512})
	}
	return all
}
