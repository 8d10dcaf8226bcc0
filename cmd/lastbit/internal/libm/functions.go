//lastbit:ignore libm these are the functions to examine

package libm

import (
	"math"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/deviation"
	"github.com/lastbit/lastbit/crmath/f32"
	"github.com/lastbit/lastbit/fp"
)

// A Float is a format of arguments and results.
type Float interface{ float32 | float64 }

// FormatOf returns the format of a type.
func FormatOf[T Float]() fp.Format {
	if _, single := any(T(0)).(float32); single {
		return fp.Binary32
	}
	return fp.Binary64
}

// A Function is an elementary function of one argument or of two.
type Function[T Float] struct {
	Name      string  // Go's, in lower case
	C         string  // C's for float64, or "" if its arguments are others
	NumPy     string  // NumPy's, or "" if it has none
	Binary    bool    // of two arguments
	Whole     int     // bound of typical second arguments that are integers, or 0
	Results   int     // of a call: sincos has two
	Low, High float64 // range of half of a fingerprint's arguments
	right     Loop[T]
	golang    Loop[T] // nil if Go has none
	slice     Loop[T] // nil if there is none for slices
	deviation deviationOf[T]
}

// unaryRow and binaryRow are rows of the table of functions, with the range of
// arguments.
type (
	unaryRow struct {
		function    deviation.Unary
		numpy       string
		low, high   float64
		right       func(float64) float64
		golang      func(float64) float64
		single      func(float32) float32
		slice       func(dst, x []float64)
		sliceSingle func(dst, x []float32)
	}
	binaryRow struct {
		function    deviation.Binary
		numpy       string
		low, high   float64
		right       func(x, y float64) float64
		golang      func(x, y float64) float64
		single      func(x, y float32) float32
		slice       func(dst, x, y []float64)
		sliceSingle func(dst, x, y []float32)
	}
	// wholeRow is a row of a function of a number and an integer.
	wholeRow struct {
		function  deviation.Binary
		low, high float64
		most      int // bounds typical integers
		right     func(x float64, n int) float64
		single    func(x float32, n int) float32
	}
)

func unaries() []unaryRow {
	return []unaryRow{
		{deviation.Exp, "exp", -20, 20, crmath.Exp, math.Exp, f32.Exp,
			crmath.ExpSlice, f32.ExpSlice},
		{deviation.Exp2, "exp2", -20, 20, crmath.Exp2, math.Exp2, f32.Exp2,
			crmath.Exp2Slice, f32.Exp2Slice},
		{deviation.Exp10, "", -20, 20, crmath.Exp10, nil, f32.Exp10,
			crmath.Exp10Slice, f32.Exp10Slice},
		{deviation.Expm1, "expm1", -2, 2, crmath.Expm1, math.Expm1, f32.Expm1,
			crmath.Expm1Slice, f32.Expm1Slice},
		{deviation.Log, "log", 0, 100, crmath.Log, math.Log, f32.Log,
			crmath.LogSlice, f32.LogSlice},
		{deviation.Log2, "log2", 0, 100, crmath.Log2, math.Log2, f32.Log2,
			crmath.Log2Slice, f32.Log2Slice},
		{deviation.Log10, "log10", 0, 100, crmath.Log10, math.Log10, f32.Log10,
			crmath.Log10Slice, f32.Log10Slice},
		{deviation.Log1p, "log1p", -1, 2, crmath.Log1p, math.Log1p, f32.Log1p,
			crmath.Log1pSlice, f32.Log1pSlice},
		{deviation.Sin, "sin", -10, 10, crmath.Sin, math.Sin, f32.Sin,
			crmath.SinSlice, f32.SinSlice},
		{deviation.Cos, "cos", -10, 10, crmath.Cos, math.Cos, f32.Cos,
			crmath.CosSlice, f32.CosSlice},
		{deviation.Tan, "tan", -10, 10, crmath.Tan, math.Tan, f32.Tan,
			crmath.TanSlice, f32.TanSlice},
		{deviation.Asin, "arcsin", -1, 1, crmath.Asin, math.Asin, f32.Asin,
			crmath.AsinSlice, f32.AsinSlice},
		{deviation.Acos, "arccos", -1, 1, crmath.Acos, math.Acos, f32.Acos,
			crmath.AcosSlice, f32.AcosSlice},
		{deviation.Atan, "arctan", -10, 10, crmath.Atan, math.Atan, f32.Atan,
			crmath.AtanSlice, f32.AtanSlice},
		{deviation.Sinh, "sinh", -5, 5, crmath.Sinh, math.Sinh, f32.Sinh,
			crmath.SinhSlice, f32.SinhSlice},
		{deviation.Cosh, "cosh", -5, 5, crmath.Cosh, math.Cosh, f32.Cosh,
			crmath.CoshSlice, f32.CoshSlice},
		{deviation.Tanh, "tanh", -3, 3, crmath.Tanh, math.Tanh, f32.Tanh,
			crmath.TanhSlice, f32.TanhSlice},
		{deviation.Asinh, "arcsinh", -10, 10, crmath.Asinh, math.Asinh, f32.Asinh,
			crmath.AsinhSlice, f32.AsinhSlice},
		{deviation.Acosh, "arccosh", 1, 10, crmath.Acosh, math.Acosh, f32.Acosh,
			crmath.AcoshSlice, f32.AcoshSlice},
		{deviation.Atanh, "arctanh", -1, 1, crmath.Atanh, math.Atanh, f32.Atanh,
			crmath.AtanhSlice, f32.AtanhSlice},
		{deviation.Cbrt, "cbrt", -100, 100, crmath.Cbrt, math.Cbrt, f32.Cbrt,
			crmath.CbrtSlice, f32.CbrtSlice},
	}
}

func binaries() []binaryRow {
	return []binaryRow{
		{deviation.Pow, "power", 0, 10, crmath.Pow, math.Pow, f32.Pow,
			crmath.PowSlice, f32.PowSlice},
		{deviation.Atan2, "arctan2", -10, 10, crmath.Atan2, math.Atan2, f32.Atan2,
			crmath.Atan2Slice, f32.Atan2Slice},
		{deviation.Hypot, "hypot", -10, 10, crmath.Hypot, math.Hypot, f32.Hypot,
			crmath.HypotSlice, f32.HypotSlice},
	}
}

// laterUnaries are the functions that came after those above. Fingerprints list
// them last, so that the hash over the others stays.
func laterUnaries() []unaryRow {
	return []unaryRow{
		{deviation.Exp2m1, "", -2, 2, crmath.Exp2m1, nil, f32.Exp2m1,
			crmath.Exp2m1Slice, f32.Exp2m1Slice},
		{deviation.Exp10m1, "", -2, 2, crmath.Exp10m1, nil, f32.Exp10m1,
			crmath.Exp10m1Slice, f32.Exp10m1Slice},
		{deviation.Log2p1, "", -1, 2, crmath.Log2p1, nil, f32.Log2p1,
			crmath.Log2p1Slice, f32.Log2p1Slice},
		{deviation.Log10p1, "", -1, 2, crmath.Log10p1, nil, f32.Log10p1,
			crmath.Log10p1Slice, f32.Log10p1Slice},
		{deviation.Sinpi, "", -5, 5, crmath.Sinpi, nil, f32.Sinpi,
			crmath.SinpiSlice, f32.SinpiSlice},
		{deviation.Cospi, "", -5, 5, crmath.Cospi, nil, f32.Cospi,
			crmath.CospiSlice, f32.CospiSlice},
		{deviation.Tanpi, "", -5, 5, crmath.Tanpi, nil, f32.Tanpi,
			crmath.TanpiSlice, f32.TanpiSlice},
		{deviation.Asinpi, "", -1, 1, crmath.Asinpi, nil, f32.Asinpi,
			crmath.AsinpiSlice, f32.AsinpiSlice},
		{deviation.Acospi, "", -1, 1, crmath.Acospi, nil, f32.Acospi,
			crmath.AcospiSlice, f32.AcospiSlice},
		{deviation.Atanpi, "", -10, 10, crmath.Atanpi, nil, f32.Atanpi,
			crmath.AtanpiSlice, f32.AtanpiSlice},
		{deviation.Rsqrt, "", 0, 100, crmath.Rsqrt, nil, f32.Rsqrt,
			crmath.RsqrtSlice, f32.RsqrtSlice},
		{deviation.Erf, "", -3, 3, crmath.Erf, math.Erf, f32.Erf,
			crmath.ErfSlice, f32.ErfSlice},
		{deviation.Erfc, "", -2, 5, crmath.Erfc, math.Erfc, f32.Erfc,
			crmath.ErfcSlice, f32.ErfcSlice},
		{deviation.Gamma, "", 0, 20, crmath.Gamma, math.Gamma, f32.Gamma,
			crmath.GammaSlice, f32.GammaSlice},
		{deviation.Lgamma, "", 0, 100, lgamma, goLgamma, lgammaSingle,
			crmath.LgammaSlice, f32.LgammaSlice},
	}
}

func wholes() []wholeRow {
	return []wholeRow{
		{deviation.Pown, -10, 10, 20, crmath.Pown, f32.Pown},
		{deviation.Compound, -0.5, 0.5, 100, crmath.Compound, f32.Compound},
		{deviation.Rootn, 0, 100, 20, crmath.Rootn, f32.Rootn},
	}
}

// cNames are C's names, where they differ. Its functions of integers cannot be
// called as others.
var cNames = map[string]string{"gamma": "tgamma", "pown": "", "compound": "", "rootn": ""}

// Functions returns all functions.
func Functions[T Float]() []*Function[T] {
	if fs, ok := any(singles()).([]*Function[T]); ok {
		return fs
	}
	return any(doubles()).([]*Function[T])
}

// listed returns the functions of one format: all rows of the tables, whose
// implementations unary, binary and whole return, and sincos.
func listed[T Float](
	unary func(unaryRow) *Function[T],
	sincos *Function[T],
	binary func(binaryRow) *Function[T],
	whole func(wholeRow) *Function[T],
) (fs []*Function[T]) {
	add := func(f *Function[T], name, numpy string, low, high float64) {
		f.Name, f.C, f.NumPy, f.Low, f.High = name, name, numpy, low, high
		if c, ok := cNames[name]; ok {
			f.C = c
		}
		f.Results = max(f.Results, 1)
		fs = append(fs, f)
	}
	addUnaries := func(rows []unaryRow) {
		for _, e := range rows {
			add(unary(e), e.function.String(), e.numpy, e.low, e.high)
		}
	}
	addUnaries(unaries())
	sincos.Results = 2
	add(sincos, "sincos", "", -10, 10)
	for _, e := range binaries() {
		f := binary(e)
		f.Binary = true
		add(f, e.function.String(), e.numpy, e.low, e.high)
	}
	addUnaries(laterUnaries())
	for _, e := range wholes() {
		f := whole(e)
		f.Binary, f.Whole = true, e.most
		add(f, e.function.String(), "", e.low, e.high)
	}
	return fs
}

// doubles returns the functions of float64.
func doubles() []*Function[float64] {
	return listed(func(e unaryRow) *Function[float64] {
		return &Function[float64]{right: loop1(e.right), golang: loop1(e.golang),
			slice: slice1(e.slice), deviation: unaryDeviation(e.function)}
	}, &Function[float64]{right: loopBoth(crmath.Sincos), golang: loopBoth(math.Sincos),
		slice:     sliceBoth(crmath.SincosSlice),
		deviation: unaryDeviation(deviation.Sin, deviation.Cos),
	}, func(e binaryRow) *Function[float64] {
		return &Function[float64]{right: loop2(e.right), golang: loop2(e.golang),
			slice: slice2(e.slice), deviation: binaryDeviation(e.function)}
	}, func(e wholeRow) *Function[float64] {
		return &Function[float64]{right: loopWhole(e.right),
			deviation: binaryDeviation(e.function)}
	})
}

// singles returns the functions of float32. Package math has
// float32(math.F(x)).
func singles() []*Function[float32] {
	return listed(func(e unaryRow) *Function[float32] {
		return &Function[float32]{right: loop1(e.single), golang: rounded1(e.golang),
			slice: slice1(e.sliceSingle), deviation: unarySingle(e.right)}
	}, &Function[float32]{right: loopBoth(f32.Sincos), golang: loopBoth(singleSincos),
		slice:     sliceBoth(f32.SincosSlice),
		deviation: unarySingle(crmath.Sin, crmath.Cos),
	}, func(e binaryRow) *Function[float32] {
		return &Function[float32]{right: loop2(e.single), golang: rounded2(e.golang),
			slice: slice2(e.sliceSingle), deviation: binarySingle(e.right)}
	}, func(e wholeRow) *Function[float32] {
		return &Function[float32]{right: loopWhole(e.single), deviation: binarySingle(
			//lastbit:ignore floatconv whole numbers
			func(x, n float64) float64 { return e.right(x, int(n)) })}
	})
}

// singleSincos is package math's sincos of a float32.
func singleSincos(x float32) (sin, cos float32) {
	s, c := math.Sincos(float64(x))
	return float32(s), float32(c)
}

// lgamma is crmath.Lgamma without the sign of Γ(x).
func lgamma(x float64) float64 {
	y, _ := crmath.Lgamma(x)
	return y
}

// lgammaSingle is f32.Lgamma without the sign.
func lgammaSingle(x float32) float32 {
	y, _ := f32.Lgamma(x)
	return y
}

// goLgamma is math.Lgamma without the sign.
func goLgamma(x float64) float64 {
	y, _ := math.Lgamma(x)
	return y
}
