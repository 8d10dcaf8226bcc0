package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Log2p1 returns log2(1+x), correctly rounded, also where x is near 0.
//
// Special cases:
//
//	Log2p1(+Inf) = +Inf
//	Log2p1(±0) = ±0
//	Log2p1(-1) = -Inf
//	Log2p1(x) = NaN for x < -1
//	Log2p1(NaN) = NaN
//
// It costs as much as Log2. The accurate path takes some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
func Log2p1(x float64) float64 { return f64.FastLog2p1(x) }

// Log2p1Slice is ExpSlice for Log2p1: it stores log2(1 + x[i]) in dst[i].
func Log2p1Slice(dst, x []float64) { f64.Log2p1Slice(dst, x) }

// Log10p1 returns log10(1+x), correctly rounded, also where x is near 0.
//
// Special cases:
//
//	Log10p1(+Inf) = +Inf
//	Log10p1(±0) = ±0
//	Log10p1(-1) = -Inf
//	Log10p1(x) = NaN for x < -1
//	Log10p1(NaN) = NaN
//
// It costs as much as Log10. The accurate path takes some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
func Log10p1(x float64) float64 { return f64.FastLog10p1(x) }

// Log10p1Slice is ExpSlice for Log10p1: it stores log10(1 + x[i]) in dst[i].
func Log10p1Slice(dst, x []float64) { f64.Log10p1Slice(dst, x) }
