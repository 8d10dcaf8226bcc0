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
	case at == address(math.Log):
		return logError(x)
	case at == address(math.Log10):
		return logError(x) / math.Ln10
	case at == address(math.Log2):
		return log2Error(x)
	case at == address(math.Erfcinv):
		return erfcinvError(x, r)
	case at == address(math.Gamma): // a power of x, or a product of x factors
		return 1.5 * unit * size * math.Abs(r)
	case at == address(math.J0), at == address(math.J1), at == address(math.Y0),
		at == address(math.Y1): // near zeros; asymptotic from 2 on
		return unit/math.Sqrt(max(size, 1)) + logError(x)
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

// logError is the slack of the logarithm of a subnormal number: assembly reads
// its exponent from bits that do not hold it.
func logError(x float64) float64 {
	if x <= 0 || x >= 0x1p-1022 {
		return 0
	}
	//lastbit:ignore libm the functions are compared
	e := math.Abs(math.Log(x*0x1p60) - 60*math.Ln2 - math.Log(x))
	if e < 0x1p-30 {
		return 0
	}
	return 4 * e
}

// lgammaError is the slack of r = Lgamma(x). Below 0, r is the difference of a
// logarithm and of Lgamma(-x). From 0.1916 and 1.1916 on, it is a polynomial
// that fits from 0.2316 and 1.2316 on.
func lgammaError(x, r float64) float64 {
	e := logError(math.Abs(x))
	if x < 0 {
		of, _ := math.Lgamma(-x) //lastbit:ignore libm the program's own call
		e += float64(3*unit*(math.Abs(of)+math.Abs(r+of)+1)) + lgammaError(-x, of)
	}
	for _, to := range []float64{0.23163214496836225, 1.2316321449683622} {
		if by := (to - x) / 0.04; by > 0 && by <= 1 {
			e += float64(176 * unit * float64(float64(by*by)*float64(by*by)))
		}
	}
	return e
}

// besselError is the slack of r = f(n, x), where f is Jn or Yn: a recurrence
// from the orders 0 and 1, or from higher orders with a factor that makes order
// 0 equal J0(x), which has few digits near its zeros.
//
//lastbit:ignore libm the functions are compared
func besselError(f func(n int, x float64) float64, n int, x, r float64) float64 {
	size, order := math.Abs(x), math.Abs(float64(n))
	e := float64(3 * unit * math.Sqrt(order))
	switch isFirst := address(f) == address(math.Jn); {
	case order < 2:
		return unit/math.Sqrt(max(size, 1)) + logError(x)
	case isFirst && order > size:
		return (e + 2*unit/math.Abs(math.Sqrt(max(size, 1))*math.J0(size))) * math.Abs(r)
	case isFirst:
		return e * math.Hypot(r, math.Yn(n, size))
	}
	return float64(e*math.Hypot(r, math.Jn(n, size))) + logError(x)
}

// powError is the relative slack of powers by squaring: the error of a square
// counts as often as it is a factor. The fraction of y, from -1/2 to 1/2, is a
// factor of a logarithm, whose absolute error is the relative error of a power.
func powError(x, y float64) float64 {
	size, whole := math.Abs(y), math.Round(math.Abs(y))
	if size == 0.5 || whole >= 1<<63 {
		return 0
	}
	e := 0.0
	if part := math.Abs(size - whole); part != 0 {
		//lastbit:ignore libm it estimates an error
		e = part * (float64(2*unit*math.Abs(math.Log(x))) + logError(x))
	}
	for i, p := uint64(whole), math.Abs(x); i > 1 && p > 0; {
		p, _ = math.Frexp(p)
		i >>= 1
		square := float64(p * p)
		e += 2 * float64(i) * math.Abs(math.FMA(p, p, -square)) / square
		p = square
	}
	return min(e, 1)
}

// erfcinvError is the slack of r = Erfinv(1-x): the error of 1-x, by the slope.
func erfcinvError(x, r float64) float64 {
	//lastbit:ignore libm it estimates an error
	return 2 * math.Abs((1-x)-1+x) * math.Exp(r*r)
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
