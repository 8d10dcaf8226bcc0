package array

import (
	"math"
	"unsafe"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/bf16"
	"github.com/lastbit/lastbit/crmath/f16"
	"github.com/lastbit/lastbit/crmath/f32"
)

// A unary is a function of one argument, in each format.
type unary struct {
	double func(dst, x []float64)
	single func(dst, x []float32)
	half   func(x uint16) uint16
	brain  func(x uint16) uint16
}

// A binary is a function of two arguments, in each format.
type binary struct {
	double func(dst, x, y []float64)
	single func(dst, x, y []float32)
	half   func(x, y uint16) uint16
	brain  func(x, y uint16) uint16
}

// unaryOf returns the function of one argument of that name.
func unaryOf(name string) (unary, bool) {
	switch name {
	case "exp":
		return unary{crmath.ExpSlice, f32.ExpSlice, f16.Exp, bf16.Exp}, true
	case "exp2":
		return unary{crmath.Exp2Slice, f32.Exp2Slice, f16.Exp2, bf16.Exp2}, true
	case "exp10":
		return unary{crmath.Exp10Slice, f32.Exp10Slice, f16.Exp10, bf16.Exp10}, true
	case "expm1":
		return unary{crmath.Expm1Slice, f32.Expm1Slice, f16.Expm1, bf16.Expm1}, true
	case "log":
		return unary{crmath.LogSlice, f32.LogSlice, f16.Log, bf16.Log}, true
	case "log2":
		return unary{crmath.Log2Slice, f32.Log2Slice, f16.Log2, bf16.Log2}, true
	case "log10":
		return unary{crmath.Log10Slice, f32.Log10Slice, f16.Log10, bf16.Log10}, true
	case "log1p":
		return unary{crmath.Log1pSlice, f32.Log1pSlice, f16.Log1p, bf16.Log1p}, true
	case "sin":
		return unary{crmath.SinSlice, f32.SinSlice, f16.Sin, bf16.Sin}, true
	case "cos":
		return unary{crmath.CosSlice, f32.CosSlice, f16.Cos, bf16.Cos}, true
	case "tan":
		return unary{crmath.TanSlice, f32.TanSlice, f16.Tan, bf16.Tan}, true
	case "asin":
		return unary{crmath.AsinSlice, f32.AsinSlice, f16.Asin, bf16.Asin}, true
	case "acos":
		return unary{crmath.AcosSlice, f32.AcosSlice, f16.Acos, bf16.Acos}, true
	case "atan":
		return unary{crmath.AtanSlice, f32.AtanSlice, f16.Atan, bf16.Atan}, true
	case "sinh":
		return unary{crmath.SinhSlice, f32.SinhSlice, f16.Sinh, bf16.Sinh}, true
	case "cosh":
		return unary{crmath.CoshSlice, f32.CoshSlice, f16.Cosh, bf16.Cosh}, true
	case "tanh":
		return unary{crmath.TanhSlice, f32.TanhSlice, f16.Tanh, bf16.Tanh}, true
	case "asinh":
		return unary{crmath.AsinhSlice, f32.AsinhSlice, f16.Asinh, bf16.Asinh}, true
	case "acosh":
		return unary{crmath.AcoshSlice, f32.AcoshSlice, f16.Acosh, bf16.Acosh}, true
	case "atanh":
		return unary{crmath.AtanhSlice, f32.AtanhSlice, f16.Atanh, bf16.Atanh}, true
	case "cbrt":
		return unary{crmath.CbrtSlice, f32.CbrtSlice, f16.Cbrt, bf16.Cbrt}, true
	case "exp2m1":
		return unary{crmath.Exp2m1Slice, f32.Exp2m1Slice, f16.Exp2m1, bf16.Exp2m1}, true
	case "exp10m1":
		return unary{crmath.Exp10m1Slice, f32.Exp10m1Slice, f16.Exp10m1, bf16.Exp10m1}, true
	case "log2p1":
		return unary{crmath.Log2p1Slice, f32.Log2p1Slice, f16.Log2p1, bf16.Log2p1}, true
	case "log10p1":
		return unary{crmath.Log10p1Slice, f32.Log10p1Slice, f16.Log10p1, bf16.Log10p1}, true
	case "sinpi":
		return unary{crmath.SinpiSlice, f32.SinpiSlice, f16.Sinpi, bf16.Sinpi}, true
	case "cospi":
		return unary{crmath.CospiSlice, f32.CospiSlice, f16.Cospi, bf16.Cospi}, true
	case "tanpi":
		return unary{crmath.TanpiSlice, f32.TanpiSlice, f16.Tanpi, bf16.Tanpi}, true
	case "asinpi":
		return unary{crmath.AsinpiSlice, f32.AsinpiSlice, f16.Asinpi, bf16.Asinpi}, true
	case "acospi":
		return unary{crmath.AcospiSlice, f32.AcospiSlice, f16.Acospi, bf16.Acospi}, true
	case "atanpi":
		return unary{crmath.AtanpiSlice, f32.AtanpiSlice, f16.Atanpi, bf16.Atanpi}, true
	case "rsqrt":
		return unary{crmath.RsqrtSlice, f32.RsqrtSlice, f16.Rsqrt, bf16.Rsqrt}, true
	case "sqrt":
		return unary{roots[float64], roots[float32], shortRoot(Float16), shortRoot(BFloat16)}, true
	case "erf":
		return unary{crmath.ErfSlice, f32.ErfSlice, f16.Erf, bf16.Erf}, true
	case "erfc":
		return unary{crmath.ErfcSlice, f32.ErfcSlice, f16.Erfc, bf16.Erfc}, true
	case "gamma":
		return unary{crmath.GammaSlice, f32.GammaSlice, f16.Gamma, bf16.Gamma}, true
	}
	return unary{}, false
}

// binaryOf returns the function of two arguments of that name.
func binaryOf(name string) (binary, bool) {
	switch name {
	case "pow":
		return binary{crmath.PowSlice, f32.PowSlice, f16.Pow, bf16.Pow}, true
	case "atan2":
		return binary{crmath.Atan2Slice, f32.Atan2Slice, f16.Atan2, bf16.Atan2}, true
	case "hypot":
		return binary{crmath.HypotSlice, f32.HypotSlice, f16.Hypot, bf16.Hypot}, true
	}
	return binary{}, false
}

// roots stores square roots. The root of a float32 is never so close to the
// middle between two of them that rounding it to float64 first would matter.
func roots[T float](dst, x []T) {
	for i, v := range x {
		dst[i] = T(math.Sqrt(float64(v)))
	}
}

// shortRoot returns the square root of a format of 16 bits, which float64 first
// rounds as little.
func shortRoot(f Format) func(x uint16) uint16 {
	return func(x uint16) uint16 {
		v := [1]float64{}
		load(v[:], f, unsafe.Pointer(&x), 2)
		return shortened(f, math.Sqrt(v[0]))
	}
}
