// Package bench lists the experiments of lastbit bench: the cost and the
// accuracy of each promise on this machine, side by side with sums and
// functions that promise nothing. An experiment is a package:
//
//   - sums: the figures of the papers on sums;
//   - math: time and accuracy of elementary functions;
//   - blas: the speed of package blas, beside OpenBLAS and gonum;
//   - accel: the speed of emulated matrix units, and their arithmetic;
//   - reveal: the time to reveal an order;
//   - stoch: the cost of stochastic arithmetic;
//   - digits: the cost of programs that lastbit digits has rewritten.
//
// Package experiment defines the interface that they implement, and package
// openblas calls OpenBLAS for two of them. In each, verb.go holds the help and
// the flags, and print.go writes the tables.
package bench
