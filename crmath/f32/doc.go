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
// function of one argument was compared with package crmath's at all 2^32
// arguments, in calls and by the vector kernels; make exhaustive does it again,
// and compares with MPFR too.
//
// # Special values
//
// As in package crmath; every function documents its own. A result below 2^-126
// is subnormal, or 0, and rounded once.
//
// # Cost
//
// A call takes 3 to 10 ns. Pown, Compound and Rootn take as long as in package
// crmath. Pow, Atan2 and Hypot take some microseconds for about one pair in a
// million. Nothing is allocated.
//
// # Method
//
// A short kernel computes y in float64, with an error below 2^-40·|y|. The
// comment of each function derives it from the errors of polynomials, which are
// generated with them (tables.go), and from u = 2^-53 for each rounding that
// counts. Where y has no midpoint of two float32 within 2^13 ulps (undecided,
// in round.go), float32(y) is the result. That leaves one argument in 33,000.
//
//   - Functions of one argument, and results that are subnormal: the function
//     of float64 decides, rounded to odd. Rounded once more, to nearest, that
//     is the value rounded once (Boldo2008).
//   - Pow, Atan2, Hypot: the error is below 2^-45·|y|, and an accurate path of
//     their own decides.
//
// On amd64 single calls fuse products with sums where the processor can
// (calls.go). The bounds hold for these as well, and the rounding test makes
// the results the same.
//
// Package crmath lists the references.
package f32
