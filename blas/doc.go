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
// has the same bits as one without, and a product of n columns has the same
// bits as n products of one column.
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
// Special values follow IEEE 754 and the reference BLAS: with β = 0 the output
// is not read, with α = 0 neither factor is, and syr, spr, her and hpr leave
// row i as it is if x[i] = 0. Otherwise nothing is skipped: 0·∞ is NaN, also
// inside a triangle. The signs and payloads of NaN are not promised. Subnormals
// are kept.
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
//
// # Files
//
// Small operations have no time for the layers that goroutines, blocks and
// copies need, so size decides which file computes a routine. In each of these
// lists a file takes what it can, within the limits in its row, and leaves the
// rest to a file below. The last ones take any size. The bits are the same.
// The names of routines lack the letter of the format, and level2 stands for
// all of that level. For real numbers:
//
//	few.go             real     Dsdot Sdsdot asum axpy dot rot scal
//	    vectors of neighbours, at most maxFew = 512 of axpy and scal, and of asum and dot as
//	    many as a sum has lanes: one call of a kernel
//	fewrows.go         real     gemm gemv ger syrk
//	    at most maxFewColumns = 4 columns, or maxFewFloat64s = 16 and maxFewFloat32s = 8
//	    products, of gemm and syrk four times as many: by elements, since a call of a kernel
//	    takes longer
//	tiny.go            real     symv syr syr2 trmv trsv
//	    triangles of at most maxTiny = 7 rows, systems of some more, and transposed ones of at
//	    most maxTinyTransposed = 24: by elements, for the same reason
//	direct.go          real     asum axpy dot level2 level3 rot scal
//	    chooses among the files beside it; gemv and ger of what one goroutine computes, without
//	    copies of strided vectors of at most maxApart = 64
//	directproduct.go   real     gemm symm syr2k syrk
//	    at most maxRowProducts = 512 products, maxRowDepth = 16 in a sum: row by row, since
//	    panels do not pay
//	directsides.go     real     trmm trsm
//	    triangles of at most leaf = 16 rows beside maxLeafWidth = 64 columns: row by row,
//	    and systems of at most maxNarrow = 3 columns: by elements
//	directtriangle.go  real     symv syr syr2 trmv trsv
//	    full triangles: blocks of rows, since kernels take the rectangles beside them
//	full.go            real     axpy gemv ger scal
//	    what goroutines share out: rows, columns or elements
//	product.go         real     level3
//	    the panels of internal/chain, and triangles halved down to leaf = 16
//	level1.go          real     level1
//	    any vectors, and the checks; norms of float32 in float64, up to maxQuickNorm = 1024
//	level2.go          real     level2
//	    the checks; bands and packed triangles have no shorter way
//	level3.go          real     level3
//	    the checks
//
// For complex numbers:
//
//	complexfew.go      complex  axpy dotc dotu gemm gemv gerc geru scal
//	    neighbours: any for dotc and dotu, at most maxAlone = 1024 for axpy and scal; few rows
//	complexproduct.go  complex  level3
//	    at most maxFewComplexProducts = 128 products, maxFewComplexDepth = 16 in a sum, by
//	    elements; others by real products of twice the depth and width
//	full.go            complex  Csscal Zdscal axpy gemv gerc geru scal
//	    what goroutines share out
//	product.go         complex  level3
//	    as for real numbers
//
// For [Exact], where a result is rounded as soon as a bound of its error lets
// it be:
//
//	near.go            exact    level2 level3 rot rotm
//	    numbers with such a bound
//	exactnear.go       exact    gemv
//	    full matrices: sums with an offset, by kernels
//	exactproduct.go    exact    level3
//	    products by chains, in sums of at most maxDepth = 1024, or by residues
//	exactfactor.go     exact    level3
//	    the factors of those, split where exponents are at most maxExponent = 400
//	expression.go      exact    level2 level3 rot rotm
//	    what is left: at most maxShort = 8 products nearly, others by package exact
package blas
