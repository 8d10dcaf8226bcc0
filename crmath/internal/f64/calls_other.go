//go:build !amd64 || purego

package f64

import "github.com/lastbit/lastbit/fp"

// The functions for single calls, without assembly.

// FastExp computes Exp(x, m).
func FastExp(x float64, m fp.Mode) float64 { return Exp(x, m) }

// FastExp2 computes Exp2(x, m).
func FastExp2(x float64, m fp.Mode) float64 { return Exp2(x, m) }

// FastExp10 computes Exp10(x, m).
func FastExp10(x float64, m fp.Mode) float64 { return Exp10(x, m) }

// FastExpm1 computes Expm1(x, m).
func FastExpm1(x float64, m fp.Mode) float64 { return Expm1(x, m) }

// FastLog computes Log(x, m).
func FastLog(x float64, m fp.Mode) float64 { return Log(x, m) }

// FastLog2 computes Log2(x, m).
func FastLog2(x float64, m fp.Mode) float64 { return Log2(x, m) }

// FastLog10 computes Log10(x, m).
func FastLog10(x float64, m fp.Mode) float64 { return Log10(x, m) }

// FastLog1p computes Log1p(x, m).
func FastLog1p(x float64, m fp.Mode) float64 { return Log1p(x, m) }

// FastSin computes Sin(x, m).
func FastSin(x float64, m fp.Mode) float64 { return Sin(x, m) }

// FastCos computes Cos(x, m).
func FastCos(x float64, m fp.Mode) float64 { return Cos(x, m) }

// FastTan computes Tan(x, m).
func FastTan(x float64, m fp.Mode) float64 { return Tan(x, m) }

// FastAsin computes Asin(x, m).
func FastAsin(x float64, m fp.Mode) float64 { return Asin(x, m) }

// FastAcos computes Acos(x, m).
func FastAcos(x float64, m fp.Mode) float64 { return Acos(x, m) }

// FastAtan computes Atan(x, m).
func FastAtan(x float64, m fp.Mode) float64 { return Atan(x, m) }

// FastSinh computes Sinh(x, m).
func FastSinh(x float64, m fp.Mode) float64 { return Sinh(x, m) }

// FastCosh computes Cosh(x, m).
func FastCosh(x float64, m fp.Mode) float64 { return Cosh(x, m) }

// FastTanh computes Tanh(x, m).
func FastTanh(x float64, m fp.Mode) float64 { return Tanh(x, m) }

// FastAsinh computes Asinh(x, m).
func FastAsinh(x float64, m fp.Mode) float64 { return Asinh(x, m) }

// FastAcosh computes Acosh(x, m).
func FastAcosh(x float64, m fp.Mode) float64 { return Acosh(x, m) }

// FastAtanh computes Atanh(x, m).
func FastAtanh(x float64, m fp.Mode) float64 { return Atanh(x, m) }

// FastCbrt computes Cbrt(x, m).
func FastCbrt(x float64, m fp.Mode) float64 { return Cbrt(x, m) }

// FastPow computes Pow(x, y, m).
func FastPow(x, y float64, m fp.Mode) float64 { return Pow(x, y, m) }

// FastAtan2 computes Atan2(y, x, m).
func FastAtan2(y, x float64, m fp.Mode) float64 { return Atan2(y, x, m) }

// FastHypot computes Hypot(x, y, m).
func FastHypot(x, y float64, m fp.Mode) float64 { return Hypot(x, y, m) }
