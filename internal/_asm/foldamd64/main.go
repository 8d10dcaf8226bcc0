// Command foldamd64 writes internal/kernel's fold kernels for amd64: the inner
// loops of exact.Sum, Asum and Dot with AVX2 and AVX-512.
//
// # Contract
//
//	func(x [, y] *T, n int, m *[3]float64, f *[6]uint64)
//
// A kernel reads the n elements of x (and y), 0 ≤ n ≤ MaxFold, at any
// alignment, and nothing else; n = 0 gives the zero Folds. It takes each
// summand v through its folds: fold k splits v at M = m[k] = 1.5·2^e,
//
//	t = RN(v + M)   q = t − M   v = v − q
//
// adds the integer bits(t) to a sum, and hands the residual v to the next fold.
// In the last fold v + M must be exact. It stores to f, by the offsets of
// gen/fold.go, the fields of kernel.Folds:
//
//	T        of each fold: Σ (bits(t) − bits(M)), an exact integer
//	Range    bits 52–63 are 0 if every t₁ is in the binade of M₁
//	Inexact  0 if every operation that had to be exact was
//	Lowest   the lowest summand as an integer: upper half 2^31 if one is −0
//
// If Range and Inexact pass, Σ v = Σ T[k]·ulp(M[k]) exactly: T does not depend
// on the order of the additions, so no summation tree is promised or needed.
// The doc comment of kernel.Folds derives this. At the end the caller's
// rounding mode and exception masks are restored.
//
// # Method
//
// The processor reports whether an addition was exact: the inexact flag of
// MXCSR stays set once an addition rounds. AVX-512 suppresses the flag in the
// additions that may round (embedded rounding, "suppress all exceptions"), so
// one look at the end suffices, and a vector goes through all folds in
// registers (direct.go). AVX2 cannot suppress it. There all folds except the
// last write their residuals to a buffer of 4 KiB, and the last fold reads the
// buffer with the flag cleared (buffered.go).
//
// One turn of the main loop takes four vectors: 32 elements with AVX-512, 16
// with AVX2, into two chains of accumulators where registers allow, since each
// addition waits for the one before it.
package main

import (
	. "github.com/mmcloughlin/avo/build"

	"github.com/lastbit/lastbit/internal/asm/gen"
)

func main() {
	ConstraintExpr("!purego")
	for _, set := range []gen.Set{gen.AVX2, gen.AVX512} {
		for _, f := range gen.Folds {
			(&kernel{Set: set, Fold: f}).generate()
		}
	}
	Generate()
}
