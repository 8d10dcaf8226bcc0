package lapack

import (
	"math"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/internal/eft"
)

// hypot is crmath.Hypot, sooner for most arguments: many loops wait for its
// result.
//
// Let s be the rounded sum of the squares, low the rest of the sum with an
// error below 2^−103·s, and r the root of s, rounded, so that s − r² is exact.
// The result before rounding is r + t up to half the error of low over r, t²/2r
// and roundings of t, with |t| < 2^−51·r: in all below 2^−100·r. It rounds as
// r + t does if both ends of a larger interval around it do.
func hypot(x, y float64) float64 {
	high, lowX := eft.TwoProd(x, x)
	square, lowY := eft.TwoProd(y, y)
	s, low := eft.TwoSum(high, square)
	low += lowX + lowY
	if !(s >= 0x1p-800 && s <= 0x1p1000) {
		return crmath.Hypot(x, y)
	}
	r, inverse := math.Sqrt(s), 0.5/s
	t := float64((math.FMA(-r, r, s) + low) * float64(r*inverse))
	slack := float64(r * 0x1p-95)
	norm := r + (t - slack)
	if norm != r+(t+slack) {
		return crmath.Hypot(x, y)
	}
	return norm
}
