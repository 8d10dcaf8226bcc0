// Package fma finds multiplications that compilers fuse with an addition.
//
// The language lets a compiler compute x*y + z with one rounding in place of
// two, across statements too. Go's compiler does so on arm64, loong64, ppc64,
// ppc64le, riscv64 and s390x, and on amd64 with GOAMD64=v3, so the last bit
// depends on the platform. An explicit conversion rounds:
//
//	s += x * y          // one rounding on arm64, two on amd64
//	s += float64(x * y) // two everywhere
//
// The analyzer follows products through variables, fields of local structures,
// stores and small functions, as the compiler's optimizer does after inlining:
//
//	func add(a, b float64) float64 { return a + b }
//
//	s = add(x*y, z) // fuses in add
//
// The sum of another package is reported at the call. What is inlined is about
// what the compiler inlines; package fused asks the compiler itself. Where the
// compiler loads an operand within the multiplication, as it does on amd64, the
// product is not fused there though it is elsewhere.
//
// A conversion to uint64, uint or uintptr subtracts 2^63 from larger numbers on
// loong64, ppc64, ppc64le and riscv64, so uint64(x*y) fuses there, too.
//
// A product that is exact changes no bit and is not reported: one of integers
// with 53 digits together, of float32 numbers in float64, or by a power of two
// where it can be neither subnormal nor overflow. Where only these are rounded,
// the message says so.
package fma
