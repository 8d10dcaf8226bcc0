// Package gonumbits finds calls of gonum's functions whose results depend on
// the processor or on addresses.
//
// On amd64 gonum's kernels are assembly with several accumulators; elsewhere
// they are loops of Go, which the compiler fuses on arm64 and others. So
// floats.Dot, blas64.Gemm and (*mat.Dense).Mul differ in the last bits. The
// kernel of floats.Sum, and some of float32 and complex64, add the numbers
// before an aligned address first: on one machine too the result depends on the
// place of the data in memory.
//
// Packages ordered, exact and blas of lastbit have the same bits everywhere;
// blas64.Use(blas.Ordered{}) puts the last in gonum's place. The list was made
// from gonum v0.17 by following calls; dynamic calls reach any method of gonum.
package gonumbits
