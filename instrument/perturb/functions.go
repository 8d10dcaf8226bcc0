package perturb

import "math"

// Sqrt is math.Sqrt.
func Sqrt(x float64, site uint32) float64 {
	r := math.Sqrt(x)
	if !active {
		return r
	}
	e := 0.0
	if r-r == 0 && r != 0 {
		e = rootError(x, r)
	}
	return noted(x, 0, r, e, site)
}

// rootError is the sign of x - r², with x scaled to be near 1.
func rootError(x, r float64) float64 {
	_, i := math.Frexp(x)
	i &^= 1
	x, r = math.Ldexp(x, -i), math.Ldexp(r, -i/2)
	return math.FMA(-r, r, x)
}

// FMA is math.FMA.
func FMA(a, b, c float64, site uint32) float64 {
	r := math.FMA(a, b, c)
	if !active {
		return r
	}
	// a·b = p + q, p + c = s + t, and s + (q + t) - r is the error: exact where
	// nothing underflows, and its sign is all that counts.
	p := float64(a * b)
	q := math.FMA(a, b, -p)
	s, t := twoSum(p, c)
	u, v := twoSum(q, t)
	e := ((s - r) + u) + v
	return noted(p, c, r, e, site)
}

// noted settles and records an operation on float64.
func noted(a, b, r, e float64, site uint32) float64 {
	r = settle(r, e, site, false)
	if records != nil {
		note(a, b, r, e, site, false)
	}
	return r
}

// Func1 is f(x) for a function of package math whose results are rounded.
func Func1(f func(float64) float64, x float64, site uint32) float64 {
	r := f(x)
	if !active {
		return r
	}
	return noted(x, 0, r, guessError(x, 0, r), site)
}

// Func2 is f(x, y) for such a function.
func Func2(f func(x, y float64) float64, x, y float64, site uint32) float64 {
	r := f(x, y)
	if !active {
		return r
	}
	return noted(x, y, r, guessError(x, y, r), site)
}

// Sincos is math.Sincos.
func Sincos(x float64, site uint32) (sin, cos float64) {
	sin, cos = math.Sincos(x)
	if !active {
		return sin, cos
	}
	return noted(x, 0, sin, guessError(x, 0, sin), site),
		noted(x, 1, cos, guessError(x, 1, cos), site)
}

// guessError stands in for the error of a function's result, which only more
// precision could tell: either sign, by a hash. A result of few bits is taken
// to be exact, as that of Pow(2, 3) or Hypot(3, 4): of other results one in
// 2^20 has so few bits.
func guessError(x, y, r float64) float64 {
	const few = 1<<20 - 1
	if math.Float64bits(r)&few == 0 || r == x {
		return 0
	}
	if mix(math.Float64bits(x)+3*math.Float64bits(y))>>63 == 0 {
		return -1
	}
	return 1
}

// Narrow returns x in a shorter format: float32(x).
func Narrow[R, T Float](x T, site uint32) R {
	r := R(x)
	if !active {
		return r
	}
	e := float64(x) - float64(r)
	s := settle(float64(r), e, site, true)
	if records != nil {
		note(float64(x), 0, s, e, site, true)
	}
	return R(s)
}

// Integer is the constraint of integers that are converted.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// FromInt returns i as a floating-point number.
func FromInt[T Float, I Integer](i I, site uint32) T {
	r := T(i)
	if !active {
		return r
	}
	a, b := halves(i)
	return T(addQuietly(a, b, float64(r), site, isSingle[T]()))
}

// halves returns two float64 whose sum is i.
func halves[I Integer](i I) (hi, lo float64) {
	const low = 1<<20 - 1
	if i < 0 {
		v := int64(i)
		return float64(v &^ low), float64(v & low)
	}
	v := uint64(i)
	return float64(v &^ low), float64(v & low)
}

// addQuietly is add without cancellation, which a conversion does not have.
func addQuietly(a, b, r float64, site uint32, single bool) float64 {
	s, e := twoSum(a, b)
	if single && s != r {
		e = s - r
	}
	r = settle(r, e, site, single)
	if records != nil {
		note(a+b, 0, r, e, site, single)
	}
	return r
}

// ToInt returns x as an integer.
func ToInt[I Integer, T Float](x T, site uint32) I {
	if records != nil {
		convert(float64(x), site)
	}
	return I(x)
}
