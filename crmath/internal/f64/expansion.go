package f64

import "math"

// expansion is the row of a function f for a point c. It holds f(c) as the sum
// of two numbers, f'(c) as the sum of a number of 26 bits and one of 53, and
// the coefficients of the rest of f(c+h), over h², for |h| ≤ 2^-8 where nothing
// else is stated. The points are 2^-7 apart. For c = 0 and odd functions only
// the odd coefficients are not 0, and f'(0) is between 1 and 1.2.
type expansion struct{ hi, lo, slopeHi, slopeLo, c2, c3, c4, c5, c6, c7 float64 }

// Below tiny, the fifth power of x and its products with small coefficients
// would be subnormal, which takes time. The functions are x or 1 there. With
// x³, a series gives x or 1 from 2^-27 down too, without a branch that is hard
// to predict.
const tiny = 0x1p-200

// Relative errors of expansion.at: of the terms from h² on, and of all terms.
const (
	expansionErrSquare = 0x1.4p-50
	expansionErr       = 0x1p-68
)

// expansionPoint returns the row, modulo 2^13, of the point c next to x, and
// x - c, which is exact; unit is 1.5·2^45 and the last point of the table.
func expansionPoint(x, unit float64) (row uint64, h float64) {
	shifted := x + unit
	return math.Float64bits(shifted) % (1 << 13), x - (shifted - unit)
}

// at returns hi + lo ≈ f(c+h) and a bound |e| of the error, with room for ziv,
// for |c+h| ≥ tiny and |h| ≤ 2^-8, where |f'(c)·h| < 1.2·|f(c+h)| and, except
// for odd functions and c = 0, |c3·h| < |c2|/5.9. So w, below, has the sign of
// c2, or the sign of c3·h for c = 0. square is expansionErrSquare, with a minus
// where w and f(c+h) differ in sign. The bound allows for polynomials that are
// off by 0x1.8p-69·|f(c+h)| and by 2^-52·|w|, or for c = 0 by the latter alone
// (TestExpansions).
//
// With D = D1 + D2 the derivative and h1 = head(h), D1·h1 is exact, and so are
// hi and s: f(c) is 0, or larger than that product.
//
//	f(c+h) = f(c) + D1·h1 + (D1·(h-h1) + D2·h) + w,  w = h²·(c2 + c3·h + …)
//
// Errors, in units of 2^-53·|w|:
//
//	2     h², and the product with it; for c = 0 the product c3·h replaces
//	      a sum below
//	2     the polynomial: its coefficients, mostly the first
//	2.4   the sum that begins with c2, the sum with the other terms
//	0.4   the other terms
//	2     the sums with w
//	1     ziv
//
// Together that is below 10. The products and sums of the other terms, below
// 2^-25·|D·h|, and ziv add less than 8·2^-78·|D·h|, or 2^-74·|f(c+h)|.
func (t *expansion) at(h, square float64) (hi, lo, e float64) {
	h1, h2 := head(h), float64(h*h)
	c67 := float64(float64(h2*h2) * (t.c6 + float64(h*t.c7)))
	w := float64(h2 * ((t.c2 + float64(h*t.c3)) + (float64(h2*(t.c4+float64(h*t.c5))) + c67)))
	hi, s := fastTwoSum(t.hi, float64(t.slopeHi*h1))
	lo = s + (w + (t.lo + (float64(t.slopeHi*(h-h1)) + float64(t.slopeLo*h))))
	return hi, lo, float64(w*square) + float64(hi*expansionErr)
}

// fusedAt is at. Next to c = 2^-7 the product may have more than half of f(c):
// the sum takes two steps.
func (t *expansion) fusedAt(h, square float64) (hi, lo, e float64) {
	h2 := float64(h * h)
	c67 := float64(float64(h2*h2) * (t.c6 + float64(h*t.c7)))
	w := float64(h2 * ((t.c2 + float64(h*t.c3)) + (float64(h2*(t.c4+float64(h*t.c5))) + c67)))
	p := float64(t.slopeHi * h)
	hi, s := fastTwoSum(t.hi, p)
	lo = s + (w + (t.lo + math.FMA(t.slopeLo, h, math.FMA(t.slopeHi, h, -p))))
	return hi, lo, float64(w*square) + float64(hi*expansionErr)
}
