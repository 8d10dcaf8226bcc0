package complexes

import (
	"math"

	"github.com/lastbit/lastbit/crmath"
)

// [Kahan1987] has the formulas of the inverse functions. The branch cuts are
// C99's: the sign of a zero selects the side of a cut.

// Asin returns the inverse sine of z, asinh(iz)/i.
func Asin(z complex128) complex128 { return overI(Asinh(timesI(z))) }

// Atan returns the inverse tangent of z, atanh(iz)/i.
func Atan(z complex128) complex128 { return overI(Atanh(timesI(z))) }

// large is a number beyond which 1 + z² is z² in all digits, and z² finite.
const large = 0x1p500

// isLarge reports whether a part of z is beyond large.
func isLarge(z complex128) bool { return math.Abs(real(z)) > large || math.Abs(imag(z)) > large }

// Acos returns the inverse cosine of z.
func Acos(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case math.IsInf(x, 0) && y != y:
		return result(y, x)
	case math.IsInf(y, 0) && x != x:
		return result(x, -y)
	case x == 0 && y != y:
		return result(math.Pi/2, y)
	case x != x || y != y:
		return result(math.NaN(), math.NaN())
	case isLarge(z):
		return complex(crmath.Atan2(math.Abs(y), x), math.Copysign(logTwice(x, y), -y))
	}
	below, above := Sqrt(complex(1-x, -y)), Sqrt(complex(1+x, y))
	return complex(2*crmath.Atan2(real(below), real(above)),
		crmath.Asinh(imagOfProduct(conj(above), below)))
}

// Acosh returns the inverse hyperbolic cosine of z, whose real part is not
// negative: Acos(z) times i or −i.
func Acosh(z complex128) complex128 {
	w := Acos(z)
	return result(math.Abs(imag(w)), signed(real(w), imag(z)))
}

// Asinh returns the inverse hyperbolic sine of z.
func Asinh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case math.IsInf(x, 0) && y != y, y == 0 && x != x:
		return result(x, y)
	case math.IsInf(y, 0) && x != x:
		return result(math.Inf(1), x)
	case x != x || y != y:
		return result(math.NaN(), math.NaN())
	case isLarge(z):
		return complex(math.Copysign(logTwice(x, y), x), crmath.Atan2(y, math.Abs(x)))
	}
	// sinh(w) = z where sin(w/i) = z/i = y − ix.
	below, above := Sqrt(complex(1-y, x)), Sqrt(complex(1+y, -x))
	return complex(crmath.Asinh(-imagOfProduct(conj(below), above)),
		crmath.Atan2(y, realOfProduct(below, above)))
}

// logTwice returns the logarithm of |2(x + iy)|.
func logTwice(x, y float64) float64 {
	return crmath.Log(crmath.Hypot(x/2, y/2)) + 2*math.Ln2
}

// Atanh returns the inverse hyperbolic tangent of z.
func Atanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0 && math.Abs(x) <= 1:
		return complex(crmath.Atanh(x), y)
	case math.IsInf(y, 0):
		return complex(signed(0, x), math.Copysign(math.Pi/2, y))
	case math.IsInf(x, 0), x == 0 && y != y:
		return result(math.Copysign(0, x), signed(math.Pi/2, y)+(y-y))
	case x != x || y != y:
		return result(math.NaN(), math.NaN())
	}
	re, im := atanhRight(math.Abs(x), math.Abs(y))
	return complex(math.Copysign(re, x), math.Copysign(im, y))
}

// atanhRight returns the parts of the inverse hyperbolic tangent of x + iy, for
// finite x ≥ 0 and y ≥ 0. If y is 0, x is above 1.
func atanhRight(x, y float64) (re, im float64) {
	switch {
	case x > large || y > large:
		h := crmath.Hypot(x/2, y/2)
		return 0.25 * (x / h / h), math.Pi / 2
	case x == 1:
		return 0.5 * (crmath.Log(crmath.Hypot(2, y)) - crmath.Log(y)),
			0.5 * (math.Pi/2 + crmath.Atan(y/2))
	}
	y2 := float64(y * y)
	return 0.25 * crmath.Log1p(4*x/(float64((1-x)*(1-x))+y2)),
		0.5 * crmath.Atan2(2*y, float64((1-x)*(1+x))-y2)
}

func conj(z complex128) complex128 { return complex(real(z), -imag(z)) }

// realOfProduct and imagOfProduct return a part of a·b, each product rounded.
func realOfProduct(a, b complex128) float64 {
	return float64(real(a)*real(b)) - float64(imag(a)*imag(b))
}

func imagOfProduct(a, b complex128) float64 {
	return float64(real(a)*imag(b)) + float64(imag(a)*real(b))
}
