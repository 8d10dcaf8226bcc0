package f16

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// format is the format of this package.
const format = fp.Binary16

// value returns the number that x encodes.
func value(x uint16) float64 { return format.FromBits(uint64(x)) }

// rounded returns the encoding of y, a value rounded to odd, to nearest.
func rounded(y float64) uint16 { return uint16(format.Bits(format.Round(y, fp.NearestEven))) }

// Exp returns e^x.
func Exp(x uint16) uint16 { return rounded(f64.Exp(value(x), fp.ToOdd)) }

// Exp2 returns 2^x.
func Exp2(x uint16) uint16 { return rounded(f64.Exp2(value(x), fp.ToOdd)) }

// Exp10 returns 10^x.
func Exp10(x uint16) uint16 { return rounded(f64.Exp10(value(x), fp.ToOdd)) }

// Expm1 returns e^x - 1.
func Expm1(x uint16) uint16 { return rounded(f64.Expm1(value(x), fp.ToOdd)) }

// Exp2m1 returns 2^x - 1.
func Exp2m1(x uint16) uint16 { return rounded(f64.Exp2m1(value(x), fp.ToOdd)) }

// Exp10m1 returns 10^x - 1.
func Exp10m1(x uint16) uint16 { return rounded(f64.Exp10m1(value(x), fp.ToOdd)) }

// Log returns ln x.
func Log(x uint16) uint16 { return rounded(f64.Log(value(x), fp.ToOdd)) }

// Log2 returns log2 x.
func Log2(x uint16) uint16 { return rounded(f64.Log2(value(x), fp.ToOdd)) }

// Log10 returns log10 x.
func Log10(x uint16) uint16 { return rounded(f64.Log10(value(x), fp.ToOdd)) }

// Log1p returns ln(1 + x).
func Log1p(x uint16) uint16 { return rounded(f64.Log1p(value(x), fp.ToOdd)) }

// Log2p1 returns log2(1 + x).
func Log2p1(x uint16) uint16 { return rounded(f64.Log2p1(value(x), fp.ToOdd)) }

// Log10p1 returns log10(1 + x).
func Log10p1(x uint16) uint16 { return rounded(f64.Log10p1(value(x), fp.ToOdd)) }

// Sin returns sin x.
func Sin(x uint16) uint16 { return rounded(f64.Sin(value(x), fp.ToOdd)) }

// Cos returns cos x.
func Cos(x uint16) uint16 { return rounded(f64.Cos(value(x), fp.ToOdd)) }

// Tan returns tan x.
func Tan(x uint16) uint16 { return rounded(f64.Tan(value(x), fp.ToOdd)) }

// Asin returns the arc sine of x.
func Asin(x uint16) uint16 { return rounded(f64.Asin(value(x), fp.ToOdd)) }

// Acos returns the arc cosine of x.
func Acos(x uint16) uint16 { return rounded(f64.Acos(value(x), fp.ToOdd)) }

// Atan returns the arc tangent of x.
func Atan(x uint16) uint16 { return rounded(f64.Atan(value(x), fp.ToOdd)) }

// Sinpi returns sin(πx).
func Sinpi(x uint16) uint16 { return rounded(f64.Sinpi(value(x), fp.ToOdd)) }

// Cospi returns cos(πx).
func Cospi(x uint16) uint16 { return rounded(f64.Cospi(value(x), fp.ToOdd)) }

// Tanpi returns tan(πx).
func Tanpi(x uint16) uint16 { return rounded(f64.Tanpi(value(x), fp.ToOdd)) }

// Asinpi returns asin(x)/π.
func Asinpi(x uint16) uint16 { return rounded(f64.Asinpi(value(x), fp.ToOdd)) }

// Acospi returns acos(x)/π.
func Acospi(x uint16) uint16 { return rounded(f64.Acospi(value(x), fp.ToOdd)) }

// Atanpi returns atan(x)/π.
func Atanpi(x uint16) uint16 { return rounded(f64.Atanpi(value(x), fp.ToOdd)) }

// Sinh returns sinh x.
func Sinh(x uint16) uint16 { return rounded(f64.Sinh(value(x), fp.ToOdd)) }

// Cosh returns cosh x.
func Cosh(x uint16) uint16 { return rounded(f64.Cosh(value(x), fp.ToOdd)) }

// Tanh returns tanh x.
func Tanh(x uint16) uint16 { return rounded(f64.Tanh(value(x), fp.ToOdd)) }

// Asinh returns the inverse hyperbolic sine of x.
func Asinh(x uint16) uint16 { return rounded(f64.Asinh(value(x), fp.ToOdd)) }

// Acosh returns the inverse hyperbolic cosine of x.
func Acosh(x uint16) uint16 { return rounded(f64.Acosh(value(x), fp.ToOdd)) }

// Atanh returns the inverse hyperbolic tangent of x.
func Atanh(x uint16) uint16 { return rounded(f64.Atanh(value(x), fp.ToOdd)) }

// Cbrt returns the cube root of x.
func Cbrt(x uint16) uint16 { return rounded(f64.Cbrt(value(x), fp.ToOdd)) }

// Rsqrt returns 1/√x.
func Rsqrt(x uint16) uint16 { return rounded(f64.Rsqrt(value(x), fp.ToOdd)) }

// Erf returns the error function of x.
func Erf(x uint16) uint16 { return rounded(f64.Erf(value(x), fp.ToOdd)) }

// Erfc returns 1 - Erf(x).
func Erfc(x uint16) uint16 { return rounded(f64.Erfc(value(x), fp.ToOdd)) }

// Gamma returns the gamma function of x.
func Gamma(x uint16) uint16 { return rounded(f64.Gamma(value(x), fp.ToOdd)) }

// Sincos returns Sin(x) and Cos(x).
func Sincos(x uint16) (sin, cos uint16) {
	s, c := f64.Sincos(value(x), fp.ToOdd)
	return rounded(s), rounded(c)
}

// Lgamma returns ln |Gamma(x)|, and the sign of Gamma(x), 1 or -1.
func Lgamma(x uint16) (lgamma uint16, sign int) {
	y, sign := f64.Lgamma(value(x), fp.ToOdd)
	return rounded(y), sign
}

// Pow returns x^y.
func Pow(x, y uint16) uint16 { return rounded(f64.Pow(value(x), value(y), fp.ToOdd)) }

// Atan2 returns the angle of the point (x, y).
func Atan2(y, x uint16) uint16 { return rounded(f64.Atan2(value(y), value(x), fp.ToOdd)) }

// Hypot returns √(x² + y²).
func Hypot(x, y uint16) uint16 { return rounded(f64.Hypot(value(x), value(y), fp.ToOdd)) }

// Pown returns x^n.
func Pown(x uint16, n int) uint16 { return rounded(f64.Pown(value(x), n, fp.ToOdd)) }

// Compound returns (1+x)^n.
func Compound(x uint16, n int) uint16 { return rounded(f64.Compound(value(x), n, fp.ToOdd)) }

// Rootn returns x^(1/n).
func Rootn(x uint16, n int) uint16 { return rounded(f64.Rootn(value(x), n, fp.ToOdd)) }
