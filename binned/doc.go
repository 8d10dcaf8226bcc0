// Package binned sums floating-point numbers by the published reproducible
// algorithms: each element is cut at boundaries that do not depend on the
// order, and what lies between two boundaries is added without any rounding.
//
// # The promise
//
// Binned: the bits of a result are fixed by the multiset of the values, n and
// the parameters (the algorithm and its number of levels k), in float32 and in
// float64. They are the same in any order, for any split among goroutines or
// machines, any tree of merges, and on any CPU. Here n is the number that the
// algorithm was told: all algorithms but [OneReduction] choose their boundaries
// by it, so that the same values with another zero among them may sum to other
// bits.
//
// # Which to choose
//
// Package exact promises more for no more time: the correctly rounded sum,
// which does not depend on n or on any parameter, has no bound to reason about,
// and can be checked with other tools. Choose it, unless results have to agree
// with, or be compared to, one of these:
//
//	                 passes  reductions  levels    operations per value and level
//	Algorithm3       2       max, sum    k         4     Reproducible Sum, k-fold
//	Algorithm4       2       max, sum    k         12    Faster Reproducible Sum, k-fold
//	DoubleSweep      2       max, sum    k         4
//	SingleSweep      1       one         k + 1     4
//	OneReduction     1       one         k         4     any n
//
// One level (k = 1) is about as accurate as the error bound of a plain sum, or
// worse by up to a factor of n: n²·u·max|x|. Each further level multiplies the
// error by about n·u, until nothing remains but the rounding of the result: two
// levels do for most data, three for the single sweep, whose first level may
// lie far above the data. Algorithm 4 is the fastest where the processor can
// round downward; Go cannot ask it to, so that emulating that rounding makes it
// the slowest here.
//
// The algorithms with two reductions find the maximum first: see [Partial].
// Those with one merge windows onto a fixed grid of levels: see [Window]. Both
// give their state as a vector of float64 for MPI.
//
// # Special values
//
// A NaN, or +Inf and −Inf, give NaN; +Inf or −Inf alone give that. They are
// counted and never enter a sum. No values at all give +0, and so do zeros of
// any sign: the algorithms start from T := 0. Subnormal numbers are numbers
// like others. Where an extractor would overflow, that level works on values
// scaled by a power of two, with the same result as if there were no largest
// exponent; ±Inf comes out only if the sum itself rounds to it.
//
// # Errors and cost
//
// A number of levels k below 1 or above [MaxLevels] is an error, and so is n
// above [MaxCount] where n matters: 2^20 for float32. Nothing allocates for k
// up to 8. On a current amd64 core a level takes about as long as a plain loop
// that adds, half a nanosecond per value (four times that in Algorithm 4), and
// finding the maximum as much again. What MPI carries is 9 + k numbers for the
// single sweep, 8 + 2k for OneReduction, and 5 + k for the others beside the
// maximum.
//
// References: Demmel2013, DemmelNguyen2013, Arteaga2014, DemmelNguyen2015
package binned
