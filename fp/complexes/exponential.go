package complexes

import (
	"math"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/internal/eft"
)

// result returns a number whose parts are NaN as math.NaN has it: processors
// give NaN other signs and payloads.
func result(re, im float64) complex128 {
	if re != re {
		re = math.NaN()
	}
	if im != im {
		im = math.NaN()
	}
	return complex(re, im)
}

// signed returns v ≥ 0 with the sign of s, and v itself where s is NaN.
func signed(v, s float64) float64 {
	if s != s {
		return v
	}
	return math.Copysign(v, s)
}

// Abs returns |z|, correctly rounded: crmath.Hypot of the parts.
func Abs(z complex128) float64 { return crmath.Hypot(real(z), imag(z)) }

// Phase returns the angle of z in [−π, π], correctly rounded: crmath.Atan2 of
// the parts.
func Phase(z complex128) float64 { return crmath.Atan2(imag(z), real(z)) }

// Polar returns Abs(z) and Phase(z).
func Polar(z complex128) (r, θ float64) { return Abs(z), Phase(z) }

// Rect returns the number with polar coordinates r and θ: each part is the
// rounded product of r with the correctly rounded cosine or sine of θ.
func Rect(r, θ float64) complex128 {
	s, c := crmath.Sincos(θ)
	return result(float64(r*c), float64(r*s))
}

// Exp returns e^z, which is e^x·cos y + i·e^x·sin y for z = x + iy.
func Exp(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return result(crmath.Exp(x), y)
	case math.IsInf(x, -1) && y-y != 0:
		return complex(0, signed(0, y))
	case math.IsInf(x, 1) && y-y != 0:
		return result(x, math.NaN())
	}
	s, c := crmath.Sincos(y)
	return scaledExp(x, c, s)
}

// maxExp bounds arguments with a finite exponential.
const maxExp = 709

// scaledExp returns e^x·(a + ib) for |a| ≤ 1 and |b| ≤ 1. It is finite where
// e^x alone overflows and the product does not.
func scaledExp(x, a, b float64) complex128 {
	if x > maxExp && !math.IsInf(x, 1) {
		half := crmath.Exp(x / 2)
		return result(float64(half*a)*half, float64(half*b)*half)
	}
	r := crmath.Exp(x)
	return result(float64(r*a), float64(r*b))
}

// Log returns the natural logarithm of z, whose imaginary part is Phase(z).
func Log(z complex128) complex128 { return result(logAbs(real(z), imag(z)), Phase(z)) }

// logAbs returns the logarithm of |x + iy|.
func logAbs(x, y float64) float64 {
	h := crmath.Hypot(x, y)
	switch {
	case 0.5 < h && h < 2:
		return 0.5 * crmath.Log1p(squaresLessOne(x, y))
	case math.IsInf(h, 1) && !math.IsInf(x, 0) && !math.IsInf(y, 0):
		return crmath.Log(crmath.Hypot(x/2, y/2)) + math.Ln2
	case 0 < h && h < 0x1p-1000:
		const scale = 100
		h = crmath.Hypot(math.Ldexp(x, scale), math.Ldexp(y, scale))
		return crmath.Log(h) - scale*math.Ln2
	}
	return crmath.Log(h)
}

// squaresLessOne returns x² + y² − 1, with an error below 2^−100 and a
// rounding: near the unit circle, the rounded sum of the squares has few
// digits.
func squaresLessOne(x, y float64) float64 {
	if math.Abs(x) < math.Abs(y) {
		x, y = y, x
	}
	p, lowP := eft.TwoProd(x, x)
	q, lowQ := eft.TwoProd(y, y)
	s, lowS := eft.TwoSum(p, -1)
	t, lowT := eft.TwoSum(s, q)
	return t + (lowS + lowT + (lowP + lowQ))
}

// Log10 returns the decimal logarithm of z: the parts of Log(z), times the
// rounded logarithm of e.
func Log10(z complex128) complex128 {
	l := Log(z)
	return result(float64(math.Log10E*real(l)), float64(math.Log10E*imag(l)))
}

// Pow returns x^y, which is e^(y·log x). As math/cmplx has it, Pow(0, y) is 1
// for an imaginary y, 0 for one with a positive real part, and infinite for one
// with a negative real part.
func Pow(x, y complex128) complex128 {
	a, b := real(y), imag(y)
	switch {
	case x == 0 && (a != a || b != b && !math.IsInf(a, 0)):
		return result(math.NaN(), math.NaN())
	case x == 0 && a == 0:
		return 1
	case x == 0 && a > 0:
		return 0
	case x == 0 && b == 0:
		return complex(math.Inf(1), 0)
	case x == 0:
		return complex(math.Inf(1), math.Inf(1))
	}
	modulus, angle := Polar(x)
	r, θ := crmath.Pow(modulus, a), float64(a*angle)
	if b != 0 {
		r *= crmath.Exp(-float64(b * angle))
		θ += float64(b * crmath.Log(modulus))
	}
	return Rect(r, θ)
}

// Sqrt returns the square root of z whose real part is not negative. Its
// imaginary part has the sign of the imaginary part of z.
func Sqrt(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case math.IsInf(y, 0):
		return complex(math.Inf(1), y)
	case y == 0 && x == 0:
		return complex(0, y)
	case y == 0 && x < 0:
		return complex(0, math.Copysign(math.Sqrt(-x), y))
	case y == 0:
		return result(math.Sqrt(x), y)
	case math.IsInf(x, 1):
		return result(x, 0*y)
	case math.IsInf(x, -1) && y != y:
		return result(y, math.Inf(1))
	case math.IsInf(x, -1):
		return complex(0, math.Copysign(math.Inf(1), y))
	}
	t := rootOfRight(math.Abs(x), y)
	u := math.Abs(y) / (2 * t)
	if x < 0 {
		t, u = u, t
	}
	return result(t, math.Copysign(u, y))
}

// rootOfRight returns the real part of the square root of x + iy, for x ≥ 0.
func rootOfRight(x, y float64) float64 {
	most := max(x, math.Abs(y))
	if 0x1p-900 < most && most < 0x1p900 {
		return math.Sqrt(0.5 * (x + crmath.Hypot(x, y)))
	}
	// The larger part is brought near 1, by a power of four: the sum neither
	// overflows nor is subnormal.
	_, e := math.Frexp(most)
	e &^= 1
	x, y = math.Ldexp(x, -e), math.Ldexp(y, -e)
	return math.Ldexp(math.Sqrt(0.5*(x+crmath.Hypot(x, y))), e/2)
}
