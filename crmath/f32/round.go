package f32

import "math"

// guard bounds the distance, in ulps of float64, of y from a midpoint of two
// float32 where float32(y) is in doubt. It is at least 2^-45·|y|.
const guard = 1 << 8

// widenSubnormal returns x, which is subnormal or 0: f·2^-126 where widenMost
// has (1+f)·2^-127.
func widenSubnormal(x float32) float64 {
	v := widenMost(x)
	return math.Copysign(2*(math.Abs(v)-0x1p-127), v)
}

// widenNormal returns the normal number of bits b; ±Inf and NaN become numbers
// from 2^128 on. The processor's conversion to float64 keeps half of the
// register that it writes, and so waits for its old content, which may come
// from the call before. This does not.
func widenNormal(b uint32) float64 {
	return math.Float64frombits(uint64(int64(int32(b))<<29)&(1<<63|1<<60-1) + 896<<52)
}

// widenMost is widenNormal for a number that may also be subnormal or 0, and
// then becomes one next to 2^-127.
func widenMost(x float32) float64 { return widenNormal(math.Float32bits(x)) }

// unsure reports whether y has a midpoint of two float32 within guard: the 29
// bits that a float32 drops are near 2^28.
func unsure(y float64) bool {
	return (math.Float64bits(y)+(1<<28+guard))&(1<<29-2*guard) == 0
}

// wideGuard is a guard for results to 2^-40.
const wideGuard = 1 << 13

// undecided is unsure for wideGuard: one number in 33,000 is. Float64's
// functions, rounded to odd, decide these. Rounded once more, to nearest, such
// a result is the value rounded once (Boldo2008).
func undecided(y float64) bool {
	return (math.Float64bits(y)+(1<<28+wideGuard))&(1<<29-2*wideGuard) == 0
}

// withSign returns y, which is not negative, with the sign of v.
func withSign(y, v float64) float64 {
	return math.Float64frombits(math.Float64bits(y) | math.Float64bits(v)&(1<<63))
}

// within reports whether low ≤ |v| < high, for positive bounds.
func within(v, low, high float64) bool {
	return math.Float64bits(v)&^(1<<63)-math.Float64bits(low) <
		math.Float64bits(high)-math.Float64bits(low)
}
