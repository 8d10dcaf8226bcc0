package stoch

import (
	"math"

	"github.com/lastbit/lastbit/crmath/directed"
	"github.com/lastbit/lastbit/fp"
)

// Apply returns f(x), where f is a function of package directed. It detects
// that x is noise. With UpOrDown each sample is R- or R+ of the real value;
// Nearness and Nearest know the place of the real value between them to a
// quarter.
func (a *Arithmetic[T]) Apply(f directed.Function, x Number[T]) Number[T] {
	if x.isNoise() {
		a.note(Mathematical)
	}
	// The value makes functions of the same argument toss different coins.
	c := a.again(a.toss(bitsOf(x.r1), math.Float64bits(f(float64(x.r1), fp.Down))))
	x = a.operand(x, c, 0)
	return Number[T]{
		a.round(func(m fp.Mode) float64 { return f(float64(x.r1), m) }, c, 0),
		a.round(func(m fp.Mode) float64 { return f(float64(x.r2), m) }, c, 1),
		a.round(func(m fp.Mode) float64 { return f(float64(x.r3), m) }, c, 2),
	}
}

// Apply2 returns f(x, y), where f is a function of package directed. It detects
// that an argument is noise.
func (a *Arithmetic[T]) Apply2(f func(x, y float64, m fp.Mode) float64,
	x, y Number[T]) Number[T] {
	if x.isNoise() || y.isNoise() {
		a.note(Mathematical)
	}
	value := f(float64(x.r1), float64(y.r1), fp.Down)
	c := a.again(a.toss(bitsOf(x.r1), bitsOf(y.r1)).with(math.Float64bits(value)))
	x, y = a.operand(x, c, 0), a.operand(y, c, 1)
	return Number[T]{
		a.round(func(m fp.Mode) float64 { return f(float64(x.r1), float64(y.r1), m) }, c, 0),
		a.round(func(m fp.Mode) float64 { return f(float64(x.r2), float64(y.r2), m) }, c, 1),
		a.round(func(m fp.Mode) float64 { return f(float64(x.r3), float64(y.r3), m) }, c, 2),
	}
}

// round rounds a real value that f rounds in any direction, for sample i.
func (a *Arithmetic[T]) round(f func(fp.Mode) float64, c coins, i uint) T {
	if a.rounding != UpOrDown || a.format != formatOf[T]() {
		return a.settle(between(f), c, i)
	}
	m := mode(a.isDown(c, i))
	if isSingle[T]() {
		return T(fp.Binary32.Round(f(fp.ToOdd), m))
	}
	return T(f(m))
}

// between returns the real value that f rounds: exactly, or a quarter of the
// way from the nearer to the other number of float64 beside it.
func between(f func(fp.Mode) float64) exact {
	near, other := f(fp.NearestEven), f(fp.Up)
	if near == other {
		other = f(fp.Down)
	}
	switch {
	case near == other || near != near:
		return exact{hi: near}.normalized()
	case math.IsInf(near, 0):
		return exact{hi: math.Copysign(0.5, near), k: 1026} // more than the largest number
	case math.IsInf(other, 0):
		return exact{math.Copysign(1-0x1p-53, near), math.Copysign(0x1p-55, near), 1024}
	case near == 0:
		return exact{hi: math.Copysign(0.5, other), k: -1075} // a quarter of the smallest
	}
	m, k := math.Frexp(near)
	return exact{m, math.Ldexp(other-near, -k) / 4, k}
}

// The functions of package math. Each detects that an argument is noise.

// Acos returns the arccosine of x.
func (a *Arithmetic[T]) Acos(x Number[T]) Number[T] { return a.Apply(directed.Acos, x) }

// Acosh returns the inverse hyperbolic cosine of x.
func (a *Arithmetic[T]) Acosh(x Number[T]) Number[T] { return a.Apply(directed.Acosh, x) }

// Asin returns the arcsine of x.
func (a *Arithmetic[T]) Asin(x Number[T]) Number[T] { return a.Apply(directed.Asin, x) }

// Asinh returns the inverse hyperbolic sine of x.
func (a *Arithmetic[T]) Asinh(x Number[T]) Number[T] { return a.Apply(directed.Asinh, x) }

// Atan returns the arctangent of x.
func (a *Arithmetic[T]) Atan(x Number[T]) Number[T] { return a.Apply(directed.Atan, x) }

// Atan2 returns the angle of the point (x, y).
func (a *Arithmetic[T]) Atan2(y, x Number[T]) Number[T] { return a.Apply2(directed.Atan2, y, x) }

// Atanh returns the inverse hyperbolic tangent of x.
func (a *Arithmetic[T]) Atanh(x Number[T]) Number[T] { return a.Apply(directed.Atanh, x) }

// Cbrt returns the cube root of x.
func (a *Arithmetic[T]) Cbrt(x Number[T]) Number[T] { return a.Apply(directed.Cbrt, x) }

// Cos returns the cosine of x.
func (a *Arithmetic[T]) Cos(x Number[T]) Number[T] { return a.Apply(directed.Cos, x) }

// Cosh returns the hyperbolic cosine of x.
func (a *Arithmetic[T]) Cosh(x Number[T]) Number[T] { return a.Apply(directed.Cosh, x) }

// Erf returns the error function of x.
func (a *Arithmetic[T]) Erf(x Number[T]) Number[T] { return a.Apply(directed.Erf, x) }

// Erfc returns the complementary error function of x.
func (a *Arithmetic[T]) Erfc(x Number[T]) Number[T] { return a.Apply(directed.Erfc, x) }

// Exp returns e^x.
func (a *Arithmetic[T]) Exp(x Number[T]) Number[T] { return a.Apply(directed.Exp, x) }

// Exp2 returns 2^x.
func (a *Arithmetic[T]) Exp2(x Number[T]) Number[T] { return a.Apply(directed.Exp2, x) }

// Expm1 returns e^x - 1.
func (a *Arithmetic[T]) Expm1(x Number[T]) Number[T] { return a.Apply(directed.Expm1, x) }

// Gamma returns the gamma function of x.
func (a *Arithmetic[T]) Gamma(x Number[T]) Number[T] { return a.Apply(directed.Gamma, x) }

// Hypot returns √(x² + y²).
func (a *Arithmetic[T]) Hypot(x, y Number[T]) Number[T] { return a.Apply2(directed.Hypot, x, y) }

// Lgamma returns the logarithm of |Γ(x)|, and the sign of Γ for the mean of x.
func (a *Arithmetic[T]) Lgamma(x Number[T]) (lgamma Number[T], sign int) {
	lgamma = a.Apply(func(x float64, m fp.Mode) float64 {
		l, _ := directed.Lgamma(x, m)
		return l
	}, x)
	_, sign = directed.Lgamma(float64(x.Mean()), fp.NearestEven)
	return lgamma, sign
}

// Log returns the natural logarithm of x.
func (a *Arithmetic[T]) Log(x Number[T]) Number[T] { return a.Apply(directed.Log, x) }

// Log10 returns the decimal logarithm of x.
func (a *Arithmetic[T]) Log10(x Number[T]) Number[T] { return a.Apply(directed.Log10, x) }

// Log1p returns the natural logarithm of 1 + x.
func (a *Arithmetic[T]) Log1p(x Number[T]) Number[T] { return a.Apply(directed.Log1p, x) }

// Log2 returns the binary logarithm of x.
func (a *Arithmetic[T]) Log2(x Number[T]) Number[T] { return a.Apply(directed.Log2, x) }

// Pow returns x^y.
func (a *Arithmetic[T]) Pow(x, y Number[T]) Number[T] { return a.Apply2(directed.Pow, x, y) }

// Sin returns the sine of x.
func (a *Arithmetic[T]) Sin(x Number[T]) Number[T] { return a.Apply(directed.Sin, x) }

// Sincos returns the sine and the cosine of x.
func (a *Arithmetic[T]) Sincos(x Number[T]) (sin, cos Number[T]) { return a.Sin(x), a.Cos(x) }

// Sinh returns the hyperbolic sine of x.
func (a *Arithmetic[T]) Sinh(x Number[T]) Number[T] { return a.Apply(directed.Sinh, x) }

// Tan returns the tangent of x.
func (a *Arithmetic[T]) Tan(x Number[T]) Number[T] { return a.Apply(directed.Tan, x) }

// Tanh returns the hyperbolic tangent of x.
func (a *Arithmetic[T]) Tanh(x Number[T]) Number[T] { return a.Apply(directed.Tanh, x) }
