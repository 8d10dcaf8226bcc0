// Package ordered sums float64 and float32 by one published tree, at the speed
// of a sum that promises nothing.
//
// Promise: ordered. The bits of a result are fixed by the sequence of the inputs.
// They are the same on every CPU and operating system, with every SIMD width,
// number of threads and alignment. They do depend on the order of the inputs;
// package exact has sums that do not.
//
// # The tree
//
// Let t[0], …, t[n−1] be the summands, and a ⊕ b their sum rounded to nearest, ties
// to even, in the format of the inputs. There are L lanes, 64 of float64 or 128 of
// float32, and a block is 128·L summands. Then
//
//	chain(b, i)   = (t[128Lb + i] ⊕ t[128Lb + i + L]) ⊕ t[128Lb + i + 2L] ⊕ …   to the end of block b
//	lane(b, c, i) = chain(b, i)                         if c = b + 1
//	              = lane(b, m, i) ⊕ lane(m, c, i)       else, with m − b the largest power of two below c − b
//	half(L, i)    = lane(0, ⌈n / 128L⌉, i)
//	half(w, i)    = half(2w, i) ⊕ half(2w, i + w)       for w = L/2, L/4, …, 1
//	result        = half(1, 0)
//
// where a sum of no summands is absent, and what is absent is not added. In words:
// summand k is in lane k mod L. Within a block a lane is added from first to last;
// over the blocks a lane is added pairwise; at last the upper half of the lanes is
// added to the lower half until one lane is left.
//
// For ten summands of float64, one in each of the first ten lanes, this is
// ((((0 8) 4) (2 6)) (((1 9) 5) (3 7))):
//
//	lane    0       1       2     3     4     5     6     7     8     9
//	        │       │       │     │     │     │     │     │     │     │
//	i + 8   0⊕8     1⊕9     │     │     │     │     │     │
//	        │       │       │     │     │     │     │     │
//	i + 4   08⊕4    19⊕5    2⊕6   3⊕7
//	        │       │       │     │
//	i + 2   084⊕26  195⊕37
//	        │       │
//	i + 1   08426⊕19537
//
// The height of the tree is at most h = 127 + log₂ L + ⌈log₂ ⌈n / 128L⌉⌉, that is
// 144 for 10⁷ summands of float64, so that a sum differs from the exact one by at
// most γ·Σ|t[k]| with γ = hu / (1 − hu) and u = 2⁻⁵³, or 2⁻²⁴ for float32; the
// left-to-right sum has h = n − 1. A dot product has h + 1 for h, as long as no
// product underflows.
//
// # Special values
//
// IEEE 754's, in the processor's standard mode, which Go assumes: a C library that sets
// another one on a thread changes these sums too. A sum with a NaN, or with both infinities, is NaN (its sign and payload
// are not promised). A partial sum may overflow, to an infinity, though the
// whole would not. The sum of nothing is +0; a sum of −0 only is −0. Subnormals
// are kept.
//
// # Cost
//
// One pass, at the speed of the memory or, for what is in the first-level cache, of
// the loads; nothing is allocated. A slice of 16 MiB or more is summed by as many
// goroutines as GOMAXPROCS allows, on whole subtrees. A kernel holds the lanes in eight
// registers of AVX-512, in the sixteen of AVX2 or in 24 of NEON and eight places
// of the cache; elsewhere, and with the build tag purego, it is plain Go.
package ordered

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/internal/kernel"
)

// best is the kernel that this processor runs fastest.
var best = kernel.Best()

// Sum returns x[0] ⊕ … ⊕ x[n−1] by the tree of the package comment.
// Promise: ordered.
func Sum[T float32 | float64](x []T) T {
	return total(best, kernel.OrderedSum, x, nil)
}

// Dot returns x[0]⊗y[0] ⊕ … ⊕ x[n−1]⊗y[n−1] by the tree of the package comment,
// ⊗ being the product rounded to T. Promise: ordered.
//
// The products are rounded, not fused with the additions: with vectors either
// takes as long as loading two operands, but where a processor has no fused
// multiply-add, one takes thirty times as long. A product may overflow or
// underflow. Dot panics when x and y differ in length; they may overlap.
func Dot[T float32 | float64](x, y []T) T {
	if len(x) != len(y) {
		panic(fmt.Sprintf("ordered: Dot of %d and %d elements: both slices must have the same length", len(x), len(y)))
	}
	return total(best, kernel.OrderedDot, x, y)
}

// Asum returns |x[0]| ⊕ … ⊕ |x[n−1]| by the tree of the package comment. A sum of
// zeros is +0. Promise: ordered.
func Asum[T float32 | float64](x []T) T {
	return total(best, kernel.OrderedAsum, x, nil)
}

// Nrm2 returns √(x[0]⊗x[0] ⊕ … ⊕ x[n−1]⊗x[n−1]), the sum S by the tree of the
// package comment, the root rounded to nearest. Promise: ordered.
//
// When S is not in [2⁻⁹⁰⁰, ∞), [2⁻⁸⁰, ∞) for float32, squares have overflowed or
// may have underflowed, and the norm is √S′·2^e instead: S′ is the sum of the squares
// (x[k]·2^−e)² by the same tree, and 2^e ≤ max |x[k]| < 2^(e+1), or the nearest
// to it of −1022 ≤ e ≤ 1022, −126 ≤ e ≤ 126 for float32. Only a norm that is
// itself too large is +Inf.
//
// The norm of nothing, and of zeros, is +0; it is NaN with any NaN, and else +Inf
// with any infinity. A norm that needs e takes two more passes, in plain Go.
func Nrm2[T float32 | float64](x []T) T {
	return nrm2(best, x)
}

func nrm2[T float32 | float64](level kernel.Level, x []T) T {
	s := total(level, kernel.OrderedSquares, x, nil)
	least, emax := T(0x1p-900), 1022
	if kernel.OrderedLanes[T]() == 128 {
		least, emax = T(0x1p-80), 126
	}
	if s >= least && !math.IsInf(float64(s), 1) || s != s {
		return sqrt(s)
	}
	largest := maxAbs(x)
	if largest == 0 || math.IsInf(float64(largest), 1) {
		return largest
	}
	e := min(max(math.Ilogb(float64(largest)), -emax), emax)
	s = scaledSquares(level, x, T(math.Ldexp(1, -e)))
	return sqrt(s) * T(math.Ldexp(1, e))
}

// sqrt is rounded once: √ of a float32 is never so close to the middle between
// two of them that rounding it to float64 first would matter.
func sqrt[T float32 | float64](s T) T { return T(math.Sqrt(float64(s))) }

// maxAbs returns the largest |x[k]| of numbers that are not NaN.
func maxAbs[T float32 | float64](x []T) (m T) {
	for _, v := range x {
		if v = T(math.Abs(float64(v))); v > m { // max is much slower, for its care of NaN and −0
			m = v
		}
	}
	return m
}
