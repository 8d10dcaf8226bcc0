package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
)

// ExpSlice stores Exp(x[i]) in dst[i] for all i: e^x[i], correctly rounded,
// with the bits of single calls.
//
// dst has the length of x, and is x itself or does not overlap it; otherwise
// ExpSlice panics. Nothing is allocated, and the slices do not escape.
//
// On amd64 with AVX2 or AVX-512, and on arm64, vector kernels compute Exp in
// every lane, with the same roundings. Undecided elements, one in 33,000, and
// rarer cases go to Exp one by one. With AVX2 or AVX-512 that takes 1/5 to 1/8
// of the time of a loop over float32(math.Exp(float64(x))); other slice
// functions take 1/4 to 1/30. Slices whose elements are all rare cases take as
// long as a loop over Exp. So do all slices on other CPUs, and under the race
// detector.
func ExpSlice(dst, x []float32) {
	vector.MapLoop("f32.ExpSlice", dst, x, each(Exp), best.exp, inExp)
}

// Exp2Slice is ExpSlice for Exp2: it stores 2^x[i] in dst[i].
func Exp2Slice(dst, x []float32) {
	vector.MapLoop("f32.Exp2Slice", dst, x, each(Exp2), best.exp2, inExp2)
}

// Exp10Slice is ExpSlice for Exp10: it stores 10^x[i] in dst[i].
func Exp10Slice(dst, x []float32) {
	vector.MapLoop("f32.Exp10Slice", dst, x, each(Exp10), best.exp10, inExp)
}

// Expm1Slice is ExpSlice for Expm1: it stores e^x[i] - 1 in dst[i].
func Expm1Slice(dst, x []float32) {
	vector.MapLoop("f32.Expm1Slice", dst, x, each(Expm1), best.expm1, inExp)
}

// LogSlice is ExpSlice for Log: it stores ln x[i] in dst[i].
func LogSlice(dst, x []float32) {
	vector.MapLoop("f32.LogSlice", dst, x, each(Log), best.log, inLog)
}

// Log2Slice is ExpSlice for Log2: it stores log2 x[i] in dst[i].
func Log2Slice(dst, x []float32) {
	vector.MapLoop("f32.Log2Slice", dst, x, each(Log2), best.log2, inLog)
}

// Log10Slice is ExpSlice for Log10: it stores log10 x[i] in dst[i].
func Log10Slice(dst, x []float32) {
	vector.MapLoop("f32.Log10Slice", dst, x, each(Log10), best.log10, inLog)
}

// Log1pSlice is ExpSlice for Log1p: it stores ln(1 + x[i]) in dst[i].
func Log1pSlice(dst, x []float32) {
	vector.MapLoop("f32.Log1pSlice", dst, x, each(Log1p), best.log1p, inLog1p)
}

// SinSlice is ExpSlice for Sin: it stores sin x[i] in dst[i].
func SinSlice(dst, x []float32) {
	vector.MapLoop("f32.SinSlice", dst, x, each(Sin), best.sin, inTrig)
}

// CosSlice is ExpSlice for Cos: it stores cos x[i] in dst[i].
func CosSlice(dst, x []float32) {
	vector.MapLoop("f32.CosSlice", dst, x, each(Cos), best.cos, inTrig)
}

// TanSlice is ExpSlice for Tan: it stores tan x[i] in dst[i].
func TanSlice(dst, x []float32) {
	vector.MapLoop("f32.TanSlice", dst, x, each(Tan), best.tan, inTrig)
}

// AsinSlice is ExpSlice for Asin: it stores arcsin x[i] in dst[i].
func AsinSlice(dst, x []float32) {
	vector.MapLoop("f32.AsinSlice", dst, x, each(Asin), best.asin, inUnit)
}

// AcosSlice is ExpSlice for Acos: it stores arccos x[i] in dst[i].
func AcosSlice(dst, x []float32) {
	vector.MapLoop("f32.AcosSlice", dst, x, each(Acos), best.acos, inUnit)
}

// AtanSlice is ExpSlice for Atan: it stores arctan x[i] in dst[i].
func AtanSlice(dst, x []float32) {
	vector.MapLoop("f32.AtanSlice", dst, x, each(Atan), best.atan, isNumber)
}

// SinhSlice is ExpSlice for Sinh: it stores sinh x[i] in dst[i].
func SinhSlice(dst, x []float32) {
	vector.MapLoop("f32.SinhSlice", dst, x, each(Sinh), best.sinh, inExp)
}

// CoshSlice is ExpSlice for Cosh: it stores cosh x[i] in dst[i].
func CoshSlice(dst, x []float32) {
	vector.MapLoop("f32.CoshSlice", dst, x, each(Cosh), best.cosh, inExp)
}

// TanhSlice is ExpSlice for Tanh: it stores tanh x[i] in dst[i].
func TanhSlice(dst, x []float32) {
	vector.MapLoop("f32.TanhSlice", dst, x, each(Tanh), best.tanh, isNumber)
}

// AsinhSlice is ExpSlice for Asinh: it stores arsinh x[i] in dst[i].
func AsinhSlice(dst, x []float32) {
	vector.MapLoop("f32.AsinhSlice", dst, x, each(Asinh), best.asinh, isFinite)
}

// AcoshSlice is ExpSlice for Acosh: it stores arcosh x[i] in dst[i].
func AcoshSlice(dst, x []float32) {
	vector.MapLoop("f32.AcoshSlice", dst, x, each(Acosh), best.acosh, inAcosh)
}

// AtanhSlice is ExpSlice for Atanh: it stores artanh x[i] in dst[i].
func AtanhSlice(dst, x []float32) {
	vector.MapLoop("f32.AtanhSlice", dst, x, each(Atanh), best.atanh, inUnit)
}

// CbrtSlice is ExpSlice for Cbrt: it stores ∛x[i] in dst[i].
func CbrtSlice(dst, x []float32) {
	vector.MapLoop("f32.CbrtSlice", dst, x, each(Cbrt), best.cbrt, isFinite)
}

// PowSlice is ExpSlice for Pow: it stores x[i]^y[i] in dst[i].
// dst has the length of x and y, and is x, or y, or does not overlap them.
func PowSlice(dst, x, y []float32) {
	vector.MapLoop2("f32.PowSlice", dst, x, y, each2(Pow), best.pow, inPow)
}

// Atan2Slice is PowSlice for Atan2: it stores the angle of the point
// (x[i], y[i]) in dst[i].
func Atan2Slice(dst, y, x []float32) {
	vector.MapLoop2("f32.Atan2Slice", dst, x, y, func(dst, x, y []float32) {
		for i, v := range x {
			dst[i] = Atan2(y[i], v)
		}
	}, best.atan2, areFinite)
}

// HypotSlice is PowSlice for Hypot: it stores √(x[i]² + y[i]²) in dst[i].
func HypotSlice(dst, x, y []float32) {
	vector.MapLoop2("f32.HypotSlice", dst, x, y, each2(Hypot), best.hypot, areFinite)
}

// each returns a loop that calls f.
func each(f func(float32) float32) vector.Loop[float32] {
	return func(dst, x []float32) {
		dst = dst[:len(x)] // spares the loop a check
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

// each2 is each for a function of two arguments.
func each2(f func(x, y float32) float32) vector.Loop2[float32] {
	return func(dst, x, y []float32) {
		dst, y = dst[:len(x)], y[:len(x)] // spares the loop two checks
		for i, v := range x {
			dst[i] = f(v, y[i])
		}
	}
}

// Arguments that kernels compute. A slice whose elements are others is computed
// without one.

func isNumber(x float32) bool     { return x == x }
func isFinite(x float32) bool     { return math.Abs(float64(x)) <= math.MaxFloat32 }
func areFinite(x, y float32) bool { return isFinite(x) && isFinite(y) }
func inExp(x float32) bool        { return math.Abs(float64(x)) < 128 }
func inExp2(x float32) bool       { return math.Abs(float64(x)) < 256 }
func inLog(x float32) bool        { return 0 < x && x <= math.MaxFloat32 }
func inLog1p(x float32) bool      { return -1 < x && x <= math.MaxFloat32 }
func inTrig(x float32) bool       { return math.Abs(float64(x)) < sinLarge }
func inUnit(x float32) bool       { return math.Abs(float64(x)) <= 1 }
func inExpMinus(x float32) bool   { return math.Abs(float64(x)) < 25 }
func inTurn(x float32) bool       { return math.Abs(float64(x)) < sinpiLarge }
func inErfc(x float32) bool       { return math.Abs(float64(x)) < 10 }
func inGamma(x float32) bool      { return -0.5 < x && x < 35 }
func inLgamma(x float32) bool     { return 1 <= x && x <= math.MaxFloat32 }
func inAcosh(x float32) bool      { return 1 <= x && x <= math.MaxFloat32 }
func inPow(x, y float32) bool     { return inLog(x) && isFinite(y) }

// best holds the fastest kernels that this processor runs, or none.
var best = fastest()

func fastest() (v vectorSet) {
	if all := vectors(); len(all) > 0 {
		return all[len(all)-1]
	}
	return v
}
