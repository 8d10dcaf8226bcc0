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
	vector.MapLoop("f32.Exp2m1Slice", dst, x, each(Exp2m1), best.exp2m1, inExp)
}

// Exp10m1Slice is ExpSlice for Exp10m1: it stores 10^x[i] - 1 in dst[i].
func Exp10m1Slice(dst, x []float32) {
	vector.MapLoop("f32.Exp10m1Slice", dst, x, each(Exp10m1), best.exp10m1, inExpMinus)
}

// Log2p1Slice is ExpSlice for Log2p1: it stores log2(1 + x[i]) in dst[i].
func Log2p1Slice(dst, x []float32) {
	vector.MapLoop("f32.Log2p1Slice", dst, x, each(Log2p1), best.log2p1, inLog1p)
}

// Log10p1Slice is ExpSlice for Log10p1: it stores log10(1 + x[i]) in dst[i].
func Log10p1Slice(dst, x []float32) {
	vector.MapLoop("f32.Log10p1Slice", dst, x, each(Log10p1), best.log10p1, inLog1p)
}

// SinpiSlice is ExpSlice for Sinpi: it stores sin(πx[i]) in dst[i].
func SinpiSlice(dst, x []float32) {
	vector.MapLoop("f32.SinpiSlice", dst, x, each(Sinpi), best.sinpi, inTurn)
}

// CospiSlice is ExpSlice for Cospi: it stores cos(πx[i]) in dst[i].
func CospiSlice(dst, x []float32) {
	vector.MapLoop("f32.CospiSlice", dst, x, each(Cospi), best.cospi, inTurn)
}

// TanpiSlice is ExpSlice for Tanpi: it stores tan(πx[i]) in dst[i].
func TanpiSlice(dst, x []float32) {
	vector.MapLoop("f32.TanpiSlice", dst, x, each(Tanpi), best.tanpi, inTurn)
}

// AsinpiSlice is ExpSlice for Asinpi: it stores arcsin(x[i])/π in dst[i].
func AsinpiSlice(dst, x []float32) {
	vector.MapLoop("f32.AsinpiSlice", dst, x, each(Asinpi), best.asinpi, inUnit)
}

// AcospiSlice is ExpSlice for Acospi: it stores arccos(x[i])/π in dst[i].
func AcospiSlice(dst, x []float32) {
	vector.MapLoop("f32.AcospiSlice", dst, x, each(Acospi), best.acospi, inUnit)
}

// AtanpiSlice is ExpSlice for Atanpi: it stores arctan(x[i])/π in dst[i].
func AtanpiSlice(dst, x []float32) {
	vector.MapLoop("f32.AtanpiSlice", dst, x, each(Atanpi), best.atanpi, isNumber)
}

// RsqrtSlice is ExpSlice for Rsqrt: it stores 1/√x[i] in dst[i].
func RsqrtSlice(dst, x []float32) {
	vector.MapLoop("f32.RsqrtSlice", dst, x, each(Rsqrt), best.rsqrt, inLog)
}

// ErfSlice is ExpSlice for Erf: it stores erf x[i] in dst[i].
func ErfSlice(dst, x []float32) {
	vector.MapLoop("f32.ErfSlice", dst, x, each(Erf), best.erf, isNumber)
}

// ErfcSlice is ExpSlice for Erfc: it stores erfc x[i] in dst[i].
func ErfcSlice(dst, x []float32) {
	vector.MapLoop("f32.ErfcSlice", dst, x, each(Erfc), best.erfc, inErfc)
}

// GammaSlice is ExpSlice for Gamma: it stores Γ(x[i]) in dst[i].
func GammaSlice(dst, x []float32) {
	vector.MapLoop("f32.GammaSlice", dst, x, double(f64.GammaSlice, Gamma), best.gamma, inGamma)
}

// LgammaSlice is ExpSlice for Lgamma without the sign: it stores ln |Γ(x[i])|
// in dst[i].
func LgammaSlice(dst, x []float32) {
	loop := double(f64.LgammaSlice, lgammaOf)
	vector.MapLoop("f32.LgammaSlice", dst, x, loop, best.lgamma, inLgamma)
}

// PownSlice is ExpSlice for Pown with one integer: it stores x[i]^n in dst[i].
func PownSlice(dst, x []float32, n int) {
	vector.MapLoop("f32.PownSlice", dst, x, double(
		func(dst, x []float64) { f64.PownSlice(dst, x, n) },
		func(x float32) float32 { return Pown(x, n) }), nil, isNumber)
}

// CompoundSlice is ExpSlice for Compound with one integer: it stores (1 +
// x[i])^n in dst[i].
func CompoundSlice(dst, x []float32, n int) {
	vector.MapLoop("f32.CompoundSlice", dst, x, double(
		func(dst, x []float64) { f64.CompoundSlice(dst, x, n) },
		func(x float32) float32 { return Compound(x, n) }), nil, isNumber)
}

// RootnSlice is ExpSlice for Rootn with one integer: it stores x[i]^(1/n) in
// dst[i].
func RootnSlice(dst, x []float32, n int) {
	vector.MapLoop("f32.RootnSlice", dst, x, double(
		func(dst, x []float64) { f64.RootnSlice(dst, x, n) },
		func(x float32) float32 { return Rootn(x, n) }), nil, isNumber)
}

// lgammaOf is Lgamma without the sign.
func lgammaOf(x float32) float32 {
	y, _ := Lgamma(x)
	return y
}

// double returns a loop that stores f(x[i]) in dst[i] by way of float64: slice
// stores the values of the same function, correctly rounded to float64. Rounded
// once more, such a value is right unless it is a midpoint of two float32:
// rounding to float64 is monotonic, so that no value crosses a midpoint. f
// computes midpoints, results below the normal numbers, whose midpoints have
// other bits, and a few elements alone.
func double(slice func(dst, x []float64), f func(float32) float32) vector.Loop[float32] {
	const few = 8
	return func(dst, x []float32) {
		for len(x) > few {
			n := min(len(x), 256)
			throughDouble(dst[:n], x[:n], slice, f)
			dst, x = dst[n:], x[n:]
		}
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

// throughDouble is the loop of double for up to 256 elements.
func throughDouble(dst, x []float32, slice func(dst, x []float64), f func(float32) float32) {
	var block [256]float64
	values := kernel.Hide(block[:len(x)])
	for i, v := range x {
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
}

// isUnsure reports whether y is the midpoint of two float32, or not normal
// there, except for 0.
func isUnsure(y float64) bool {
	return math.Float64bits(y)<<35 == 1<<63 || math.Abs(y) < 0x1p-126 && y != 0
}
