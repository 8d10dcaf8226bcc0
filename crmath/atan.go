package crmath

import "math"

// Forms of the angles of atanTable, and the signs of what is added to them.
const (
	atanAngle      = iota // α
	atanSupplement        // π - α
)

var atanSign = [2]float64{1, -1}

const (
	// atanLarge: from there on, arctan x rounds as π/2 does, whose next midpoint is 2^-55 away.
	atanLarge = 0x1p60

	// The error of Atan, see there: times t², and absolute.
	atanErrSquare = 0x1.9p-57
	atanErrLeast  = 0x1p-75

	// The error of angle: times t³, and relative.
	angleErrCube     = 0x1.8p-51
	angleErrRelative = 0x1.8p-68

	// angle works for numbers between these, whose quotients and products it
	// computes.
	angleLeast = 0x1p-400
	angleMost  = 0x1p400
)

// Atan returns arctan x, correctly rounded.
//
// Special cases: Atan(±0) = ±0, Atan(±Inf) = ±π/2, Atan(NaN) = NaN. Subnormal arguments
// are results.
//
// About one call in 30,000 needs the accurate path, which takes some 3 µs. Nothing is
// allocated.
//
// References: Tang1989, Ziv1991, LefevreMuller2001.
func Atan(x float64) float64 {
	a := math.Abs(x)
	if !(a >= trigSmall && a < atanLarge) {
		return atanRare(x)
	}
	// With a tangent c = sin/cos from the table, arctan a = arctan c + arctan t,
	//
	//	t = n/d, n = a·cos - sin, d = cos + a·sin,
	//
	// where c = 0 and cos = 0 begin and end the table. sin has 5 bits, cos is 0 or 1, |t| < 0x1.05p-6.
	// n is exact (Sterbenz), and so are d1 of 35 bits and d2 < 2^-19·d, as a1 has 20.
	// q is off by 2^-51.4 of t. q1·d1 is exact, as q1, a multiple of 2^-24, has 18 bits; so are the
	// difference n - q1·d1 and, but for 2^-78, the whole remainder. The product
	// q2 < 2^-24.9 is off by 3.5·2^-53 of itself, 2^-76.1.
	u := math.Float64bits(a)
	i := atanRow(u)
	c, v := &atanTangent[i], &atanTable[atanAngle][i]
	a1 := math.Float64frombits(u &^ (1<<33 - 1))
	n := float64(a*c.cos) - c.sin
	d1 := c.cos + float64(a1*c.sin)
	d2 := float64((a - a1) * c.sin)
	inv := 1 / (d1 + d2)
	q := float64(n * inv)
	q1 := coarse(q, 0x1.8p28)
	q2 := float64(((n - float64(q1*d1)) - float64(q1*d2)) * inv)
	// arctan t - t: units of 2^-53·|t³|/3 are lost by q (9.1), the products t² and t³ (2), the
	// sum that begins with -1/3 (0.8), the polynomial (0.5), the product (1), the two last sums
	// (2) and ziv (1): 16.4, below 2^-50.5·|t³|, and with |t| < 0x1.05p-6 below atanErrSquare·t².
	// The sums lose another 2^-77 where t is small.
	t2 := float64(q * q)
	hi := v.hi + q1
	lo := (q1 - (hi - v.hi)) + ((v.lo + q2) + float64(float64(q*t2)*atanPoly(t2)))
	e := atanErrLeast + float64(t2*atanErrSquare)
	r := hi + (lo - e)
	if r != hi+(lo+e) {
		r = atanAccurate(a, r)
	}
	return math.Copysign(r, x)
}

// atanPoly returns (arctan t - t)/t³.
func atanPoly(t2 float64) float64 {
	t4 := float64(t2 * t2)
	return (atanC3 + float64(t2*atanC5)) + float64(t4*((atanC7+float64(t2*atanC9))+float64(t4*atanC11)))
}

// atanRow returns the row of the tangent next to the positive number with encoding u.
func atanRow(u uint64) int {
	return min(max(int((u+1<<(51-atanBits))>>(52-atanBits))-(atanFirst-1), 0), atanRows-1)
}

// atanRare is Atan where |x| < trigSmall or |x| ≥ atanLarge, or x is NaN.
func atanRare(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < trigTiny || x != x:
		return x
	case a >= atanLarge:
		return math.Copysign(math.Pi/2, x)
	}
	hi, lo, e := oddSmall(x, -1.0/3, 1.0/5)
	r, ok := ziv(hi, lo, e)
	if !ok {
		return math.Copysign(atanAccurate(a, a), x)
	}
	return r
}

// atanAccurate is Atan for x > 0, whose arcus tangent is not a rational number.
func atanAccurate(x, guess float64) float64 {
	for n := wideFirst; ; n = min(2*n+1, wideTrigLast) {
		var z, y, one wide
		y.setFloat64(x, n+1)
		one.setUint(1, n+1)
		z.setAtan2(&y, &one, guess, n)
		if r, ok := z.float64(n); ok || n == wideTrigLast {
			return r
		}
	}
}

// angle returns hi + lo, the given form of arctan((yh+yl)/(xh+xl)), and a bound e of the
// error, for yh and xh that are not negative and not both 0, |yl| ≤ 2^-53·yh, |xl| ≤ 2^-53·xh;
// quotient is yh/xh to 2^-50.
//
// It is Atan's algorithm with n = y·cos - x·sin, d = x·cos + y·sin. Both are sums of an exact
// part, from the first 20 bits of x and y (n1, d1 of 36 bits), and one that is
// 2^-19 of x·sin or y·cos; q1 has 17 bits, rounded, relative, as t may be of any size.
//
// What is lost, relative to the result: where the table's angle is 0, q2 < 2^-17·t, the remainder, 1/d,
// their product, the sum with t³ and ziv lose 6·2^-53 of q2: 2^-67.4. Else t is below 2^-5 of the
// angle, so that this is below 2^-72; but there n2 and the remainder's sums and products lose
// 5·2^-72 of x·sin/d or y·cos/d, which are below the angle: 2^-69.7. The other tail,
// arctan t - t, is as in Atan.
func angle(yh, yl, xh, xl, quotient float64, form int) (hi, lo, e float64) {
	i := atanRow(math.Float64bits(quotient))
	c, v, sign := &atanTangent[i], &atanTable[form][i], atanSign[form]
	y1, x1 := head20(yh), head20(xh)
	y2, x2 := (yh-y1)+yl, (xh-x1)+xl
	n1 := float64(y1*c.cos) - float64(x1*c.sin)
	n2 := float64(y2*c.cos) - float64(x2*c.sin)
	d1 := float64(x1*c.cos) + float64(y1*c.sin)
	d2 := float64(x2*c.cos) + float64(y2*c.sin)
	inv := 1 / (d1 + d2)
	q := float64((n1 + n2) * inv)
	q1 := math.Float64frombits((math.Float64bits(q) + 1<<35) &^ (1<<36 - 1))
	q2 := float64(((n1 - float64(q1*d1)) + (n2 - float64(q1*d2))) * inv)
	t2 := float64(q * q)
	t3 := float64(q * t2)
	q1 = float64(q1 * sign)
	hi = v.hi + q1
	lo = (q1 - (hi - v.hi)) + (v.lo + float64(sign*(q2+float64(t3*atanPoly(t2)))))
	return hi, lo, float64(math.Abs(t3)*angleErrCube) + float64(math.Abs(hi)*angleErrRelative)
}

// head20 returns x truncated to 20 bits.
func head20(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ (1<<33 - 1))
}

// Atan2 returns the angle of the point (x, y), in [-π, π], correctly rounded: arctan(y/x)
// for positive x.
//
// Special cases, in order:
//
//	Atan2(y, NaN) = Atan2(NaN, x) = NaN
//	Atan2(±0, x) = ±0 for x ≥ +0, ±π for x ≤ -0
//	Atan2(y, ±0) = ±π/2, with the sign of y
//	Atan2(±Inf, +Inf) = ±π/4, Atan2(±Inf, -Inf) = ±3π/4
//	Atan2(y, +Inf) = ±0, Atan2(y, -Inf) = ±π, with the sign of y
//	Atan2(±Inf, x) = ±π/2
//
// Where y/x overflows, the result is ±π/2; where it underflows and x > 0, it is subnormal or 0,
// rounded once. Cost as for Atan.
//
// References: Tang1989, Ziv1991.
func Atan2(y, x float64) float64 {
	a, b := math.Abs(y), math.Abs(x)
	if !(a > angleLeast && a < angleMost && b > angleLeast && b < angleMost) {
		return atan2Rare(y, x)
	}
	hi, lo, e := angle(a, 0, b, 0, a/b, atanAngle+int(math.Float64bits(x)>>63))
	r := hi + (lo - e)
	if r != hi+(lo+e) {
		r = atan2Accurate(a, x, r)
	}
	return math.Copysign(r, y)
}

// atan2Rare is Atan2 for special cases, and for what angle does not take.
func atan2Rare(y, x float64) float64 {
	r := 0.0 // the absolute value
	switch {
	case x != x || y != y:
		return math.NaN()
	case y == 0 || math.IsInf(x, 0) && !math.IsInf(y, 0):
		if math.Signbit(x) {
			r = math.Pi
		}
	case math.IsInf(x, 1):
		r = math.Pi / 4
	case math.IsInf(x, -1):
		r = 3 * math.Pi / 4
	case x == 0 || math.IsInf(y, 0):
		r = math.Pi / 2
	default:
		e := math.Ilogb(x)
		switch d := math.Ilogb(y) - e; {
		case d >= 64: // the quotient is above 2^63: as in atanRare
			r = math.Pi / 2
		case d > -64: // scaled exactly
			return Atan2(math.Ldexp(y, -e), math.Ldexp(x, -e))
		case x < 0:
			r = math.Pi
		default:
			r = atan2Tiny(math.Abs(y), x)
		}
	}
	return math.Copysign(r, y)
}

// atan2Accurate is Atan2 for positive y and finite x but 0: the angle of a point with such
// coordinates is not a rational number.
func atan2Accurate(y, x, guess float64) float64 {
	if guess < 0x1p-60 {
		return atan2Tiny(y, x)
	}
	for n := wideFirst; ; n = min(2*n+1, wideTrigLast) {
		var z, a, b wide
		a.setFloat64(y, n+1)
		b.setFloat64(x, n+1)
		z.setAtan2(&a, &b, guess, n)
		if r, ok := z.float64(n); ok || n == wideTrigLast {
			return r
		}
	}
}

// atan2Tiny is Atan2 for positive y and x with y/x < 2^-60: less than y/x, by at most 2^-121 of
// it. The quotient of two numbers of 53 bits is a number of 54 bits, or at least
// 2^-108 away from all of them; so the result is what a number a little smaller than the
// quotient rounds to, also where the quotient is subnormal.
func atan2Tiny(y, x float64) float64 {
	const n = wideFirst
	var z, d wide
	z.setFloat64(y, n)
	d.setFloat64(x, n)
	z.div(&z, &d, n)
	d.set(&z, n)
	d.exp -= 121
	z.sub(&z, &d, n)
	return z.exactFloat64(n)
}
