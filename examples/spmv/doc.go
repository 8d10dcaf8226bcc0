// Spmv multiplies a sparse matrix by a vector, and prints one hash for any
// number of workers.
//
//	$ go run ./examples/spmv -workers 2
//	d2431c76627e194d  A·x for a matrix of 2000 rows and 402728 values
//	$ go run ./examples/spmv -workers 3 -numbering 9
//	d2431c76627e194d  A·x for a matrix of 2000 rows and 402728 values
//	$ go run ./examples/spmv -dot ordered -workers 3
//	9c97c1b6388bce1b  A·x for a matrix of 2000 rows and 402728 values
//
// # Idea
//
// Section IV.A of the paper: products are reductions. Workers share the rows
// out, and each row is one dot product. Workers that share out the values of a
// row and add their parts return other bits for each number of workers: a test
// sees 6 different vectors for 1 to 6 workers.
//
// # What fixes the bits
//
// With -dot exact, exact.Dot rounds a row's product once, so another numbering
// of the columns changes nothing either. With -dot ordered, ordered.Dot adds
// the products of a row by the one tree of their number: the columns have to
// keep their order.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
package main
