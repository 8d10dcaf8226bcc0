package f64

import (
	"math"

	"github.com/lastbit/lastbit/crmath/internal/vector"
	"github.com/lastbit/lastbit/crmath/internal/wide"
	"github.com/lastbit/lastbit/fp"
)

const (
	// The table of expansions ends at atanMiddle, the table of tangents at
	// atanLarge.
	atanMiddle = 1
	atanLarge  = 0x1p6

	// From atanHuge on, arctan x rounds as π/2 does, whose next midpoint, and
	// the next float64, are 2^-55 away or more.
	atanHuge = 0x1p60

	// atanErr bounds the error of atanSum.
	atanErr = 0x1.4p-70

	// The error of atan2Sum: times t³, and relative.
	atan2ErrCube     = 0x1.8p-51
	atan2ErrRelative = 0x1.ap-68

	// Atan2 computes quotients and their cubes of numbers between 2^-160 and
	// 2^160, here by their biased exponents.
	atan2Least = 1023 - 160
	atan2Most  = 1023 + 160
)

// atanAngle is a row of atanTable.
type atanAngle struct{ sin, cos, hi, lo float64 }

// Atan is directed.Atan, and crmath.Atan to nearest. The arc tangent of a
// number other than 0 is irrational.
func Atan(x float64, m fp.Mode) float64 {
	u := magnitude(x)
	if u-magnitude(tiny) < magnitude(atanMiddle)-magnitude(tiny) {
		i, h := expansionPoint(x, 0x1.8p45+atanMiddle)
		hi, lo, e := atanNear[i%uint64(len(atanNear))].at(h, -expansionErrSquare)
		r, ok := ziv(hi, lo, e)
		if !ok || m != fp.NearestEven {
			return atanSettle(x, hi, lo, e, m)
		}
		return r
	}
	if u-magnitude(atanMiddle) >= magnitude(atanLarge)-magnitude(atanMiddle) {
		return atanRare(x, m)
	}
	a := math.Float64frombits(u)
	row := &atanTable[0][atanRow(u)+1]
	q, q1, q2 := atanQuotient(a, head19(a), row.sin)
	hi, lo := atanSum(row.hi, row.lo, q, q1, q2)
	r, ok := ziv(hi, lo, atanErr)
	if !ok || m != fp.NearestEven {
		r = settle(wide.Atan, a, hi, lo, atanErr, mirrored(m, x))
	}
	return withSign(r, x)
}

// atanSettle is settle for arcs near 0.
func atanSettle(x, hi, lo, e float64, m fp.Mode) float64 {
	if isLinear(x, m) {
		return besideZero(x, -x, m)
	}
	return settle(wide.Atan, x, hi, lo, e, m)
}

// atanQuotient returns q ≈ t and q1 + q2 ≈ t with arctan a = arctan c + arctan
// t, for 1 ≤ a < atanLarge and the tangent c next to it in the table:
//
//	t = n/d, n = a - c, d = 1 + a·c.
//
// c has 6 bits, and |t| < 0x1.05p-7. n is exact, by Sterbenz's lemma, and so
// are d1 of 36 bits and d2 < 2^-18·d, as a1 = head19(a). q is off by 2^-51.4 of
// t. q1·d1 is exact, as q1 is a multiple of 2^-24 below 2^-6·a; so is the
// difference n - q1·d1 and, up to 2^-78, the whole remainder. The product q2 <
// 2^-24.9 is off by 3.5·2^-53 of itself, 2^-76.1, and the sums that contain it
// are off by less.
func atanQuotient(a, a1, c float64) (q, q1, q2 float64) {
	d1, d2 := 1+float64(a1*c), float64((a-a1)*c)
	inv := 1 / (d1 + d2)
	q = float64((a - c) * inv)
	q1 = coarse(q, 0x1.8p28)
	return q, q1, float64((((a - c) - float64(q1*d1)) - float64(q1*d2)) * inv)
}

// atanSum returns the sum of an angle, in two parts, and arctan t, for the
// results of atanQuotient, with an error below atanErr. Errors of arctan t - t,
// in units of 2^-53·|t³|/3: q (9.1), the products t² and t³ (2), the sum that
// begins with -1/3 (0.8), the product (1), the two last sums (2) and ziv (1):
// 15.9. The polynomial adds 2^-49.4·|t³|. For |t| < 0x1.05p-7 that is below
// 2^-69.75.
func atanSum(angle, rest, q, q1, q2 float64) (hi, lo float64) {
	t2 := float64(q * q)
	hi = angle + q1
	tail := float64(float64(q*t2) * (atanC3 + float64(t2*(atanC5+float64(t2*atanC7)))))
	return hi, (q1 - (hi - angle)) + ((rest + q2) + tail)
}

// withSign returns r, whose sign bit is 0, with the sign of x.
func withSign(r, x float64) float64 {
	return math.Float64frombits(math.Float64bits(r) | math.Float64bits(x)&(1<<63))
}

// atanOuter returns (arctan t - t)/t³ for |t| < 0x1.05p-6.
func atanOuter(t2 float64) float64 {
	return (atanOuterC3 + float64(t2*atanOuterC5)) +
		float64(float64(t2*t2)*(atanOuterC7+float64(t2*atanOuterC9)))
}

// atanRow returns the index of the tangent next to the positive number that u
// encodes. As an unsigned number it is below atanRows-2 for every tangent of
// the table except the first and the last.
func atanRow(u uint64) uint64 {
	return (u+1<<(51-atanBits))>>(52-atanBits) - atanFirst
}

// head19 returns x truncated to 19 bits.
func head19(x float64) float64 {
	return math.Float64frombits(math.Float64bits(x) &^ (1<<34 - 1))
}

// atanRare is Atan where |x| is below tiny or beyond the table, or x is NaN.
func atanRare(x float64, m fp.Mode) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case a < tiny:
		return besideZero(x, -x, m)
	case a >= atanHuge:
		return besideQuarter(math.Pi/2, x, m)
	}
	hi, lo, e := atanInverse(a)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		r = settle(wide.Atan, a, hi, lo, e, mirrored(m, x))
	}
	return withSign(r, x)
}

// besideQuarter returns a number of quarters of π, with the sign of x, rounded
// in direction m. Each of the four is above c, the float64 next to it, by more
// than 2^-55.
func besideQuarter(c, x float64, m fp.Mode) float64 {
	if m != fp.NearestEven {
		c = beside(c, 1, mirrored(m, x))
	}
	return withSign(c, x)
}

// atanInverse returns hi + lo ≈ arctan a = π/2 - arctan 1/a and a bound e of
// the error, for atanLarge ≤ a < atanHuge: as in atanQuotient, with q1 of 18
// bits and a1 of 19.
func atanInverse(a float64) (hi, lo, e float64) {
	v := &atanTable[0][atanRows-1]
	a1 := head19(a)
	inv := 1 / a
	q1 := coarse(inv, 0x1.8p28)
	q2 := float64(((1 - float64(q1*a1)) - float64(q1*(a-a1))) * inv)
	t2 := float64(inv * inv)
	hi = v.hi - q1
	lo = ((v.hi - hi) - q1) + ((v.lo - q2) - float64(float64(inv*t2)*atanOuter(t2)))
	return hi, lo, 0x1p-75 + float64(t2*0x1.9p-57) // |t| < 2^-6
}

// atanLane is Atan. It computes Atan2(x, 1), whose steps serve numbers of every
// size, and has its bound.
func atanLane(x float64) (r float64, ok bool) {
	a := math.Abs(x)
	if a < tiny {
		return x, true
	}
	if a >= atanHuge {
		return math.Copysign(math.Pi/2, x), true
	}
	r, ok = atan2Ziv(bounded(a, tiny, atanHuge), 1)
	return withSign(r, x), ok
}

func atanCall(x float64) (r float64, ok bool) {
	u := magnitude(x)
	a := math.Float64frombits(u)
	if u-magnitude(atanMiddle) < magnitude(atanLarge)-magnitude(atanMiddle) {
		row := &atanTable[0][atanRow(u)+1]
		q, q1, q2 := atanQuotient(a, head19(a), row.sin)
		hi, lo := atanSum(row.hi, row.lo, q, q1, q2)
		r, ok = ziv(hi, lo, atanErr)
		return withSign(r, x), ok
	}
	if u >= magnitude(atanLarge) {
		if u >= magnitude(atanHuge) {
			return math.Copysign(math.Pi/2, x), x == x
		}
		r, ok = ziv(atanInverse(a))
		return withSign(r, x), ok
	}
	if u < magnitude(tiny) {
		return x, true
	}
	i, h := expansionPoint(x, 0x1.8p45+atanMiddle)
	return ziv(atanNear[i%uint64(len(atanNear))].fusedAt(h, -expansionErrSquare))
}

// AtanSlice is crmath.AtanSlice.
func AtanSlice(dst, x []float64) {
	vector.MapLoop("crmath.AtanSlice", dst, x, vector.Each(FastAtan), best.atan, isNumber)
}

// Atan2 is directed.Atan2, and crmath.Atan2 to nearest.
func Atan2(y, x float64, m fp.Mode) float64 {
	u, v := magnitude(y), magnitude(x)
	const span = (atan2Most - atan2Least) << 52
	if u-atan2Least<<52 >= span || v-atan2Least<<52 >= span {
		return atan2Rare(y, x, m)
	}
	b := math.Float64frombits(u)
	row := atan2Row(b, x)
	q, q1, q2 := atan2Quotient(atan2Parts(b, head19(b), x, head19(x), row.sin, row.cos))
	cube := float64(math.Abs(q) * atan2ErrCube)
	hi, lo, e := atan2Sum(row.hi, row.lo, q, q1, q2, cube)
	r, ok := ziv(hi, lo, e)
	if !ok || m != fp.NearestEven {
		r = atan2Settle(b, x, hi, lo, e, mirrored(m, y))
	}
	return withSign(r, y)
}

// atan2Settle is settle for Atan2, for positive y.
func atan2Settle(y, x, hi, lo, e float64, m fp.Mode) float64 {
	r, ok := toward(hi, lo, e, m)
	if !ok {
		r = atan2Accurate(y, x, hi+lo, m)
	}
	return r
}

// atan2Row returns the row of the angle next to arctan(b/|x|), in the quadrant
// of (b, x).
func atan2Row(b, x float64) *atanAngle {
	i := int64(atanRow(math.Float64bits(b/math.Abs(x)))) + 1
	i &^= i >> 63 // no branch: small quotients are common among others
	return &atanTable[math.Float64bits(x)>>63][min(i, atanRows-1)]
}

// atan2Parts, atan2Quotient and atan2Sum return hi + lo ≈ Atan2(b, x), for
// positive b, and a bound e of the error. They do the work of atanQuotient and
// atanSum with n = b·cos - x·sin and d = x·cos + b·sin, where cos has the sign
// of x, and the table's angle is in its quadrant. Both n and d are sums of an
// exact part, from the first 19 bits of x and b (n1, d1 of 36 bits), and a part
// that is 2^-18 of x·sin or b·cos. Either sin has 6 bits and cos is ±1, or they
// are 1 and
// 0. q1 has 17 bits, rounded relative to its size, as t may be of any size.
//
// Errors, relative to the result. Where the table's angle is 0, q2 < 2^-17·t,
// the remainder, 1/d, their product, the sum with t³ and ziv lose 6·2^-53 of
// q2: 2^-67.4. Elsewhere t is below 2^-6 of the angle, so that this is below
// 2^-73; but n2 and the remainder's sums and products lose 5·2^-71 of x·sin/d
// or b·cos/d, which are below the angle: 2^-68.7. The other tail, arctan t - t,
// loses as many units as in atanSum, and 0.8 by the polynomial: 16.7, below
// 2^-50.5·|t³|.
func atan2Parts(b, b1, x, x1, sin, cos float64) (n1, n2, d1, d2 float64) {
	x2, b2 := x-x1, b-b1
	return float64(b1*cos) - float64(x1*sin), float64(b2*cos) - float64(x2*sin),
		float64(x1*cos) + float64(b1*sin), float64(x2*cos) + float64(b2*sin)
}

// atan2Quotient returns the quotient t as atanQuotient does: see atan2Parts.
func atan2Quotient(n1, n2, d1, d2 float64) (q, q1, q2 float64) {
	inv := 1 / (d1 + d2)
	q = float64((n1 + n2) * inv)
	q1 = math.Float64frombits((math.Float64bits(q) + 1<<35) &^ (1<<36 - 1))
	return q, q1, float64(((n1 - float64(q1*d1)) + (n2 - float64(q1*d2))) * inv)
}

// atan2Sum adds arctan t to an angle as atanSum does: see atan2Parts.
func atan2Sum(angle, rest, q, q1, q2, errSquare float64) (hi, lo, e float64) {
	t2 := float64(q * q)
	hi = angle + q1
	lo = (q1 - (hi - angle)) + (rest + (q2 + float64(float64(q*t2)*atanOuter(t2))))
	return hi, lo, float64(t2*errSquare) + float64(hi*atan2ErrRelative)
}

// atan2Rare is Atan2 for special cases, and for numbers outside of
// 2^-160 … 2^160.
func atan2Rare(y, x float64, m fp.Mode) float64 {
	switch {
	case x != x || y != y:
		return math.NaN()
	case y == 0 || math.IsInf(x, 0) && !math.IsInf(y, 0):
		if math.Signbit(x) {
			return besideQuarter(math.Pi, y, m)
		}
		return math.Copysign(0, y)
	case math.IsInf(x, 1):
		return besideQuarter(math.Pi/4, y, m)
	case math.IsInf(x, -1):
		return besideQuarter(3*math.Pi/4, y, m)
	case x == 0 || math.IsInf(y, 0):
		return besideQuarter(math.Pi/2, y, m)
	}
	a, i := split(y)
	b, j := split(x)
	switch d := i - j; {
	case d >= 64: // the quotient is above 2^63, see atanHuge
		return besideQuarter(math.Pi/2, y, m)
	case d > -64:
		return Atan2(a*math.Float64frombits(uint64(1023+d)<<52), b, m)
	case x < 0: // the angle is less than 2^-63 below π
		return besideQuarter(math.Pi, y, m)
	case d < -1077:
		return underflow(y, m)
	}
	return withSign(atan2Tiny(math.Abs(y), x, mirrored(m, y)), y)
}

// split returns s and e with x = s·2^e and 1 ≤ |s| < 2, for finite x other than
// 0.
func split(x float64) (s float64, e int) {
	u, bias := magnitude(x), 1023
	if u < 1<<52 {
		u, bias = normalBits(u), 1023+54
	}
	return withSign(math.Float64frombits(u&(1<<52-1)|1023<<52), x), int(u>>52) - bias
}

// atan2Accurate is Atan2 for positive y and finite x ≠ 0. The angle of a point
// with such coordinates is irrational.
func atan2Accurate(y, x, guess float64, m fp.Mode) float64 {
	if guess < wide.TinyAngle {
		return atan2Tiny(y, x, m)
	}
	return wide.RoundedAtan2(y, x, guess, m)
}

// atan2Tiny is Atan2 for positive y and x with y/x < wide.TinyAngle. To nearest
// the angle rounds as a normal y/x does, which is farther from every midpoint
// than from the angle (SetTinyAngle).
func atan2Tiny(y, x float64, m fp.Mode) float64 {
	// Subnormal numbers in a quotient take time.
	if m == fp.NearestEven && min(x, y) >= 0x1p-1022 &&
		int64(magnitude(y))-int64(magnitude(x)) > -1021<<52 {
		return y / x
	}
	if r, ok := atan2Scaled(y, x, m); ok {
		return r
	}
	var z wide.Float
	z.SetTinyAngle(y, x)
	if m == fp.NearestEven {
		return z.ExactFloat64(wide.TinyWords)
	}
	r, _ := z.Rounded(wide.TinyWords, m)
	return r
}

// atan2Scaled is Atan2 as atan2Tiny is. With y = a·2^i, x = b·2^j and q =
// a/b, the remainder a - q·b is exact up to 2^-103 of a. The angle is less than
// the quotient by 2^-121 of it.
func atan2Scaled(y, x float64, m fp.Mode) (r float64, ok bool) {
	a, i := split(y)
	b, j := split(x)
	q := a / b
	p, e := twoProd(q, b)
	rest := ((a - p) - e) / b
	return scaleAny(q, rest-0x1p-121, 0x1p-99, i-j, m)
}

func inAtan2(x, y float64) bool {
	a, b := math.Abs(x), math.Abs(y)
	return min(a, b) >= 0x1p-160 && max(a, b) < 0x1p160
}

// atan2Ziv returns Atan2(b, x) for positive b, by the path without special
// cases.
func atan2Ziv(b, x float64) (r float64, ok bool) {
	row := atan2Row(b, x)
	q, q1, q2 := atan2Quotient(atan2Parts(b, head19(b), x, head19(x), row.sin, row.cos))
	return ziv(atan2Sum(row.hi, row.lo, q, q1, q2, float64(math.Abs(q)*atan2ErrCube)))
}

// atan2Lane is Atan2(y, x) for numbers between 2^-160 and 2^160.
func atan2Lane(x, y float64) (r float64, ok bool) {
	r, ok = atan2Ziv(math.Abs(y), x)
	return withSign(r, y), ok && inAtan2(x, y)
}

func atan2Call(x, y float64) (r float64, ok bool) {
	u, v := magnitude(y), magnitude(x)
	const span = (atan2Most - atan2Least) << 52
	if u-atan2Least<<52 >= span || v-atan2Least<<52 >= span {
		return 0, false
	}
	r, ok = atan2Ziv(math.Float64frombits(u), x)
	return withSign(r, y), ok
}

// Atan2Slice is crmath.Atan2Slice.
func Atan2Slice(dst, y, x []float64) {
	vector.MapLoop2("crmath.Atan2Slice", dst, x, y, func(dst, x, y []float64) {
		for i, v := range x {
			dst[i] = FastAtan2(y[i], v)
		}
	}, best.atan2, inAtan2)
}
