// Package mpi makes targets of the reductions of an MPI library, to find out
// the order of MPI_SUM over ranks: "mpi:allreduce", "mpi:mpich:reduce".
//
//	target, err := mpi.Open(ctx, "allreduce", probe.Spec{N: 8})
//
// A target of n summands is a job of n ranks: mpirun starts this program again,
// n times, and each rank holds one summand of every lane; see ServeIfWorker.
// The library adds in the format of the inputs, and decides how to treat NaN,
// infinities and −0.
//
// Every rank is a process. Ranks of MPICH spin while they wait, so many ranks
// on few processors are slow: 64 on two processors take more than a minute to
// be revealed, and more ranks than a machine can run are refused. A rank that
// dies ends its job, which is a *probe.Fault, and the next call starts another.
//
// A job keeps its files in its own folder and removes it, however the host
// ends. If the job itself is killed, the next job removes its files.
package mpi
