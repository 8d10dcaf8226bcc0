// Package signs takes signs of numbers with the same result on every platform.
//
// A NaN has a sign, and the processor chooses it where arithmetic makes one:
// +Inf - +Inf is a negative NaN on amd64 and a positive one on arm64, so
// math.Signbit and math.Copysign differ. Here every NaN counts as positive.
//
//	down := signs.Signbit(x - y)
//	z = signs.Copysign(z, x-y)
//
// # Promise
//
// For numbers other than NaN, -0 among them, package math has the same results.
//
// # Cost
//
// A comparison, which is inlined.
package signs
