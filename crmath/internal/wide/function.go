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
)

// Set sets z to f(x) at precision n, for finite x in the domain of the kernel.
// guess is f(x) to about 53 bits; only Asin, Acos and Atan use it.
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
	}
}

// Rounded returns f(x), rounded once in direction m, for an argument as in Set
// whose result is neither representable nor, for m = NearestEven, a midpoint.
// First decides where the worst cases are known (LefevreMuller2001,
// Sibidanov2022); a longer precision would decide a case that was left out.
func (f Function) Rounded(x, guess float64, m fp.Mode) float64 {
	var z Float
	for n := First; ; n = Longer(n) {
		f.Set(&z, x, guess, n)
		if r, ok := z.Rounded(n, m); ok || n == Last {
			return r
		}
	}
}
