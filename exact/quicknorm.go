package exact

import (
	"math"

	"github.com/lastbit/lastbit/internal/eft"
)

// maxQuick bounds the elements of a norm by quickNorm, and maxQuickApart bounds
// them where the elements are apart: an accumulator is faster for more.
const (
	maxQuick      = 256
	maxQuickApart = 1024
)

// quickNorm returns the root of the sum of the squares of n ≥ 1 elements,
// inc > 0 apart, if a sum of twice the precision decides how to round it, or if
// all are zeros.
//
// Let u = 2^−53, S the sum of the squares and n ≤ 1024. Each step is exact
// except the additions to low, whose terms are at most u·(S + x²) in magnitude:
// their errors are below (n+2)²·u²·S < 2^−85·S. (Errors of squares below 2^−969
// are far below S ≥ 2^−800.) Let r be the root of high, rounded, and
// t = (high − r² + low)/2r, where high − r² is exact, and 1/2r is r/2·high:
// that division need not wait for the root. √S is r + t up to half the error of
// low over r, t²/2r and six roundings of t, with |t| < 2^−42·r: in all below
// 2^−84·r. It rounds as r + t does if both ends of a larger interval around it
// do.
func quickNorm(n int, x []float64, inc int) (norm float64, ok bool) {
	x = x[:(n-1)*inc+1]
	high, low := eft.TwoProd(x[0], x[0])
	for i := inc; n > 1; i, n = i+inc, n-1 {
		square, rest := eft.TwoProd(x[i], x[i])
		sum, err := eft.TwoSum(high, square)
		high, low = sum, low+(err+rest)
	}
	if !(high >= 0x1p-800 && high <= 0x1p1000) {
		return 0, high == 0 && areZero(x, inc)
	}
	r, inverse := math.Sqrt(high), 0.5/high
	t := float64((math.FMA(-r, r, high) + low) * float64(r*inverse))
	slack := float64(r * 0x1p-83)
	norm = r + (t - slack)
	return norm, norm == r+(t+slack)
}

// areZero reports whether elements inc > 0 apart are zeros. Squares that
// underflow are, too.
func areZero(x []float64, inc int) bool {
	for i := 0; i < len(x); i += inc {
		if x[i] != 0 {
			return false
		}
	}
	return true
}
