// Csr assembles a sparse matrix from elements that come in any order, and
// prints one hash for all orders.
//
//	$ go run ./examples/csr -workers 2
//	c3f8f37e8704aef0  CSR matrix with 2000 rows and 26000 values, of 320000 contributions
//	$ go run ./examples/csr -workers 5 -order 7
//	c3f8f37e8704aef0  CSR matrix with 2000 rows and 26000 values, of 320000 contributions
//
// # Idea
//
// Section IV.A of the paper: matrices in compressed row storage are made "by
// incrementally adding non-zero values", and several contributions to one place
// are a reduction. Here the order of the elements is random, workers share them
// out, and the first worker to finish is the first to merge. With += in the
// order of arrival, a test sees 8 different matrices for 8 orders.
//
// # What fixes the bits
//
// An exact.Accumulator adds the contributions to a place, and rounds their sum
// once. The places are sorted.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
package main
