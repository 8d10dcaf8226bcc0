package crmath

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Sin returns sin x, x in radians, correctly rounded.
//
// Special cases:
//
//	Sin(±0) = ±0
//	Sin(±Inf) = NaN
//	Sin(NaN) = NaN
//
// For subnormal x the result is x. An argument of any size is reduced with as
// many bits of π as it needs.
//
// About one call in 10,000 takes the accurate path, some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Sin(x float64) float64 { return f64.FastSin(x) }

// SinSlice is ExpSlice for Sin: it stores sin x[i] in dst[i].
func SinSlice(dst, x []float64) { f64.SinSlice(dst, x) }

// Cos returns cos x, x in radians, correctly rounded.
//
// Special cases:
//
//	Cos(±0) = 1
//	Cos(±Inf) = NaN
//	Cos(NaN) = NaN
//
// An argument of any size is reduced with as many bits of π as it needs. It
// costs as much as Sin.
//
// References:
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Cos(x float64) float64 { return f64.FastCos(x) }

// CosSlice is ExpSlice for Cos: it stores cos x[i] in dst[i].
func CosSlice(dst, x []float64) { f64.CosSlice(dst, x) }

// Sincos returns Sin(x) and Cos(x), in less time than two calls.
//
// Special cases:
//
//	Sincos(±0) = ±0, 1
//	Sincos(±Inf) = NaN, NaN
//	Sincos(NaN) = NaN, NaN
//
// References:
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Sincos(x float64) (sin, cos float64) { return f64.Sincos(x, fp.NearestEven) }

// SincosSlice is ExpSlice for Sincos: it stores sin x[i] in sin[i] and cos x[i]
// in cos[i]. One of them may be x.
func SincosSlice(sin, cos, x []float64) { f64.SincosSlice(sin, cos, x) }

// Tan returns tan x, x in radians, correctly rounded.
//
// Special cases:
//
//	Tan(±0) = ±0
//	Tan(±Inf) = NaN
//	Tan(NaN) = NaN
//
// For subnormal x the result is x. No float64 is a pole, and no result is above
// 2^64. It costs as much as Sin.
//
// References:
//   - [PayneHanek1983] Mary H. Payne and Robert N. Hanek. Radian Reduction for
//     Trigonometric Functions. ACM SIGNUM Newsletter 18(1):19–24, 1983.
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Tan(x float64) float64 { return f64.FastTan(x) }

// TanSlice is ExpSlice for Tan: it stores tan x[i] in dst[i].
func TanSlice(dst, x []float64) { f64.TanSlice(dst, x) }
