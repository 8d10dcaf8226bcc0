package f64

import (
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
	"github.com/lastbit/lastbit/internal/kernel"
)

// Slice functions of functions that package math does not have, or has under
// special functions; slice.go has the others.

// Exp2m1Slice is crmath.Exp2m1Slice.
func Exp2m1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Exp2m1Slice", dst, x, vector.Each(FastExp2m1), best.exp2m1, inExp2m1)
}

// Exp10m1Slice is crmath.Exp10m1Slice.
func Exp10m1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Exp10m1Slice", dst, x, vector.Each(FastExp10m1), best.exp10m1, inExp10m1)
}

// Log2p1Slice is crmath.Log2p1Slice.
func Log2p1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Log2p1Slice", dst, x, vector.Each(FastLog2p1), best.log2p1, inLog1p)
}

// Log10p1Slice is crmath.Log10p1Slice.
func Log10p1Slice(dst, x []float64) {
	vector.MapLoop("crmath.Log10p1Slice", dst, x, vector.Each(FastLog10p1), best.log10p1, inLog1p)
}

// SinpiSlice is crmath.SinpiSlice.
func SinpiSlice(dst, x []float64) {
	vector.MapLoop("crmath.SinpiSlice", dst, x, vector.Each(FastSinpi), best.sinpi, inTurn)
}

// CospiSlice is crmath.CospiSlice.
func CospiSlice(dst, x []float64) {
	vector.MapLoop("crmath.CospiSlice", dst, x, vector.Each(FastCospi), best.cospi, inTurn)
}

// TanpiSlice is crmath.TanpiSlice.
func TanpiSlice(dst, x []float64) {
	vector.MapLoop("crmath.TanpiSlice", dst, x, vector.Each(FastTanpi), best.tanpi, inTurn)
}

// AsinpiSlice is crmath.AsinpiSlice.
func AsinpiSlice(dst, x []float64) {
	vector.MapLoop("crmath.AsinpiSlice", dst, x, vector.Each(FastAsinpi), best.asinpi, inUnit)
}

// AcospiSlice is crmath.AcospiSlice.
func AcospiSlice(dst, x []float64) {
	vector.MapLoop("crmath.AcospiSlice", dst, x, vector.Each(FastAcospi), best.acospi, inUnit)
}

// AtanpiSlice is crmath.AtanpiSlice.
func AtanpiSlice(dst, x []float64) {
	vector.MapLoop("crmath.AtanpiSlice", dst, x, vector.Each(FastAtanpi), best.atanpi, isNumber)
}

// RsqrtSlice is crmath.RsqrtSlice.
func RsqrtSlice(dst, x []float64) {
	vector.MapLoop("crmath.RsqrtSlice", dst, x, vector.Each(FastRsqrt), best.rsqrt, inRsqrt)
}

// ErfSlice is crmath.ErfSlice.
func ErfSlice(dst, x []float64) {
	vector.MapLoop("crmath.ErfSlice", dst, x, vector.Each(FastErf), best.erf, isNumber)
}

// ErfcSlice is crmath.ErfcSlice.
func ErfcSlice(dst, x []float64) {
	vector.MapLoop("crmath.ErfcSlice", dst, x, vector.Each(FastErfc), best.erfc, inErfc)
}

// GammaSlice is crmath.GammaSlice.
func GammaSlice(dst, x []float64) {
	vector.MapLoop("crmath.GammaSlice", dst, x, vector.Each(FastGamma), best.gamma, inGamma)
}

// LgammaSlice is crmath.LgammaSlice.
func LgammaSlice(dst, x []float64) {
	vector.MapLoop("crmath.LgammaSlice", dst, x, vector.Each(FastLgamma), best.lgamma, inLgamma)
}

// sincosBlock is the number of elements that SincosSlice looks at together.
const sincosBlock = 512

// SincosSlice is crmath.SincosSlice. Sine and cosine have a kernel each, and
// large arguments take both functions as long as Sincos: where more than one
// in eight elements is large, it is called for all.
func SincosSlice(sin, cos, x []float64) {
	const name = "crmath.SincosSlice"
	vector.CheckBoth(name, [2]string{"sin", "cos"}, sin, cos, x)
	for len(x) > 0 {
		n := min(len(x), sincosBlock)
		s, c, block := sin[:n], cos[:n], x[:n]
		sin, cos, x = sin[n:], cos[n:], x[n:]
		large := 0
		for _, v := range block {
			if !inTrig(v) {
				large++
			}
		}
		switch {
		case 8*large > n:
			for i, v := range block {
				s[i], c[i] = Sincos(v, fp.NearestEven)
			}
		case &c[0] == &block[0]:
			vector.MapLoop(name, s, block, vector.Each(FastSin), best.sin, inTrig)
			vector.MapLoop(name, c, block, vector.Each(FastCos), best.cos, inTrig)
		default:
			vector.MapLoop(name, c, block, vector.Each(FastCos), best.cos, inTrig)
			vector.MapLoop(name, s, block, vector.Each(FastSin), best.sin, inTrig)
		}
	}
}

// PownSlice is crmath.PownSlice. Its kernel is that of Pow.
func PownSlice(dst, x []float64, n int) {
	var k vector.Kernel[float64]
	var y [vector.Most]float64
	if nh, nl := splitInt(n); nl == 0 && best.pow != nil {
		for i := range y {
			y[i] = nh
		}
		powers := kernel.Hide(y[:])
		k = func(dst, x *float64, n int) uint64 { return best.pow(dst, x, &powers[0], n) }
	}
	vector.MapLoop("crmath.PownSlice", dst, x, eachInt(Pown, n), k, isPositiveNormal)
}

// CompoundSlice is crmath.CompoundSlice.
func CompoundSlice(dst, x []float64, n int) {
	vector.MapLoop("crmath.CompoundSlice", dst, x, eachInt(Compound, n), nil, isNumber)
}

// RootnSlice is crmath.RootnSlice.
func RootnSlice(dst, x []float64, n int) {
	vector.MapLoop("crmath.RootnSlice", dst, x, eachInt(Rootn, n), nil, isNumber)
}

// eachInt is vector.Each for a function of a number and an integer.
func eachInt(f func(x float64, n int, m fp.Mode) float64, n int) vector.Loop[float64] {
	return func(dst, x []float64) {
		dst = dst[:len(x)]
		for i, v := range x {
			dst[i] = f(v, n, fp.NearestEven)
		}
	}
}
