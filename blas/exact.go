package blas

import (
	"cmp"

	"github.com/lastbit/lastbit/blas/internal/chain"
)

// Exact implements gonum's blas.Float64 and blas.Float32 by results that are
// rounded once from the real value of an expression. They depend on neither the
// order of the data nor anything else:
//
//	blas64.Use(blas.Exact{})
//	blas32.Use(blas.Exact{})
//
// # Expressions
//
// Every element of a result is one expression, such as α·Σ a[i,p]·b[p,j] +
// β·c[i,j]: all products and sums are those of real numbers, α and β included,
// and the value is rounded once, to nearest, ties to even. No intermediate
// result overflows, underflows or cancels.
//
// The solves (trsv, tbsv, tpsv, trsm) are exact for each element, but not as a
// whole: x[i] is (α·b[i] − Σ a[i,p]·x[p]) / a[i,i], rounded once, where the
// x[p] are elements of the solution that were rounded before. So x depends on
// the order of substitution, which the triangle fixes, and is not the real
// solution rounded. The parameters of rotations (rotg, rotmg) are those of
// [Ordered]: each operation is rounded.
//
// # Special values
//
// A value is NaN if a product is NaN, such as 0·∞, or if infinities of both
// signs are added; otherwise an infinity that is added is the sum. With β = 0
// the output is not read, and the sum begins with +0, as in trmv and trmm; with
// α = 0 neither factor is read. A sum that is zero is −0 if every summand is
// −0, and else +0. A value too small for a subnormal number is a zero of its
// sign.
//
// # Cost
//
// A product of matrices takes three of [Ordered] for float64, one of float64
// for float32, and about as long as a sum of package exact for each element
// that cannot be rounded safely: see product. Levels 1 and 2 take a sum of
// package exact for each element.
type Exact struct {
	ExactFloat64
	ExactFloat32
}

// ExactFloat64 is the part of [Exact] for float64.
type ExactFloat64 struct{ forced *exactKit[float64] }

// ExactFloat32 is the part of [Exact] for float32.
type ExactFloat32 struct{ forced *exactKit[float32] }

// The routines of each format, on the fastest kernels.
var (
	exact64 = newExactKit(chain.Setting{}, kit64)
	exact32 = newExactKit(chain.Setting{}, kit32)
)

func (o ExactFloat64) kit() *exactKit[float64] { return cmp.Or(o.forced, exact64) }
func (o ExactFloat32) kit() *exactKit[float32] { return cmp.Or(o.forced, exact32) }

func (o ExactFloat64) checked() checked[float64] { return checked[float64]{o.kit()} }
func (o ExactFloat32) checked() checked[float32] { return checked[float32]{o.kit()} }

// exactKit holds the routines of [Exact]. Those of its kit that it does not
// replace are exact too.
type exactKit[T float32 | float64] struct {
	*kit[T]
	setting chain.Setting
}

func newExactKit[T float32 | float64](s chain.Setting, k *kit[T]) *exactKit[T] {
	return &exactKit[T]{k, s}
}
