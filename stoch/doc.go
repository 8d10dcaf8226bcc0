// Package stoch computes with three samples of every number, each result
// rounded up or down at random, and estimates how many digits are right:
// discrete stochastic arithmetic ([Vignes1993], [Eberhart2015]).
//
//	a := stoch.New[float64](stoch.Options{Seed: 1})
//	x, y := stoch.Of(1e16), stoch.Of(math.Pi)
//	sum := a.Sub(a.Add(x, y), x)
//	fmt.Println(sum)        // @.0, or 4: the digits that are right
//	fmt.Print(a.Report())   // the lines that lost digits, or decided by noise
//
// Where rounding errors do not matter the samples agree; the digits that they
// share are the estimate. The samples run side by side, so that a comparison, a
// product or a cancellation can be judged when it happens.
//
// # Promise
//
// Every sample of a result is R- or R+, the numbers of the format below and
// above the exact result of its operation on that sample of the operands, and
// R- and R+ are equally likely. The samples of an exact result are that result.
// This holds for + - × ÷, square roots, fused multiply-adds, conversions, and
// the functions of package math, in slices too, on every processor. The Bessel
// functions and the inverses of erf are not provided.
//
// A seed fixes every rounding, for any number of goroutines and any order of
// operations: the coins of an operation are a hash of its operands and the
// seed. So the same operation on the same operands rounds alike each time, and
// errors that repeat do not average out as independent ones would;
// [Options.Free] makes coins that depend on the number of operations so far.
// In slices, the operands' share in the hash is one of every 33 elements.
// The third sample rounds against the second, unless Options.Independent is
// set; so an inexact result always shows. GOOS, GOARCH and vector instructions
// change nothing.
//
// # Estimates
//
// [Number.Digits] is the number of decimal digits that the mean of the samples
// shares with the exact result, with 95 % confidence. It supposes errors of
// first order: the product of two numbers without right digits, and the
// quotient by one, break that; [Report.IsReliable] reports whether none was
// found. Three samples can agree by luck; another seed shows it. The estimate
// knows nothing about errors of data or of formulas.
//
// # Special values
//
// Overflow is ±Inf where a sample rounds outwards, and the largest number where
// it rounds inwards. Underflow is gradual; below the smallest number a sample
// is that or 0. An exact sum of zero is +0, as when rounding to nearest. A
// sample whose operation has no value is NaN, and a number with such a sample
// is NaN: it has no digits, and Cmp is its only relation. A number whose
// samples are the same infinity is exact; infinite and finite samples together
// are noise.
//
// # Cost
//
// Where each operation waits for the one before, a sum or a product takes five
// to seven times as long as in plain arithmetic; where they do not wait, and
// in memory, ten to twenty times. Slices in cache take five to seven times as
// long as plain loops of AVX-512, larger ones three to six times. lastbit
// bench stoch measures it. A sum that loses nine leading bits takes the
// accurate path, some ten times as long. A detected instability takes a
// microsecond, to find its line. Without vector instructions, the elements of
// slices take the accurate path.
//
// # Other roundings
//
// [Options.Rounding] selects stochastic rounding in proportion to nearness,
// Monte Carlo arithmetic at a virtual precision ([Parker1997]), and rounding to
// nearest; Options.Precision and Options.ExponentBits shorten the format, as in
// variable-precision arithmetic. These take the accurate path of every
// operation, some ten times as long. Options.Free and Options.Independent do so
// for single numbers.
//
// # Files
//
//   - operations.go, functions.go, integers.go, compare.go: operations
//   - exact.go, round.go: their accurate path, and the roundings
//   - estimate.go, format.go: digits
//   - instability.go: counts and reports
//   - slice.go, dot.go: slices
//
// References:
//   - [Chesneaux1994] Jean-Marie Chesneaux. The equality relations in
//     scientific computing. Numerical Algorithms 7(2):129–143, 1994.
//   - [Eberhart2015] Pacôme Eberhart, Julien Brajard, Pierre Fortin and
//     Fabienne Jézéquel. High Performance Numerical Validation using Stochastic
//     Arithmetic. Reliable Computing 21:35–52, 2015.
//   - [Parker1997] Douglass Stott Parker. Monte Carlo Arithmetic: exploiting
//     randomness in floating-point arithmetic. Technical Report CSD-970002,
//     University of California, Los Angeles, 1997.
//   - [Vignes1993] Jean Vignes. A stochastic arithmetic for reliable scientific
//     computation. Mathematics and Computers in Simulation 35(3):233–261, 1993.
package stoch
