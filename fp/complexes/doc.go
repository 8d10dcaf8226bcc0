// Package complexes multiplies and divides complex numbers with the same bits
// on every platform.
//
// The compiler makes four products and two sums of a*b, and fuses them on
// arm64, ppc64le, riscv64, s390x, loong64 and on amd64 with GOAMD64=v3. A
// quotient calls the runtime, whose own code is fused there. No conversion in a
// program prevents either. The functions here are written out:
//
//	c = complexes.Mul(a, b) // c = a * b on amd64, everywhere
//
// # Promise
//
// A result has the bits that a*b or a/b has on amd64 with GOAMD64=v1, compiled
// by Go's own compiler. They are the same on every processor, operating system
// and Go version. Every product and every sum is rounded once.
//
// # Special values
//
// Infinities, zeros and overflow give what the operators give on amd64: a
// quotient follows C99's Annex G, a product does not. Where a part of a result
// is NaN, the sign and the payload of the NaN are not promised. Where the
// operator takes the sign of a NaN to a zero of the result, Div takes the
// negative one, which the NaN has if arithmetic on amd64 made it.
//
// # Cost
//
// Mul is inlined and takes as long as the operator does without fusing. Div
// takes about a third longer than the runtime's division. Mul64 and Div64
// compute in complex128, as the operators do.
//
// References:
//   - [Smith1962] Robert L. Smith. Algorithm 116: Complex Division.
//     Communications of the ACM 5(8):435, 1962.
package complexes
