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
	}
}

// setShort returns f(x) as Set does, with a relative error below 2^-117. It
// returns false where it has no such value.
func (f Function) setShort(x, guess float64) (z short, ok bool) {
	switch f {
	case Exp:
		z = expShort(x, &rateE)
	case Exp2:
		z = expShort(x, &rate2)
	case Exp10:
		z = expShort(x, &rate10)
	case Expm1:
		z = expm1Short(x)
	case Log:
		z = logShort(x, false)
	case Log2:
		z = logShort(x, true)
	case Log10:
		z = logShort(x, false).times(shortInverseLn10)
	case Log1p:
		z = log1pShort(shortFloat(x))
	case Sin:
		z, _ = sinCosShort(x)
	case Cos:
		_, z = sinCosShort(x)
	case Tan:
		z = tanShort(x)
	case Asin:
		a := shortFloat(x)
		return atan2Short(a, cofactorShort(a), guess)
	case Acos:
		a := shortFloat(x)
		return atan2Short(cofactorShort(a), a, guess)
	case Atan:
		return atan2Short(shortFloat(x), shortOne, guess)
	case Sinh:
		z = sinhShort(x)
	case Cosh:
		z = coshShort(x)
	case Tanh:
		z = tanhShort(x)
	case Asinh:
		z = asinhShort(x)
	case Acosh:
		z = acoshShort(x)
	case Atanh:
		z = atanhShort(x)
	default:
		return z, false
	}
	return z, true
}

// Rounded returns f(x), rounded once in direction m, for an argument as in Set
// whose result is neither representable nor, for m = NearestEven, a midpoint.
// Two words decide nearly all. First decides where the worst cases are known
// (LefevreMuller2001, Sibidanov2022); a longer precision would decide a case
// that was left out.
func (f Function) Rounded(x, guess float64, m fp.Mode) float64 {
	if z, ok := f.setShort(x, guess); ok {
		if r, ok := z.rounded(m); ok {
			return r
		}
	}
	var z Float
	for n := First; ; n = Longer(n) {
		f.Set(&z, x, guess, n)
		if r, ok := z.Rounded(n, m); ok || n == Last {
			return r
		}
	}
}

// RoundedAtan2 returns the angle of the point (x, y), rounded once in direction
// m, near a guess of at least TinyAngle, for finite x ≠ 0 and y ≠ 0. An angle
// that two words do not decide is often as close to a midpoint as some number
// was made to be.
func RoundedAtan2(y, x, guess float64, m fp.Mode) float64 {
	if z, ok := atan2Short(shortFloat(y), shortFloat(x), guess); ok {
		if r, ok := z.rounded(m); ok {
			return r
		}
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
