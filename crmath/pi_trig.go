package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Sinpi returns sin πx, correctly rounded: the sine of x half turns. It is
// exact where 2x is an integer.
//
// Special cases:
//
//	Sinpi(±0) = ±0
//	Sinpi(n) = +0 for positive integers n
//	Sinpi(-n) = -0 for positive integers n
//	Sinpi(±Inf) = NaN
//	Sinpi(NaN) = NaN
//
// About one call in 10,000 takes the accurate path, some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Sinpi(x float64) float64 { return f64.FastSinpi(x) }

// SinpiSlice is ExpSlice for Sinpi: it stores sin(πx[i]) in dst[i]. Zeros, at
// integers, are rare cases.
func SinpiSlice(dst, x []float64) { f64.SinpiSlice(dst, x) }

// Cospi returns cos πx, correctly rounded: the cosine of x half turns. It is
// exact where 2x is an integer.
//
// Special cases:
//
//	Cospi(±0) = 1
//	Cospi(n+1/2) = +0 for integers n
//	Cospi(±Inf) = NaN
//	Cospi(NaN) = NaN
//
// It costs as much as Sinpi.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Cospi(x float64) float64 { return f64.FastCospi(x) }

// CospiSlice is ExpSlice for Cospi: it stores cos(πx[i]) in dst[i]. Zeros, at
// halves of odd numbers, are rare cases.
func CospiSlice(dst, x []float64) { f64.CospiSlice(dst, x) }

// Tanpi returns tan πx, correctly rounded: the tangent of x half turns. It is
// exact where 4x is an integer.
//
// Special cases:
//
//	Tanpi(±0) = ±0
//	Tanpi(n) = +0 for positive even and negative odd integers n
//	Tanpi(n) = -0 for positive odd and negative even integers n
//	Tanpi(n+1/2) = +Inf for even integers n
//	Tanpi(n+1/2) = -Inf for odd integers n
//	Tanpi(±Inf) = NaN
//	Tanpi(NaN) = NaN
//
// About one call in 10,000 takes the accurate path, some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Tanpi(x float64) float64 { return f64.FastTanpi(x) }

// TanpiSlice is ExpSlice for Tanpi: it stores tan(πx[i]) in dst[i]. Zeros and
// poles, at integers and their halves, are rare cases.
func TanpiSlice(dst, x []float64) { f64.TanpiSlice(dst, x) }
