package wide

import (
	"math"

	"github.com/lastbit/lastbit/fp"
)

// The format of float64: bits of precision, the exponent of the smallest
// positive number, and the exponent of the first power of two beyond the
// largest one.
const (
	Precision   = 53
	MinExponent = -1074
	MaxExponent = 1024
)

const infinity = 0x7ff << 52 // the encoding of +Inf

// Float64 rounds to nearest, once, a number that x approximates, in n+1 words,
// with a relative error below 2^(-64n). The result may be subnormal or ±Inf. It
// returns false where that error hides the result.
func (x *Float) Float64(n int) (float64, bool) {
	u, ok := x.round(n)
	return x.signed(u), ok
}

// ExactFloat64 rounds x itself, in n words, to nearest, ties to even.
func (x *Float) ExactFloat64(n int) float64 { return x.signed(x.roundExact(n)) }

// ExactRounded is ExactFloat64 in direction m.
func (x *Float) ExactRounded(n int, m fp.Mode) float64 {
	if m == fp.NearestEven || x.IsZero() || x.Exp <= MaxExponent && x.isShort(n) {
		return x.ExactFloat64(n)
	}
	r, _ := x.Rounded(n, m)
	return r
}

// isShort reports whether x, in n words, has no bits after those that a float64
// keeps.
func (x *Float) isShort(n int) bool {
	keep := x.kept()
	return keep > 0 && allBits(x.M[:n], keep, 0)
}

// Rounded is Float64 in direction m.
func (x *Float) Rounded(n int, m fp.Mode) (float64, bool) {
	if m == fp.NearestEven || x.IsZero() {
		return x.Float64(n)
	}
	up := m == fp.Up && !x.Neg || m == fp.Down && x.Neg
	keep := x.kept()
	switch {
	case x.Exp > MaxExponent && up:
		return x.signed(infinity), true
	case x.Exp > MaxExponent:
		return x.signed(infinity - 1), true
	case keep <= 0: // below 2^-1074, or close to it
		if m == fp.ToOdd || up {
			return x.signed(1), keep < 0 || !allBits(x.M[:n], 0, math.MaxUint64)
		}
		return x.signed(0), keep < 0 || !allBits(x.M[:n], 0, math.MaxUint64)
	}
	q := x.M[0] >> (64 - keep)
	near := allBits(x.M[:n], keep, 0) || allBits(x.M[:n], keep, math.MaxUint64)
	switch {
	case m == fp.ToOdd:
		q |= 1
	case up:
		q++
	}
	return x.signed(x.assemble(keep, q)), !near
}

// signed returns the number that u encodes, with the sign of x.
func (x *Float) signed(u uint64) float64 {
	if x.Neg {
		u |= 1 << 63
	}
	return math.Float64frombits(u)
}

// kept returns the number of bits of x that a float64 holds: negative where x
// is below half of the smallest number.
func (x *Float) kept() int { return min(Precision, x.Exp-MinExponent) }

// assemble returns the encoding of q units in the last place, where keep bits
// of x were kept. A carry into q may make it the next power of two, or +Inf.
func (x *Float) assemble(keep int, q uint64) uint64 {
	if keep < Precision { // subnormal, or 2^-1022 by a carry
		return q
	}
	return uint64(x.Exp-Precision-MinExponent)<<(Precision-1) + q
}

// round is Float64 without the sign. The error is less than one unit of the
// last bit of M[:n]: so x is too close to a midpoint if and only if the bits
// after those kept are 1000… or 0111….
func (x *Float) round(n int) (uint64, bool) {
	if x.IsZero() {
		return 0, true
	}
	if x.Exp > MaxExponent {
		return infinity, true
	}
	keep := x.kept()
	switch {
	case keep < -1:
		return 0, true
	case keep == -1: // 0 is kept, the bit of half a unit is 0, then come the bits of x
		return 0, !allBits(x.M[:n], 0, math.MaxUint64)
	}
	half := x.M[keep/64] >> (63 - keep%64) & 1
	var q uint64
	if keep > 0 {
		q = x.M[0] >> (64 - keep)
	}
	return x.assemble(keep, q+half), !allBits(x.M[:n], keep+1, half-1)
}

// allBits reports whether all bits from bit i on equal the pattern, which is 0
// or all ones.
func allBits(m []uint64, i int, pattern uint64) bool {
	w := i / 64
	if (m[w]^pattern)<<(i%64) != 0 {
		return false
	}
	for _, v := range m[w+1:] {
		if v != pattern {
			return false
		}
	}
	return true
}

// roundExact is ExactFloat64 without the sign.
func (x *Float) roundExact(n int) uint64 {
	if x.IsZero() {
		return 0
	}
	if x.Exp > MaxExponent {
		return infinity
	}
	keep := x.kept()
	if keep < 0 {
		return 0
	}
	var q uint64
	if keep > 0 {
		q = x.M[0] >> (64 - keep)
	}
	up := x.M[keep/64]>>(63-keep%64)&1 != 0
	if up && (q&1 != 0 || !allBits(x.M[:n], keep+1, 0)) {
		q++
	}
	return x.assemble(keep, q)
}
