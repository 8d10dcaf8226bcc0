package f64

import (
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// ExpSlice is crmath.ExpSlice.
func ExpSlice(dst, x []float64) {
	vector.Map("crmath.ExpSlice", dst, x,
		func(x float64) float64 { return Exp(x, fp.NearestEven) }, best.exp)
}

// Exp2Slice is crmath.Exp2Slice.
func Exp2Slice(dst, x []float64) { vector.Map("crmath.Exp2Slice", dst, x, Exp2, best.exp2) }

// Expm1Slice is crmath.Expm1Slice.
func Expm1Slice(dst, x []float64) { vector.Map("crmath.Expm1Slice", dst, x, Expm1, best.expm1) }

// LogSlice is crmath.LogSlice.
func LogSlice(dst, x []float64) { vector.Map("crmath.LogSlice", dst, x, Log, best.log) }

// Log2Slice is crmath.Log2Slice.
func Log2Slice(dst, x []float64) { vector.Map("crmath.Log2Slice", dst, x, Log2, best.log2) }

// Log10Slice is crmath.Log10Slice.
func Log10Slice(dst, x []float64) { vector.Map("crmath.Log10Slice", dst, x, Log10, best.log10) }

// Log1pSlice is crmath.Log1pSlice.
func Log1pSlice(dst, x []float64) { vector.Map("crmath.Log1pSlice", dst, x, Log1p, best.log1p) }

// SinSlice is crmath.SinSlice.
func SinSlice(dst, x []float64) { vector.Map("crmath.SinSlice", dst, x, Sin, best.sin) }

// CosSlice is crmath.CosSlice.
func CosSlice(dst, x []float64) { vector.Map("crmath.CosSlice", dst, x, Cos, best.cos) }

// TanSlice is crmath.TanSlice.
func TanSlice(dst, x []float64) { vector.Map("crmath.TanSlice", dst, x, Tan, best.tan) }

// PowSlice is crmath.PowSlice.
func PowSlice(dst, x, y []float64) { vector.Map2("crmath.PowSlice", dst, x, y, Pow, best.pow) }

// A vectorSet holds the kernels of an instruction set.
type vectorSet struct {
	name string

	exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan vector.Kernel[float64]
	pow                                                      vector.Kernel2[float64]
}

// best holds the fastest kernels that this processor runs, or none.
var best = fastest()

func fastest() (v vectorSet) {
	if all := vectors(); len(all) > 0 {
		return all[len(all)-1]
	}
	return v
}
