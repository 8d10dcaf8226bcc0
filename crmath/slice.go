package crmath

import "github.com/lastbit/lastbit/crmath/internal/vector"

// The slice functions store f(x[i]) in dst[i], for all i: the very bits that f gives. dst
// has x's length, and is x itself or does not overlap it; otherwise they panic. Nothing is
// allocated.
//
// On amd64 with AVX2 and FMA, or AVX-512, vector kernels compute f in every lane, with its
// own rounding test, and what is not decided, less than one element in a thousand for most
// data, goes to f. Elsewhere they are loops over f.

// ExpSlice stores e^x[i] in dst[i]: Exp of each element. dst and x have the same length, and are
// the same slice or do not overlap. With vector instructions it takes 1/5
// to 1/8 of the time of a loop over math.Exp, others 2/5 to 1/17: see BenchmarkSlices.
func ExpSlice(dst, x []float64) { vector.Map("crmath.ExpSlice", dst, x, Exp, best.exp) }

// Exp2Slice stores 2^x[i] in dst[i]: Exp2 of each element, as ExpSlice does of Exp.
func Exp2Slice(dst, x []float64) { vector.Map("crmath.Exp2Slice", dst, x, Exp2, best.exp2) }

// Expm1Slice stores e^x[i] - 1 in dst[i]: Expm1 of each element, as ExpSlice does of Exp.
func Expm1Slice(dst, x []float64) { vector.Map("crmath.Expm1Slice", dst, x, Expm1, best.expm1) }

// LogSlice stores ln x[i] in dst[i]: Log of each element, as ExpSlice does of Exp.
func LogSlice(dst, x []float64) { vector.Map("crmath.LogSlice", dst, x, Log, best.log) }

// Log2Slice stores log2 x[i] in dst[i]: Log2 of each element, as ExpSlice does of Exp.
func Log2Slice(dst, x []float64) { vector.Map("crmath.Log2Slice", dst, x, Log2, best.log2) }

// Log10Slice stores log10 x[i] in dst[i]: Log10 of each element, as ExpSlice does of Exp.
func Log10Slice(dst, x []float64) { vector.Map("crmath.Log10Slice", dst, x, Log10, best.log10) }

// Log1pSlice stores ln(1 + x[i]) in dst[i]: Log1p of each element, as ExpSlice does of Exp.
func Log1pSlice(dst, x []float64) { vector.Map("crmath.Log1pSlice", dst, x, Log1p, best.log1p) }

// SinSlice stores sin x[i] in dst[i]: Sin of each element, as ExpSlice does of Exp.
func SinSlice(dst, x []float64) { vector.Map("crmath.SinSlice", dst, x, Sin, best.sin) }

// CosSlice stores cos x[i] in dst[i]: Cos of each element, as ExpSlice does of Exp.
func CosSlice(dst, x []float64) { vector.Map("crmath.CosSlice", dst, x, Cos, best.cos) }

// TanSlice stores tan x[i] in dst[i]: Tan of each element, as ExpSlice does of Exp.
func TanSlice(dst, x []float64) { vector.Map("crmath.TanSlice", dst, x, Tan, best.tan) }

// PowSlice stores x[i]^y[i] in dst[i]: Pow of each pair. All have the same length, and dst is x
// or y or does not overlap them.
func PowSlice(dst, x, y []float64) { vector.Map2("crmath.PowSlice", dst, x, y, Pow, best.pow) }

// A vectorSet has the kernels of an instruction set.
type vectorSet struct {
	name string

	exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan vector.Kernel[float64]
	pow                                                      vector.Kernel2[float64]
}

// best has the fastest kernels that this processor runs, or none.
var best = fastest()

func fastest() (v vectorSet) {
	if all := vectors(); len(all) > 0 {
		return all[len(all)-1]
	}
	return v
}
