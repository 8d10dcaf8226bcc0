//go:build !purego

package f32

// vectors returns NEON's kernels, which every arm64 processor has.
func vectors() []vectorSet {
	return []vectorSet{{
		"NEON",
		expFloat32NEON, exp2Float32NEON, expm1Float32NEON, logFloat32NEON, log2Float32NEON,
		log10Float32NEON, log1pFloat32NEON, sinFloat32NEON, cosFloat32NEON, tanFloat32NEON,
		tanhFloat32NEON, powFloat32NEON,
	}}
}
