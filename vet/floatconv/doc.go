// Package floatconv finds conversions of floating-point numbers to integers
// that may be out of range.
//
// The language leaves the result open where the number does not fit:
// int64(1e300) is the smallest integer on amd64 and the largest on arm64,
// uint32(-1.0) is 0 on arm64, and NaN gives anything. Compare with the bounds
// first:
//
//	if x < -1<<31 || x >= 1<<31 || x != x {
//		return ErrRange
//	}
//	n := int32(x)
//
// A conversion is not reported where a comparison with the number or a value
// computed from it comes first, or where its bounds follow from constants,
// integers below 2^53 and functions such as math.Floor and rand.Float64. They
// follow also from functions of the package, such as a clamp that tests for
// NaN, and p*(1-t) + q*t is between p and q where t is between 0 and 1.
package floatconv
