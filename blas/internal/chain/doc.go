// Package chain computes matrix products with the same bits everywhere. It is
// the engine of package blas.
//
// The summation tree of an element c(i, j) is one chain: to its old value, it
// adds alpha⊗a(i, p) times b(p, j) for p = 0, 1, …, k−1, each by one
// fused multiply-add. So the products from 0 to k may be added by one call or
// by several, and an element's bits depend on its row of a, its column of b and
// its old value only. Kernels, sizes of blocks and the number of goroutines
// change no bit: goroutines share out elements, never the products of one.
//
// # Special values
//
// NaN, infinities, zeros and subnormal numbers follow IEEE 754: no product is
// left out, not even those by 0. The bits of a NaN are not defined. A product
// of no rows, columns or terms touches nothing.
//
// # Method
//
// The method is from Goto2008. Rows of the left factor and columns of the right
// one are copied into panels, in the order that a kernel reads them, with
// alpha multiplied in. The kernel updates a tile of c: it loads the tile into
// registers, adds all products of two panels, and stores it. Tiles across the
// edge of c or of its part are copied. Small factors are read where they are.
//
// One factor is the outer one: its panels are packed once, and stay in the
// third level of the cache. It is the right factor, or the left one where the
// right one's panels would not stay in the second level. Goroutines pack the
// outer factor's panels together and share them. Each takes areas of c, and
// packs what these need of the other factor.
//
// # Cost
//
// With AVX-512, AVX2 or NEON an instruction adds 2 to 16 products. In Go alone
// a product of float64 takes one math.FMA, which is an order of magnitude
// slower where the processor has no such instruction; one of float32 takes some
// ten operations. Nothing is allocated besides idle buffers, and the areas of c
// that goroutines share out.
//
// References:
//   - [Goto2008] Kazushige Goto and Robert A. van de Geijn. Anatomy of
//     High-Performance Matrix Multiplication. ACM Transactions on Mathematical
//     Software 34(3):12, 2008.
package chain
