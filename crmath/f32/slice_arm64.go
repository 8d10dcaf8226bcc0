//go:build !purego

package f32

// vectors returns NEON's kernels, which every arm64 processor has.
func vectors() []vectorSet {
	return []vectorSet{{
		"NEON",
		expFloat32NEON, exp2Float32NEON, exp10Float32NEON, expm1Float32NEON, logFloat32NEON,
		log2Float32NEON, log10Float32NEON, log1pFloat32NEON, sinFloat32NEON, cosFloat32NEON,
		tanFloat32NEON, asinFloat32NEON, acosFloat32NEON, atanFloat32NEON, sinhFloat32NEON,
		coshFloat32NEON, tanhFloat32NEON, asinhFloat32NEON, acoshFloat32NEON,
		atanhFloat32NEON, cbrtFloat32NEON, exp2m1Float32NEON, exp10m1Float32NEON,
		log2p1Float32NEON, log10p1Float32NEON, sinpiFloat32NEON, cospiFloat32NEON,
		tanpiFloat32NEON, asinpiFloat32NEON, acospiFloat32NEON, atanpiFloat32NEON,
		rsqrtFloat32NEON, erfFloat32NEON, erfcFloat32NEON, gammaFloat32NEON,
		lgammaFloat32NEON, powFloat32NEON, atan2Float32NEON, hypotFloat32NEON,
	}}
}
