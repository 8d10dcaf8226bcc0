// Package binned sums floating-point numbers by the published reproducible
// algorithms: it cuts each element at boundaries that do not depend on the
// order, and adds the parts between two boundaries without any rounding.
//
//	s, err := binned.SingleSweep(x, 3) // in any order, the same bits
//
// # Promise
//
// Binned: the multiset of the values, n and the parameters (the algorithm and
// its number of levels k) fix the bits of a result, in float32 and in float64.
// They are the same in any order, for any split among goroutines or machines,
// for any tree of merges, and on any CPU. Here n is the number that is passed
// to the algorithm. All algorithms except [OneReduction] choose their
// boundaries by it, so the same values with another zero among them may sum to
// other bits.
//
// # Which to choose
//
// Package exact promises more in no more time: the correctly rounded sum. It
// does not depend on n or on any parameter, needs no error bound, and can be
// checked with other tools. Choose it, unless results must agree with, or be
// compared to, one of these:
//
//	                 paper         algorithm       passes  reductions  levels  operations
//	Algorithm3       Demmel2013    3, and 3_k      2       max, sum    k       4
//	Algorithm4       Demmel2013    4, and 4_k      2       max, sum    k       12
//	DoubleSweep      Arteaga2014   3, appendix     2       max, sum    k       4
//	SingleSweep      Arteaga2014   2, III.B        1       one         k + 1   4
//	OneReduction     DemmelNguyen2015              1       one         k       4
//
// Operations are those per value and level.
//
// One level (k = 1) is about as accurate as the error bound of a plain sum, or
// worse by up to a factor of n: n²·u·max|x|. Each further level multiplies the
// error by about n·u, until only the rounding of the result remains: two levels
// do for most data, three for the single sweep, whose first level may lie far
// above the data. Algorithm 4 is the fastest where the processor can round
// downward. Go cannot ask it to, and emulating that rounding makes it the
// slowest here.
//
// The algorithms with two reductions find the maximum first: see [Partial].
// Those with one reduction merge windows of a fixed grid of levels: see
// [Window]. Both give their state as a vector of float64 for MPI.
//
// # Special values
//
// A NaN, or +Inf and −Inf together, give NaN; +Inf or −Inf alone give that.
// They are counted and never enter a sum. An empty sum is +0, and a sum of
// zeros of either sign is +0 too: the algorithms start from T := 0. Subnormal
// numbers are numbers like others. Where an extractor would overflow, its level
// works on values scaled by a power of two, with the result that there would be
// without a largest exponent; ±Inf comes out only if the sum itself rounds to
// it.
//
// # Errors
//
// It is an error if the number of levels k is below 1 or above [MaxLevels], or
// if n is above [MaxCount] where n matters: 2^49 for float64, 2^20 for float32.
//
// # Cost
//
// Nothing is allocated for k up to 8. On a current amd64 core a level takes
// about as long as a plain loop that adds, half a nanosecond per value (four
// times that in Algorithm 4), and finding the maximum takes as long again. MPI
// carries 9 + k numbers for the single sweep, 8 + 2k for OneReduction, and 5 +
// k for the others besides the maximum.
//
// Algorithm and theorem numbers of Demmel2013, and the k-fold forms, follow the
// slides of its talk.
//
// References:
//   - [Demmel2013] James Demmel and Hong Diep Nguyen. Fast Reproducible
//     Floating-Point Summation. 21st IEEE Symposium on Computer Arithmetic
//     (ARITH 21), pages 163–172, 2013.
//   - [DemmelNguyen2013] James Demmel and Hong Diep Nguyen. Numerical
//     Reproducibility and Accuracy at ExaScale. 21st IEEE Symposium on Computer
//     Arithmetic (ARITH 21), pages 235–237, 2013.
//   - [Arteaga2014] Andrea Arteaga, Oliver Fuhrer and Torsten Hoefler.
//     Designing Bit-Reproducible Portable High-Performance Applications. 28th
//     IEEE International Parallel and Distributed Processing Symposium (IPDPS),
//     pages 1235–1244, 2014.
//   - [DemmelNguyen2015] James Demmel and Hong Diep Nguyen. Parallel
//     Reproducible Summation. IEEE Transactions on Computers 64(7):2060–2070,
//     2015.
package binned
