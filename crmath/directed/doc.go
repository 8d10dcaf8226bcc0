// Package directed provides the functions of crmath in every rounding
// direction: up, down, toward zero, to odd, and to nearest.
//
//	lo, hi := directed.Exp(x, fp.Down), directed.Exp(x, fp.Up) // lo ≤ e^x ≤ hi
//
// Exact: the argument and the direction fix the bits of the result, on every
// CPU, operating system, compiler and Go version. A result that is
// representable is exact in every direction. Overflow gives ±Inf, or the
// largest number where the direction points inwards; a value below the smallest
// number gives that number or 0. Special cases are as in crmath, which
// documents each function. A call takes a few nanoseconds more than crmath's.
// Nothing is allocated.
//
// The direction has to be one of package fp, except NearestAway: no other has
// defined results.
//
// Rounding to odd serves formats shorter than float64: the result, rounded once
// more by fp.Format.Round, is the value rounded once, in any direction.
//
//	y := fp.Binary16.Round(directed.Exp(x, fp.ToOdd), fp.Up)
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
package directed
