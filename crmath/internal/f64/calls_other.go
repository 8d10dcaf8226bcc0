//go:build !amd64 || purego

package f64

// The functions for single calls, without assembly.

// FastExp computes Exp(x) to nearest.
func FastExp(x float64) float64 { return nearestExp(x) }

// FastExp2 computes Exp2(x) to nearest.
func FastExp2(x float64) float64 { return nearestExp2(x) }

// FastExp10 computes Exp10(x) to nearest.
func FastExp10(x float64) float64 { return nearestExp10(x) }

// FastExpm1 computes Expm1(x) to nearest.
func FastExpm1(x float64) float64 { return nearestExpm1(x) }

// FastLog computes Log(x) to nearest.
func FastLog(x float64) float64 { return nearestLog(x) }

// FastLog2 computes Log2(x) to nearest.
func FastLog2(x float64) float64 { return nearestLog2(x) }

// FastLog10 computes Log10(x) to nearest.
func FastLog10(x float64) float64 { return nearestLog10(x) }

// FastLog1p computes Log1p(x) to nearest.
func FastLog1p(x float64) float64 { return nearestLog1p(x) }

// FastSin computes Sin(x) to nearest.
func FastSin(x float64) float64 { return nearestSin(x) }

// FastCos computes Cos(x) to nearest.
func FastCos(x float64) float64 { return nearestCos(x) }

// FastTan computes Tan(x) to nearest.
func FastTan(x float64) float64 { return nearestTan(x) }

// FastAsin computes Asin(x) to nearest.
func FastAsin(x float64) float64 { return nearestAsin(x) }

// FastAcos computes Acos(x) to nearest.
func FastAcos(x float64) float64 { return nearestAcos(x) }

// FastAtan computes Atan(x) to nearest.
func FastAtan(x float64) float64 { return nearestAtan(x) }

// FastSinh computes Sinh(x) to nearest.
func FastSinh(x float64) float64 { return nearestSinh(x) }

// FastCosh computes Cosh(x) to nearest.
func FastCosh(x float64) float64 { return nearestCosh(x) }

// FastTanh computes Tanh(x) to nearest.
func FastTanh(x float64) float64 { return nearestTanh(x) }

// FastAsinh computes Asinh(x) to nearest.
func FastAsinh(x float64) float64 { return nearestAsinh(x) }

// FastAcosh computes Acosh(x) to nearest.
func FastAcosh(x float64) float64 { return nearestAcosh(x) }

// FastAtanh computes Atanh(x) to nearest.
func FastAtanh(x float64) float64 { return nearestAtanh(x) }

// FastCbrt computes Cbrt(x) to nearest.
func FastCbrt(x float64) float64 { return nearestCbrt(x) }

// FastPow computes Pow(x, y) to nearest.
func FastPow(x, y float64) float64 { return nearestPow(x, y) }

// FastAtan2 computes Atan2(y, x) to nearest.
func FastAtan2(y, x float64) float64 { return nearestAtan2(y, x) }

// FastHypot computes Hypot(x, y) to nearest.
func FastHypot(x, y float64) float64 { return nearestHypot(x, y) }

// FastExp2m1 computes Exp2m1(x) to nearest.
func FastExp2m1(x float64) float64 { return nearestExp2m1(x) }

// FastExp10m1 computes Exp10m1(x) to nearest.
func FastExp10m1(x float64) float64 { return nearestExp10m1(x) }

// FastLog2p1 computes Log2p1(x) to nearest.
func FastLog2p1(x float64) float64 { return nearestLog2p1(x) }

// FastLog10p1 computes Log10p1(x) to nearest.
func FastLog10p1(x float64) float64 { return nearestLog10p1(x) }

// FastSinpi computes Sinpi(x) to nearest.
func FastSinpi(x float64) float64 { return nearestSinpi(x) }

// FastCospi computes Cospi(x) to nearest.
func FastCospi(x float64) float64 { return nearestCospi(x) }

// FastTanpi computes Tanpi(x) to nearest.
func FastTanpi(x float64) float64 { return nearestTanpi(x) }

// FastAsinpi computes Asinpi(x) to nearest.
func FastAsinpi(x float64) float64 { return nearestAsinpi(x) }

// FastAcospi computes Acospi(x) to nearest.
func FastAcospi(x float64) float64 { return nearestAcospi(x) }

// FastAtanpi computes Atanpi(x) to nearest.
func FastAtanpi(x float64) float64 { return nearestAtanpi(x) }

// FastRsqrt computes Rsqrt(x) to nearest.
func FastRsqrt(x float64) float64 { return nearestRsqrt(x) }

// FastErf computes Erf(x) to nearest.
func FastErf(x float64) float64 { return nearestErf(x) }

// FastErfc computes Erfc(x) to nearest.
func FastErfc(x float64) float64 { return nearestErfc(x) }

// FastGamma computes Gamma(x) to nearest.
func FastGamma(x float64) float64 { return nearestGamma(x) }

// FastLgamma computes Lgamma(x) to nearest.
func FastLgamma(x float64) float64 { return nearestLgamma(x) }
