package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Atan returns arctan x, correctly rounded.
//
// Special cases:
//
//	Atan(±0) = ±0
//	Atan(±Inf) = ±π/2
//	Atan(NaN) = NaN
//
// For subnormal x the result is x.
//
// About one call in 10,000, and beyond ±1 one in 30,000, takes the accurate
// path, some 0.1 µs. Nothing is allocated.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [LefevreMuller2001] Vincent Lefèvre and Jean-Michel Muller. Worst Cases
//     for Correct Rounding of the Elementary Functions in Double Precision.
//     Proceedings of the 15th IEEE Symposium on Computer Arithmetic (ARITH-15),
//     pages 111–118, 2001.
func Atan(x float64) float64 { return f64.FastAtan(x) }

// AtanSlice is ExpSlice for Atan: it stores arctan x[i] in dst[i].
func AtanSlice(dst, x []float64) { f64.AtanSlice(dst, x) }

// Atan2 returns the angle of the point (x, y), in [-π, π], correctly rounded.
// For positive x it is arctan(y/x).
//
// Special cases, in this order:
//
//	Atan2(y, NaN) = Atan2(NaN, x) = NaN
//	Atan2(±0, x) = ±0 for x ≥ +0, ±π for x ≤ -0
//	Atan2(y, ±0) = ±π/2, with the sign of y
//	Atan2(±Inf, +Inf) = ±π/4, Atan2(±Inf, -Inf) = ±3π/4
//	Atan2(y, +Inf) = ±0, Atan2(y, -Inf) = ±π, with the sign of y
//	Atan2(±Inf, x) = ±π/2
//
// Where y/x overflows, the result is ±π/2. Where it underflows and x > 0, the
// result is subnormal or 0, and rounded once. Atan2 costs as much as Atan; an
// angle within 2^-62 of an ulp of a midpoint, which no typical call has, takes
// some 4 µs.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
func Atan2(y, x float64) float64 { return f64.FastAtan2(y, x) }

// Atan2Slice is PowSlice for Atan2: it stores the angle of the point
// (x[i], y[i]) in dst[i].
func Atan2Slice(dst, y, x []float64) { f64.Atan2Slice(dst, y, x) }
