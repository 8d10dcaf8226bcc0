//go:build !purego

package f32

import "github.com/lastbit/lastbit/internal/cpu"

// vectors returns the kernels of each instruction set that this processor has,
// the fastest last.
func vectors() []vectorSet {
	var all []vectorSet
	if cpu.AVX2 {
		all = append(all, vectorSet{
			"AVX2", expFloat32AVX2, exp2Float32AVX2, expm1Float32AVX2,
			logFloat32AVX2, log2Float32AVX2, log10Float32AVX2, log1pFloat32AVX2,
			sinFloat32AVX2, cosFloat32AVX2, tanFloat32AVX2, tanhFloat32AVX2, powFloat32AVX2,
		})
	}
	if cpu.AVX512 {
		all = append(all, vectorSet{
			"AVX-512", expFloat32AVX512, exp2Float32AVX512, expm1Float32AVX512,
			logFloat32AVX512, log2Float32AVX512, log10Float32AVX512, log1pFloat32AVX512,
			sinFloat32AVX512, cosFloat32AVX512, tanFloat32AVX512, tanhFloat32AVX512,
			powFloat32AVX512,
		})
	}
	return all
}
