//go:build !purego

package f32

import "github.com/lastbit/lastbit/internal/cpu"

// fused reports whether this processor has fused operations. The functions for
// single calls read it.
//
//lint:ignore U1000 assembly reads it
var fused = cpu.AVX2

// vectors returns the kernels of each instruction set that this processor has,
// the fastest last.
func vectors() []vectorSet {
	var all []vectorSet
	if cpu.AVX2 {
		all = append(all, vectorSet{
			"AVX2",
			expFloat32AVX2, exp2Float32AVX2, exp10Float32AVX2, expm1Float32AVX2,
			logFloat32AVX2, log2Float32AVX2, log10Float32AVX2, log1pFloat32AVX2,
			sinFloat32AVX2, cosFloat32AVX2, tanFloat32AVX2, asinFloat32AVX2,
			acosFloat32AVX2, atanFloat32AVX2, sinhFloat32AVX2, coshFloat32AVX2,
			tanhFloat32AVX2, asinhFloat32AVX2, acoshFloat32AVX2, atanhFloat32AVX2,
			cbrtFloat32AVX2, exp2m1Float32AVX2, exp10m1Float32AVX2, log2p1Float32AVX2,
			log10p1Float32AVX2, sinpiFloat32AVX2, cospiFloat32AVX2, tanpiFloat32AVX2,
			asinpiFloat32AVX2, acospiFloat32AVX2, atanpiFloat32AVX2, rsqrtFloat32AVX2,
			erfFloat32AVX2, erfcFloat32AVX2, gammaFloat32AVX2, lgammaFloat32AVX2,
			powFloat32AVX2, atan2Float32AVX2, hypotFloat32AVX2,
		})
	}
	if cpu.AVX512 {
		all = append(all, vectorSet{
			"AVX-512",
			expFloat32AVX512, exp2Float32AVX512, exp10Float32AVX512, expm1Float32AVX512,
			logFloat32AVX512, log2Float32AVX512, log10Float32AVX512, log1pFloat32AVX512,
			sinFloat32AVX512, cosFloat32AVX512, tanFloat32AVX512, asinFloat32AVX512,
			acosFloat32AVX512, atanFloat32AVX512, sinhFloat32AVX512, coshFloat32AVX512,
			tanhFloat32AVX512, asinhFloat32AVX512, acoshFloat32AVX512,
			atanhFloat32AVX512, cbrtFloat32AVX512, exp2m1Float32AVX512,
			exp10m1Float32AVX512, log2p1Float32AVX512, log10p1Float32AVX512,
			sinpiFloat32AVX512, cospiFloat32AVX512, tanpiFloat32AVX512,
			asinpiFloat32AVX512, acospiFloat32AVX512, atanpiFloat32AVX512,
			rsqrtFloat32AVX512, erfFloat32AVX512, erfcFloat32AVX512, gammaFloat32AVX512,
			lgammaFloat32AVX512, powFloat32AVX512, atan2Float32AVX512,
			hypotFloat32AVX512,
		})
	}
	return all
}
