// Package bench runs the experiments of lastbit bench: the cost and the
// accuracy of each promise on this machine, side by side with sums and
// functions that promise nothing.
//
//   - sums.go, accuracy.go, ranks.go: sums, as figures;
//   - math.go: elementary functions, as tables; mathprint.go and mathdraw.go
//     print and draw them;
//   - blas.go: the speed of package blas, as a table; blascases.go lists the
//     routines, blaslib.go calls OpenBLAS, blascore.go chooses its kernels,
//     blasprint.go prints and draws;
//   - reveal.go: the time to reveal an order, as a table and figures;
//     revealcases.go lists the targets, revealprint.go prints the table;
//   - stoch.go: the cost of stochastic arithmetic, as a table; stochpairs.go
//     and stochprograms.go are the benchmarks, stochprint.go prints and draws;
//   - digits.go: the cost of instrumented programs, as a table; kernels is the
//     program, digitsprint.go prints.
package bench
