package blas

import (
	"cmp"
	"sync"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/exact"
)

// Exact implements gonum's blas.Float64, blas.Float32, blas.Complex128 and
// blas.Complex64 by results that are rounded once from the real value of an
// expression. They depend on neither the order of the data nor anything else:
//
//	blas64.Use(blas.Exact{})
//	blas32.Use(blas.Exact{})
//
// # Expressions
//
// Every element of a result is one expression, such as α·Σ a[i,p]·b[p,j] +
// β·c[i,j]: all products and sums, with α and β too, are exact, as for real
// numbers, and the value is rounded once, to nearest, ties to even. No
// intermediate result overflows, underflows or cancels. The real and the
// imaginary part of a complex element are one expression each, with the parts
// of α and β.
//
// These are all routines except solves and the parameters of rotations:
//
//	exact            level 1, gemv, gbmv, symv, hemv, trmv and their siblings,
//	                 ger, syr, her, syr2, her2, gemm, symm, hemm, syrk, herk,
//	                 syr2k, her2k, trmm
//	exact elements   real trsv, tbsv, tpsv, trsm
//	as [Ordered]     complex trsv, tbsv, tpsv, trsm; rotg, rotmg
//
// A real solve is exact for each element, but not as a whole: x[i] is (α·b[i] −
// Σ a[i,p]·x[p]) / a[i,i], rounded once, where the x[p] are elements of the
// solution that were rounded before. So x depends on the order of substitution,
// which the triangle fixes, and is not the real solution rounded. In complex
// solves, rotg and rotmg each operation is rounded.
//
// # Special values
//
// A value is NaN if a product is NaN, such as 0·∞, or if infinities of both
// signs are added; otherwise an infinity that is added is the sum. With β = 0
// the output is not read, and the sum begins with +0, as in trmv and trmm; with
// α = 0 neither factor is read. A sum that is zero is −0 if every summand is
// −0, and else +0. A value too small for a subnormal number is a zero of its
// sign. α and β without an imaginary part are real numbers.
//
// # Cost
//
// A product of matrices takes three of [Ordered] for float64, or some 15 to 20
// of bytes where the processor has AVX-512 VNNI, which adds eight times as many
// of them; one of float64 for float32; and about as long as a sum of package
// exact for each element that cannot be rounded safely: see product. A product
// of complex matrices is computed as a product of real matrices with twice the
// rows or columns.
//
// A matrix times a vector takes less than five times as long as [Ordered] from
// memory or the second level of the cache, for float64: see nearVec. Its
// elements that cannot be rounded safely, and the elements of the other
// routines of levels 1 and 2, take a sum of package exact for each part.
type Exact struct {
	ExactFloat64
	ExactFloat32
	ExactComplex128
	ExactComplex64
}

// ExactFloat64 is the part of [Exact] for float64.
type ExactFloat64 struct{ forced *exactKit[float64, float64] }

// ExactFloat32 is the part of [Exact] for float32.
type ExactFloat32 struct{ forced *exactKit[float32, float32] }

// ExactComplex128 is the part of [Exact] for complex128.
type ExactComplex128 struct {
	forced *exactKit[complex128, float64]
}

// ExactComplex64 is the part of [Exact] for complex64.
type ExactComplex64 struct {
	forced *exactKit[complex64, float32]
}

// The routines of each format, on the fastest kernels.
var (
	exact64  = exactReal(chain.Setting{}, kit64)
	exact32  = exactReal(chain.Setting{}, kit32)
	exact128 = exactComplex[complex128, float64](chain.Setting{}, complexKit128)
	exactC64 = exactComplex[complex64, float32](chain.Setting{}, complexKit64)
)

func (o ExactFloat64) kit() *exactKit[float64, float64] { return cmp.Or(o.forced, exact64) }
func (o ExactFloat32) kit() *exactKit[float32, float32] { return cmp.Or(o.forced, exact32) }
func (o ExactComplex128) kit() *exactKit[complex128, float64] {
	return cmp.Or(o.forced, exact128)
}
func (o ExactComplex64) kit() *exactKit[complex64, float32] {
	return cmp.Or(o.forced, exactC64)
}

func (o ExactFloat64) checked() checked[float64]       { return checked[float64]{o.kit()} }
func (o ExactFloat32) checked() checked[float32]       { return checked[float32]{o.kit()} }
func (o ExactComplex128) checked() checked[complex128] { return checked[complex128]{o.kit()} }
func (o ExactComplex64) checked() checked[complex64]   { return checked[complex64]{o.kit()} }

// exactKit holds the routines of [Exact] for numbers of type T, whose parts are
// of type F. Its kit has the operations that are exact, and no others.
type exactKit[T number, F float32 | float64] struct {
	*kit[T]
	ordered *kit[T] // solves complex systems
	parts   int
	setting chain.Setting

	rounders sync.Pool // of *nearRounder[T, F]

	// forceResidues takes residues for products of float64 of any size, also
	// where chains are faster.
	forceResidues bool
}

// exactReal returns the routines for real numbers, from the kit of Ordered.
func exactReal[T float32 | float64](s chain.Setting, ordered *kit[T]) *exactKit[T, T] {
	k := &kit[T]{
		mul: ordered.mul, conj: ordered.conj, real: ordered.real, axpy: ordered.axpy,
		dot: exact.Dot[T], dotc: exact.Dot[T], scaleBy: ordered.scaleBy, setting: s,
	}
	return &exactKit[T, T]{kit: k, ordered: ordered, parts: 1, setting: s}
}

// exactComplex returns the routines for complex numbers, from the kit of
// Ordered.
func exactComplex[C complex64 | complex128, F float32 | float64](
	s chain.Setting, ordered *kit[C],
) *exactKit[C, F] {
	k := &kit[C]{
		mul: exactTimes[C, F], conj: ordered.conj, real: ordered.real, axpy: exactAxpy[C, F],
		dot:  func(x, y []C) C { return exactDot[C, F](x, y, false) },
		dotc: func(x, y []C) C { return exactDot[C, F](x, y, true) },

		setting: s,
	}
	k.scaleBy = k.scaleEach
	return &exactKit[C, F]{kit: k, ordered: ordered, parts: 2, setting: s}
}
