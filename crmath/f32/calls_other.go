//go:build !amd64 || purego

package f32

// The functions for single calls, without assembly.

func fastExp(x float32) float32 { return exp(x) }

func fastExp2(x float32) float32 { return exp2(x) }

func fastExp10(x float32) float32 { return exp10(x) }

func fastExpm1(x float32) float32 { return expm1(x) }

func fastLog(x float32) float32 { return log(x) }

func fastLog2(x float32) float32 { return log2(x) }

func fastLog10(x float32) float32 { return log10(x) }

func fastLog1p(x float32) float32 { return log1p(x) }

func fastSin(x float32) float32 { return sin(x) }

func fastCos(x float32) float32 { return cos(x) }

func fastTan(x float32) float32 { return tan(x) }

func fastAsin(x float32) float32 { return asin(x) }

func fastAcos(x float32) float32 { return acos(x) }

func fastAsinh(x float32) float32 { return asinh(x) }

func fastAcosh(x float32) float32 { return acosh(x) }

func fastAtanh(x float32) float32 { return atanh(x) }

func fastAtan(x float32) float32 { return atan(x) }

func fastAtan2(y, x float32) float32 { return atan2(y, x) }

func fastSinh(x float32) float32 { return sinh(x) }

func fastCosh(x float32) float32 { return cosh(x) }

func fastTanh(x float32) float32 { return tanh(x) }

func fastCbrt(x float32) float32 { return cbrt(x) }

func fastHypot(x, y float32) float32 { return hypot(x, y) }

func fastPow(x, y float32) float32 { return pow(x, y) }

func fastExp2m1(x float32) float32 { return exp2m1(x) }

func fastExp10m1(x float32) float32 { return exp10m1(x) }

func fastLog2p1(x float32) float32 { return log2p1(x) }

func fastLog10p1(x float32) float32 { return log10p1(x) }

func fastSinpi(x float32) float32 { return sinpi(x) }

func fastCospi(x float32) float32 { return cospi(x) }

func fastTanpi(x float32) float32 { return tanpi(x) }

func fastAsinpi(x float32) float32 { return asinpi(x) }

func fastAcospi(x float32) float32 { return acospi(x) }

func fastAtanpi(x float32) float32 { return atanpi(x) }

func fastRsqrt(x float32) float32 { return rsqrt(x) }

func fastErf(x float32) float32 { return erf(x) }

func fastErfc(x float32) float32 { return erfc(x) }

func fastGamma(x float32) float32 { return gamma(x) }

func fastLgamma(x float32) float32 { return lgamma(x) }
