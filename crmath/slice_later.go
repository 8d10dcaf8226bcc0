package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// SincosSlice is ExpSlice for Sincos: it stores sin x[i] in sin[i] and cos x[i]
// in cos[i]. One of them may be x.
func SincosSlice(sin, cos, x []float64) { f64.SincosSlice(sin, cos, x) }

// Exp2m1Slice is ExpSlice for Exp2m1: it stores 2^x[i] - 1 in dst[i].
func Exp2m1Slice(dst, x []float64) { f64.Exp2m1Slice(dst, x) }

// Exp10m1Slice is ExpSlice for Exp10m1: it stores 10^x[i] - 1 in dst[i].
func Exp10m1Slice(dst, x []float64) { f64.Exp10m1Slice(dst, x) }

// Log2p1Slice is ExpSlice for Log2p1: it stores log2(1 + x[i]) in dst[i].
func Log2p1Slice(dst, x []float64) { f64.Log2p1Slice(dst, x) }

// Log10p1Slice is ExpSlice for Log10p1: it stores log10(1 + x[i]) in dst[i].
func Log10p1Slice(dst, x []float64) { f64.Log10p1Slice(dst, x) }

// SinpiSlice is ExpSlice for Sinpi: it stores sin(πx[i]) in dst[i]. Zeros are
// rare cases: those of integers.
func SinpiSlice(dst, x []float64) { f64.SinpiSlice(dst, x) }

// CospiSlice is ExpSlice for Cospi: it stores cos(πx[i]) in dst[i]. Zeros are
// rare cases: those of halves of odd numbers.
func CospiSlice(dst, x []float64) { f64.CospiSlice(dst, x) }

// TanpiSlice is ExpSlice for Tanpi: it stores tan(πx[i]) in dst[i]. Zeros and
// poles, those of integers and their halves, are rare cases.
func TanpiSlice(dst, x []float64) { f64.TanpiSlice(dst, x) }

// AsinpiSlice is ExpSlice for Asinpi: it stores arcsin(x[i])/π in dst[i].
func AsinpiSlice(dst, x []float64) { f64.AsinpiSlice(dst, x) }

// AcospiSlice is ExpSlice for Acospi: it stores arccos(x[i])/π in dst[i].
func AcospiSlice(dst, x []float64) { f64.AcospiSlice(dst, x) }

// AtanpiSlice is ExpSlice for Atanpi: it stores arctan(x[i])/π in dst[i].
func AtanpiSlice(dst, x []float64) { f64.AtanpiSlice(dst, x) }

// RsqrtSlice is ExpSlice for Rsqrt: it stores 1/√x[i] in dst[i].
func RsqrtSlice(dst, x []float64) { f64.RsqrtSlice(dst, x) }

// ErfSlice is ExpSlice for Erf: it stores erf x[i] in dst[i].
func ErfSlice(dst, x []float64) { f64.ErfSlice(dst, x) }

// ErfcSlice is ExpSlice for Erfc: it stores erfc x[i] in dst[i].
func ErfcSlice(dst, x []float64) { f64.ErfcSlice(dst, x) }

// GammaSlice is ExpSlice for Gamma: it stores Γ(x[i]) in dst[i]. Arguments
// below 1 are rare cases.
func GammaSlice(dst, x []float64) { f64.GammaSlice(dst, x) }

// LgammaSlice is ExpSlice for Lgamma without the sign: it stores ln |Γ(x[i])|
// in dst[i]. Arguments below 0 are rare cases.
func LgammaSlice(dst, x []float64) { f64.LgammaSlice(dst, x) }

// PownSlice is ExpSlice for Pown with one exponent: it stores x[i]^n in dst[i].
// Negative elements are rare cases.
func PownSlice(dst, x []float64, n int) { f64.PownSlice(dst, x, n) }

// CompoundSlice stores (1 + x[i])^n in dst[i] for all i, as PownSlice does
// x[i]^n. It has no vector kernel, and takes as long as a loop over Compound.
func CompoundSlice(dst, x []float64, n int) { f64.CompoundSlice(dst, x, n) }

// RootnSlice stores x[i]^(1/n) in dst[i] for all i, as PownSlice does x[i]^n.
// It has no vector kernel, and takes as long as a loop over Rootn.
func RootnSlice(dst, x []float64, n int) { f64.RootnSlice(dst, x, n) }
