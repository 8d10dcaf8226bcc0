//go:build !purego

package f64

// vectors returns NEON's kernels, which every arm64 processor has.
func vectors() []vectorSet {
	return []vectorSet{{
		"NEON",
		expFloat64NEON, exp2Float64NEON, exp10Float64NEON, expm1Float64NEON, logFloat64NEON,
		log2Float64NEON, log10Float64NEON, log1pFloat64NEON, sinFloat64NEON, cosFloat64NEON,
		tanFloat64NEON, asinFloat64NEON, acosFloat64NEON, atanFloat64NEON, sinhFloat64NEON,
		coshFloat64NEON, tanhFloat64NEON, asinhFloat64NEON, acoshFloat64NEON, atanhFloat64NEON,
		cbrtFloat64NEON, powFloat64NEON, atan2Float64NEON, hypotFloat64NEON,
		exp2m1Float64NEON, exp10m1Float64NEON, log2p1Float64NEON, log10p1Float64NEON,
		sinpiFloat64NEON, cospiFloat64NEON, tanpiFloat64NEON, asinpiFloat64NEON,
		acospiFloat64NEON, atanpiFloat64NEON, rsqrtFloat64NEON, erfFloat64NEON,
		erfcFloat64NEON, gammaFloat64NEON, lgammaFloat64NEON,
	}}
}
