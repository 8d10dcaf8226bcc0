//go:build !purego

package f64

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
			expFloat64AVX2, exp2Float64AVX2, exp10Float64AVX2, expm1Float64AVX2, logFloat64AVX2,
			log2Float64AVX2, log10Float64AVX2, log1pFloat64AVX2, sinFloat64AVX2, cosFloat64AVX2,
			tanFloat64AVX2, asinFloat64AVX2, acosFloat64AVX2, atanFloat64AVX2, sinhFloat64AVX2,
			coshFloat64AVX2, tanhFloat64AVX2, asinhFloat64AVX2, acoshFloat64AVX2,
			atanhFloat64AVX2, cbrtFloat64AVX2, powFloat64AVX2, atan2Float64AVX2, hypotFloat64AVX2,
			exp2m1Float64AVX2, exp10m1Float64AVX2, log2p1Float64AVX2, log10p1Float64AVX2,
			sinpiFloat64AVX2, cospiFloat64AVX2, tanpiFloat64AVX2, asinpiFloat64AVX2,
			acospiFloat64AVX2, atanpiFloat64AVX2, rsqrtFloat64AVX2, erfFloat64AVX2,
			erfcFloat64AVX2, gammaFloat64AVX2, lgammaFloat64AVX2,
		})
	}
	if cpu.AVX512 {
		all = append(all, vectorSet{
			"AVX-512",
			expFloat64AVX512, exp2Float64AVX512, exp10Float64AVX512, expm1Float64AVX512,
			logFloat64AVX512, log2Float64AVX512, log10Float64AVX512, log1pFloat64AVX512,
			sinFloat64AVX512, cosFloat64AVX512, tanFloat64AVX512, asinFloat64AVX512,
			acosFloat64AVX512, atanFloat64AVX512, sinhFloat64AVX512, coshFloat64AVX512,
			tanhFloat64AVX512, asinhFloat64AVX512, acoshFloat64AVX512, atanhFloat64AVX512,
			cbrtFloat64AVX512, powFloat64AVX512, atan2Float64AVX512, hypotFloat64AVX512,
			exp2m1Float64AVX512, exp10m1Float64AVX512, log2p1Float64AVX512,
			log10p1Float64AVX512, sinpiFloat64AVX512, cospiFloat64AVX512, tanpiFloat64AVX512,
			asinpiFloat64AVX512, acospiFloat64AVX512, atanpiFloat64AVX512, rsqrtFloat64AVX512,
			erfFloat64AVX512, erfcFloat64AVX512, gammaFloat64AVX512, lgammaFloat64AVX512,
		})
	}
	return all
}
