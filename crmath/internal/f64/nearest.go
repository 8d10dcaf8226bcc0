package f64

import "github.com/lastbit/lastbit/fp"

// Functions to nearest. FastExp and so on have their bits, and call them where
// they have no result of their own.

func nearestExp(x float64) float64 { return Exp(x, fp.NearestEven) }

func nearestExp2(x float64) float64 { return Exp2(x, fp.NearestEven) }

func nearestExp10(x float64) float64 { return Exp10(x, fp.NearestEven) }

func nearestExpm1(x float64) float64 { return Expm1(x, fp.NearestEven) }

func nearestLog(x float64) float64 { return Log(x, fp.NearestEven) }

func nearestLog2(x float64) float64 { return Log2(x, fp.NearestEven) }

func nearestLog10(x float64) float64 { return Log10(x, fp.NearestEven) }

func nearestLog1p(x float64) float64 { return Log1p(x, fp.NearestEven) }

func nearestSin(x float64) float64 { return Sin(x, fp.NearestEven) }

func nearestCos(x float64) float64 { return Cos(x, fp.NearestEven) }

func nearestTan(x float64) float64 { return Tan(x, fp.NearestEven) }

func nearestAsin(x float64) float64 { return Asin(x, fp.NearestEven) }

func nearestAcos(x float64) float64 { return Acos(x, fp.NearestEven) }

func nearestAtan(x float64) float64 { return Atan(x, fp.NearestEven) }

func nearestSinh(x float64) float64 { return Sinh(x, fp.NearestEven) }

func nearestCosh(x float64) float64 { return Cosh(x, fp.NearestEven) }

func nearestTanh(x float64) float64 { return Tanh(x, fp.NearestEven) }

func nearestAsinh(x float64) float64 { return Asinh(x, fp.NearestEven) }

func nearestAcosh(x float64) float64 { return Acosh(x, fp.NearestEven) }

func nearestAtanh(x float64) float64 { return Atanh(x, fp.NearestEven) }

func nearestCbrt(x float64) float64 { return Cbrt(x, fp.NearestEven) }

func nearestPow(x, y float64) float64 { return Pow(x, y, fp.NearestEven) }

func nearestAtan2(y, x float64) float64 { return Atan2(y, x, fp.NearestEven) }

func nearestHypot(x, y float64) float64 { return Hypot(x, y, fp.NearestEven) }

func nearestExp2m1(x float64) float64 { return Exp2m1(x, fp.NearestEven) }

func nearestExp10m1(x float64) float64 { return Exp10m1(x, fp.NearestEven) }

func nearestLog2p1(x float64) float64 { return Log2p1(x, fp.NearestEven) }

func nearestLog10p1(x float64) float64 { return Log10p1(x, fp.NearestEven) }

func nearestSinpi(x float64) float64 { return Sinpi(x, fp.NearestEven) }

func nearestCospi(x float64) float64 { return Cospi(x, fp.NearestEven) }

func nearestTanpi(x float64) float64 { return Tanpi(x, fp.NearestEven) }

func nearestAsinpi(x float64) float64 { return Asinpi(x, fp.NearestEven) }

func nearestAcospi(x float64) float64 { return Acospi(x, fp.NearestEven) }

func nearestAtanpi(x float64) float64 { return Atanpi(x, fp.NearestEven) }

func nearestRsqrt(x float64) float64 { return Rsqrt(x, fp.NearestEven) }

func nearestErf(x float64) float64 { return Erf(x, fp.NearestEven) }

func nearestErfc(x float64) float64 { return Erfc(x, fp.NearestEven) }

func nearestGamma(x float64) float64 { return Gamma(x, fp.NearestEven) }

func nearestLgamma(x float64) float64 {
	r, _ := Lgamma(x, fp.NearestEven)
	return r
}
