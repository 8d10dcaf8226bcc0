package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Exp2m1 returns 2^x - 1, correctly rounded, also where x is near 0.
//
// Special cases:
//
//	Exp2m1(+Inf) = +Inf
//	Exp2m1(-Inf) = -1
//	Exp2m1(NaN) = NaN
//	Exp2m1(±0) = ±0
//
// From 1024 on the result is +Inf. Below -54 it is -1.
//
// It costs as much as Expm1. The accurate path takes some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
func Exp2m1(x float64) float64 { return f64.FastExp2m1(x) }

// Exp2m1Slice is ExpSlice for Exp2m1: it stores 2^x[i] - 1 in dst[i].
func Exp2m1Slice(dst, x []float64) { f64.Exp2m1Slice(dst, x) }

// Exp10m1 returns 10^x - 1, correctly rounded, also where x is near 0.
//
// Special cases:
//
//	Exp10m1(+Inf) = +Inf
//	Exp10m1(-Inf) = -1
//	Exp10m1(NaN) = NaN
//	Exp10m1(±0) = ±0
//
// Above 308.25 the result is +Inf. Below -16.3 it is -1.
//
// It costs as much as Expm1. The accurate path takes some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [Tang1989] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Exponential Function in IEEE Floating-Point Arithmetic. ACM Transactions
//     on Mathematical Software 15(2):144–157, 1989.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
func Exp10m1(x float64) float64 { return f64.FastExp10m1(x) }

// Exp10m1Slice is ExpSlice for Exp10m1: it stores 10^x[i] - 1 in dst[i].
func Exp10m1Slice(dst, x []float64) { f64.Exp10m1Slice(dst, x) }
