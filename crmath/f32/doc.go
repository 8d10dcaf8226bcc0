// Package f32 holds the correctly rounded elementary functions of package crmath for
// float32: the result is the real value of the function at the argument, rounded once, to
// nearest, ties to even. So it is the same on every CPU, operating system and Go version.
//
// # How a function is made
//
// A short kernel computes y in float64, with an error below 2^-45·|y|, which its comment
// derives: the errors of the polynomials, which are generated with them (tables.go), and
// u = 2^-53 for each rounding that counts. Where y has no midpoint of two float32 within
// 2^8 ulps (unsure, in round.go), float32(y) is the result. That leaves one argument in a million.
//
//   - Functions of one argument: those among the rest for which float32(y) is wrong are
//     few. All 2^32 arguments were tried to find them, against MPFR, and they are listed with their results
//     (exceptions.go). No operation is fused, on any architecture: y has the same bits
//     everywhere, and what was found out on one machine holds on all.
//   - Pow, Atan2, Hypot: an accurate path decides.
//
// Results below 2^-126 are rounded once, as float32(y) does.
//
// Where a float64 function is called through float32, as in
//
//	y := float32(math.Exp(float64(x)))
//
// this does instead, in less time:
//
//	y := f32.Exp(x)
//
// Nothing is allocated.
package f32
