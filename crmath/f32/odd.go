package f32

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Functions by way of float64: its result, rounded to odd, is rounded to
// nearest once more, which gives the value rounded once (Boldo2008). A call
// takes as long as that of package crmath, whose special cases hold.

// Exp2m1 returns 2^x - 1, correctly rounded.
func Exp2m1(x float32) float32 { return float32(f64.Exp2m1(float64(x), fp.ToOdd)) }

// Exp10m1 returns 10^x - 1, correctly rounded.
func Exp10m1(x float32) float32 { return float32(f64.Exp10m1(float64(x), fp.ToOdd)) }

// Log2p1 returns log2(1 + x), correctly rounded.
func Log2p1(x float32) float32 { return float32(f64.Log2p1(float64(x), fp.ToOdd)) }

// Log10p1 returns log10(1 + x), correctly rounded.
func Log10p1(x float32) float32 { return float32(f64.Log10p1(float64(x), fp.ToOdd)) }

// Sinpi returns sin(πx), correctly rounded.
func Sinpi(x float32) float32 { return float32(f64.Sinpi(float64(x), fp.ToOdd)) }

// Cospi returns cos(πx), correctly rounded.
func Cospi(x float32) float32 { return float32(f64.Cospi(float64(x), fp.ToOdd)) }

// Tanpi returns tan(πx), correctly rounded.
func Tanpi(x float32) float32 { return float32(f64.Tanpi(float64(x), fp.ToOdd)) }

// Asinpi returns asin(x)/π, correctly rounded.
func Asinpi(x float32) float32 { return float32(f64.Asinpi(float64(x), fp.ToOdd)) }

// Acospi returns acos(x)/π, correctly rounded.
func Acospi(x float32) float32 { return float32(f64.Acospi(float64(x), fp.ToOdd)) }

// Atanpi returns atan(x)/π, correctly rounded.
func Atanpi(x float32) float32 { return float32(f64.Atanpi(float64(x), fp.ToOdd)) }

// Rsqrt returns 1/√x, correctly rounded.
func Rsqrt(x float32) float32 { return float32(f64.Rsqrt(float64(x), fp.ToOdd)) }

// Erf returns the error function of x, correctly rounded.
func Erf(x float32) float32 { return float32(f64.Erf(float64(x), fp.ToOdd)) }

// Erfc returns 1 - Erf(x), correctly rounded.
func Erfc(x float32) float32 { return float32(f64.Erfc(float64(x), fp.ToOdd)) }

// Gamma returns the gamma function of x, correctly rounded.
func Gamma(x float32) float32 { return float32(f64.Gamma(float64(x), fp.ToOdd)) }

// Lgamma returns ln |Gamma(x)|, correctly rounded, and the sign of Gamma(x), 1
// or -1.
func Lgamma(x float32) (lgamma float32, sign int) {
	y, sign := f64.Lgamma(float64(x), fp.ToOdd)
	return float32(y), sign
}

// Pown returns x^n, correctly rounded.
func Pown(x float32, n int) float32 { return float32(f64.Pown(float64(x), n, fp.ToOdd)) }

// Compound returns (1+x)^n, correctly rounded.
func Compound(x float32, n int) float32 { return float32(f64.Compound(float64(x), n, fp.ToOdd)) }

// Rootn returns x^(1/n), correctly rounded.
func Rootn(x float32, n int) float32 { return float32(f64.Rootn(float64(x), n, fp.ToOdd)) }
