// Package bf16 provides the correctly rounded elementary functions of package
// crmath for bfloat16, the upper half of a float32. Numbers are their
// encodings, as uint16.
//
//	y := bf16.Exp(x) // e^x, rounded once, to nearest, ties to even
//
// # Promise
//
// Exact: the argument fixes the bits of the result. They are the same on every
// CPU, operating system, compiler and Go version. A test compares every
// function of one argument with MPFR at all 65536 arguments.
//
// # Special values
//
// As in package crmath, which documents each function. A NaN has one encoding.
// A result below the normal numbers is subnormal, or 0, and rounded once.
//
// # Method and cost
//
// The function of float64 is rounded to odd, and that result once more, to 8
// bits (Boldo2008). A call takes as long as one of package crmath, and some
// nanoseconds. Nothing is allocated. For other directions see directed.In.
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
package bf16
