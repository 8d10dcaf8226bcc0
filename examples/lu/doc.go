// Lu factorizes a matrix into L·U with pivots, without blocks or by blocks of
// any size, and prints one hash for all of them.
//
//	$ go run ./examples/lu -workers 2
//	ab58eecb4e5e83e2  L, U and the pivots of a 500×500 matrix by getrf, blocks of 64
//	$ go run ./examples/lu -block 17 -workers 3
//	ab58eecb4e5e83e2  L, U and the pivots of a 500×500 matrix by getrf, blocks of 17
//	$ go run ./examples/lu -block 0 -workers 1
//	ab58eecb4e5e83e2  L, U and the pivots of a 500×500 matrix by getf2
//
// # Idea
//
// Section IV.A of the paper: getf2 is a sequence of rank-1 updates, and getrf
// one of blocks, "reproducible if the block size is fixed, which can be a
// restrictive requirement". With blas.Ordered the block size is free: each
// element of a product is one chain of fused multiply-adds over ascending p,
// and a chain goes on where the one before it has stopped. With a Dgemm that
// sums a product up before it adds the result to C, a test sees 6 different
// factorizations for 6 block sizes.
//
// # What fixes the bits
//
// Dger, Dtrsm and Dgemm of blas.Ordered compute the chains. Idamax compares,
// which rounds nothing, and Dgetf2 of blas/lapack multiplies a column by the
// rounded reciprocal of its pivot. Workers share out whole elements.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
package main
