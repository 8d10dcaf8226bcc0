package f32

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/internal/kernel"
)

// each returns a loop that calls f.
func each(f func(float32) float32) vector.Loop[float32] {
	return func(dst, x []float32) {
		dst = dst[:len(x)] // spares the loop a check
		for i, v := range x {
			dst[i] = f(v)
		}
	}
}

// each2 is each for a function of two arguments.
func each2(f func(x, y float32) float32) vector.Loop2[float32] {
	return func(dst, x, y []float32) {
		dst, y = dst[:len(x)], y[:len(x)] // spares the loop two checks
		for i, v := range x {
			dst[i] = f(v, y[i])
		}
	}
}

// Arguments that kernels compute. A slice whose elements are others is computed
// without one.

func isNumber(x float32) bool     { return x == x }
func isFinite(x float32) bool     { return math.Abs(float64(x)) <= math.MaxFloat32 }
func areFinite(x, y float32) bool { return isFinite(x) && isFinite(y) }
func inUnit(x float32) bool       { return math.Abs(float64(x)) <= 1 }

// best holds the fastest kernels that this processor runs, or none.
var best = fastest()

func fastest() (v vectorSet) {
	if all := vectors(); len(all) > 0 {
		return all[len(all)-1]
	}
	return v
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
