package signs

import "math"

// Signbit reports whether x is negative or -0. It is false for NaN.
func Signbit(x float64) bool { return math.Signbit(x) && !math.IsNaN(x) }

// Copysign returns a number with the absolute value of f and the sign of sign,
// which is positive for NaN.
func Copysign(f, sign float64) float64 {
	if math.IsNaN(sign) {
		return math.Abs(f)
	}
	return math.Copysign(f, sign)
}
