package wide

import "github.com/lastbit/lastbit/fp"

// Function names a function of one argument that has a kernel.
type Function int

// The functions.
const (
	Exp Function = iota
	Exp2
	Exp10
	Expm1
	Log
	Log2
	Log10
	Log1p
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Tanh
	Asinh
	Acosh
	Atanh
	Exp2m1
	Exp10m1
	Log2p1
	Log10p1
	Sinpi
	Cospi
	Tanpi
	Asinpi
	Acospi
	Atanpi
	Rsqrt
	Erf
	Erfc
	Gamma
	Lgamma
)

// Set sets z to f(x) at precision n, for finite x in the domain of the kernel.
// guess is f(x) to about 53 bits; only the six functions of arcs use it.
func (f Function) Set(z *Float, x, guess float64, n int) {
	var a, b Float
	a.SetFloat64(x, n+1)
	switch f {
	case Exp:
		z.SetExp(&a, n)
	case Exp2:
		z.SetExp2(&a, n)
	case Exp10:
		z.SetExp10(&a, n)
	case Expm1:
		z.SetExpm1(&a, n)
	case Log:
		z.SetLog(&a, n)
	case Log2:
		z.SetLog2(&a, n)
	case Log10:
		z.SetLog10(&a, n)
	case Log1p:
		z.SetLog1p(&a, n)
	case Sin:
		SetSinCos(z, &b, x, n)
	case Cos:
		SetSinCos(&b, z, x, n)
	case Tan:
		SetSinCos(z, &b, x, n)
		z.Div(z, &b, n+1)
	case Asin:
		b.SetCofactor(&a, n)
		z.SetAtan2(&a, &b, guess, n)
	case Acos:
		b.SetCofactor(&a, n)
		z.SetAtan2(&b, &a, guess, n)
	case Atan:
		b.SetUint(1, n+1)
		z.SetAtan2(&a, &b, guess, n)
	case Sinh:
		z.SetSinh(&a, n)
	case Cosh:
		z.SetCosh(&a, n)
	case Tanh:
		z.SetTanh(&a, n)
	case Asinh:
		z.SetAsinh(&a, n)
	case Acosh:
		z.SetAcosh(&a, n)
	case Atanh:
		z.SetAtanh(&a, n)
	case Exp2m1:
		z.SetExp2m1(&a, n)
	case Exp10m1:
		z.SetExp10m1(&a, n)
	case Log2p1:
		z.SetLog2p1(&a, n)
	case Log10p1:
		z.SetLog10p1(&a, n)
	case Sinpi:
		SetSinCosPi(z, &b, x, n)
	case Cospi:
		SetSinCosPi(&b, z, x, n)
	case Tanpi:
		SetSinCosPi(z, &b, x, n)
		z.Div(z, &b, n+1)
	case Asinpi:
		b.SetCofactor(&a, n)
		z.SetHalfTurns(&a, &b, guess, n)
	case Acospi:
		b.SetCofactor(&a, n)
		z.SetHalfTurns(&b, &a, guess, n)
	case Atanpi:
		b.SetUint(1, n+1)
		z.SetHalfTurns(&a, &b, guess, n)
	case Rsqrt:
		z.SetRsqrt(&a, n)
	case Erf:
		z.SetErf(&a, n)
	case Erfc:
		z.SetErfc(&a, n)
	case Gamma:
		z.SetGamma(&a, n)
	case Lgamma:
		z.SetLgamma(&a, n)
	}
}

// setShort returns f(x) as Set does, with a relative error below
// 2^(lost-117); maxLost where it has no such value.
func (f Function) setShort(x, guess float64) (z short, lost int) {
	a := shortFloat(x)
	switch f {
	case Exp:
		return expShort(a, &rateE), 0
	case Exp2:
		return expShort(a, &rate2), 0
	case Exp10:
		return expShort(a, &rate10), 0
	case Expm1:
		return expm1Short(a, &rateE), 0
	case Exp2m1:
		return expm1Short(a, &rate2), 0
	case Exp10m1:
		return expm1Short(a, &rate10), 0
	case Log:
		return logShort(a, false), 0
	case Log2:
		return logShort(a, true), 0
	case Log10:
		return logShort(a, false).times(shortInverseLn10), 0
	case Log1p:
		return log1pShort(a), 0
	case Log2p1:
		return log1pShort(a).times(shortInverseLn2), 0
	case Log10p1:
		return log1pShort(a).times(shortInverseLn10), 0
	case Sinh:
		return sinhShort(x), 0
	case Cosh:
		return coshShort(x), 0
	case Tanh:
		return tanhShort(x), 0
	case Asinh:
		return asinhShort(x), 0
	case Acosh:
		return acoshShort(x), 0
	case Atanh:
		return atanhShort(x), 0
	case Sin, Cos, Tan, Sinpi, Cospi, Tanpi:
		return f.angleShort(x), 0
	case Asin, Acos, Atan:
		return f.arcShort(a, guess)
	case Asinpi, Acospi, Atanpi:
		return f.halfTurnsShort(a, guess)
	case Erf:
		return erfShort(x), 0
	case Erfc:
		return erfcShort(x), 0
	case Gamma:
		return gammaShort(x)
	case Lgamma:
		return lgammaShort(x)
	}
	return z, maxLost
}

// angleShort is setShort for the sine, cosine and tangent of x or πx.
func (f Function) angleShort(x float64) short {
	var s, c short
	switch f {
	case Sin, Cos, Tan:
		s, c = sinCosShort(x)
	default:
		s, c = sinCosPiShort(x)
	}
	switch f {
	case Sin, Sinpi:
		return s
	case Cos, Cospi:
		return c
	}
	return s.over(c)
}

// arcShort is setShort for Asin, Acos and Atan.
func (f Function) arcShort(x short, guess float64) (z short, lost int) {
	switch f {
	case Asin:
		return atan2Short(x, cofactorShort(x), guess)
	case Acos:
		return atan2Short(cofactorShort(x), x, guess)
	}
	return atan2Short(x, shortOne, guess)
}

// Rounded returns f(x), rounded once in direction m, for an argument as in Set
// whose result is neither representable nor, for m = NearestEven, a midpoint.
// Two words decide nearly all. First decides where the worst cases are known
// (LefevreMuller2001, Sibidanov2022); a longer precision would decide a case
// that was left out.
func (f Function) Rounded(x, guess float64, m fp.Mode) float64 {
	z, lost := f.setShort(x, guess)
	if r, ok := z.rounded(m, lost); ok {
		return r
	}
	return f.roundedLong(x, guess, m)
}

// roundedLong is Rounded without the first kernel.
func (f Function) roundedLong(x, guess float64, m fp.Mode) float64 {
	var z Float
	for n := First; ; n = min(Longer(n), f.Longest()) {
		f.Set(&z, x, guess, n)
		if r, ok := z.Rounded(n, m); ok || n == f.Longest() {
			return r
		}
	}
}

// Longest returns the longest precision of f's kernel.
func (f Function) Longest() int {
	if f == Gamma || f == Lgamma {
		return GammaLast
	}
	return Last
}

// RoundedAtan2 returns the angle of the point (x, y), rounded once in direction
// m, near a guess of at least TinyAngle, for finite x ≠ 0 and y ≠ 0. An angle
// that two words do not decide is often as close to a midpoint as some number
// was made to be.
func RoundedAtan2(y, x, guess float64, m fp.Mode) float64 {
	short, lost := atan2Short(shortFloat(y), shortFloat(x), guess)
	if r, ok := short.rounded(m, lost); ok {
		return r
	}
	for n := First + 1; ; n = Longer(n) {
		var z, a, b Float
		a.SetFloat64(y, n+1)
		b.SetFloat64(x, n+1)
		z.SetAtan2(&a, &b, guess, n)
		if r, ok := z.Rounded(n, m); ok || n == Last {
			return r
		}
	}
}
