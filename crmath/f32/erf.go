package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/fp"
)

// Numbers that round to multiples of the distances of the points of tables, and
// count them.
const (
	erfUnit  = 0x1.8p48
	erfcUnit = 0x1.8p49
)

// expansion holds the coefficients of a function near a point.
type expansion struct{ c0, c1, c2, c3, c4, c5, c6, c7 float64 }

// at returns the function's value at the distance h from the point.
func (t *expansion) at(h float64) float64 {
	return t.c0 + float64(h*(t.c1+float64(h*(t.c2+float64(h*(t.c3+
		float64(h*(t.c4+float64(h*(t.c5+float64(h*(t.c6+float64(h*t.c7)))))))))))))
}

// Erf returns the error function of x, correctly rounded.
//
// Special cases:
//
//	Erf(+Inf) = 1
//	Erf(-Inf) = -1
//	Erf(NaN) = NaN
//	Erf(±0) = ±0
//
// From 3.84 on the result is 1.
//
// The error: |x| = c + h, exactly, for a point c of a table. The polynomial has
// 2^-48 of the result (TestErfRows), and c0, the largest term, 2·u with the
// last sum: 2^-47.9.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
func Erf(x float32) float32 { return fastErf(x) }

// erf is Erf without fused operations.
func erf(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	switch {
	case !(a < 4):
		if x != x {
			return x
		}
		return float32(withSign(1, v))
	case a < 0x1p-124:
		return float32(f64.Erf(float64(x), fp.ToOdd))
	}
	shifted := a + erfUnit
	y := withSign(
		erfTable[math.Float64bits(shifted)%uint64(len(erfTable))].at(a-(shifted-erfUnit)), v)
	if undecided(y) {
		return float32(f64.Erf(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// ErfSlice is ExpSlice for Erf: it stores erf x[i] in dst[i].
func ErfSlice(dst, x []float32) {
	vector.MapLoop("f32.ErfSlice", dst, x, each(Erf), best.erf, isNumber)
}

// Erfc returns 1 - Erf(x), correctly rounded.
//
// Special cases:
//
//	Erfc(+Inf) = 0
//	Erfc(-Inf) = 2
//	Erfc(NaN) = NaN
//	Erfc(±0) = 1
//
// Above 9.19 the result is subnormal, and rounded once; above 10.05 it is 0.
// Below -3.84 it is 2.
//
// The error: erfc |x| is the product of e^-x², as in Exp, and e^x²·erfc |x|, by
// expansions. x² is exact; the polynomial has 2^-43 (TestErfRows). For negative
// x, the difference from 2 is at least as large: 2^-40.7.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//
//go:nosplit
func Erfc(x float32) float32 { return fastErfc(x) }

// erfc is Erfc without fused operations.
func erfc(x float32) float32 {
	v := widenMost(x)
	a := math.Abs(v)
	if !(a < 10.0625) {
		switch {
		case x > 0:
			return 0
		case x < 0:
			return 2
		}
		return x
	}
	unit := a + erfcUnit
	row := &erfcTable[math.Float64bits(unit)%uint64(len(erfcTable))]
	square := -float64(v * v)
	k, f := nearestStep(float64(square * expStepInverse))
	y := stepPower(pow2(k), f) * row.at(a-(unit-erfcUnit))
	y = erfcBase[math.Float64bits(v)>>63] + withSign(y, v)
	if undecided(y) || y < 0x1p-126 {
		return float32(f64.Erfc(float64(x), fp.ToOdd))
	}
	return float32(y)
}

// erfcBase holds what erfc x adds to ±erfc |x|, for positive and negative x.
var erfcBase = [2]float64{0, 2}

func inErfc(x float32) bool { return math.Abs(float64(x)) < 10 }

// ErfcSlice is ExpSlice for Erfc: it stores erfc x[i] in dst[i].
func ErfcSlice(dst, x []float32) {
	vector.MapLoop("f32.ErfcSlice", dst, x, each(Erfc), best.erfc, inErfc)
}
