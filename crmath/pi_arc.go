package crmath

import "github.com/lastbit/lastbit/crmath/internal/f64"

// Asinpi returns arcsin(x)/π, correctly rounded: an angle from -1/2 to 1/2, in
// half turns.
//
// Special cases:
//
//	Asinpi(±0) = ±0
//	Asinpi(±1) = ±1/2
//	Asinpi(x) = NaN for |x| > 1
//	Asinpi(NaN) = NaN
//
// About one call in 10,000 takes the accurate path, some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Asinpi(x float64) float64 { return f64.FastAsinpi(x) }

// AsinpiSlice is ExpSlice for Asinpi: it stores arcsin(x[i])/π in dst[i].
func AsinpiSlice(dst, x []float64) { f64.AsinpiSlice(dst, x) }

// Acospi returns arccos(x)/π, correctly rounded: an angle from 0 to 1, in half
// turns.
//
// Special cases:
//
//	Acospi(1) = +0
//	Acospi(-1) = 1
//	Acospi(x) = NaN for |x| > 1
//	Acospi(NaN) = NaN
//
// About one call in 10,000 takes the accurate path, some 0.1 µs; next to 1 most
// calls do. Nothing is allocated.
//
// References:
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Acospi(x float64) float64 { return f64.FastAcospi(x) }

// AcospiSlice is ExpSlice for Acospi: it stores arccos(x[i])/π in dst[i].
func AcospiSlice(dst, x []float64) { f64.AcospiSlice(dst, x) }

// Atanpi returns arctan(x)/π, correctly rounded: an angle from -1/2 to 1/2, in
// half turns.
//
// Special cases:
//
//	Atanpi(±0) = ±0
//	Atanpi(±1) = ±1/4
//	Atanpi(±Inf) = ±1/2
//	Atanpi(NaN) = NaN
//
// About one call in 10,000 takes the accurate path, some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func Atanpi(x float64) float64 { return f64.FastAtanpi(x) }

// AtanpiSlice is ExpSlice for Atanpi: it stores arctan(x[i])/π in dst[i].
func AtanpiSlice(dst, x []float64) { f64.AtanpiSlice(dst, x) }
