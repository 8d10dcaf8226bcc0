// Cg solves a sparse system by preconditioned conjugate gradients, and prints
// one hash for any number of workers.
//
//	$ go run ./examples/cg -workers 2
//	50fb9d67c530731b  solution of 3600 equations after 408 iterations
//	$ go run ./examples/cg -workers 7 -numbering 9
//	50fb9d67c530731b  solution of 3600 equations after 408 iterations
//	$ go run ./examples/cg -dot ordered -precond cholesky -workers 2
//	6cf4c8ae7cc21853  solution of 3600 equations after 128 iterations
//	$ go run ./examples/cg -dot ordered -precond cholesky -workers 5
//	6cf4c8ae7cc21853  solution of 3600 equations after 128 iterations
//
// # Idea
//
// Section IV.A of the paper: a solver relies on products of a matrix and a
// vector, on dot products, and on the preconditioner. An iteration feeds every
// last bit of a dot product into all unknowns. With dots of parts that are
// added in the order of the workers, a test sees 6 different solutions for 1 to
// 6 workers.
//
// # What fixes the bits
//
// With -dot exact, the workers' parts of a dot product are merged by
// exact.Accumulator, and rows are multiplied by exact.Dot. With Jacobi's
// preconditioner, which divides by the diagonal, the whole solver then does not
// depend on the numbering of the unknowns. With -dot ordered, both are
// ordered.Dot, and the numbering counts. So it does for the incomplete Cholesky
// factorization, whose order is in the comment of sparse.Cholesky, in
// examples/internal/sparse. The solver is sparse.Solver.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
//   - [HestenesStiefel1952] Magnus R. Hestenes and Eduard Stiefel. Methods of
//     Conjugate Gradients for Solving Linear Systems. Journal of Research of
//     the National Bureau of Standards 49(6):409–436, 1952.
//   - [MeijerinkVorst1977] J. A. Meijerink and H. A. van der Vorst. An
//     Iterative Solution Method for Linear Systems of Which the Coefficient
//     Matrix Is a Symmetric M-Matrix. Mathematics of Computation
//     31(137):148–162, 1977.
package main
