package crmath

import "math"

// Where Hypot needs no scaling, as encodings, and by how much it scales elsewhere.
const (
	hypotLarge = (1023 + 500) << 52
	hypotSmall = (1023 - 450) << 52
	hypotFar   = 28 << 52 // the smaller argument does not count if its encoding is less by that
	hypotScale = 0x1p600
)

// hypotErr times the result bounds the error of the fast path, with room for ziv.
const hypotErr = 0x1p-73

// Hypot returns √(x²+y²), correctly rounded.
//
// Special cases: Hypot(±Inf, y) = Hypot(x, ±Inf) = +Inf; else Hypot(NaN, y) =
// Hypot(x, NaN) = NaN. It overflows only where the result does; below 2^-1022 the result is
// subnormal, and rounded once.
//
// About one call in 500,000 is decided by exact arithmetic, which takes some 0.2 µs, as do
// results that are midpoints, and subnormal ones. Nothing is allocated.
//
// The fast path: with s = x² + y² and r = √s, both rounded, the result is r + c, c = (x² + y² - r²)/(2·r),
// |c| < 2^-51.8·r. With 2^e ≤ max(|x|, |y|) < 2^(e+1), and so r < 2^(e+1.5), each number is cut into a head, a
// multiple of 2^(e-24), and a rest up to 2^(e-25). The heads' squares are multiples of 2^(2e-48) below
// 2^(2e+3): their sums are exact. What is lost, in units of 2^-76·r²:
//
//	1.5   the rests of x² and y²: the sum with the head, the product; x + y < 1.42·r
//	1     the rest of r²
//	2     two sums of these, below 2^-22.7·r²
//
// The last sum cancels all but 2^-51 of that, and loses nothing more. Half of this is c's error: 2.3·2^-76·r. What r
// and s are off themselves makes c wrong by 2^-51 of it, and c²/(2·r) is below 2^-104·r. hypotErr is 3.4 times
// that.
//
// References: Ziv1991
func Hypot(x, y float64) float64 {
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
	z := r + (c - e)
	if z != r+(c+e) {
		return hypotExact(x, y, z)
	}
	return z
}

// hypotRare is Hypot for x ≥ y ≥ 0 where one of them is extreme, or is ±Inf or NaN.
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
	// What is scaled is not extreme any more.
	z := Hypot(x*scale, y*scale) / scale
	if z <= 0x1p-1022 { // rounded twice, to 2^-1022 too
		return hypotExact(x, y, z)
	}
	return z
}

// hypotExact is Hypot where r is within an ulp of the result, or is +Inf. Squares and their sum are exact:
// those of x and y have 106 bits, and begin less than 58 bits apart; that of a midpoint has 108.
func hypotExact(x, y, r float64) float64 {
	const w = 4
	var s, t wide
	s.setFloat64(x, w)
	s.sqr(&s, w)
	t.setFloat64(y, w)
	t.sqr(&t, w)
	s.add(&s, &t, w)
	return s.nearest(min(r, math.MaxFloat64), 2, w)
}

// nearest returns the root of that degree, 2 or 3, of x, correctly rounded, where r is positive and within an ulp
// of it. Powers of r and of midpoints have w words at most.
func (x *wide) nearest(r float64, degree, w int) float64 {
	var t wide
	t.setFloat64(r, w)
	other, side := r, x.cmpPower(&t, degree, w)
	switch side {
	case 0:
		return r
	case 1:
		other = math.Float64frombits(math.Float64bits(r) + 1)
	case -1:
		other = math.Float64frombits(math.Float64bits(r) - 1)
	}
	// The midpoint, also where other is +Inf: half an ulp from r, on that side.
	var half wide
	ulp := math.Abs(other - r)
	if other > math.MaxFloat64 {
		ulp = 0x1p971
	}
	half.setFloat64(ulp, w)
	half.exp--
	if side < 0 {
		t.sub(&t, &half, w)
	} else {
		t.add(&t, &half, w)
	}
	switch beyond := x.cmpPower(&t, degree, w); {
	case beyond == side, beyond == 0 && math.Float64bits(r)&1 != 0:
		return other
	}
	return r
}

// cmpPower compares x with t², or t³: -1, 0 or 1.
func (x *wide) cmpPower(t *wide, degree, w int) int {
	p := *t
	for range degree - 1 {
		p.mul(&p, t, w)
	}
	return x.cmpAbs(&p, w)
}
