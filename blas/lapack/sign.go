package lapack

import "math"

// copySign is math.Copysign, except that a NaN counts as a positive number. The
// sign that an operation gives to a NaN depends on the processor, and an
// infinity or a 1 would take it over.
func copySign(x, sign float64) float64 {
	if sign != sign {
		return math.Abs(x)
	}
	return math.Copysign(x, sign)
}

// isNegative is math.Signbit, except that it is false for NaN.
func isNegative(x float64) bool { return x == x && math.Signbit(x) }
