//go:build exhaustive && !static

package f32

import "math"

// likeMPFR holds functions with MPFR's special cases, where this package has
// others.
var likeMPFR = map[string]func(float32) float32{
	"rec_sqrt": func(x float32) float32 {
		if x == 0 { // IEEE 754 wants a sign of 1/√-0, MPFR does not
			return float32(math.Inf(1))
		}
		return Rsqrt(x)
	},
	"lgamma": func(x float32) float32 {
		if math.IsInf(float64(x), -1) { // -Inf in package math
			return float32(math.Inf(1))
		}
		return lgammaOf(x)
	},
}

// periodic holds the functions of period 2.
var periodic = map[string]bool{"sinpi": true, "cospi": true, "tanpi": true}

// periods compares for partSize encodings of numbers from 2 on with the result
// of the argument modulo 2, which is exact.
func (w *walker) periods(first uint32) {
	for u := first; u-first < partSize; u++ {
		x := math.Float32frombits(u)
		w.compare(x, w.f(x-2*float32(math.Floor(float64(x)/2))))
	}
}

// negativeReferences make a reference and its error for arguments up to -64.
var negativeReferences = map[string]func(x float64) (y, e float64){
	// Between two poles the function is so small that the nearest number is 0.
	"gamma": func(x float64) (y, e float64) {
		switch floor := math.Floor(x); {
		case floor == x:
			return math.NaN(), 0
		case math.Mod(floor, 2) != 0:
			return math.Copysign(0, -1), 0
		}
		return 0, 0
	},
	// The reflection formula, Γ(x)·Γ(-x)·x·sin πx = -π. The second logarithm is
	// the largest, 200 at least, and off by some units of its last place. The
	// others are below 20.
	"lgamma": func(x float64) (y, e float64) {
		if math.Floor(x) == x {
			return math.Inf(1), 0
		}
		y, _ = math.Lgamma(-x)
		y = math.Log(math.Pi/math.Abs(x*math.Sin(math.Pi*(x-math.Round(x))))) - y
		return y, math.Abs(y) * 0x1p-46
	},
}

// negative compares for partSize encodings of numbers up to -64.
func (w *walker) negative(first uint32) {
	reference := negativeReferences[w.name]
	for u := first; u-first < partSize; u++ {
		x := math.Float32frombits(u)
		y, e := reference(float64(x))
		if e == 0 {
			w.compare(x, float32(y))
			continue
		}
		w.decide(u, y, e)
	}
}
