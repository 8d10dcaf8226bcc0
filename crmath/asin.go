package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Asin returns arcsin x, correctly rounded.
//
// Special cases:
//
//	Asin(±0) = ±0
//	Asin(±1) = ±π/2
//	Asin(x) = NaN for |x| > 1
//	Asin(NaN) = NaN
//
// For subnormal x the result is x. It costs as much as Atan.
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
func Asin(x float64) float64 { return f64.FastAsin(x) }

// AsinSlice is ExpSlice for Asin: it stores arcsin x[i] in dst[i].
func AsinSlice(dst, x []float64) { f64.AsinSlice(dst, x) }

// Acos returns arccos x, correctly rounded.
//
// Special cases:
//
//	Acos(1) = 0
//	Acos(-1) = π
//	Acos(±0) = π/2
//	Acos(x) = NaN for |x| > 1
//	Acos(NaN) = NaN
//
// It costs as much as Atan.
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
func Acos(x float64) float64 { return f64.FastAcos(x) }

// AcosSlice is ExpSlice for Acos: it stores arccos x[i] in dst[i].
func AcosSlice(dst, x []float64) { f64.AcosSlice(dst, x) }
