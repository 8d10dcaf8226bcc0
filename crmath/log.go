package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Log returns ln x, correctly rounded.
//
// Special cases:
//
//	Log(+Inf) = +Inf
//	Log(±0) = -Inf
//	Log(x < 0) = NaN
//	Log(NaN) = NaN
//	Log(1) = +0
//
// Subnormal arguments need no care.
//
// Fewer than one call in 500,000 takes the accurate path, some 0.1 µs, where
// |ln x| > 1/2, and up to one in 1000 near 1. Nothing is allocated.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [LefevreMuller2001] Vincent Lefèvre and Jean-Michel Muller. Worst Cases
//     for Correct Rounding of the Elementary Functions in Double Precision.
//     Proceedings of the 15th IEEE Symposium on Computer Arithmetic (ARITH-15),
//     pages 111–118, 2001.
//   - [Sibidanov2022] Alexei Sibidanov, Paul Zimmermann and Stéphane Glondu.
//     The CORE-MATH Project. Proceedings of the 29th IEEE Symposium on Computer
//     Arithmetic (ARITH 2022), pages 26–34, 2022.
func Log(x float64) float64 { return f64.FastLog(x) }

// LogSlice is ExpSlice for Log: it stores ln x[i] in dst[i].
func LogSlice(dst, x []float64) { f64.LogSlice(dst, x) }

// Log2 returns log2 x, correctly rounded: exactly k for 2^k.
//
// Special cases:
//
//	Log2(+Inf) = +Inf
//	Log2(±0) = -Inf
//	Log2(x < 0) = NaN
//	Log2(NaN) = NaN
//	Log2(1) = +0
//
// It costs as much as Log, but takes the accurate path twice as often.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [LefevreMuller2001] Vincent Lefèvre and Jean-Michel Muller. Worst Cases
//     for Correct Rounding of the Elementary Functions in Double Precision.
//     Proceedings of the 15th IEEE Symposium on Computer Arithmetic (ARITH-15),
//     pages 111–118, 2001.
func Log2(x float64) float64 { return f64.FastLog2(x) }

// Log2Slice is ExpSlice for Log2: it stores log2 x[i] in dst[i].
func Log2Slice(dst, x []float64) { f64.Log2Slice(dst, x) }

// Log10 returns log10 x, correctly rounded: exactly k for 10^k, 0 ≤ k ≤ 22.
//
// Special cases:
//
//	Log10(+Inf) = +Inf
//	Log10(±0) = -Inf
//	Log10(x < 0) = NaN
//	Log10(NaN) = NaN
//	Log10(1) = +0
//
// It costs as much as Log, but takes the accurate path twice as often.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [LefevreMuller2001] Vincent Lefèvre and Jean-Michel Muller. Worst Cases
//     for Correct Rounding of the Elementary Functions in Double Precision.
//     Proceedings of the 15th IEEE Symposium on Computer Arithmetic (ARITH-15),
//     pages 111–118, 2001.
func Log10(x float64) float64 { return f64.FastLog10(x) }

// Log10Slice is ExpSlice for Log10: it stores log10 x[i] in dst[i].
func Log10Slice(dst, x []float64) { f64.Log10Slice(dst, x) }

// Log1p returns ln(1+x), correctly rounded.
//
// Special cases:
//
//	Log1p(+Inf) = +Inf
//	Log1p(±0) = ±0
//	Log1p(-1) = -Inf
//	Log1p(x < -1) = NaN
//	Log1p(NaN) = NaN
//
// For |x| < 2^-54 the result is x. It costs as much as Log.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [LefevreMuller2001] Vincent Lefèvre and Jean-Michel Muller. Worst Cases
//     for Correct Rounding of the Elementary Functions in Double Precision.
//     Proceedings of the 15th IEEE Symposium on Computer Arithmetic (ARITH-15),
//     pages 111–118, 2001.
func Log1p(x float64) float64 { return f64.FastLog1p(x) }

// Log1pSlice is ExpSlice for Log1p: it stores ln(1 + x[i]) in dst[i].
func Log1pSlice(dst, x []float64) { f64.Log1pSlice(dst, x) }
