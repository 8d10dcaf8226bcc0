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
	Name      string  // Go's, in lower case, which is also C's for float64
	NumPy     string  // NumPy's, or "" if it has none
	Binary    bool    // of two arguments
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
)

func unaries() []unaryRow {
	return []unaryRow{
		{deviation.Exp, "exp", -20, 20, crmath.Exp, math.Exp, f32.Exp, crmath.ExpSlice,
			f32.ExpSlice},
		{deviation.Exp2, "exp2", -20, 20,
			crmath.Exp2, math.Exp2, f32.Exp2, crmath.Exp2Slice, f32.Exp2Slice},
		{deviation.Exp10, "", -20, 20, crmath.Exp10, nil, f32.Exp10, nil, nil},
		{deviation.Expm1, "expm1", -2, 2,
			crmath.Expm1, math.Expm1, f32.Expm1, crmath.Expm1Slice, f32.Expm1Slice},
		{deviation.Log, "log", 0, 100, crmath.Log, math.Log, f32.Log, crmath.LogSlice,
			f32.LogSlice},
		{deviation.Log2, "log2", 0, 100,
			crmath.Log2, math.Log2, f32.Log2, crmath.Log2Slice, f32.Log2Slice},
		{deviation.Log10, "log10", 0, 100,
			crmath.Log10, math.Log10, f32.Log10, crmath.Log10Slice, f32.Log10Slice},
		{deviation.Log1p, "log1p", -1, 2,
			crmath.Log1p, math.Log1p, f32.Log1p, crmath.Log1pSlice, f32.Log1pSlice},
		{deviation.Sin, "sin", -10, 10, crmath.Sin, math.Sin, f32.Sin, crmath.SinSlice,
			f32.SinSlice},
		{deviation.Cos, "cos", -10, 10, crmath.Cos, math.Cos, f32.Cos, crmath.CosSlice,
			f32.CosSlice},
		{deviation.Tan, "tan", -10, 10, crmath.Tan, math.Tan, f32.Tan, crmath.TanSlice,
			f32.TanSlice},
		{deviation.Asin, "arcsin", -1, 1, crmath.Asin, math.Asin, f32.Asin, nil, nil},
		{deviation.Acos, "arccos", -1, 1, crmath.Acos, math.Acos, f32.Acos, nil, nil},
		{deviation.Atan, "arctan", -10, 10, crmath.Atan, math.Atan, f32.Atan, nil, nil},
		{deviation.Sinh, "sinh", -5, 5, crmath.Sinh, math.Sinh, f32.Sinh, nil, nil},
		{deviation.Cosh, "cosh", -5, 5, crmath.Cosh, math.Cosh, f32.Cosh, nil, nil},
		{deviation.Tanh, "tanh", -3, 3, crmath.Tanh, math.Tanh, f32.Tanh, nil, f32.TanhSlice},
		{deviation.Asinh, "arcsinh", -10, 10, crmath.Asinh, math.Asinh, f32.Asinh, nil, nil},
		{deviation.Acosh, "arccosh", 1, 10, crmath.Acosh, math.Acosh, f32.Acosh, nil, nil},
		{deviation.Atanh, "arctanh", -1, 1, crmath.Atanh, math.Atanh, f32.Atanh, nil, nil},
		{deviation.Cbrt, "cbrt", -100, 100, crmath.Cbrt, math.Cbrt, f32.Cbrt, nil, nil},
	}
}

func binaries() []binaryRow {
	return []binaryRow{
		{deviation.Pow, "power", 0, 10, crmath.Pow, math.Pow, f32.Pow, crmath.PowSlice,
			f32.PowSlice},
		{deviation.Atan2, "arctan2", -10, 10, crmath.Atan2, math.Atan2, f32.Atan2, nil, nil},
		{deviation.Hypot, "hypot", -10, 10, crmath.Hypot, math.Hypot, f32.Hypot, nil, nil},
	}
}

// Functions returns all functions.
func Functions[T Float]() []*Function[T] {
	if fs, ok := any(singles()).([]*Function[T]); ok {
		return fs
	}
	return any(doubles()).([]*Function[T])
}

// listed returns the functions of one format: all rows of the tables, whose
// implementations unary and binary return, and sincos.
func listed[T Float](
	unary func(unaryRow) *Function[T],
	sincos *Function[T],
	binary func(binaryRow) *Function[T],
) (fs []*Function[T]) {
	for _, e := range unaries() {
		f := unary(e)
		f.Name, f.NumPy, f.Results, f.Low, f.High = e.function.String(), e.numpy, 1, e.low, e.high
		fs = append(fs, f)
	}
	sincos.Name, sincos.Results, sincos.Low, sincos.High = "sincos", 2, -10, 10
	fs = append(fs, sincos)
	for _, e := range binaries() {
		f := binary(e)
		f.Name, f.NumPy, f.Results, f.Low, f.High = e.function.String(), e.numpy, 1, e.low, e.high
		f.Binary = true
		fs = append(fs, f)
	}
	return fs
}

// doubles returns the functions of float64.
func doubles() []*Function[float64] {
	return listed(func(e unaryRow) *Function[float64] {
		return &Function[float64]{right: loop1(e.right), golang: loop1(e.golang),
			slice: slice1(e.slice), deviation: unaryDeviation(e.function)}
	}, &Function[float64]{right: loopBoth(crmath.Sincos), golang: loopBoth(math.Sincos),
		deviation: unaryDeviation(deviation.Sin, deviation.Cos),
	}, func(e binaryRow) *Function[float64] {
		return &Function[float64]{right: loop2(e.right), golang: loop2(e.golang),
			slice: slice2(e.slice), deviation: binaryDeviation(e.function)}
	})
}

// singles returns the functions of float32. Package math has
// float32(math.F(x)).
func singles() []*Function[float32] {
	return listed(func(e unaryRow) *Function[float32] {
		return &Function[float32]{right: loop1(e.single), golang: rounded1(e.golang),
			slice: slice1(e.sliceSingle), deviation: unarySingle(e.right)}
	}, &Function[float32]{right: loopBoth(f32.Sincos), golang: loopBoth(singleSincos),
		deviation: unarySingle(crmath.Sin, crmath.Cos),
	}, func(e binaryRow) *Function[float32] {
		return &Function[float32]{right: loop2(e.single), golang: rounded2(e.golang),
			slice: slice2(e.sliceSingle), deviation: binarySingle(e.right)}
	})
}

// singleSincos is package math's sincos of a float32.
func singleSincos(x float32) (sin, cos float32) {
	s, c := math.Sincos(float64(x))
	return float32(s), float32(c)
}
