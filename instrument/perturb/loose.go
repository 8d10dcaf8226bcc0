package perturb

import (
	"math"
	"unsafe"
)

// unit is the unit roundoff of float64.
const unit = 0x1p-53

// address returns what identifies a function of package math: func values of
// one function share it.
func address[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// slack returns the size of errors to add to the result r of f(x, y), where f
// is a function of package math that may err by more than a few units, and 0
// for others. It follows from the function's formula, and is several times the
// usual error, as a unit is for an operation that is rounded to nearest.
//
//lastbit:ignore libm the functions are compared, and not called
func slack[F any](f F, x, y, r float64) float64 {
	at, size := address(f), math.Abs(x)
	switch {
	case at == address(math.Sin), at == address(math.Cos):
		return turnError(size)
	case at == address(math.Tan):
		return turnError(size) * (1 + float64(r*r))
	case at == address(math.Asin):
		return asinError(size)
	case at == address(math.Acos): // π/2 - asin(x)
		return 4*unit + asinError(size)
	case at == address(math.Log2):
		return log2Error(x)
	case at == address(math.Gamma): // a power of x, or a product of x factors
		return 1.5 * unit * size * math.Abs(r)
	case at == address(math.J0), at == address(math.J1), at == address(math.Y0),
		at == address(math.Y1): // near zeros; asymptotic from 2 on
		return unit / math.Sqrt(max(size, 1))
	case at == address(math.Pow):
		return powError(x, y) * math.Abs(r)
	}
	return 0
}

// turnError is the slack of x less the nearest multiple of π/4, which has three
// parts with about 102 bits together.
func turnError(x float64) float64 { return 0x1p-100 * x }

// asinError is the slack of π/2 - atan(√(1-x²)/x) above 0.7, where the error of
// x² counts most.
func asinError(x float64) float64 {
	if x <= 0.7 || x >= 1 {
		return 0
	}
	square := math.Abs(math.FMA(x, x, -float64(x*x)))
	return 2*unit + 4*square/math.Sqrt((1-x)*(1+x))
}

// log2Error is the slack of the exponent of x and the logarithm of its
// fraction, at least 1/2.
func log2Error(x float64) float64 {
	if 0.5 <= x && x < 1 {
		return 0
	}
	return 2 * unit
}

// powError is the relative slack of powers by squaring: the error of a
// square counts as often as it is a factor.
func powError(x, y float64) float64 {
	n := math.Round(math.Abs(y))
	if n >= 1<<32 {
		return 0
	}
	e := 0.0
	for i, p := uint64(n), math.Abs(x); i > 1; {
		p, _ = math.Frexp(p)
		i >>= 1
		square := float64(p * p)
		if math.FMA(p, p, -square) != 0 {
			e += float64(i) * unit
		}
		p = square
	}
	return e
}

// isLoose reports whether a slack is so large beside a result that its bits do
// not show whether it is exact: a difference of nearly equal numbers has few.
func isLoose(r, slack float64) bool { return r != 0 && slack > 0x1p-46*math.Abs(r) }

// loosened returns the result r of a function with an error of at most its
// slack. Results of opposite numbers stay opposite.
func loosened(x, y, r, slack float64, site uint32) float64 {
	key := keys[site]
	if slack == 0 || key == 0 || r == 0 || mode == ShortFormat || r-r != 0 ||
		calls != nil && isLeftAlone() || isSpared(x, y, site, key) {
		return r
	}
	by := 2*uniform(hash(x, y, slackHash, spend(key))) - 1
	if directed {
		by = 1
		if away == 0 {
			by = -1
		}
	}
	return r + math.Copysign(float64(slack*by), by*r)
}
