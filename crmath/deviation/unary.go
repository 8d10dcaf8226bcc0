package deviation

import (
	"math"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// rounded returns f(x), correctly rounded.
func (f Unary) rounded(x float64) float64 {
	switch f {
	case Exp:
		return crmath.Exp(x)
	case Exp2:
		return crmath.Exp2(x)
	case Exp10:
		return crmath.Exp10(x)
	case Expm1:
		return crmath.Expm1(x)
	case Log:
		return crmath.Log(x)
	case Log2:
		return crmath.Log2(x)
	case Log10:
		return crmath.Log10(x)
	case Log1p:
		return crmath.Log1p(x)
	case Sin:
		return crmath.Sin(x)
	case Cos:
		return crmath.Cos(x)
	case Tan:
		return crmath.Tan(x)
	case Asin:
		return crmath.Asin(x)
	case Acos:
		return crmath.Acos(x)
	case Atan:
		return crmath.Atan(x)
	case Sinh:
		return crmath.Sinh(x)
	case Cosh:
		return crmath.Cosh(x)
	case Tanh:
		return crmath.Tanh(x)
	case Asinh:
		return crmath.Asinh(x)
	case Acosh:
		return crmath.Acosh(x)
	case Atanh:
		return crmath.Atanh(x)
	case Cbrt:
		return crmath.Cbrt(x)
	case Exp2m1:
		return crmath.Exp2m1(x)
	case Exp10m1:
		return crmath.Exp10m1(x)
	case Log2p1:
		return crmath.Log2p1(x)
	case Log10p1:
		return crmath.Log10p1(x)
	case Sinpi:
		return crmath.Sinpi(x)
	case Cospi:
		return crmath.Cospi(x)
	case Tanpi:
		return crmath.Tanpi(x)
	case Asinpi:
		return crmath.Asinpi(x)
	case Acospi:
		return crmath.Acospi(x)
	case Atanpi:
		return crmath.Atanpi(x)
	case Rsqrt:
		return crmath.Rsqrt(x)
	case Erf:
		return crmath.Erf(x)
	case Erfc:
		return crmath.Erfc(x)
	case Gamma:
		return crmath.Gamma(x)
	case Lgamma:
		r, _ := crmath.Lgamma(x)
		return r
	}
	panic("deviation: there is no function " + f.String() +
		": use one of the package's constants, such as deviation.Exp")
}

// fold makes x positive where f is odd or even, and returns the sign that the
// value is then to be multiplied with.
func (f Unary) fold(x *float64) (sign float64) {
	sign = 1
	switch f {
	case Sin, Tan, Asin, Atan, Sinh, Tanh, Asinh, Atanh, Cbrt,
		Sinpi, Tanpi, Asinpi, Atanpi, Erf:
		sign = math.Copysign(1, *x)
		*x = math.Abs(*x)
	case Cos, Cosh, Cospi:
		*x = math.Abs(*x)
	}
	return sign
}

// isExact reports whether the real value is want itself: at the ends of the
// real line, where it is one of 0, ±1 and ±Inf, except for angles; at poles; or
// where it is so close to 0, or so far beyond 2^1024, that the deviation of any
// number from it is the deviation from want.
func (f Unary) isExact(want, x float64) bool {
	infinite := math.IsInf(x, 0) || x != x
	switch f {
	case Atan:
		return false
	case Log, Log2, Log10, Log1p, Atanh:
		return infinite || math.IsInf(want, 0)
	case Exp, Sinh, Cosh:
		return math.Abs(x) >= 1<<11 // e^2048 is 2^1983 ulps
	case Exp2:
		return x >= 1<<11 || x <= -2149 // 2^2048 is 2^1077 ulps, 2^-2149 is 2^-1075
	case Expm1:
		return x >= 1<<11 || infinite
	case Exp10:
		return math.Abs(x) >= 1<<10
	case Cbrt:
		return infinite || x == 0
	case Gamma:
		// Γ(300) is above 2^2033, |Γ| below 2^-2200 before -400.
		return x >= 300 || x <= -400 || infinite || x == math.Trunc(x) && x <= 23 ||
			math.IsInf(want, 0) && math.Abs(x) < 1
	case Lgamma:
		return infinite || math.IsInf(want, 0) && x <= 0 || want == 0
	case Acospi:
		return math.Abs(x) == 1
	case Erfc:
		return infinite || x > erfcGone
	case Exp2m1:
		return infinite || x == 0 || x >= 1<<11
	case Exp10m1:
		return infinite || x == 0 || x >= 1<<10
	case Log2p1, Log10p1, Sinpi, Tanpi, Asinpi, Atanpi, Erf, Rsqrt:
		return infinite || x == 0 || math.IsInf(want, 0)
	}
	return infinite
}

// set sets v to f(x), which rounds to want, for x as fold leaves it.
func (f Unary) set(v *value, want, x float64, n int) {
	if x > -0x1p-56 && x < 0x1p-56 && v.setNear(f, x, n) {
		return
	}
	if v.setBeside(f, x, n) {
		return
	}
	v.base = 0
	switch f {
	case Expm1:
		v.setExpm1(x, n)
	case Tanh:
		v.setTanh(x, n)
	case Atan:
		v.setAngle(x, 1, want, n)
	case Cbrt:
		v.setCubeRoot(x, want)
	default:
		f.kernel().Set(&v.rest, x, want, n)
	}
}

// kernel returns the kernel of a function that has one.
func (f Unary) kernel() wide.Function {
	if f > Cbrt {
		return wide.Exp2m1 + wide.Function(f-Exp2m1)
	}
	return wide.Function(f)
}

// setNear sets v to the first two terms of the series of f at |x| < 2^-56,
// where it has such: 1 + c·x^p, or x + c·x^p. The next ones are below 2^-55 of
// the second.
func (v *value) setNear(f Unary, x float64, n int) bool {
	w := n + 1
	power, divisor := 0, 1 // c = 1/divisor
	v.base = x
	switch f {
	case Exp, Exp2, Exp10:
		v.base, power = 1, 1
	case Cos:
		v.base, power, divisor = 1, 2, -2
	case Cosh:
		v.base, power, divisor = 1, 2, 2
	case Expm1:
		power, divisor = 2, 2
	case Log1p:
		power, divisor = 2, -2
	case Sin, Asinh:
		power, divisor = 3, -6
	case Asin, Sinh:
		power, divisor = 3, 6
	case Tan, Atanh:
		power, divisor = 3, 3
	case Atan, Tanh:
		power, divisor = 3, -3
	default:
		return false
	}
	var a wide.Float
	a.SetFloat64(x, w)
	v.rest.Set(&a, w)
	for range power - 1 {
		v.rest.Mul(&v.rest, &a, w)
	}
	switch f {
	case Exp2:
		v.rest.Mul(&v.rest, &wide.Ln2, w)
	case Exp10:
		v.rest.Mul(&v.rest, &wide.Ln10, w)
	}
	v.rest.DivUint(&v.rest, uint64(max(divisor, -divisor)), w)
	v.rest.Neg = v.rest.Neg != (divisor < 0)
	return true
}

// maxExponent bounds the exponent where only 1 - tanh x > 0 and 1 + expm1(-x) >
// 0 count, and not their size.
const maxExponent = 1000

// setExpm1 sets v to e^x - 1, also where that is close to -1.
func (v *value) setExpm1(x float64, n int) {
	var a wide.Float
	if x > -16 {
		a.SetFloat64(x, n+1)
		v.rest.SetExpm1(&a, n)
		return
	}
	a.SetFloat64(max(x, -maxExponent), n+1)
	v.base = -1
	v.rest.SetExp(&a, n)
}

// setTanh sets v to tanh x for positive x: to 1 - 2/(e^2x + 1), where that is
// close to 1.
func (v *value) setTanh(x float64, n int) {
	w := n + 1
	var a, one wide.Float
	if x < 16 {
		a.SetFloat64(x, w)
		v.rest.SetTanh(&a, n)
		return
	}
	a.SetFloat64(2*min(x, maxExponent), w)
	one.SetUint(1, w)
	v.base = 1
	v.rest.SetExp(&a, n)
	v.rest.Add(&v.rest, &one, w)
	one.Exp++
	v.rest.Div(&one, &v.rest, w)
	v.rest.Neg = true
}

// setCubeRoot sets v to ∛x for positive x, which rounds to r: to
// r + (x - r³)/(3·r²). The numerator is exact, and the denominator is
// r² + r·∛x + x^⅔ up to 2^-52 of it.
func (v *value) setCubeRoot(x, r float64) {
	const w = wide.First + 2 // r³ has 159 bits
	var a, b wide.Float
	v.base = r
	a.SetFloat64(r, w)
	b.Sqr(&a, w)
	a.Mul(&a, &b, w)
	v.rest.SetFloat64(x, w)
	v.rest.Sub(&v.rest, &a, w)
	b.MulUint(&b, 3, w)
	v.rest.Div(&v.rest, &b, w)
}
