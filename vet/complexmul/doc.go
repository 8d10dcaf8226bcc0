// Package complexmul finds multiplications and divisions of complex numbers.
//
// The compiler makes one of four multiplications and two additions, and fuses
// them on arm64, loong64, ppc64, ppc64le, riscv64, s390x and amd64 with
// GOAMD64=v3. No conversion prevents that. A division calls the runtime, whose
// own code is fused there. Compute the parts:
//
//	re := float64(real(a)*real(b)) - float64(imag(a)*imag(b))
//	im := float64(real(a)*imag(b)) + float64(imag(a)*real(b))
//	c := complex(re, im)
//
// Package fp/complexes of lastbit has both written out. Products of complex64
// numbers are not reported: the compiler computes them in float64, where the
// four products are exact.
package complexmul
