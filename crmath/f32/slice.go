package f32

import "github.com/lastbit/lastbit/crmath/internal/vector"

// ExpSlice stores Exp(x[i]) in dst[i] for all i: e^x[i], correctly rounded,
// with the bits of single calls.
//
// dst has the length of x, and is x itself or does not overlap it; otherwise
// ExpSlice panics. Nothing is allocated, and the slices do not escape.
//
// On amd64 with AVX2 or AVX-512, and on arm64, vector kernels compute Exp in
// every lane, with the same roundings. Unsure elements, one in a million, and
// rarer cases go to Exp one by one. With AVX2 or AVX-512 that takes 1/5 to 1/8
// of the time of a loop over float32(math.Exp(float64(x))); other slice
// functions take 1/4 to 1/30. Slices whose elements are all rare cases take as
// long as a loop over Exp. So do all slices on other CPUs, and under the race
// detector.
func ExpSlice(dst, x []float32) { vector.Map("f32.ExpSlice", dst, x, Exp, best.exp) }

// Exp2Slice is ExpSlice for Exp2: it stores 2^x[i] in dst[i].
func Exp2Slice(dst, x []float32) { vector.Map("f32.Exp2Slice", dst, x, Exp2, best.exp2) }

// Expm1Slice is ExpSlice for Expm1: it stores e^x[i] - 1 in dst[i].
func Expm1Slice(dst, x []float32) { vector.Map("f32.Expm1Slice", dst, x, Expm1, best.expm1) }

// LogSlice is ExpSlice for Log: it stores ln x[i] in dst[i].
func LogSlice(dst, x []float32) { vector.Map("f32.LogSlice", dst, x, Log, best.log) }

// Log2Slice is ExpSlice for Log2: it stores log2 x[i] in dst[i].
func Log2Slice(dst, x []float32) { vector.Map("f32.Log2Slice", dst, x, Log2, best.log2) }

// Log10Slice is ExpSlice for Log10: it stores log10 x[i] in dst[i].
func Log10Slice(dst, x []float32) { vector.Map("f32.Log10Slice", dst, x, Log10, best.log10) }

// Log1pSlice is ExpSlice for Log1p: it stores ln(1 + x[i]) in dst[i].
func Log1pSlice(dst, x []float32) { vector.Map("f32.Log1pSlice", dst, x, Log1p, best.log1p) }

// SinSlice is ExpSlice for Sin: it stores sin x[i] in dst[i].
func SinSlice(dst, x []float32) { vector.Map("f32.SinSlice", dst, x, Sin, best.sin) }

// CosSlice is ExpSlice for Cos: it stores cos x[i] in dst[i].
func CosSlice(dst, x []float32) { vector.Map("f32.CosSlice", dst, x, Cos, best.cos) }

// TanSlice is ExpSlice for Tan: it stores tan x[i] in dst[i].
func TanSlice(dst, x []float32) { vector.Map("f32.TanSlice", dst, x, Tan, best.tan) }

// TanhSlice is ExpSlice for Tanh: it stores tanh x[i] in dst[i].
func TanhSlice(dst, x []float32) { vector.Map("f32.TanhSlice", dst, x, Tanh, best.tanh) }

// PowSlice is ExpSlice for Pow: it stores x[i]^y[i] in dst[i].
// dst has the length of x and y, and is x, or y, or does not overlap them.
func PowSlice(dst, x, y []float32) { vector.Map2("f32.PowSlice", dst, x, y, Pow, best.pow) }

// A vectorSet holds the kernels of an instruction set.
type vectorSet struct {
	name string

	exp, exp2, expm1, log, log2, log10, log1p, sin, cos, tan, tanh vector.Kernel[float32]
	pow                                                            vector.Kernel2[float32]
}

// best holds the fastest kernels that this processor runs, or none.
var best = fastest()

func fastest() (v vectorSet) {
	if all := vectors(); len(all) > 0 {
		return all[len(all)-1]
	}
	return v
}
