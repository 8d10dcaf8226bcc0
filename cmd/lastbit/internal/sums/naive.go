package sums

import (
	"math"

	"github.com/lastbit/lastbit/fp"
)

// The naive result is the one of a textbook: a loop from the first row to the
// last, in the format of the result, and for a variance the formula of one
// pass.

// rounding rounds the result of an operation to a format.
type rounding func(float64) float64

// roundingTo returns the rounding to float64 or float32. An operation on
// float32 numbers in float64, rounded once more, is the operation in float32:
// 53 bits are more than 2·24 + 1, so the first rounding does no harm (S. A.
// Figueroa, "When is double rounding innocuous?", SIGNUM Newsletter 30(3),
// 1995).
func roundingTo(f fp.Format) rounding {
	if f == fp.Binary32 {
		return func(x float64) float64 { return float64(float32(x)) }
	}
	return func(x float64) float64 { return x }
}

func naiveSum(s [2]float64, _ int64, _ rounding) float64 { return s[0] }

func naiveMean(s [2]float64, n int64, r rounding) float64 { return r(s[0] / r(float64(n))) }

func naiveNorm(s [2]float64, _ int64, r rounding) float64 { return r(math.Sqrt(s[0])) }

// naiveVariance returns (Σx² − (Σx)²/n) / (n − ddof).
func naiveVariance(ddof int64) func([2]float64, int64, rounding) float64 {
	return func(s [2]float64, n int64, r rounding) float64 {
		square := r(float64(s[0] * s[0]))
		return r(r(s[1]-r(square/r(float64(n)))) / r(float64(n-ddof)))
	}
}

func naiveDeviation(ddof int64) func([2]float64, int64, rounding) float64 {
	variance := naiveVariance(ddof)
	return func(s [2]float64, n int64, r rounding) float64 {
		return r(math.Sqrt(variance(s, n, r)))
	}
}

// addNaively adds rows to a sum, one after the other, in the format of T.
func addNaively[T float32 | float64](s float64, part summand, x, y []float64) float64 {
	t := T(s)
	switch part {
	case values:
		for _, v := range x {
			t += T(v)
		}
	case magnitudes:
		for _, v := range x {
			t += T(math.Abs(v))
		}
	case squares:
		for _, v := range x {
			t += T(T(v) * T(v))
		}
	case products:
		y = y[:len(x)]
		for i, v := range x {
			t += T(T(v) * T(y[i]))
		}
	}
	return float64(t)
}
