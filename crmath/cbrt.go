package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Cbrt returns the cube root of x, correctly rounded.
//
// Special cases:
//
//	Cbrt(±0) = ±0
//	Cbrt(±Inf) = ±Inf
//	Cbrt(NaN) = NaN
//
// About one call in 10,000 takes the accurate path, some 0.1 µs. No result is a
// midpoint: the cube of a midpoint has more than 53 bits. Nothing is allocated.
//
// References:
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
func Cbrt(x float64) float64 { return f64.FastCbrt(x) }

// CbrtSlice is ExpSlice for Cbrt: it stores ∛x[i] in dst[i].
func CbrtSlice(dst, x []float64) { f64.CbrtSlice(dst, x) }
