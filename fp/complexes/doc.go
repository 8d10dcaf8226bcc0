// Package complexes computes with complex numbers with the same bits on every
// platform: products, quotients, and the functions of package math/cmplx.
//
// The compiler makes four products and two sums of a*b, and fuses them on
// arm64, ppc64le, riscv64, s390x, loong64 and on amd64 with GOAMD64=v3. A
// quotient calls the runtime, whose own code is fused there, as math/cmplx is.
// No conversion in a program prevents it. The functions here are written out:
//
//	c = complexes.Mul(a, b) // c = a * b on amd64, everywhere
//	w = complexes.Exp(z)    // cmplx.Exp(z), everywhere
//
// # Promise
//
// A product and a quotient have the bits that a*b or a/b has on amd64 with
// GOAMD64=v1, compiled by Go's own compiler. Every product and every sum is
// rounded once.
//
// The other functions are named as in math/cmplx, and have formulas of their
// own: each operation is rounded once, and each function of real numbers is one
// of package crmath, correctly rounded. So Abs and Phase are correctly rounded,
// and the parts of Polar. A part of Exp, Log, Log10, Sqrt, Sin, Cos, Tan, Cot,
// Sinh, Cosh, Tanh and of the inverse functions is at most 6 units of the last
// place from the exact value, however small it is beside the other part. Tests
// compare thousands of results with mpmath; math/cmplx has no correct digit in
// some of them. Pow(x, y) loses digits as |y·log x| grows.
//
// All results are the same on every processor, operating system and Go version.
//
// # Special values
//
// Infinities, zeros and overflow of products and quotients give what the
// operators give on amd64: a quotient follows C99's Annex G, a product does
// not. Where a part is NaN, its sign and its payload are not promised. Where
// the operator takes the sign of a NaN to a zero of the result, Div takes the
// negative one, which the NaN has if arithmetic on amd64 made it.
//
// The other functions follow Annex G, with the signs of zeros on both sides of
// a branch cut, as math/cmplx does for most arguments; a NaN has the bits of
// math.NaN. Values that overflow on the way are finite where the result is:
// Exp(710 + 1.5i), Tan(1 + 800i).
//
// # Cost
//
// Mul is inlined and takes as long as the operator does without fusing. Div
// takes about a third longer than the runtime's division. Mul64 and Div64
// compute in complex128, as the operators do. The functions take 0.4 to 1.7
// times as long as in math/cmplx: 12 to 90 ns.
//
// References:
//   - [Kahan1987] W. Kahan. Branch Cuts for Complex Elementary Functions, or
//     Much Ado About Nothing's Sign Bit. The State of the Art in Numerical
//     Analysis, pages 165–211, 1987.
//   - [Smith1962] Robert L. Smith. Algorithm 116: Complex Division.
//     Communications of the ACM 5(8):435, 1962.
package complexes
