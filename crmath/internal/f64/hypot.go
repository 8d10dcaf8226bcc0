package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// Hypot needs no scaling between hypotSmall and hypotLarge, as encodings, and
// scales by hypotScale elsewhere.
const (
	hypotLarge = (1023 + 500) << 52
	hypotSmall = (1023 - 450) << 52
	hypotFar   = 28 << 52 // an argument whose encoding is less by that does not count
	hypotScale = 0x1p600
)

// hypotErr times the result bounds the error of the fast path, with room for
// ziv.
const hypotErr = 0x1p-73

// Hypot is crmath.Hypot.
func Hypot(x, y float64) float64 {
	// With s = x² + y² and r = √s, both rounded, the result is r + c with c =
	// (x² + y² - r²)/(2·r), |c| < 2^-51.8·r. With 2^e ≤ max(|x|, |y|) <
	// 2^(e+1), so that r < 2^(e+1.5), each number is cut into a head, a
	// multiple of 2^(e-24), and a rest up to 2^(e-25). The squares of heads are
	// multiples of 2^(2e-48) below 2^(2e+3): their sums are exact. Errors, in
	// units of 2^-76·r²:
	//
	//	1.5   the rests of x² and y²: the sum with the head, the product;
	//	      x + y < 1.42·r
	//	1     the rest of r²
	//	2     two sums of these, below 2^-22.7·r²
	//
	// The last sum cancels all but 2^-51 of that, and loses nothing more. Half
	// of this is the error of c: 2.3·2^-76·r. The errors of r and s make c
	// wrong by 2^-51 of it, and c²/(2·r) is below 2^-104·r. hypotErr is 3.4
	// times that.
	u, v := math.Float64bits(x)&^(1<<63), math.Float64bits(y)&^(1<<63)
	u, v = max(u, v), min(u, v)
	if !(u < hypotLarge && v > hypotSmall && u-v < hypotFar) {
		return hypotRare(math.Float64frombits(u), math.Float64frombits(v))
	}
	s := float64(x*x) + float64(y*y)
	r := math.Sqrt(s)
	unit := math.Float64frombits(u&^(1<<52-1) + (28<<52 | 1<<51)) // 1.5·2^(e+28)
	xh, yh, rh := coarse(x, unit), coarse(y, unit), coarse(r, unit)
	d := ((float64(xh*xh) + float64(yh*yh)) - float64(rh*rh)) +
		((float64((x-xh)*(x+xh)) + float64((y-yh)*(y+yh))) - float64((r-rh)*(r+rh)))
	c := float64(d * float64(r*(0.5/s)))
	e := float64(r * hypotErr)
	z, ok := ziv(r, c, e)
	if !ok {
		return hypotExact(x, y, z)
	}
	return z
}

// hypotRare is Hypot for x ≥ y ≥ 0 where one of them is extreme, or is ±Inf or
// NaN.
func hypotRare(x, y float64) float64 {
	switch {
	case x > math.MaxFloat64 || y > math.MaxFloat64:
		return math.Inf(1)
	case x != x || y != y:
		return math.NaN()
	case y <= float64(x*0x1p-27):
		return x // y²/(2·x) < 2^-55·x
	}
	scale := hypotScale
	if x > 1 {
		scale = 1 / hypotScale
	}
	z := Hypot(x*scale, y*scale) / scale
	if z <= 0x1p-1022 { // the division has rounded a second time
		return hypotExact(x, y, z)
	}
	return z
}

// hypotExact is Hypot where r is within an ulp of the result, or is +Inf.
// Squares and their sum are exact: those of x and y have 106 bits, and begin
// less than 58 bits apart; that of a midpoint has 108.
func hypotExact(x, y, r float64) float64 {
	const w = 4
	var s, t wide.Float
	s.SetFloat64(x, w)
	s.Sqr(&s, w)
	t.SetFloat64(y, w)
	t.Sqr(&t, w)
	s.Add(&s, &t, w)
	return s.NearestRoot(min(r, math.MaxFloat64), 2, w)
}
