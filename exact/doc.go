// Package exact sums floating-point numbers with the promise exact: a result is the
// correctly rounded value of what real arithmetic gives, so that it depends on the
// multiset of the inputs only, and on neither their order, nor how they were split,
// nor the processor, the number of cores or the machines. Anyone can check it with
// another tool: Python's math.fsum gives the same bits, where it gives a number, but
// for the sign of a sum of −0 only.
//
//	exact.Sum([]float64{1e300, 1, -1e300}) // 1, where a loop gives 0
//
// Sum, Dot, Asum, Nrm2, Mean, Variance and StdDev take slices of float64 or float32; the
// functions ending in Inc are the strided forms of the BLAS. An Accumulator takes
// numbers and products as they come; accumulators merge, in any order, and travel: as
// canonical bytes, or as vectors of integers that any engine's integer sum merges.
// Moments, Pairs, with a regression, and Extrema do the same for statistics.
//
// Out of cache a sum takes about as long as one that promises nothing; within the
// first-level cache, up to five times as long.
package exact
