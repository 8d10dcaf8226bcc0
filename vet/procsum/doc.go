// Package procsum finds floating-point sums that are split by the number of
// processors.
//
// A loop that is shared among runtime.GOMAXPROCS or runtime.NumCPU goroutines
// makes as many partial sums, so the order of additions depends on the machine:
//
//	workers := runtime.GOMAXPROCS(0)
//	partial := make([]float64, workers)
//
// A variable of the package that holds this number, and a function that returns
// it, count as well.
//
// Split into blocks of a fixed length instead, and add the sums of the blocks
// in order; any number of goroutines may share those. Package ordered of
// lastbit does so.
package procsum
