// Package fp describes binary floating-point formats no wider than binary64,
// and computes in them.
//
// Every value of every format here is also a binary64 value, so a float64
// carries it: a "value of format f" is a float64 that f.Round leaves alone.
//
//	half := fp.Binary16
//	sum := half.Add(512, 0.5, fp.NearestEven)    // 512.5
//	ulp := half.ULP(sum)                         // 0.5
//
// # Promise
//
// Round, Add, Mul and FMA are correctly rounded in every rounding mode, from
// the exact result, never from one that was rounded before. The bits are the
// same on every processor.
//
// # Special values
//
// Operations follow IEEE 754. Overflow gives ±Inf, or ±Max where the mode
// points inwards; underflow is gradual. An exact zero sum of opposite operands
// is +0, and −0 in mode Down. Any operation on NaN gives NaN; its payload is
// not defined.
//
// # Cost
//
// Binary64 and Binary32 in mode NearestEven take about as long as the hardware.
// The other formats and modes take some tens of nanoseconds an operation.
//
// References:
//   - [Boldo2008] Sylvie Boldo and Guillaume Melquiond. Emulation of a FMA and
//     Correctly Rounded Sums: Proved Algorithms Using Rounding to Odd. IEEE
//     Transactions on Computers 57(4):462–471, 2008.
package fp
