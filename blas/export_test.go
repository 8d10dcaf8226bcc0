package blas

import "github.com/lastbit/lastbit/blas/internal/chain"

// Forced returns both BLAS as a setting demands.
func Forced(s chain.Setting) (Ordered, Exact) {
	r64, r32 := realKit[float64](s), realKit[float32](s)
	c128, c64 := complexKit[complex128, float64](s), complexKit[complex64, float32](s)
	ordered := Ordered{
		OrderedFloat64{directOf(r64)}, OrderedFloat32{directOf(r32)},
		OrderedComplex128{c128}, OrderedComplex64{c64},
	}
	exact := Exact{
		ExactFloat64{exactReal(s, r64)}, ExactFloat32{exactReal(s, r32)},
		ExactComplex128{exactComplex[complex128, float64](s, c128)},
		ExactComplex64{exactComplex[complex64, float32](s, c64)},
	}
	return ordered, exact
}
