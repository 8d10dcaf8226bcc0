package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Exp returns e^x, correctly rounded.
//
// Special cases:
//
//	Exp(+Inf) = +Inf
//	Exp(-Inf) = 0
//	Exp(NaN) = NaN
//	Exp(±0) = 1
//
// Above 709.78 the result is +Inf. Below -708.39 it is subnormal, and rounded
// once; below -745.13 it is 0.
//
// About one call in 60,000 takes the accurate path, some 0.1 µs. Nothing is
// allocated.
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
//   - [Sibidanov2022] Alexei Sibidanov, Paul Zimmermann and Stéphane Glondu.
//     The CORE-MATH Project. Proceedings of the 29th IEEE Symposium on Computer
//     Arithmetic (ARITH 2022), pages 26–34, 2022.
func Exp(x float64) float64 { return f64.FastExp(x) }

// ExpSlice stores Exp(x[i]) in dst[i] for all i: e^x[i], correctly rounded,
// with the bits of single calls.
//
// dst has the length of x, and is x itself or does not overlap it; otherwise
// ExpSlice panics. Nothing is allocated, and the slices do not escape.
//
// On amd64 with AVX2 and FMA, or AVX-512, and on arm64, vector kernels compute
// every lane, with a rounding test of their own. Elements that they leave
// undecided, some in 10,000 of most data, and the rarer cases of Exp go to Exp
// one by one. With AVX2 or AVX-512 that takes 1/3 to 1/8 of the time of a loop
// over math.Exp; other slice functions take 3/5 to 1/30. Slices whose elements
// are all rare cases take as long as a loop over Exp. So do all slices on other
// CPUs, and under the race detector.
func ExpSlice(dst, x []float64) { f64.ExpSlice(dst, x) }

// Exp2 returns 2^x, correctly rounded.
//
// Special cases:
//
//	Exp2(+Inf) = +Inf
//	Exp2(-Inf) = 0
//	Exp2(NaN) = NaN
//	Exp2(±0) = 1
//
// From 1024 on the result is +Inf. Below -1022 it is subnormal, and rounded
// once; from -1075 down it is 0. It costs as much as Exp.
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
func Exp2(x float64) float64 { return f64.FastExp2(x) }

// Exp2Slice is ExpSlice for Exp2: it stores 2^x[i] in dst[i].
func Exp2Slice(dst, x []float64) { f64.Exp2Slice(dst, x) }

// Exp10 returns 10^x, correctly rounded.
//
// Special cases:
//
//	Exp10(+Inf) = +Inf
//	Exp10(-Inf) = 0
//	Exp10(NaN) = NaN
//	Exp10(±0) = 1
//
// Above 308.25 the result is +Inf. Below -307.65 it is subnormal, and rounded
// once; below -323.3 it is 0. It costs as much as Exp.
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
func Exp10(x float64) float64 { return f64.FastExp10(x) }

// Exp10Slice is ExpSlice for Exp10: it stores 10^x[i] in dst[i].
func Exp10Slice(dst, x []float64) { f64.Exp10Slice(dst, x) }

// Expm1 returns e^x - 1, correctly rounded.
//
// Special cases:
//
//	Expm1(+Inf) = +Inf
//	Expm1(-Inf) = -1
//	Expm1(NaN) = NaN
//	Expm1(±0) = ±0
//
// Above 709.78 the result is +Inf, below -37.43 it is -1. For |x| < 2^-54 it is
// x.
//
// Fewer than one call in 10,000 takes the accurate path, but up to one in 1000
// near ±1/32. Nothing is allocated.
//
// References:
//   - [Tang1992] Ping-Tak Peter Tang. Table-Driven Implementation of the Expm1
//     Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 18(2):211–222, 1992.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [LefevreMuller2001] Vincent Lefèvre and Jean-Michel Muller. Worst Cases
//     for Correct Rounding of the Elementary Functions in Double Precision.
//     Proceedings of the 15th IEEE Symposium on Computer Arithmetic (ARITH-15),
//     pages 111–118, 2001.
func Expm1(x float64) float64 { return f64.FastExpm1(x) }

// Expm1Slice is ExpSlice for Expm1: it stores e^x[i] - 1 in dst[i].
func Expm1Slice(dst, x []float64) { f64.Expm1Slice(dst, x) }
