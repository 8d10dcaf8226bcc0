package crmath

import (
	"errors"
	"math"
	"strconv"
)

// Deviation returns (got - f(x)) / ulp(f(x)): how far got is off from the real value of a function, in units in the
// last place; positive where got is too large. What this package returns is off by half a unit at most, and any
// other number by half a unit at least.
//
// The function is named as in this package, in lower case: "exp", "atan2"; x are its arguments, in their order. The
// real value is that at x itself. With 2^e ≤ |f(x)| < 2^(e+1), ulp(f(x)) is 2^(e-52), the distance of float64 there; below
// 2^-1022 it is 2^-1074, and from 2^1024 on 2^971, as it is next to that.
//
// The relative error of the result is below 2^-45; a deviation beyond MaxFloat64 is ±Inf, and one below 2^-1074 may
// be 0. A result that is exact deviates by 0: it is told from others by 900 bits, as in Pow.
//
// Special cases:
//
//	the function is not defined at x: 0 for got = NaN, else NaN
//	it is defined, and got is NaN: NaN
//	f(x) is ±Inf, or rounds to it, and got is that: 0
//	f(x) is ±Inf, as ln 0 is, and got is not that: ∓Inf
//	else an infinite got counts as ±2^1024, which is what comes after MaxFloat64
//	the signs of zeros do not count
//
// An error, with NaN, tells that there is no such function, or that it has another number of arguments; "sincos" is
// "sin" and "cos". A call takes some 3 µs,
// and up to 100 where the result is exact. Nothing is allocated.
//
// References: Muller2016
func Deviation(function string, got float64, x ...float64) (float64, error) {
	f := findFunction(function)
	switch {
	case f == nil:
		return math.NaN(), errors.New("crmath: deviation of " + strconv.Quote(function) + ": there is no such function; use " + functionNames())
	case len(x) != f.arguments():
		return math.NaN(), errors.New("crmath: deviation of " + function + ": the number of arguments is " + strconv.Itoa(f.arguments()) +
			", not " + strconv.Itoa(len(x)) + ": give those of which got is the result")
	case f.two != nil:
		return f.deviation(got, f.two(x[0], x[1]), x[0], x[1]), nil
	}
	return f.deviation(got, f.one(x[0]), x[0], 0), nil
}

// realFunction is a function of one argument, or of two, that Deviation knows.
type realFunction struct {
	name string
	one  func(float64) float64
	two  func(a, b float64) float64
}

// allFunctions are those of this package but Sincos, whose results are those of two others.
var allFunctions = [...]realFunction{
	{"exp", Exp, nil}, {"exp2", Exp2, nil}, {"exp10", Exp10, nil}, {"expm1", Expm1, nil},
	{"log", Log, nil}, {"log2", Log2, nil}, {"log10", Log10, nil}, {"log1p", Log1p, nil},
	{"sin", Sin, nil}, {"cos", Cos, nil}, {"tan", Tan, nil},
	{"asin", Asin, nil}, {"acos", Acos, nil}, {"atan", Atan, nil}, {"atan2", nil, Atan2},
	{"sinh", Sinh, nil}, {"cosh", Cosh, nil}, {"tanh", Tanh, nil},
	{"asinh", Asinh, nil}, {"acosh", Acosh, nil}, {"atanh", Atanh, nil},
	{"pow", nil, Pow}, {"cbrt", Cbrt, nil}, {"hypot", nil, Hypot},
}

// findFunction returns the function of that name, or nil.
func findFunction(name string) *realFunction {
	for i := range allFunctions {
		if allFunctions[i].name == name {
			return &allFunctions[i]
		}
	}
	return nil
}

// functionNames lists the names.
func functionNames() string {
	names := allFunctions[0].name
	for _, f := range allFunctions[1:] {
		names += ", " + f.name
	}
	return names
}

func (f *realFunction) arguments() int {
	if f.two != nil {
		return 2
	}
	return 1
}

// deviation is Deviation at a, or at a and b, where f rounds to want.
func (f *realFunction) deviation(got, want, a, b float64) float64 {
	switch {
	case want != want && got != got, math.IsInf(want, 0) && got == want:
		return 0
	case want != want || got != got:
		return math.NaN()
	case f.exact(want, a, b):
		var v realValue
		d, _ := v.setExact(want).deviation(got, wideFirst)
		return d
	}
	sign := f.fold(want, &a, &b)
	got, want = float64(sign*got), float64(sign*want)
	for n := wideFirst; ; n = min(3*n, widePowLast) {
		var v realValue
		v.set(f.name, want, a, b, n)
		d, ok := v.deviation(got, n)
		switch {
		case ok:
			return float64(sign * d)
		case n == widePowLast:
			return 0
		}
	}
}

// fold makes an argument positive where the function is odd or even in it, and returns the sign of what its value is
// then to be multiplied with.
func (f *realFunction) fold(want float64, a, b *float64) (sign float64) {
	sign = 1
	switch f.name {
	case "sin", "tan", "asin", "atan", "sinh", "tanh", "asinh", "atanh", "cbrt", "atan2":
		sign = math.Copysign(1, *a)
		*a = math.Abs(*a)
	case "cos", "cosh":
		*a = math.Abs(*a)
	case "hypot":
		*a, *b = max(math.Abs(*a), math.Abs(*b)), min(math.Abs(*a), math.Abs(*b))
	case "pow":
		sign = math.Copysign(1, want)
		*a = math.Abs(*a)
	}
	return sign
}

// exact reports whether the real value is want itself: at the ends of the real line, where it is one of 0, ±1 and ±Inf,
// but for angles; at poles; where it is 0 or 1 by convention; or whether it is so close to 0, or so far beyond 2^1024,
// that the deviation of any number from it is that from want.
func (f *realFunction) exact(want, a, b float64) bool {
	least := min(math.Abs(a), math.Abs(b))
	infinite := math.IsInf(a, 0) || math.IsInf(b, 0) || a != a || b != b
	switch f.name {
	case "atan":
		return false
	case "atan2":
		return want == 0 && (a == 0 || infinite)
	case "pow":
		return infinite || least == 0 || math.Abs(a) == 1
	case "hypot":
		return infinite || a == 0 && b == 0
	case "log", "log2", "log10", "log1p", "atanh":
		return infinite || math.IsInf(want, 0)
	case "exp", "sinh", "cosh":
		return math.Abs(a) >= 1<<11 // e^2048 is 2^1983 ulps
	case "exp2":
		return a >= 1<<11 || a <= -2149 // 2^2048 is 2^1077 ulps, and 2^-2149 is 2^-1075
	case "expm1":
		return a >= 1<<11 || infinite
	case "exp10":
		return math.Abs(a) >= 1<<10
	case "cbrt":
		return infinite || a == 0
	}
	return infinite
}

// realValue is base + rest, the value of a function, where rest has n+1 words and a relative error below 2^(-64n). It may
// be 2^-50 where
//
//   - base is what the value rounds to, or
//   - rest is below 2^-54 of base:
//
// got - base is then 0, or as large as twice the rest or larger, so that no more than a bit cancels.
type realValue struct {
	base float64
	rest wide
}

// setExact sets v to a number.
func (v *realValue) setExact(x float64) *realValue {
	v.base = x
	v.rest.setZero(wideWords)
	return v
}

// deviation returns (got - v) / ulp(v) with a relative error below 2^-45, and true; or false where so many bits
// cancel that it has to be taken from more words.
func (v *realValue) deviation(got float64, n int) (float64, bool) {
	if math.IsInf(v.base, 0) {
		return -v.base, true
	}
	w := n + 1
	var a, b, z wide
	b.setFloat64(v.base, w)
	if math.IsInf(got, 0) {
		a.setUint(1, w)
		a.neg, a.exp = got < 0, 1025
	} else {
		a.setFloat64(got, w)
	}
	a.sub(&a, &b, w) // exact, or about as large as one of them
	z.sub(&a, &v.rest, w)
	switch most := max(a.exp, v.rest.exp); {
	case v.rest.isZero() && a.isZero():
		return 0, true
	case v.rest.isZero(), a.isZero():
	case z.isZero(), z.exp < most-64*n+50:
		return 0, false
	}
	z.exp -= v.ulp(n)
	return z.exactFloat64(w), true
}

// ulp returns the exponent of ulp(v).
//
// Where base is 0 and v so close below a power of two that its error may have brought it there, it is that power: from
// any other, 120 bits tell it, as in the functions' worst cases. Else, where base is a power of two, and rest has the other
// sign and does not reach into the words of base, v is in the binade below.
func (v *realValue) ulp(n int) int {
	w := n + 1
	var b, s wide
	b.setFloat64(v.base, w)
	s.add(&b, &v.rest, w)
	switch {
	case s.isZero():
		return binary64.emin
	case b.isZero():
		b.set(&s, w)
		b.exp -= 64*n - 4
		s.add(&s, &b, w)
	case s.m[0] == 1<<63 && same(s.m[:w], 1, 0) && s.cmpAbs(&b, w) == 0 && !v.rest.isZero() && v.rest.neg != s.neg:
		s.exp--
	}
	return min(max(s.exp-binary64.p, binary64.emin), binary64.emax-binary64.p)
}

// set sets v to the function of that name, at a, or at a and b, which rounds to want, as fold leaves them.
func (v *realValue) set(name string, want, a, b float64, n int) {
	if math.Abs(a) < 0x1p-56 && v.setNear(name, a, n) {
		return
	}
	w := n + 1
	var x, y wide
	z := &v.rest
	v.base = 0
	x.setFloat64(a, w)
	switch name {
	case "exp":
		z.setExp(&x, n)
	case "exp2":
		z.setExp2(&x, n)
	case "exp10":
		z.setExp10(&x, n)
	case "expm1":
		v.setExpm1(a, n)
	case "log":
		z.setLog(&x, n)
	case "log2":
		z.setLog2(&x, n)
	case "log10":
		z.setLog10(&x, n)
	case "log1p":
		z.setLog1p(&x, n)
	case "sin":
		setSinCos(z, &y, a, n)
	case "cos":
		setSinCos(&y, z, a, n)
	case "tan":
		setSinCos(z, &y, a, n)
		z.div(z, &y, w)
	case "asin":
		y.setCofactor(&x, n)
		z.setAtan2(&x, &y, want, n)
	case "acos":
		y.setCofactor(&x, n)
		z.setAtan2(&y, &x, want, n)
	case "atan":
		v.setAngle(a, 1, want, n)
	case "atan2":
		v.setAngle(a, b, want, n)
	case "sinh":
		z.setSinh(&x, n)
	case "cosh":
		z.setCosh(&x, n)
	case "tanh":
		v.setTanh(a, n)
	case "asinh":
		z.setAsinh(&x, n)
	case "acosh":
		z.setAcosh(&x, n)
	case "atanh":
		z.setAtanh(&x, n)
	case "pow":
		v.setPower(a, b, want, n)
	case "cbrt":
		v.setCubeRoot(a, want)
	case "hypot":
		v.setHypot(a, b, want)
	}
}

// setNear sets v to the first two terms of the series of a function at |x| < 2^-56, where there are such: 1 + c·x^p, or
// x + c·x^p. The next ones are below 2^-55 of the second.
func (v *realValue) setNear(name string, x float64, n int) bool {
	w := n + 1
	power, divisor := 0, 1 // c = 1/divisor
	v.base = x
	switch name {
	case "exp", "exp2", "exp10":
		v.base, power = 1, 1
	case "cos":
		v.base, power, divisor = 1, 2, -2
	case "cosh":
		v.base, power, divisor = 1, 2, 2
	case "expm1":
		power, divisor = 2, 2
	case "log1p":
		power, divisor = 2, -2
	case "sin", "asinh":
		power, divisor = 3, -6
	case "asin", "sinh":
		power, divisor = 3, 6
	case "tan", "atanh":
		power, divisor = 3, 3
	case "atan", "tanh":
		power, divisor = 3, -3
	default:
		return false
	}
	var a wide
	a.setFloat64(x, w)
	v.rest.set(&a, w)
	for range power - 1 {
		v.rest.mul(&v.rest, &a, w)
	}
	switch name {
	case "exp2":
		v.rest.mul(&v.rest, &wideLn2, w)
	case "exp10":
		v.rest.mul(&v.rest, &wideLn10, w)
	}
	v.rest.divUint(&v.rest, uint64(max(divisor, -divisor)), w)
	v.rest.neg = v.rest.neg != (divisor < 0)
	return true
}

// far is where 1 - tanh x and 1 + expm1(-x) are above 0 and so small that it does not matter how small.
const far = 1000

// setExpm1 sets v to e^x - 1, also where that is close to -1.
func (v *realValue) setExpm1(x float64, n int) {
	var a wide
	if x > -16 {
		a.setFloat64(x, n+1)
		v.rest.setExpm1(&a, n)
		return
	}
	a.setFloat64(max(x, -far), n+1)
	v.base = -1
	v.rest.setExp(&a, n)
}

// setTanh sets v to tanh x for positive x: to 1 - 2/(e^2x + 1), where that is close to 1.
func (v *realValue) setTanh(x float64, n int) {
	w := n + 1
	var a, one wide
	if x < 16 {
		a.setFloat64(x, w)
		v.rest.setTanh(&a, n)
		return
	}
	a.setFloat64(2*min(x, far), w)
	one.setUint(1, w)
	v.base = 1
	v.rest.setExp(&a, n)
	v.rest.add(&v.rest, &one, w)
	one.exp++
	v.rest.div(&one, &v.rest, w)
	v.rest.neg = true
}

// setAngle sets v to the angle of (x, y), y ≥ 0 and not both 0 but in (-0, 0), which rounds to want. Infinite
// coordinates are as ones beside those that are not. A tiny angle is q - q³/3 with q = y/x, but for q⁵: with the base r,
//
//	rest = (y - r·x)/x - q³/3,
//
// where the numerator is exact, and 0 or at least 2^-106·y, and q³/3 < 2^-111·q: nothing cancels.
func (v *realValue) setAngle(y, x, want float64, n int) {
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
		y, x = 0, -1 // an exact value is none of these
	}
	var a, b, q wide
	a.setFloat64(y, w)
	b.setFloat64(x, w)
	if !(x > 0 && y > 0 && a.exp-b.exp < -56) {
		v.rest.setAtan2(&a, &b, want, n)
		return
	}
	v.base = want
	q.div(&a, &b, w)
	v.rest.setFloat64(want, w)
	v.rest.mul(&v.rest, &b, w)
	v.rest.sub(&a, &v.rest, w)
	v.rest.div(&v.rest, &b, w)
	a.sqr(&q, w)
	q.mul(&q, &a, w)
	q.divUint(&q, 3, w)
	v.rest.sub(&v.rest, &q, w)
}

// setPower sets v to x^y for positive x: from the exponent u = y·ln x, or, for powers of two, y·log2 x, which is exact.
// Near 1 it is 1 + u. Beyond all numbers, and so small that it is as 0, it is exactly what it rounds to.
func (v *realValue) setPower(x, y, want float64, n int) {
	var u, t wide
	u.setFloat64(x, n+2)
	t.setFloat64(y, n+2)
	binary := same(u.m[:n+2], 1, 0)
	if binary {
		u.setInt(int64(u.exp-1), n+2)
	} else {
		u.setLog(&u, n+1)
	}
	u.mul(&u, &t, n+2)
	const beyond = 11
	switch {
	case u.exp > beyond && !binary, u.exp > beyond+1:
		v.setExact(want)
	case u.exp < -56:
		v.base = 1
		v.rest.set(&u, n+1)
		if binary {
			v.rest.mul(&u, &wideLn2, n+1)
		}
	case binary:
		v.rest.setExp2(&u, n)
	default:
		v.rest.setExp(&u, n)
	}
}

// setCubeRoot sets v to ∛x for positive x, which rounds to r: to r + (x - r³)/(3·r²). The numerator is exact, and
// the denominator r² + r·∛x + x^⅔ but for 2^-52 of it.
func (v *realValue) setCubeRoot(x, r float64) {
	const w = wideFirst + 2 // r³ has 159 bits
	var a, b wide
	v.base = r
	a.setFloat64(r, w)
	b.sqr(&a, w)
	a.mul(&a, &b, w)
	v.rest.setFloat64(x, w)
	v.rest.sub(&v.rest, &a, w)
	b.mulUint(&b, 3, w)
	v.rest.div(&v.rest, &b, w)
}

// setHypot sets v to h = √(x²+y²) for x ≥ y, x > 0, which rounds to r: to r + ((x² - r²) + y²)/(r + h). Where r = x, and y² begins
// far behind, the first difference is 0; else all is exact. An infinite r stands for MaxFloat64.
func (v *realValue) setHypot(x, y, r float64) {
	const w = wideFirst + 2
	var a, b, h, t wide
	v.base = min(r, math.MaxFloat64)
	a.setFloat64(x, w)
	a.sqr(&a, w)
	b.setFloat64(y, w)
	b.sqr(&b, w)
	h.add(&a, &b, w)
	h.sqrt(&h, w)
	t.setFloat64(v.base, w)
	h.add(&h, &t, w)
	t.sqr(&t, w)
	a.sub(&a, &t, w)
	a.add(&a, &b, w)
	v.rest.div(&a, &h, w)
}
