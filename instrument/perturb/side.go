package perturb

import "math"

// Results of few bits, and results that equal the argument, are exact or not: 2
// is 8 to the power of 1/3, and 1 is not the cosine of 1e-9. Values of the
// exponential function, and of what is made of it, are never rational at other
// numbers than 0 (Lindemann).

// side returns the sign of the error of r = f(x) for a function of package math
// whose results are never exact, except at 0 and at infinities, where r may
// look exact; and 0 for others.
//
//lastbit:ignore libm the functions are compared, and not called
func side[F any](f F, x, r float64) float64 {
	if x == 0 || r == 0 || x-x != 0 || r-r != 0 {
		return 0
	}
	at, outward := address(f), math.Copysign(1, r)
	switch at {
	case address(math.Sin), address(math.Cos), address(math.Atan), address(math.Asinh),
		address(math.Tanh), address(math.Erf), address(math.J0):
		return -outward
	case address(math.Tan), address(math.Asin), address(math.Sinh), address(math.Atanh),
		address(math.Cosh):
		return outward
	case address(math.Exp):
		return math.Copysign(1, x)
	case address(math.Expm1):
		return 1
	case address(math.Log1p):
		return -1
	case address(math.Exp2):
		if x != math.Trunc(x) {
			return math.Copysign(1, x)
		}
	case address(math.Erfc):
		if r > 1.5 {
			return -1
		}
		return -math.Copysign(1, x)
	}
	return 0
}

// side2 is side for a function of two numbers.
//
//lastbit:ignore libm the functions are compared, and not called
func side2[F any](f F, x, y, r float64) float64 {
	switch at := address(f); {
	case x == 0 || y == 0 || x-x != 0 || y-y != 0:
		return 0
	case at == address(math.Hypot) && r == max(math.Abs(x), math.Abs(y)):
		return 1
	case at == address(math.Pow) && r == 1 && math.Abs(x) != 1:
		return math.Copysign(1, (math.Abs(x)-1)*y)
	}
	return 0
}
