package stoch

import "math"

// Float is a format of samples.
type Float interface{ float32 | float64 }

// Number is a number of stochastic arithmetic: three samples of one result,
// each computed with random roundings of its own. The zero Number is an exact
// zero. Two Numbers are compared by the relations of [Arithmetic], and by == if
// their samples have to be equal.
type Number[T Float] struct{ r1, r2, r3 T }

// Float64 is a Number of float64.
type Float64 = Number[float64]

// Float32 is a Number of float32.
type Float32 = Number[float32]

// Of returns v as an exact number: all samples are v.
func Of[T Float](v T) Number[T] { return Number[T]{v, v, v} }

// FromSamples returns a number with these samples.
func FromSamples[T Float](samples [3]T) Number[T] {
	return Number[T]{samples[0], samples[1], samples[2]}
}

// Samples returns the samples.
func (x Number[T]) Samples() [3]T { return [3]T{x.r1, x.r2, x.r3} }

// Neg returns -x. It is exact.
func (x Number[T]) Neg() Number[T] { return Number[T]{-x.r1, -x.r2, -x.r3} }

// Abs returns the absolute value of each sample. It is exact.
func (x Number[T]) Abs() Number[T] { return Number[T]{abs(x.r1), abs(x.r2), abs(x.r3)} }

// IsNaN reports whether a sample is NaN.
func (x Number[T]) IsNaN() bool { return x.r1 != x.r1 || x.r2 != x.r2 || x.r3 != x.r3 }

// IsInf reports whether all samples are +Inf if sign > 0, -Inf if sign < 0, and
// the same infinity if sign is 0.
func (x Number[T]) IsInf(sign int) bool {
	return x.isExact() && math.IsInf(float64(x.r1), sign)
}

// isFinite reports whether no sample is NaN or infinite.
func (x Number[T]) isFinite() bool {
	return x.r1-x.r1 == 0 && x.r2-x.r2 == 0 && x.r3-x.r3 == 0
}

// isExact reports whether all samples are equal, or all NaN.
func (x Number[T]) isExact() bool {
	return x.r1 == x.r2 && x.r2 == x.r3 || x.r1 != x.r1 && x.r2 != x.r2 && x.r3 != x.r3
}

// widen returns the number in float64. It is exact.
func (x Number[T]) widen() Float64 {
	return Float64{float64(x.r1), float64(x.r2), float64(x.r3)}
}

// Widen returns x in float64. It is exact.
func Widen(x Float32) Float64 { return x.widen() }

// isSingle reports whether T is float32, which has no 2^24 + 1. Compilers know
// the answer.
func isSingle[T Float]() bool { return T(1<<24+1) == T(1<<24) }

// abs returns |x|.
func abs[T Float](x T) T { return T(math.Abs(float64(x))) }
