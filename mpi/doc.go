// Package mpi lets the ranks of an MPI job add, compare, broadcast and exchange
// arrays, without cgo: Init loads the system's MPI library, Open MPI or MPICH
// (and those with MPICH's binary interface: Intel MPI, MVAPICH).
//
// mpirun starts a program once for each rank. The program puts its work in Run:
//
//	err := mpi.Run(mpi.Options{}, func(world *mpi.Comm) error {
//		x := []float64{float64(world.Rank())}
//		return mpi.Allreduce(world, x, mpi.Sum)
//	})
//
// Started without mpirun it is a world of one rank.
//
// # Promises
//
// [Sum] over floats promises nothing: its bits depend on the number of ranks,
// the length of the array, and the library (lastbit reveal mpi:allreduce shows
// the order). [AllreduceExact], for package exact, and [AllreduceWindow] and
// [AllreducePartial], for package binned, keep the promises of those packages:
// the bits do not depend on the number of ranks or on the distribution of the
// numbers among them.
//
// # Special values
//
// The reproducible sums treat NaN, ±Inf, −0 and the sum of nothing as packages
// exact and binned do; ranks without numbers take part. [Max] and [Min] of NaN
// and of zeros of both signs are up to the library.
//
// # Threads
//
// MPI is initialised for calls from any thread, one at a time
// (MPI_THREAD_SERIALIZED). This package makes them one at a time, so goroutines
// may share a Comm. As with any MPI, all ranks must call the collective
// functions of a Comm in the same order; goroutines that call them in their own
// order may wait for each other forever.
//
// Init ties the calling goroutine to its thread, because MPI_Finalize belongs
// to the thread of MPI_Init; Finalize unties it. Operations defined in Go run
// in the goroutine that called Allreduce or Reduce.
//
// The library may install signal handlers. This package gives the signals that
// Go's runtime needs back to it.
//
// # Errors
//
// A failed call returns an [*Error] with MPI's own words. MPI leaves the
// library's state undefined then: a program should end by Abort, which ends all
// ranks. Run does so when its function returns an error, panics or ends its
// goroutine: a rank that left in silence would let the others wait forever. For
// the same reason a rank must not call os.Exit before Run has returned; after
// an exit with code 0, MPICH's mpirun takes the whole job for a success. mpirun
// notices a rank that is killed, and ends the others.
//
// # Cost
//
// A reproducible sum is one reduction: of 139 int64 for package exact, of 9 + k
// float64 for the single sweep of package binned. Reduce copies the array of
// rank root; Allreduce, Bcast and SendReceive copy nothing.
//
// References:
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
package mpi
