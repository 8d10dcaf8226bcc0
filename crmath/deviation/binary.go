package deviation

import (
	"math"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// rounded returns f(a, b), correctly rounded.
func (f Binary) rounded(a, b float64) float64 {
	switch f {
	case Pow:
		return crmath.Pow(a, b)
	case Atan2:
		return crmath.Atan2(a, b)
	case Hypot:
		return crmath.Hypot(a, b)
	case Pown, Compound, Rootn:
		return f.roundedInt(a, b)
	}
	panic("deviation: there is no function " + f.String() +
		": use one of the package's constants, such as deviation.Pow")
}

// roundedInt returns f(a, b), correctly rounded, for an integer b that every
// int holds, and NaN for other b.
func (f Binary) roundedInt(a, b float64) float64 {
	if b != math.Trunc(b) || math.Abs(b) > math.MaxInt32 {
		return math.NaN()
	}
	switch f {
	case Pown:
		return crmath.Pown(a, int(b))
	case Compound:
		return crmath.Compound(a, int(b))
	}
	return crmath.Rootn(a, int(b))
}

// fold makes arguments positive where f allows it, and returns the sign that
// the value is then to be multiplied with.
func (f Binary) fold(want float64, a, b *float64) (sign float64) {
	sign = 1
	switch f {
	case Pow, Pown, Rootn:
		sign = math.Copysign(1, want)
		*a = math.Abs(*a)
	case Atan2:
		sign = math.Copysign(1, *a)
		*a = math.Abs(*a)
	case Hypot:
		*a, *b = max(math.Abs(*a), math.Abs(*b)), min(math.Abs(*a), math.Abs(*b))
	}
	return sign
}

// isExact is like Unary.isExact, and true for the values 0 and 1 by convention.
func (f Binary) isExact(want, a, b float64) bool {
	smaller := min(math.Abs(a), math.Abs(b))
	infinite := math.IsInf(a, 0) || math.IsInf(b, 0) || a != a || b != b
	switch f {
	case Pow, Pown, Rootn:
		return infinite || smaller == 0 || math.Abs(a) == 1
	case Compound:
		return infinite || smaller == 0 || a == -1
	case Atan2:
		return want == 0 && (a == 0 || infinite)
	}
	return infinite || a == 0 && b == 0
}

// set sets v to f(a, b), which rounds to want, for arguments as fold leaves
// them.
func (f Binary) set(v *value, want, a, b float64, n int) {
	switch f {
	case Pow, Pown:
		v.setPower(a, b, want, n)
	case Compound, Rootn:
		v.setIntPower(f, a, b, want, n)
	case Atan2:
		v.setAngle(a, b, want, n)
	case Hypot:
		v.setHypot(a, b, want)
	}
}

// setAngle sets v to the angle of (x, y), which rounds to want, for y ≥ 0. Not
// both are 0, except in (-0, 0). If a coordinate is infinite, infinite ones
// count as 1 and finite ones as 0. A tiny angle is q - q³/3 with q = y/x, up to
// q⁵. With the base r,
//
//	rest = (y - r·x)/x - q³/3,
//
// where the numerator is exact, and 0 or at least 2^-106·y, and q³/3 <
// 2^-111·q: nothing cancels.
func (v *value) setAngle(y, x, want float64, n int) {
	w := n + 1
	switch infinite := math.IsInf(x, 0); {
	case math.IsInf(y, 0):
		y = 1
		if infinite {
			x = math.Copysign(1, x)
		} else {
			x = 0
		}
	case infinite, y == 0:
		y, x = 0, -1 // the angle is π: isExact has those that are 0
	}
	var a, b, q wide.Float
	a.SetFloat64(y, w)
	b.SetFloat64(x, w)
	if !(x > 0 && y > 0 && a.Exp-b.Exp < -56) {
		v.rest.SetAtan2(&a, &b, want, n)
		return
	}
	v.base = want
	q.Div(&a, &b, w)
	v.rest.SetFloat64(want, w)
	v.rest.Mul(&v.rest, &b, w)
	v.rest.Sub(&a, &v.rest, w)
	v.rest.Div(&v.rest, &b, w)
	a.Sqr(&q, w)
	q.Mul(&q, &a, w)
	q.DivUint(&q, 3, w)
	v.rest.Sub(&v.rest, &q, w)
}

// setPower sets v to x^y for positive x: from the exponent u = y·ln x, or, for
// powers of two, y·log2 x, which is exact.
func (v *value) setPower(x, y, want float64, n int) {
	var u, t wide.Float
	u.SetFloat64(x, n+2)
	t.SetFloat64(y, n+2)
	binary := u.IsPowerOfTwo(n + 2)
	if binary {
		u.SetInt(int64(u.Exp-1), n+2)
	} else {
		u.SetLog(&u, n+1)
	}
	u.Mul(&u, &t, n+2)
	v.setExponential(&u, binary, want, n)
}

// setIntPower sets v to (1+x)^y or x^(1/y) for x as fold leaves it.
func (v *value) setIntPower(f Binary, x, y, want float64, n int) {
	var u, t wide.Float
	u.SetFloat64(x, n+2)
	t.SetFloat64(y, n+2)
	if f == Compound {
		u.SetLog1p(&u, n+1)
		u.Mul(&u, &t, n+2)
	} else {
		u.SetLog(&u, n+1)
		u.Div(&u, &t, n+2)
	}
	v.setExponential(&u, false, want, n)
}

// setExponential sets v to e^u, or to 2^u if binary, which rounds to want. Near
// 1 it is 1 + u. Beyond all numbers, and next to 0, it is exactly the rounded
// value.
func (v *value) setExponential(u *wide.Float, binary bool, want float64, n int) {
	const beyond = 11
	switch {
	case u.Exp > beyond && !binary, u.Exp > beyond+1:
		v.setExact(want)
	case u.Exp < -56:
		v.base = 1
		v.rest.Set(u, n+1)
		if binary {
			v.rest.Mul(u, &wide.Ln2, n+1)
		}
	case binary:
		v.rest.SetExp2(u, n)
	default:
		v.rest.SetExp(u, n)
	}
}

// setHypot sets v to h = √(x²+y²) for x ≥ y, x > 0, which rounds to r: to r +
// ((x² - r²) + y²)/(r + h). Where r = x, and y² begins far below, the first
// difference is 0; elsewhere all is exact. MaxFloat64 replaces an infinite r.
func (v *value) setHypot(x, y, r float64) {
	const w = wide.First + 2
	var a, b, h, t wide.Float
	v.base = min(r, math.MaxFloat64)
	a.SetFloat64(x, w)
	a.Sqr(&a, w)
	b.SetFloat64(y, w)
	b.Sqr(&b, w)
	h.Add(&a, &b, w)
	h.Sqrt(&h, w)
	t.SetFloat64(v.base, w)
	h.Add(&h, &t, w)
	t.Sqr(&t, w)
	a.Sub(&a, &t, w)
	a.Add(&a, &b, w)
	v.rest.Div(&a, &h, w)
}
