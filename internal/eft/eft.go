// Package eft holds the error-free transformations of binary64: a rounded
// result together with the exact error of that rounding.
package eft

import "math"

// TwoSum returns s = RN(a+b) and e with s + e = a + b exactly, for any order
// of magnitude of a and b (Knuth's six operations).
//
// If s overflows or an operand is not finite, e is NaN or meaningless; the
// caller checks s first. An addition cannot underflow.
func TwoSum(a, b float64) (s, e float64) {
	s = a + b
	bb := s - a
	e = (a - (s - bb)) + (b - bb)
	return s, e
}

// TwoProd returns p = RN(a·b) and e with p + e = a·b exactly, unless a·b is so
// small that the error lies below the subnormal range (|a·b| < 2^-969).
func TwoProd(a, b float64) (p, e float64) {
	p = float64(a * b)
	return p, math.FMA(a, b, -p)
}
