package f32

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Functions by way of float64: its result, rounded to odd, is rounded to
// nearest once more, which gives the value rounded once (Boldo2008). A call
// takes as long as in package crmath, whose special cases hold.

// Pown returns x^n, correctly rounded.
func Pown(x float32, n int) float32 { return float32(f64.Pown(float64(x), n, fp.ToOdd)) }

// PownSlice is ExpSlice for Pown with one integer: it stores x[i]^n in dst[i].
func PownSlice(dst, x []float32, n int) {
	vector.MapLoop("f32.PownSlice", dst, x, double(
		func(dst, x []float64) { f64.PownSlice(dst, x, n) },
		func(x float32) float32 { return Pown(x, n) }), nil, isNumber)
}

// Compound returns (1+x)^n, correctly rounded.
func Compound(x float32, n int) float32 { return float32(f64.Compound(float64(x), n, fp.ToOdd)) }

// CompoundSlice is ExpSlice for Compound with one integer: it stores (1 +
// x[i])^n in dst[i].
func CompoundSlice(dst, x []float32, n int) {
	vector.MapLoop("f32.CompoundSlice", dst, x, double(
		func(dst, x []float64) { f64.CompoundSlice(dst, x, n) },
		func(x float32) float32 { return Compound(x, n) }), nil, isNumber)
}

// Rootn returns x^(1/n), correctly rounded.
func Rootn(x float32, n int) float32 { return float32(f64.Rootn(float64(x), n, fp.ToOdd)) }

// RootnSlice is ExpSlice for Rootn with one integer: it stores x[i]^(1/n) in
// dst[i].
func RootnSlice(dst, x []float32, n int) {
	vector.MapLoop("f32.RootnSlice", dst, x, double(
		func(dst, x []float64) { f64.RootnSlice(dst, x, n) },
		func(x float32) float32 { return Rootn(x, n) }), nil, isNumber)
}
