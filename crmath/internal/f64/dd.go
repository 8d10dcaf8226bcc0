package f64

import "math"

// Error-free transforms without fused multiply-add. Each product that feeds a
// sum is written float64(…), which keeps compilers from fusing it.

// twoSum returns s = a+b, rounded, and e with s+e = a+b: TwoSum of Knuth, The
// Art of Computer Programming, volume 2, section 4.2.2, theorem B.
func twoSum(a, b float64) (s, e float64) {
	s = a + b
	t := s - a
	return s, (a - (s - t)) + (b - t)
}

// fastTwoSum is twoSum for |a| ≥ |b|, or a = 0 (Dekker1971).
func fastTwoSum(a, b float64) (s, e float64) {
	s = a + b
	return s, b - (s - a)
}

// magnitude returns the encoding of |x|. It is ordered as |x| is, with NaN
// above all numbers, and takes less time to compare.
func magnitude(x float64) uint64 { return math.Float64bits(x) &^ (1 << 63) }

// head returns x truncated to 26 bits. The product of two heads is exact, and
// so is x - head(x), which has 27 bits at most.
func head(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ (1<<27 - 1))
}

// coarse returns x rounded to a multiple of 2^(k-52), where unit is 1.5·2^k and
// |x| is below 2^(k-1): a head whose bits end at a fixed place, in less time
// than head. x - coarse(x, unit) is exact.
func coarse(x, unit float64) float64 { return (x + unit) - unit }

// twoProd returns p = x·y, rounded, and e with p+e = x·y up to 2^-103·|p|,
// where the smallest partial product is above 2^-1022 (Dekker1971). As heads
// are truncated, the partial product of the tails, below 2^-50·|p|, may have 54
// bits, and is rounded.
func twoProd(x, y float64) (p, e float64) {
	p = float64(x * y)
	xh, yh := head(x), head(y)
	xl, yl := x-xh, y-yh
	return p, ((float64(xh*yh) - p) + float64(xh*yl) + float64(xl*yh)) + float64(xl*yl)
}

// ziv is the rounding test of Ziv1991. The true value differs from hi+lo by
// less than e. That bound includes 2^-53·(|lo|+e) for the two sums in here. If
// ok, r is the true value rounded to nearest. hi+lo is not near the subnormal
// range.
//
// Every fast path ends here; the compiler inlines it.
func ziv(hi, lo, e float64) (r float64, ok bool) {
	r = hi + (lo - e)
	return r, r == hi+(lo+e)
}
