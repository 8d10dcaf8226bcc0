// Stencil computes a field step by step on a grid whose rows are shared out
// among the ranks of an MPI job, and prints one hash for any number of ranks,
// and without MPI.
//
//	$ go run ./examples/stencil -workers 2
//	93c28dde4dec3f97  field of 200×200 values after 100 steps, norm 175.57542728997885 (ranks: 1)
//	$ go build ./examples/stencil
//	$ mpirun -n 3 ./stencil -mpi -workers 1
//	93c28dde4dec3f97  field of 200×200 values after 100 steps, norm 175.57542728997885 (ranks: 3)
//
// # Idea
//
// Section IV.B of the paper: a stencil is reproducible if its function is and
// if all ranks see the values that they need. The function here is one of Allen
// and Cahn's equation, which separates two phases. Its steps are as long as the
// norm of the whole field allows, as they are in most solvers. So all ranks
// reduce in each step, and a last bit of that norm reaches every value: with
// norms whose parts are added in the order of the ranks, a test sees 6
// different fields for 1 to 6 ranks.
//
// # What fixes the bits
//
// Each value is computed from its neighbours in one order, wherever its row is:
// Field.Step of examples/internal/grid. mpi.SendReceive exchanges the rows
// between ranks, and mpi.AllreduceExact adds the squares of all ranks' values
// without rounding.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
//   - [AllenCahn1979] Samuel M. Allen and John W. Cahn. A Microscopic Theory
//     for Antiphase Boundary Motion and Its Application to Antiphase Domain
//     Coarsening. Acta Metallurgica 27(6):1085–1095, 1979.
package main
