package crmath

import (
	"github.com/lastbit/lastbit/crmath/internal/f64"
	"github.com/lastbit/lastbit/fp"
)

// Pown returns x^n, correctly rounded. It is exact where the power is
// representable.
//
// Special cases, in this order:
//
//	Pown(x, 0) = 1 for any x, also NaN
//	Pown(NaN, n) = NaN
//	Pown(±0, n) = ±Inf for odd n < 0
//	Pown(±0, n) = +Inf for even n < 0
//	Pown(±0, n) = ±0 for odd n > 0
//	Pown(±0, n) = +0 for even n > 0
//	Pown(+Inf, n) = +Inf for n > 0
//	Pown(+Inf, n) = +0 for n < 0
//	Pown(-Inf, n) = Pown(-0, -n)
//
// It is Pow, and costs as much, except that every bit of n counts. Beyond 2^53,
// n may not be a float64.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [LauterLefevre2009] Christoph Lauter and Vincent Lefèvre. An Efficient
//     Rounding Boundary Test for pow(x, y) in Double Precision. IEEE
//     Transactions on Computers 58(2):197–207, 2009.
func Pown(x float64, n int) float64 { return f64.Pown(x, n, fp.NearestEven) }

// PownSlice is ExpSlice for Pown with one exponent: it stores x[i]^n in dst[i].
// Negative elements are rare cases.
func PownSlice(dst, x []float64, n int) { f64.PownSlice(dst, x, n) }

// Compound returns (1+x)^n, correctly rounded: the growth over n periods at the
// rate x, without an error of 1+x.
//
// Special cases, in this order:
//
//	Compound(x, n) = NaN for x < -1
//	Compound(x, 0) = 1, also for x NaN
//	Compound(NaN, n) = NaN
//	Compound(±0, n) = 1
//	Compound(-1, n) = +Inf for n < 0
//	Compound(-1, n) = +0 for n > 0
//	Compound(+Inf, n) = +Inf for n > 0
//	Compound(+Inf, n) = +0 for n < 0
//
// About one call in 20,000 takes the accurate path, some 0.1 µs. The share
// grows with |n·ln(1+x)|, to one in 150. A result that is representable or a
// midpoint takes some 0.2 µs there. Nothing is allocated.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [LauterLefevre2009] Christoph Lauter and Vincent Lefèvre. An Efficient
//     Rounding Boundary Test for pow(x, y) in Double Precision. IEEE
//     Transactions on Computers 58(2):197–207, 2009.
func Compound(x float64, n int) float64 { return f64.Compound(x, n, fp.NearestEven) }

// CompoundSlice stores (1 + x[i])^n in dst[i] for all i, as PownSlice does
// x[i]^n. It has no vector kernel, and takes as long as a loop over Compound.
func CompoundSlice(dst, x []float64, n int) { f64.CompoundSlice(dst, x, n) }

// Rootn returns x^(1/n), the root of degree n, correctly rounded. It is exact
// where x is the n-th power of a representable number.
//
// Special cases, in this order:
//
//	Rootn(x, 0) = NaN
//	Rootn(NaN, n) = NaN
//	Rootn(±0, n) = ±Inf for odd n < 0
//	Rootn(±0, n) = +Inf for even n < 0
//	Rootn(±0, n) = ±0 for odd n > 0
//	Rootn(±0, n) = +0 for even n > 0
//	Rootn(x, n) = NaN for x < 0 and even n
//	Rootn(+Inf, n) = +Inf for n > 0
//	Rootn(+Inf, n) = +0 for n < 0
//	Rootn(-Inf, n) = -Inf for odd n > 0
//	Rootn(-Inf, n) = -0 for odd n < 0
//
// About one call in 20,000 takes the accurate path, some 0.1 µs. Nothing is
// allocated.
//
// References:
//   - [Tang1990] Ping-Tak Peter Tang. Table-Driven Implementation of the
//     Logarithm Function in IEEE Floating-Point Arithmetic. ACM Transactions on
//     Mathematical Software 16(4):378–400, 1990.
//   - [Ziv1991] Abraham Ziv. Fast Evaluation of Elementary Mathematical
//     Functions with Correctly Rounded Last Bit. ACM Transactions on
//     Mathematical Software 17(3):410–423, 1991.
//   - [LauterLefevre2009] Christoph Lauter and Vincent Lefèvre. An Efficient
//     Rounding Boundary Test for pow(x, y) in Double Precision. IEEE
//     Transactions on Computers 58(2):197–207, 2009.
func Rootn(x float64, n int) float64 { return f64.Rootn(x, n, fp.NearestEven) }

// RootnSlice stores x[i]^(1/n) in dst[i] for all i, as PownSlice does x[i]^n.
// It has no vector kernel, and takes as long as a loop over Rootn.
func RootnSlice(dst, x []float64, n int) { f64.RootnSlice(dst, x, n) }
