// Package bench runs the experiments of lastbit bench: what each promise costs
// on this machine and how accurate it is, side by side with sums and functions
// that promise nothing.
//
//   - sums.go, accuracy.go, ranks.go: sums, as figures;
//   - math.go: elementary functions, as tables; mathprint.go and mathdraw.go
//     print and draw them.
package bench
