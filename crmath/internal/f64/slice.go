package f64

import "github.com/lastbit/lastbit/crmath/internal/vector"

// ExpSlice is crmath.ExpSlice.
func ExpSlice(dst, x []float64) {
	vector.MapLoop("crmath.ExpSlice", dst, x, vector.Each(FastExp), best.exp, inExp)
}

// Exp2Slice is crmath.Exp2Slice.
func Exp2Slice(dst, x []float64) {
	vector.MapLoop("crmath.Exp2Slice", dst, x, vector.Each(FastExp2), best.exp2, inExp2)
}

// Exp10Slice is crmath.Exp10Slice.
func Exp10Slice(dst, x []float64) {
	vector.MapLoop("crmath.Exp10Slice", dst, x, vector.Each(FastExp10), best.exp10, inExp10)
}

// Expm1Slice is crmath.Expm1Slice.
func Expm1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Expm1Slice", dst, x, vector.Each(FastExpm1), best.expm1, inExpm1)
}

// LogSlice is crmath.LogSlice.
func LogSlice(dst, x []float64) {
	vector.MapLoop("crmath.LogSlice", dst, x, vector.Each(FastLog), best.log, isPositiveNormal)
}

// Log2Slice is crmath.Log2Slice.
func Log2Slice(dst, x []float64) {
	vector.MapLoop("crmath.Log2Slice", dst, x, vector.Each(FastLog2), best.log2, isPositiveNormal)
}

// Log10Slice is crmath.Log10Slice.
func Log10Slice(dst, x []float64) {
	vector.MapLoop("crmath.Log10Slice", dst, x, vector.Each(FastLog10), best.log10,
		isPositiveNormal)
}

// Log1pSlice is crmath.Log1pSlice.
func Log1pSlice(dst, x []float64) {
	vector.MapLoop("crmath.Log1pSlice", dst, x, vector.Each(FastLog1p), best.log1p, inLog1p)
}

// SinSlice is crmath.SinSlice.
func SinSlice(dst, x []float64) {
	vector.MapLoop("crmath.SinSlice", dst, x, vector.Each(FastSin), best.sin, inTrig)
}

// CosSlice is crmath.CosSlice.
func CosSlice(dst, x []float64) {
	vector.MapLoop("crmath.CosSlice", dst, x, vector.Each(FastCos), best.cos, inTrig)
}

// TanSlice is crmath.TanSlice.
func TanSlice(dst, x []float64) {
	vector.MapLoop("crmath.TanSlice", dst, x, vector.Each(FastTan), best.tan, inTrig)
}

// AsinSlice is crmath.AsinSlice.
func AsinSlice(dst, x []float64) {
	vector.MapLoop("crmath.AsinSlice", dst, x, vector.Each(FastAsin), best.asin, inUnit)
}

// AcosSlice is crmath.AcosSlice.
func AcosSlice(dst, x []float64) {
	vector.MapLoop("crmath.AcosSlice", dst, x, vector.Each(FastAcos), best.acos, inUnit)
}

// AtanSlice is crmath.AtanSlice.
func AtanSlice(dst, x []float64) {
	vector.MapLoop("crmath.AtanSlice", dst, x, vector.Each(FastAtan), best.atan, isNumber)
}

// SinhSlice is crmath.SinhSlice.
func SinhSlice(dst, x []float64) {
	vector.MapLoop("crmath.SinhSlice", dst, x, vector.Each(FastSinh), best.sinh, inExp)
}

// CoshSlice is crmath.CoshSlice.
func CoshSlice(dst, x []float64) {
	vector.MapLoop("crmath.CoshSlice", dst, x, vector.Each(FastCosh), best.cosh, inExp)
}

// TanhSlice is crmath.TanhSlice.
func TanhSlice(dst, x []float64) {
	vector.MapLoop("crmath.TanhSlice", dst, x, vector.Each(FastTanh), best.tanh, isNumber)
}

// AsinhSlice is crmath.AsinhSlice.
func AsinhSlice(dst, x []float64) {
	vector.MapLoop("crmath.AsinhSlice", dst, x, vector.Each(FastAsinh), best.asinh, isFinite)
}

// AcoshSlice is crmath.AcoshSlice.
func AcoshSlice(dst, x []float64) {
	vector.MapLoop("crmath.AcoshSlice", dst, x, vector.Each(FastAcosh), best.acosh, inAcosh)
}

// AtanhSlice is crmath.AtanhSlice.
func AtanhSlice(dst, x []float64) {
	vector.MapLoop("crmath.AtanhSlice", dst, x, vector.Each(FastAtanh), best.atanh, inUnit)
}

// CbrtSlice is crmath.CbrtSlice.
func CbrtSlice(dst, x []float64) {
	vector.MapLoop("crmath.CbrtSlice", dst, x, vector.Each(FastCbrt), best.cbrt, inCbrt)
}

// PowSlice is crmath.PowSlice.
func PowSlice(dst, x, y []float64) {
	vector.MapLoop2("crmath.PowSlice", dst, x, y, vector.Each2(FastPow), best.pow, inPow)
}

// Atan2Slice is crmath.Atan2Slice.
func Atan2Slice(dst, y, x []float64) {
	vector.MapLoop2("crmath.Atan2Slice", dst, x, y, func(dst, x, y []float64) {
		for i, v := range x {
			dst[i] = FastAtan2(y[i], v)
		}
	}, best.atan2, inAtan2)
}

// HypotSlice is crmath.HypotSlice.
func HypotSlice(dst, x, y []float64) {
	vector.MapLoop2("crmath.HypotSlice", dst, x, y, vector.Each2(FastHypot), best.hypot, areFinite)
}

// best holds the fastest kernels that this processor runs, or none.
var best = fastest()

func fastest() (v vectorSet) {
	if all := vectors(); len(all) > 0 {
		return all[len(all)-1]
	}
	return v
}
