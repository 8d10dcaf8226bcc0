// Package exact sums floating-point numbers with the promise exact: a result is
// the correctly rounded value of the real sum. It depends on the multiset of
// the inputs only: not on their order, on how they were split, on the
// processor, the number of cores, or the machines.
//
//	exact.Sum([]float64{1e300, 1, -1e300}) // 1, where a loop gives 0
//
// # Functions and states
//
// [Sum], [Dot], [Asum], [Nrm2], [Mean], [Variance] and [StdDev] take slices of
// float64 or float32; the functions ending in Inc are the strided forms of the
// BLAS.
//
// An [Accumulator] takes numbers and products as they come, in 64 bytes while
// their exponents are near each other. Accumulators merge
// in any order and travel: as canonical bytes, or as vectors of integers that
// any engine's integer sum merges. [Moments], [Pairs], with a linear
// regression, [Extrema], [WeightedMean], [WeightedMoments] and [Histogram] do
// the same for statistics. [VarianceOf] and [StdDevOf] read a variance from two
// accumulators. They, [SumOf], [MeanOf] and
// [SqrtOf] round to float32, float64 or [Odd], from which a format of 16 bits
// is reached by one more rounding without an error. A [Shared] is an
// accumulator for several goroutines at once.
//
// # Promise
//
// Anyone can check a result with another exact tool: Python's math.fsum returns
// the same bits where it returns a number, except for the sign of a sum of −0
// only. A float32 result is rounded once, from the exact sum.
//
// # Special values
//
// An empty sum is +0; a sum of −0 only is −0. A sum is NaN if a summand is NaN,
// or if +Inf and −Inf both occur; otherwise an infinity that occurs is the sum.
// No intermediate sum overflows: max + max − max is max. Subnormal numbers are
// exact. Every NaN that is returned has the bits of math.NaN().
//
// # How it works
//
// Numbers are split into integers of a fixed unit, which add without rounding:
// a stream (stream.go) puts blocks through the folds of internal/kernel. Blocks
// that those do not take go through bins (bins.go) or straight to the limbs of
// a fixed-point number (limbs.go). Every way is exact. The way, and the SIMD
// width, change time only.
//
// The inner loops are methods of kernel.Level, which operand.fold calls
// (operand.go). Sum's loop is FoldSum2; its AVX-512 body is
// foldSum2Float64AVX512 in internal/kernel/fold_amd64.s. The doc comment of
// kernel.Folds derives why a fold is exact. The comment of each generator in
// internal/_asm states the contract of its bodies; the comment of package
// kernel (internal/kernel/doc.go) lists both.
//
// # Cost
//
// One pass. On one core, a sum of data larger than the cache takes about 1.3
// times as long as one that promises nothing; in the second-level cache 2.2
// times, and in the first 4.9 times. docs/reference/promises.md has the
// figures.
//
// References:
//   - [DemmelNguyen2013] James Demmel and Hong Diep Nguyen. Numerical
//     Reproducibility and Accuracy at ExaScale. 21st IEEE Symposium on Computer
//     Arithmetic (ARITH 21), pages 235–237, 2013.
//   - [JoanesGill1998] D. N. Joanes and C. A. Gill. Comparing Measures of
//     Sample Skewness and Kurtosis. Journal of the Royal Statistical Society,
//     Series D (The Statistician) 47(1):183–189, 1998.
//   - [Kulisch2011] Ulrich Kulisch and Van Snyder. The Exact Dot Product as
//     Basic Tool for Long Interval Arithmetic. Computing 91(3):307–313, 2011.
//   - [Neal2015] Radford M. Neal. Fast Exact Summation Using Small and Large
//     Superaccumulators. arXiv:1505.05571, 2015.
package exact
