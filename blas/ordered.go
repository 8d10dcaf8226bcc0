package blas

import (
	"cmp"

	"github.com/lastbit/lastbit/blas/internal/chain"
	"github.com/lastbit/lastbit/internal/kernel"
)

// Ordered implements gonum's blas.Float64, blas.Float32, blas.Complex128 and
// blas.Complex64 by the summation
// trees that its routines document. The zero value is ready for use:
//
//	blas64.Use(blas.Ordered{})
//	blas32.Use(blas.Ordered{})
type Ordered struct {
	OrderedFloat64
	OrderedFloat32
	OrderedComplex128
	OrderedComplex64
}

// OrderedFloat64 is the part of [Ordered] for float64.
type OrderedFloat64 struct{ forced *direct[float64] }

// OrderedFloat32 is the part of [Ordered] for float32.
type OrderedFloat32 struct{ forced *direct[float32] }

// OrderedComplex128 is the part of [Ordered] for complex128.
type OrderedComplex128 struct{ forced *kit[complex128] }

// OrderedComplex64 is the part of [Ordered] for complex64.
type OrderedComplex64 struct{ forced *kit[complex64] }

// The operations of each format, on the fastest kernels.
var (
	kit64 = realKit[float64](chain.Setting{})
	kit32 = realKit[float32](chain.Setting{})

	direct64, direct32 = directOf(kit64), directOf(kit32)

	kernels64 = kernel.NewChain[float64](kernel.Best())

	complexKernels128 = kernel.NewComplex[float64](kernel.Best())
	complexKernels64  = kernel.NewComplex[float32](kernel.Best())

	complexKit128 = complexKit[complex128, float64](chain.Setting{})
	complexKit64  = complexKit[complex64, float32](chain.Setting{})
)

func (o OrderedFloat64) kit() *kit[float64]       { return o.forced.orBest().rest }
func (o OrderedFloat32) kit() *kit[float32]       { return o.forced.orBest().rest }
func (o OrderedComplex128) kit() *kit[complex128] { return cmp.Or(o.forced, complexKit128) }
func (o OrderedComplex64) kit() *kit[complex64]   { return cmp.Or(o.forced, complexKit64) }

// Kernels returns the kernels that the routines run on, for package lapack.
func (o OrderedFloat64) Kernels() kernel.Chain[float64] {
	if o.forced == nil {
		return kernels64
	}
	return o.forced.kernels
}

func (o OrderedFloat64) checked() checked[float64]       { return checked[float64]{o.kit()} }
func (o OrderedFloat32) checked() checked[float32]       { return checked[float32]{o.kit()} }
func (o OrderedComplex128) checked() checked[complex128] { return checked[complex128]{o.kit()} }
func (o OrderedComplex64) checked() checked[complex64]   { return checked[complex64]{o.kit()} }
