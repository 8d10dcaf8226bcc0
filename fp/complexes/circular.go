package complexes

import (
	"math"

	"github.com/lastbit/lastbit/crmath"
)

// timesI and overI return i·z and z/i.
func timesI(z complex128) complex128 { return complex(-imag(z), real(z)) }
func overI(z complex128) complex128  { return complex(imag(z), -real(z)) }

// Sin returns the sine of z, sinh(iz)/i.
func Sin(z complex128) complex128 { return overI(Sinh(timesI(z))) }

// Cos returns the cosine of z, cosh(iz).
func Cos(z complex128) complex128 { return Cosh(timesI(z)) }

// Tan returns the tangent of z, tanh(iz)/i.
func Tan(z complex128) complex128 { return overI(Tanh(timesI(z))) }

// Cot returns the cotangent of z, 1/Tan(z), whose parts have the signs of the
// conjugate of Tan(z); and Inf + Inf·i for 0, as math/cmplx does.
func Cot(z complex128) complex128 {
	t := Tan(z)
	if t == 0 {
		return complex(math.Inf(1), math.Inf(1))
	}
	c := Div(1, t)
	return result(math.Copysign(real(c), real(t)), math.Copysign(imag(c), -imag(t)))
}

// maxHyperbolic bounds the arguments of crmath.Sinh and Cosh, which overflow
// soon after it. Beyond it, both round e^x/2.
const maxHyperbolic = 710

// Sinh returns the hyperbolic sine of z, which is sinh x·cos y + i·cosh x·sin y
// for z = x + iy.
func Sinh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return result(crmath.Sinh(x), y)
	case y-y != 0 && (x == 0 || math.IsInf(x, 0)):
		return result(x, math.NaN())
	}
	s, c := crmath.Sincos(y)
	if math.Abs(x) > maxHyperbolic {
		return scaledExp(math.Abs(x), math.Copysign(0.5, x)*c, 0.5*s)
	}
	return result(float64(crmath.Sinh(x)*c), float64(crmath.Cosh(x)*s))
}

// Cosh returns the hyperbolic cosine of z, which is cosh x·cos y +
// i·sinh x·sin y for z = x + iy.
func Cosh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0 && x != x:
		return result(x, y)
	case y == 0:
		return complex(crmath.Cosh(x), math.Copysign(1, x)*y)
	case y-y != 0 && x == 0:
		return complex(math.NaN(), signed(1, y)*x)
	case y-y != 0 && math.IsInf(x, 0):
		return result(math.Inf(1), math.NaN())
	}
	s, c := crmath.Sincos(y)
	if math.Abs(x) > maxHyperbolic {
		return scaledExp(math.Abs(x), 0.5*c, math.Copysign(0.5, x)*s)
	}
	return result(float64(crmath.Cosh(x)*c), float64(crmath.Sinh(x)*s))
}

// maxTanh bounds the arguments of the formula. Beyond it, tanh x rounds to 1.
const maxTanh = 22

// Tanh returns the hyperbolic tangent of z, as [Kahan1987] computes it: without
// a difference of nearly equal numbers.
func Tanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case math.IsInf(x, 0) && y-y != 0:
		return complex(math.Copysign(1, x), signed(0, y))
	case y == 0 && x != x:
		return result(x, y)
	case x == 0 && y-y != 0:
		return result(x, math.NaN())
	case x != x || y-y != 0:
		return result(math.NaN(), math.NaN())
	case math.Abs(x) > maxTanh:
		s, c := crmath.Sincos(y)
		e := crmath.Exp(-2 * math.Abs(x))
		return result(math.Copysign(1, x), 4*float64(float64(s*c)*e))
	}
	t, s := crmath.Tan(y), crmath.Sinh(x)
	β, s2 := 1+float64(t*t), float64(s*s)
	d := 1 + float64(β*s2)
	return result(float64(β*float64(math.Sqrt(1+s2)*s))/d, t/d)
}
