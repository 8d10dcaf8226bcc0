package ordered

import (
	"fmt"
	"math"

	"github.com/lastbit/lastbit/internal/kernel"
)

// best is the level that this processor runs fastest.
var best = kernel.Best()

// Sum returns x[0] ⊕ … ⊕ x[n−1] by the tree of the package comment.
//
// Promise: ordered. Special values: as in the package comment; the sum of
// nothing is +0, of −0 only −0. Error: at most γ·Σ|x[k]|. Cost: one pass, about
// as much as a sum that promises nothing; nothing is allocated.
func Sum[T float32 | float64](x []T) T {
	return total(best, kernel.OrderedSum, x, nil)
}

// Dot returns x[0]⊗y[0] ⊕ … ⊕ x[n−1]⊗y[n−1] by the tree of the package comment,
// where ⊗ is the product rounded to T. It panics if x and y differ in length;
// they may overlap.
//
// The products are rounded, not fused with the additions. With vectors either
// takes as long as loading two operands, but a processor without a fused
// multiply-add takes thirty times as long to emulate one.
//
// Promise: ordered. Special values: as in the package comment; a product may
// overflow or underflow, and 0·∞ is NaN. Error: at most γ·Σ|x[k]·y[k]| with h +
// 1 for h. Cost: as much as Sum, for two operands.
func Dot[T float32 | float64](x, y []T) T {
	if len(x) != len(y) {
		panic(fmt.Sprintf("ordered: Dot of %d and %d elements: "+
			"both slices must have the same length", len(x), len(y)))
	}
	return total(best, kernel.OrderedDot, x, y)
}

// Asum returns |x[0]| ⊕ … ⊕ |x[n−1]| by the tree of the package comment.
//
// Promise: ordered. Special values: NaN if any x[k] is NaN, else +Inf if any is
// infinite or the sum overflows; a sum of zeros is +0. Error: at most
// γ·Σ|x[k]|. Cost: as much as Sum.
func Asum[T float32 | float64](x []T) T {
	return total(best, kernel.OrderedAsum, x, nil)
}

// Nrm2 returns √S with S = x[0]⊗x[0] ⊕ … ⊕ x[n−1]⊗x[n−1] by the tree of the
// package comment, the root rounded to nearest.
//
// If S is outside of [2⁻⁹⁰⁰, ∞), or [2⁻⁸⁰, ∞) for float32, squares have
// overflowed or may have underflowed, and the norm is √S′·2^e instead: S′ is
// the sum of the squares (x[k]·2^−e)² by the same tree, with
// 2^e ≤ max |x[k]| < 2^(e+1), e being clamped to [−1022, 1022], or [−126, 126]
// for float32. So only a norm that is itself too large is +Inf.
//
// Promise: ordered. Special values: the norm of nothing and of zeros is +0; it
// is NaN with any NaN, else +Inf with any infinity. Cost: as much as Sum; a
// norm that needs e takes two more passes in plain Go.
func Nrm2[T float32 | float64](x []T) T {
	return nrm2(best, x)
}

// nrm2 is Nrm2 at a level.
func nrm2[T float32 | float64](level kernel.Level, x []T) T {
	s := total(level, kernel.OrderedSquares, x, nil)
	minSafe, maxExponent := T(0x1p-900), 1022
	if kernel.OrderedLanes[T]() == 128 {
		minSafe, maxExponent = T(0x1p-80), 126
	}
	if s >= minSafe && !math.IsInf(float64(s), 1) || s != s {
		return sqrt(s)
	}
	largest := maxAbs(x)
	if largest == 0 || math.IsInf(float64(largest), 1) {
		return largest
	}
	e := min(max(math.Ilogb(float64(largest)), -maxExponent), maxExponent)
	s = scaledSquares(level, x, T(math.Ldexp(1, -e)))
	return sqrt(s) * T(math.Ldexp(1, e))
}

// sqrt rounds once: the root of a float32 is never so close to the middle
// between two of them that rounding it to float64 first would matter.
func sqrt[T float32 | float64](s T) T { return T(math.Sqrt(float64(s))) }

// maxAbs returns the largest |x[k]|. No x[k] may be NaN.
func maxAbs[T float32 | float64](x []T) (m T) {
	for _, v := range x {
		// The builtin max is much slower, for its care of NaN and −0.
		if v = T(math.Abs(float64(v))); v > m {
			m = v
		}
	}
	return m
}
