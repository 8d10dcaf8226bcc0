// Package crmath provides correctly rounded elementary functions. A result is
// the real value of the function at the argument, rounded once, to nearest,
// ties to even.
//
//	y := math.Exp(x)   // up to 1.6 ULPs off, and other bits on other CPUs
//	y := crmath.Exp(x) // the same signature and special cases
//
//	crmath.ExpSlice(y, x) // the bits of a loop of calls, in less time
//
// Package directed rounds in other directions. Package f32 has the functions of
// package math for float32, and package deviation measures how far a result is
// off.
//
// # Promise
//
// Exact: the argument fixes the bits of the result. They are the same on every
// CPU, operating system, compiler and Go version, with FMA and without, in
// calls and in slices. There is no version to pin, and other correctly rounded
// software, such as MPFR, confirms every bit.
//
// # Special values
//
// Every function documents its own, in the form of package math. NaN gives NaN,
// with unspecified bits. Zeros keep their sign where the function is odd.
// Arguments and results may be subnormal; a subnormal result is rounded once.
// Overflow gives ±Inf. A result that is representable is exact, and a midpoint
// between two numbers goes to the even one.
//
// # Cost
//
// Most calls take as long as package math's, or less; lastbit bench math
// measures both, and the C library's. About one call in ten thousand takes the
// accurate path, some 0.1 µs; the comment of each function gives the share, and
// names arguments where it is larger. Nothing is allocated. Not for
// secrets: the time of a call depends on its argument.
//
// # Method
//
// A fast path computes hi + lo, a sum of two float64 that differs from the true
// value by less than an error bound e, which a comment derives. Ziv's rounding
// test checks that hi+(lo-e) and hi+(lo+e) round to the same float64, which is
// then the result. If they do not, an accurate path computes with two 64-bit
// words, to some 117 bits, and then with more (package internal/wide). Its
// error bound becomes so small that the result is decided: by the known worst
// cases of the function, or with more words. Arguments whose results are
// representable or midpoints would never be decided that way, and are detected
// first.
//
//   - internal/f64: the functions, a family in each file, with the lanes that
//     vector kernels are compiled from, and their tables;
//   - internal/functions: what follows from the lists of functions, which are
//     functions.txt of internal/f64 and of f32;
//   - internal/wide: accurate kernels, and their arithmetic;
//   - internal/tables: the generator of the tables. A test fails where they are
//     stale, and go generate writes them again.
//
// No operation of the Go code is fused, on any architecture: every product that
// feeds a sum is written float64(x*y). In the vector kernels, and in single
// calls on amd64, some are fused, which takes a rounding out of the derivation
// of the bound.
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
//   - [Dekker1971] T. J. Dekker. A Floating-Point Technique for Extending the
//     Available Precision. Numerische Mathematik 18(3):224–242, 1971.
//   - [LauterLefevre2009] Christoph Lauter and Vincent Lefèvre. An Efficient
//     Rounding Boundary Test for pow(x, y) in Double Precision. IEEE
//     Transactions on Computers 58(2):197–207, 2009.
//   - [LefevreMuller2001] Vincent Lefèvre and Jean-Michel Muller. Worst Cases
//     for Correct Rounding of the Elementary Functions in Double Precision.
//     Proceedings of the 15th IEEE Symposium on Computer Arithmetic (ARITH-15),
//     pages 111–118, 2001.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
//   - [Sibidanov2022] Alexei Sibidanov, Paul Zimmermann and Stéphane Glondu.
//     The CORE-MATH Project. Proceedings of the 29th IEEE Symposium on Computer
//     Arithmetic (ARITH 2022), pages 26–34, 2022.
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
package crmath

//go:generate go run ./internal/tables/generate
//go:generate go run ./internal/functions/generate
