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
// The analyzer follows products through variables, fields of local structures
// and stores within a function, as the compiler's optimizer does. It does not
// see products that meet an addition through inlined functions; package fused
// lists those too, from the compiler. Where the compiler loads an operand
// within the multiplication, as it does on amd64, the product is not fused
// there though it is elsewhere.
package fma
