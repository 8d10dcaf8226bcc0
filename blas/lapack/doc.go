// Package lapack is gonum's LAPACK with the same bits on every platform.
package lapack

import (
	gonum "gonum.org/v1/gonum/blas"

	"github.com/lastbit/lastbit/blas"
)

//go:generate go run ../../internal/_lapack

// Implementation implements gonum's lapack.Float64 on a BLAS.
type Implementation struct {
	// BLAS computes the products; nil is blas.Ordered{}.
	BLAS gonum.Float64
}

func (impl Implementation) blas() gonum.Float64 {
	if impl.BLAS != nil {
		return impl.BLAS
	}
	return blas.Ordered{}
}

func (impl Implementation) norm1(x []float64) float64 { return impl.norm1Inc(x, len(x), 1) }

func (impl Implementation) norm1Inc(x []float64, n, inc int) float64 {
	return impl.blas().Dasum(n, x, inc)
}
