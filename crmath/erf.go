package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Erf returns the error function of x, 2/√π · ∫ e^(-t²) dt from 0 to x,
// correctly rounded.
//
// Special cases:
//
//	Erf(+Inf) = 1
//	Erf(-Inf) = -1
//	Erf(NaN) = NaN
//	Erf(±0) = ±0
//
// From 5.922 on the result is 1. About one call in 10,000 takes the accurate
// path, some 10 µs. Nothing is allocated.
//
// References:
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Erf(x float64) float64 { return f64.FastErf(x) }

// ErfSlice is ExpSlice for Erf: it stores erf x[i] in dst[i].
func ErfSlice(dst, x []float64) { f64.ErfSlice(dst, x) }

// Erfc returns the complementary error function of x, 1 - erf x, correctly
// rounded: also where erf x is next to 1.
//
// Special cases:
//
//	Erfc(+Inf) = 0
//	Erfc(-Inf) = 2
//	Erfc(NaN) = NaN
//	Erfc(±0) = 1
//
// Above 26.543 the result is subnormal, and rounded once; above 27.226 it is 0.
// Below -5.86 it is 2. About one call in 10,000 takes the accurate path, some
// 0.1 µs. Nothing is allocated.
//
// References:
//   - [HunterRegan1972] D. B. Hunter and T. Regan. A Note on the Evaluation of
//     the Complementary Error Function. Mathematics of Computation
//     26(118):539–541, 1972.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Erfc(x float64) float64 { return f64.FastErfc(x) }

// ErfcSlice is ExpSlice for Erfc: it stores erfc x[i] in dst[i].
func ErfcSlice(dst, x []float64) { f64.ErfcSlice(dst, x) }
