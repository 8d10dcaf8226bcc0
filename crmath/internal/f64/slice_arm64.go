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
	}}
}
