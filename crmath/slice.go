package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// ExpSlice stores Exp(x[i]) in dst[i] for all i: e^x[i], correctly rounded,
// with the bits of single calls.
//
// dst has the length of x, and is x itself or does not overlap it; otherwise
// ExpSlice panics. Nothing is allocated, and the slices do not escape.
//
// On amd64 with AVX2 and FMA, or AVX-512, vector kernels compute every lane,
// with a rounding test of their own. Elements that they leave undecided, some
// in 10,000 of most data, and the rarer cases of Exp go to Exp one by one. That
// takes 1/5 to 1/8 of the time of a loop over math.Exp; other slice functions
// take 2/5 to 1/20. Slices whose elements are all rare cases take as long as a
// loop over Exp. So do all slices on other CPUs, and under the race detector.
func ExpSlice(dst, x []float64) { f64.ExpSlice(dst, x) }

// Exp2Slice is ExpSlice for Exp2: it stores 2^x[i] in dst[i].
func Exp2Slice(dst, x []float64) { f64.Exp2Slice(dst, x) }

// Expm1Slice is ExpSlice for Expm1: it stores e^x[i] - 1 in dst[i].
func Expm1Slice(dst, x []float64) { f64.Expm1Slice(dst, x) }

// LogSlice is ExpSlice for Log: it stores ln x[i] in dst[i].
func LogSlice(dst, x []float64) { f64.LogSlice(dst, x) }

// Log2Slice is ExpSlice for Log2: it stores log2 x[i] in dst[i].
func Log2Slice(dst, x []float64) { f64.Log2Slice(dst, x) }

// Log10Slice is ExpSlice for Log10: it stores log10 x[i] in dst[i].
func Log10Slice(dst, x []float64) { f64.Log10Slice(dst, x) }

// Log1pSlice is ExpSlice for Log1p: it stores ln(1 + x[i]) in dst[i].
func Log1pSlice(dst, x []float64) { f64.Log1pSlice(dst, x) }

// SinSlice is ExpSlice for Sin: it stores sin x[i] in dst[i].
func SinSlice(dst, x []float64) { f64.SinSlice(dst, x) }

// CosSlice is ExpSlice for Cos: it stores cos x[i] in dst[i].
func CosSlice(dst, x []float64) { f64.CosSlice(dst, x) }

// TanSlice is ExpSlice for Tan: it stores tan x[i] in dst[i].
func TanSlice(dst, x []float64) { f64.TanSlice(dst, x) }

// PowSlice is ExpSlice for Pow: it stores x[i]^y[i] in dst[i].
// dst has the length of x and y, and is x, or y, or does not overlap them.
func PowSlice(dst, x, y []float64) { f64.PowSlice(dst, x, y) }
