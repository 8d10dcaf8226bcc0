// Poisson solves −Δu = f on the unit square by finite elements, and prints one
// hash for any order of the elements and any number of workers.
//
//	$ go run ./examples/poisson -workers 2
//	1b4b3f1b5c1629e9  −Δu = f on 3200 triangles, error 0.000168 after 51 iterations
//	$ go run ./examples/poisson -workers 3 -order 5
//	1b4b3f1b5c1629e9  −Δu = f on 3200 triangles, error 0.000168 after 51 iterations
//
// The error is the root of the mean square of the differences to the analytic
// solution, sin(πx)·eʸ, in the points of the mesh.
//
// # Idea
//
// Section IV.A of the paper names four steps: the contributions of the basis
// functions, the assembly of the matrix, the assembly of the right-hand side,
// and the solution. Triangles are assembled in a random order. With += in that
// order, a test sees 8 different matrices for 8 orders, and a solver starts
// from there.
//
// # What fixes the bits
//
//   - Contributions: integrals add in the order of a triangle's corners, and
//     crmath.Sin and crmath.Exp give f the same bits everywhere.
//   - Assembly: an exact.Accumulator adds the contributions to each value of
//     the matrix and of the right-hand side, where known values on the boundary
//     go as well.
//   - Solution: conjugate gradients with exact dot products, and an incomplete
//     Cholesky factorization in one order. See examples/cg.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
package main
