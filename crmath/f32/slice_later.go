package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/internal/kernel"
)

// SincosSlice is ExpSlice for Sincos: it stores sin x[i] in sin[i] and cos x[i]
// in cos[i]. One of them may be x.
func SincosSlice(sin, cos, x []float32) {
	vector.CheckBoth("f32.SincosSlice", [2]string{"sin", "cos"}, sin, cos, x)
	if len(x) > 0 && &cos[0] == &x[0] {
		SinSlice(sin, x)
		CosSlice(cos, x)
		return
	}
	CosSlice(cos, x)
	SinSlice(sin, x)
}

// Exp2m1Slice is ExpSlice for Exp2m1: it stores 2^x[i] - 1 in dst[i].
func Exp2m1Slice(dst, x []float32) {
	throughDouble("f32.Exp2m1Slice", dst, x, f64.Exp2m1Slice, Exp2m1)
}

// Exp10m1Slice is ExpSlice for Exp10m1: it stores 10^x[i] - 1 in dst[i].
func Exp10m1Slice(dst, x []float32) {
	throughDouble("f32.Exp10m1Slice", dst, x, f64.Exp10m1Slice, Exp10m1)
}

// Log2p1Slice is ExpSlice for Log2p1: it stores log2Parts(1 + x[i]) in dst[i].
func Log2p1Slice(dst, x []float32) {
	throughDouble("f32.Log2p1Slice", dst, x, f64.Log2p1Slice, Log2p1)
}

// Log10p1Slice is ExpSlice for Log10p1: it stores log10(1 + x[i]) in dst[i].
func Log10p1Slice(dst, x []float32) {
	throughDouble("f32.Log10p1Slice", dst, x, f64.Log10p1Slice, Log10p1)
}

// SinpiSlice is ExpSlice for Sinpi: it stores sin(πx[i]) in dst[i].
func SinpiSlice(dst, x []float32) {
	throughDouble("f32.SinpiSlice", dst, x, f64.SinpiSlice, Sinpi)
}

// CospiSlice is ExpSlice for Cospi: it stores cos(πx[i]) in dst[i].
func CospiSlice(dst, x []float32) {
	throughDouble("f32.CospiSlice", dst, x, f64.CospiSlice, Cospi)
}

// TanpiSlice is ExpSlice for Tanpi: it stores tan(πx[i]) in dst[i].
func TanpiSlice(dst, x []float32) {
	throughDouble("f32.TanpiSlice", dst, x, f64.TanpiSlice, Tanpi)
}

// AsinpiSlice is ExpSlice for Asinpi: it stores arcsin(x[i])/π in dst[i].
func AsinpiSlice(dst, x []float32) {
	throughDouble("f32.AsinpiSlice", dst, x, f64.AsinpiSlice, Asinpi)
}

// AcospiSlice is ExpSlice for Acospi: it stores arccos(x[i])/π in dst[i].
func AcospiSlice(dst, x []float32) {
	throughDouble("f32.AcospiSlice", dst, x, f64.AcospiSlice, Acospi)
}

// AtanpiSlice is ExpSlice for Atanpi: it stores arctan(x[i])/π in dst[i].
func AtanpiSlice(dst, x []float32) {
	throughDouble("f32.AtanpiSlice", dst, x, f64.AtanpiSlice, Atanpi)
}

// RsqrtSlice is ExpSlice for Rsqrt: it stores 1/√x[i] in dst[i].
func RsqrtSlice(dst, x []float32) {
	throughDouble("f32.RsqrtSlice", dst, x, f64.RsqrtSlice, Rsqrt)
}

// ErfSlice is ExpSlice for Erf: it stores erf x[i] in dst[i].
func ErfSlice(dst, x []float32) {
	throughDouble("f32.ErfSlice", dst, x, f64.ErfSlice, Erf)
}

// ErfcSlice is ExpSlice for Erfc: it stores erfc x[i] in dst[i].
func ErfcSlice(dst, x []float32) {
	throughDouble("f32.ErfcSlice", dst, x, f64.ErfcSlice, Erfc)
}

// GammaSlice is ExpSlice for Gamma: it stores Γ(x[i]) in dst[i].
func GammaSlice(dst, x []float32) {
	throughDouble("f32.GammaSlice", dst, x, f64.GammaSlice, Gamma)
}

// LgammaSlice is ExpSlice for Lgamma without the sign: it stores ln |Γ(x[i])|
// in dst[i].
func LgammaSlice(dst, x []float32) {
	throughDouble("f32.LgammaSlice", dst, x, f64.LgammaSlice, lgammaOf)
}

// PownSlice is ExpSlice for Pown with one integer: it stores x[i]^n in dst[i].
func PownSlice(dst, x []float32, n int) {
	throughDouble("f32.PownSlice", dst, x,
		func(dst, x []float64) { f64.PownSlice(dst, x, n) },
		func(x float32) float32 { return Pown(x, n) })
}

// CompoundSlice is ExpSlice for Compound with one integer: it stores (1 +
// x[i])^n in dst[i].
func CompoundSlice(dst, x []float32, n int) {
	throughDouble("f32.CompoundSlice", dst, x,
		func(dst, x []float64) { f64.CompoundSlice(dst, x, n) },
		func(x float32) float32 { return Compound(x, n) })
}

// RootnSlice is ExpSlice for Rootn with one integer: it stores x[i]^(1/n) in
// dst[i].
func RootnSlice(dst, x []float32, n int) {
	throughDouble("f32.RootnSlice", dst, x,
		func(dst, x []float64) { f64.RootnSlice(dst, x, n) },
		func(x float32) float32 { return Rootn(x, n) })
}

// lgammaOf is Lgamma without the sign.
func lgammaOf(x float32) float32 {
	y, _ := Lgamma(x)
	return y
}

// throughDouble stores f(x[i]) in dst[i] by way of float64: slice stores the
// values of the same function, correctly rounded to float64. Rounded once more,
// such a value is right unless it is a midpoint of two float32: rounding to
// float64 is monotonic, so that no value crosses a midpoint. f computes
// midpoints, and results below the normal numbers, whose midpoints have other
// bits.
func throughDouble(name string, dst, x []float32, slice func(dst, x []float64),
	f func(float32) float32) {
	vector.MapLoop(name, dst, x, func(dst, x []float32) {
		var block [256]float64
		for len(x) > 0 {
			n := min(len(x), len(block))
			values := kernel.Hide(block[:n])
			for i, v := range x[:n] {
				values[i] = float64(v)
			}
			slice(values, values)
			for i, y := range values {
				if isUnsure(y) {
					dst[i] = f(x[i])
				} else {
					dst[i] = float32(y)
				}
			}
			dst, x = dst[n:], x[n:]
		}
	}, nil, isNumber)
}

// isUnsure reports whether y is the midpoint of two float32, or not normal
// there, except for 0.
func isUnsure(y float64) bool {
	return math.Float64bits(y)<<35 == 1<<63 || math.Abs(y) < 0x1p-126 && y != 0
}
