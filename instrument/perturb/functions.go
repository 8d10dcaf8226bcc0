package perturb

import (
	"math"
	"unsafe"
)

// Sqrt is math.Sqrt.
func Sqrt(x float64, site uint32) float64 {
	if active {
		return root(x, site)
	}
	return math.Sqrt(x)
}

func root(x float64, site uint32) float64 {
	of, _ := operands(x, 0, site)
	r := math.Sqrt(of)
	e := 0.0
	switch {
	case of >= tiny && r-r == 0:
		e = math.FMA(-r, r, of) / (2 * r)
	case r-r == 0 && r != 0:
		e = rootError(of, r)
	}
	return settle(x, 0, r, e, site)
}

// rootError is √x - r to first order, (x - r²)/2r, with x scaled to be near 1.
func rootError(x, r float64) float64 {
	_, i := math.Frexp(x)
	i &^= 1
	x, r = math.Ldexp(x, -i), math.Ldexp(r, -i/2)
	return scaled(math.FMA(-r, r, x)/(2*r), i/2)
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
	return settle(p, c, r, e, site)
}

// Func1 is f(x) for a function of package math whose results are rounded.
func Func1(f func(float64) float64, x float64, site uint32) float64 {
	if !active {
		return f(x)
	}
	of, _ := operands(x, 0, site)
	r := f(of)
	return guess(x, 0, r, slack(f, of, 0, r), side(f, of, r), site)
}

// Func2 is f(x, y) for such a function.
func Func2(f func(x, y float64) float64, x, y float64, site uint32) float64 {
	if !active {
		return f(x, y)
	}
	u, v := operands(x, y, site)
	r := f(u, v)
	return guess(x, y, r, slack(f, u, v, r), side2(f, u, v, r), site)
}

// Value1 is f as a value: Func1 for every call.
func Value1(f func(float64) float64, site uint32) func(float64) float64 {
	if !active {
		return f
	}
	return func(x float64) float64 { return Func1(f, x, site) }
}

// Value2 is f as a value: Func2 for every call.
func Value2(f func(x, y float64) float64, site uint32) func(x, y float64) float64 {
	if !active {
		return f
	}
	return func(x, y float64) float64 { return Func2(f, x, y, site) }
}

// Whole is f(x) for a function of package math that returns whole numbers.
func Whole(f func(float64) float64, x float64, site uint32) float64 {
	if recording {
		x = jolted(x, site)
		convert(x, f(x), site)
	}
	return f(x)
}

// Rounded is the result of a call whose operands are not floating-point, such
// as the hours of a duration.
func Rounded(r float64, site uint32) float64 {
	if !active {
		return r
	}
	return guess(0, 0, r, 0, 0, site)
}

// Sincos is math.Sincos.
//
//lastbit:ignore libm the program's own call
func Sincos(x float64, site uint32) (sin, cos float64) {
	sin, cos = math.Sincos(x)
	if !active {
		return sin, cos
	}
	e := turnError(math.Abs(x))
	return guess(x, 0, sin, e, side(math.Sin, x, sin), site),
		guess(x, 0, cos, e, side(math.Cos, x, cos), site)
}

// Lgamma is math.Lgamma.
func Lgamma(x float64, site uint32) (lgamma float64, sign int) {
	if !active {
		return math.Lgamma(x) //lastbit:ignore libm the program's own call
	}
	of, _ := operands(x, 0, site)
	r, sign := math.Lgamma(of) //lastbit:ignore libm the program's own call
	return guess(x, 0, r, lgammaError(of, r), 0, site), sign
}

// Jn is math.Jn.
//
//lastbit:ignore libm the program's own call
func Jn(n int, x float64, site uint32) float64 { return bessel(math.Jn, n, x, site) }

// Yn is math.Yn.
//
//lastbit:ignore libm the program's own call
func Yn(n int, x float64, site uint32) float64 { return bessel(math.Yn, n, x, site) }

// bessel is f(n, x) for Jn or Yn.
func bessel(f func(n int, x float64) float64, n int, x float64, site uint32) float64 {
	if !active {
		return f(n, x)
	}
	of, _ := operands(x, 0, site)
	r := f(n, of)
	isTaken := keys[index(site)] != 0 && (calls == nil || !isLeftAlone())
	//lastbit:ignore libm the functions are compared
	if isTaken && address(f) == address(math.Jn) && of-of == 0 && !(math.Abs(r) <= 1) {
		r = finiteNear(f, n, of)
	}
	return guess(x, float64(n), r, besselError(f, n, of, r), 0, site)
}

// maxNear bounds the arguments beside one whose result is wrong.
const maxNear = 4

// finiteNear returns f(n, x) of an argument beside x. Jn of a finite number is
// at most 1, and math.Jn divides by 0 where J0 of the argument rounds to 0:
// Jn(5, 2.404825557695773) is -Inf, and so its result has no right digit.
func finiteNear(f func(n int, x float64) float64, n int, x float64) float64 {
	r := math.NaN()
	for range maxNear {
		x = math.Nextafter(x, 0)
		if r = f(n, x); math.Abs(r) <= 1 {
			break
		}
	}
	return r
}

// guess settles a result of a function, whose error only more precision could
// show: it has either sign, by a hash of magnitudes, so that f(-x) = -f(x)
// stays true. A result of few bits, such as Pow(2, 3) or Hypot(3, 4), is taken
// to be exact, unless side has the sign of its error: one in 2^20 other results
// has so few bits. The slack bounds errors of more than a few units.
func guess(x, y, r, slack, side float64, place uint32) float64 {
	const few = 1<<20 - 1
	h := 2 * (math.Float64bits(x) + 3*math.Float64bits(y) + 5*math.Float64bits(r))
	e := math.Copysign(1, r)
	switch {
	case math.Float64bits(r)&few == 0 && !isLoose(r, slack) || r == x:
		e = side
	case mix(h)>>63 == 0:
		e = -e
	}
	if e != 0 {
		r = loosened(x, y, r, slack, index(place))
	}
	if mode != Random && e != 0 && r-r == 0 {
		e = math.Copysign(gap(r, e, place)/4, e) // in the mean
	}
	return settle(x, y, r, e, place)
}

// Narrow returns x in a shorter format: float32(x).
func Narrow[R, T Float](x T, site uint32) R {
	if active && unsafe.Sizeof(R(0)) < unsafe.Sizeof(x) {
		return R(narrow(float64(x), site))
	}
	return R(x)
}

func narrow(x float64, site uint32) float64 {
	r := float64(float32(x))
	return settle(x, 0, r, x-r, site|single)
}

// Integer is the constraint of integers that are converted.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 |
		~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

// FromInt returns i as a floating-point number.
func FromInt[T Float, I Integer](i I, site uint32) T {
	if active {
		return T(fromInt(uint64(i), i < 0, site, unsafe.Sizeof(T(0))))
	}
	return T(i)
}

// fromInt is FromInt for the integer of the bits i, in two's complement.
func fromInt(i uint64, negative bool, site uint32, size uintptr) float64 {
	const low = 1<<20 - 1
	r, hi, lo := float64(i), float64(i&^low), float64(i&low)
	switch {
	case negative && size == singleSize:
		r, hi = float64(float32(int64(i))), float64(int64(i)&^low)
	case negative:
		r, hi = float64(int64(i)), float64(int64(i)&^low)
	case size == singleSize:
		r = float64(float32(i))
	}
	return settle(r, 0, r, (hi-r)+lo, place(site, size))
}

// ToInt returns x as an integer.
func ToInt[I Integer, T Float](x T, site uint32) I {
	if recording {
		x = T(jolted(float64(x), site))
		convert(float64(x), math.Trunc(float64(x)), site)
	}
	return I(x)
}
