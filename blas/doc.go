// Package blas implements gonum's BLAS interfaces with the same bits on every
// CPU, SIMD width, number of threads and architecture: by published summation
// trees, or exactly.
//
//	blas64.Use(blas.Ordered{})                 // gonum.org/v1/gonum/blas/blas64
//	lapack64.Use(lapack.Implementation{})      // with blas/lapack
//
// # Promise
//
// Ordered: the arguments of a call fix the bits of its results. The kernels,
// the blocks of a product, the number of goroutines, alignment and leading
// dimensions do not.
//
// Exact: each element of a result is rounded once, from the real value of its
// expression. The order of the data does not count either. See [Exact]; the
// rest of this comment is about [Ordered].
//
// # Notation
//
// a ⊗ b, a ⊕ b, a ⊖ b and a ⊘ b are rounded to nearest, ties to even, in the
// format of the routine. fma(a, b, c) is a·b + c, rounded once.
//
// A sum by lanes of products x[0]·y[0], …, x[n−1]·y[n−1] has L lanes, 8 of
// float64, 16 of float32, 4 of complex128 or 8 of complex64:
//
//	lane(l) = fma(x[l+2L], y[l+2L], fma(x[l+L], y[l+L], fma(x[l], y[l], +0))) …
//	half(L, l) = lane(l)
//	half(w, l) = half(2w, l) ⊕ half(2w, l + w)      for w = L/2, L/4, …, 1
//	result     = half(1, 0)
//
// A chain is a sum in one order: each product is added to the sum so far by one
// fma. A matrix product is a chain for each element, over ascending p:
//
//	c[i,j] ← β ⊗ c[i,j], or +0 if β = 0
//	c[i,j] ← fma(α ⊗ a[i,p], b[p,j], c[i,j])        for p = 0, 1, …, k−1
//
// A chain goes on where the one before it ended. So a factorization by blocks
// has the bits of one without, and a product of n columns has those of n
// products of one column.
//
// Complex numbers are added by parts. Their products are written out:
//
//	fma(a, b, c) = (fma(−aᵢ, bᵢ, fma(aᵣ, bᵣ, cᵣ)), fma(aᵢ, bᵣ, fma(aᵣ, bᵢ, cᵢ)))
//	a ⊗ b        = (fma(−aᵢ, bᵢ, aᵣ⊗bᵣ), fma(aᵢ, bᵣ, aᵣ⊗bᵢ)),
//	               or both parts of b times a if a is real
//
// and so is fma(α, b, c) or fma(β, b, c) of a real α or β where the tree of a
// matrix times a vector ends with it.
//
// # Special values
//
// Those of IEEE 754 and of the reference BLAS: with β = 0 the output is not
// read, with α = 0 neither factor is, and syr, spr, her and hpr leave row i as
// it is if x[i] = 0. Otherwise nothing is skipped: 0·∞ is NaN, also inside a
// triangle. The signs and payloads of NaN are not promised. Subnormals are
// kept.
//
// Complex α and β without an imaginary part are real numbers, which ∞ is
// multiplied with part by part; the reference BLAS makes a NaN of it. An
// infinity times another complex number may be NaN or not by the order of
// products.
//
// A routine panics as gonum's does, with the same message. Inputs may share
// memory, such as x and y of a dot product; an output shares none, except for
// Dswap, Dcopy and Daxpy of a vector and itself. Memory beside the elements of
// an output is not written. Where gonum v0.17 is wrong the reference BLAS
// decides: Dger and Sger with negative increments; transposed Sgemv, which
// clears elements beyond y; lower transposed Dsyrk, which keeps NaN at β = 0;
// and Sdsdot of empty vectors, which is α.
//
// # Cost
//
// See internal/chain for products. As many goroutines as GOMAXPROCS allows
// share out the elements of a product, of a matrix times a vector, and of long
// vectors. They stay ready for 50 µs after a call. In that time they also share
// calls that take microseconds. lastbit bench blas measures the routines beside
// OpenBLAS and gonum. A processor without a fused multiply-add emulates it:
// some thirty times as slow. Most routines copy a vector with an increment
// other than 1.
package blas
