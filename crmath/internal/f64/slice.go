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
func Exp2Slice(dst, x []float64) {
	vector.Map("crmath.Exp2Slice", dst, x,
		func(x float64) float64 { return Exp2(x, fp.NearestEven) }, best.exp2)
}

// Expm1Slice is crmath.Expm1Slice.
func Expm1Slice(dst, x []float64) {
	vector.Map("crmath.Expm1Slice", dst, x,
		func(x float64) float64 { return Expm1(x, fp.NearestEven) }, best.expm1)
}

// LogSlice is crmath.LogSlice.
func LogSlice(dst, x []float64) {
	vector.Map("crmath.LogSlice", dst, x,
		func(x float64) float64 { return Log(x, fp.NearestEven) }, best.log)
}

// Log2Slice is crmath.Log2Slice.
func Log2Slice(dst, x []float64) {
	vector.Map("crmath.Log2Slice", dst, x,
		func(x float64) float64 { return Log2(x, fp.NearestEven) }, best.log2)
}

// Log10Slice is crmath.Log10Slice.
func Log10Slice(dst, x []float64) {
	vector.Map("crmath.Log10Slice", dst, x,
		func(x float64) float64 { return Log10(x, fp.NearestEven) }, best.log10)
}

// Log1pSlice is crmath.Log1pSlice.
func Log1pSlice(dst, x []float64) {
	vector.Map("crmath.Log1pSlice", dst, x,
		func(x float64) float64 { return Log1p(x, fp.NearestEven) }, best.log1p)
}

// SinSlice is crmath.SinSlice.
func SinSlice(dst, x []float64) {
	vector.Map("crmath.SinSlice", dst, x,
		func(x float64) float64 { return Sin(x, fp.NearestEven) }, best.sin)
}

// CosSlice is crmath.CosSlice.
func CosSlice(dst, x []float64) {
	vector.Map("crmath.CosSlice", dst, x,
		func(x float64) float64 { return Cos(x, fp.NearestEven) }, best.cos)
}

// TanSlice is crmath.TanSlice.
func TanSlice(dst, x []float64) {
	vector.Map("crmath.TanSlice", dst, x,
		func(x float64) float64 { return Tan(x, fp.NearestEven) }, best.tan)
}

// PowSlice is crmath.PowSlice.
func PowSlice(dst, x, y []float64) {
	vector.Map2("crmath.PowSlice", dst, x, y,
		func(x, y float64) float64 { return Pow(x, y, fp.NearestEven) }, best.pow)
}

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
