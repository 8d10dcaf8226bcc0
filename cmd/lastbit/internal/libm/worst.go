package libm

import (
	"cmp"
	"math"
	"slices"

	"github.com/lastbit/lastbit/crmath/deviation"
	"github.com/lastbit/lastbit/fp"
)

// wrongResult is a result that is not correctly rounded.
type wrongResult struct {
	index int
	bound float64 // of its error in ULPs
}

// wrongResults returns the wrong results, by falling bounds of their errors.
// The error itself is more precise than the distance of two results.
func wrongResults[T Float](got, want []T) (wrong []wrongResult) {
	for i, v := range got {
		if !same(v, want[i]) {
			wrong = append(wrong, wrongResult{i, errorBound(v, want[i])})
		}
	}
	slices.SortStableFunc(wrong,
		func(a, b wrongResult) int { return cmp.Compare(b.bound, a.bound) })
	return wrong
}

// errorBound returns a bound of the error of a result: its distance from the
// correctly rounded result, plus half a unit for the error of that result.
// Where the correctly rounded result is a power of two, units are taken from
// the binade below.
func errorBound[T Float](got, right T) float64 {
	g, r := float64(got), math.Abs(float64(right))
	switch {
	case got != got || right != right || math.IsInf(g, 0) || math.IsInf(r, 0):
		return math.Inf(1)
	case got == right: // zeros
		return 0
	}
	const slack = 1 + 0x1p-40 // for rounding errors
	format := FormatOf[T]()
	unit := format.ULP(format.NextDown(r))
	return slack * (math.Abs(g-float64(right))/unit + float64(0.5*(format.ULP(r)/unit)))
}

// arguments returns the arguments of a result, and the number of the result.
func (j *Job[T]) arguments(i int) (x, y T, result int) {
	k := i % len(j.X)
	if j.Y != nil {
		y = j.Y[k]
	}
	return j.X[k], y, i / len(j.X)
}

// worst returns the index and the error of the wrong result with the largest
// error; NaN comes before all others. Each result that it examines, possibly
// all, takes some microseconds in float64.
func (j *Job[T]) worst(wrong []wrongResult) (index int, most ULPs) {
	index = wrong[0].index
	for _, w := range wrong {
		if float64(most) > w.bound {
			break
		}
		x, y, result := j.arguments(w.index)
		off := ULPs(math.Abs(j.Function.deviation(result, j.Out[w.index], x, y)))
		switch {
		case off != off:
			return w.index, off
		case off > most:
			index, most = w.index, off
		}
	}
	return index, most
}

// A deviationOf returns the error of a result at x, or at x and y, in ULPs of
// the real value. A function with two results has them numbered 0 and 1.
type deviationOf[T Float] func(result int, got, x, y T) float64

// Deviation returns the signed error of the first result of a call at x, or at
// x and y, in ULPs of the real value.
func (f *Function[T]) Deviation(got, x, y T) float64 { return f.deviation(0, got, x, y) }

// unaryDeviation measures results of functions of one argument: of one
// function, or of several whose results a call returns together.
func unaryDeviation(functions ...deviation.Unary) deviationOf[float64] {
	return func(result int, got, x, _ float64) float64 { return functions[result].ULPs(got, x) }
}

// binaryDeviation measures results of a function of two arguments.
func binaryDeviation(f deviation.Binary) deviationOf[float64] {
	return func(_ int, got, x, y float64) float64 { return f.ULPs(got, x, y) }
}

// unarySingle is unaryDeviation for float32. The correctly rounded float64
// replaces the real value: its error is less than 2^-29 ULPs.
func unarySingle(values ...func(x float64) float64) deviationOf[float32] {
	return func(result int, got, x, _ float32) float64 {
		return singleDeviation(got, values[result](float64(x)))
	}
}

// binarySingle is binaryDeviation for float32, as unarySingle is
// unaryDeviation.
func binarySingle(value func(x, y float64) float64) deviationOf[float32] {
	return func(_ int, got, x, y float32) float64 {
		return singleDeviation(got, value(float64(x), float64(y)))
	}
}

// singleDeviation returns (got - value) / ulp(value) in float32, with the
// special values of package deviation.
func singleDeviation(got float32, value float64) float64 {
	g := float64(got)
	switch {
	case got != got && value != value, float32(value) == got && math.IsInf(g, 0):
		return 0
	case got != got || value != value:
		return math.NaN()
	case math.IsInf(value, 0):
		return -value
	case math.IsInf(g, 0):
		g = math.Copysign(0x1p128, g)
	}
	return (g - value) / min(fp.Binary32.ULP(value), 0x1p104)
}
