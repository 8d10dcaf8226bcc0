package f64

import "math"

// Single calls of functions that are multiples of their arguments next to 0.

// fusedSlope returns hi + lo = x·(c + rest), where c + rest is a constant to
// 106 bits, with an error below 2^-102 of it, where lo is not subnormal.
func fusedSlope(x, c, rest float64) (hi, lo float64) {
	hi = float64(x * c)
	return hi, math.FMA(x, c, -hi) + float64(x*rest)
}

// linear returns a function of the slope c + rest at 0, for |x| < 2^-40 where
// its next term is below 2^-100.3 of the first.
//
// It computes with 2^600 times the numbers. There, the smallest normal number
// is linearUnit. Results below that are rounded as parts of a sum with it, as
// in roundSubnormal. Next to it, others may be rounded to too many bits, and
// mean nothing.
func linear(x, c, rest float64) (r float64, ok bool) {
	const linearUnit = 0x1p-422
	a, up := math.Abs(x), 0x1p600
	if a < 0x1p-1022 { // as a product, that takes time
		a, up = float64(int64(math.Float64bits(a))), 0x1p-474
	}
	hi, lo := fusedSlope(float64(a*up), c, rest)
	base, scale := 0.0, int64(600<<52)
	if hi < linearUnit {
		base, scale = linearUnit, int64(601<<52)
	}
	s, t := fastTwoSum(base, hi)
	y, ok := ziv(s, t+lo, float64(hi*0x1p-99)+float64(base*0x1p-104))
	r = math.Float64frombits(math.Float64bits(y) - uint64(scale))
	return withSign(r, x), ok && y >= linearUnit
}

// Below oddLinear, linear holds for the functions of half turns and arcs in
// them, whose next term is the cube: less than 3.3·x² of the first.
const oddLinear = 0x1p-51
