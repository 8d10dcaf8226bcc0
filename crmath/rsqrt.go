package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Rsqrt returns 1/√x, correctly rounded. It is exact for powers of 4.
//
// Special cases:
//
//	Rsqrt(±0) = ±Inf
//	Rsqrt(+Inf) = +0
//	Rsqrt(x) = NaN for x < 0
//	Rsqrt(NaN) = NaN
//
// Practically no call takes the accurate path. Nothing is allocated.
//
// References:
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Rsqrt(x float64) float64 { return f64.FastRsqrt(x) }

// RsqrtSlice is ExpSlice for Rsqrt: it stores 1/√x[i] in dst[i].
func RsqrtSlice(dst, x []float64) { f64.RsqrtSlice(dst, x) }
