// Package f32 provides the correctly rounded elementary functions of package
// crmath for float32. A result is the real value of the function at the
// argument, rounded once, to nearest, ties to even.
//
//	y := float32(math.Exp(float64(x))) // sometimes wrong
//	y := f32.Exp(x)                    // always right, in less time
//
// # Promise
//
// Exact: the argument fixes the bits of the result. They are the same on every
// CPU, operating system, compiler and Go version, in calls and in slices. Every
// function of one argument that has an algorithm of its own was compared with
// MPFR at all 2^32 arguments; make exhaustive does it again, and for the others
// too. These, in odd.go, rest on the promise of package crmath.
//
// # Special values
//
// As in package crmath; every function documents its own. A result below 2^-126
// is subnormal, or 0, and rounded once.
//
// # Cost
//
// A call takes 3 to 13 ns. Pow, Atan2 and Hypot take some microseconds for
// about one pair in a million. Nothing is allocated.
//
// # Method
//
// A short kernel computes y in float64, with an error below 2^-45·|y|. The
// comment of each function derives it from the errors of polynomials, which are
// generated with them (tables.go), and from u = 2^-53 for each rounding that
// counts. Where y has no midpoint of two float32 within 2^8 ulps (unsure, in
// round.go), float32(y) is the result. That leaves one argument in a million.
//
//   - Functions of one argument: float32(y) is wrong for few of these. A search
//     through all 2^32 arguments, with MPFR, found them; exceptions.go lists
//     them with their results. No operation is fused, on any architecture: y
//     has the same bits everywhere, and so the list holds on every machine.
//   - Pow, Atan2, Hypot: an accurate path decides.
//
// Package crmath lists the references.
package f32
