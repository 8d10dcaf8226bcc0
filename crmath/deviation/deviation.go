package deviation

import (
	"math"
	"strconv"

	"github.com/lastbit/lastbit/crmath/internal/wide"
)

// A Unary is a function of one argument, with crmath's name.
type Unary int

// The functions of one argument. Those up to Atanh have the numbers of their
// kernels.
const (
	Exp   = Unary(wide.Exp)   // e^x
	Exp2  = Unary(wide.Exp2)  // 2^x
	Exp10 = Unary(wide.Exp10) // 10^x
	Expm1 = Unary(wide.Expm1) // e^x - 1
	Log   = Unary(wide.Log)   // ln x
	Log2  = Unary(wide.Log2)  // log2 x
	Log10 = Unary(wide.Log10) // log10 x
	Log1p = Unary(wide.Log1p) // ln(1+x)
	Sin   = Unary(wide.Sin)   // sin x
	Cos   = Unary(wide.Cos)   // cos x
	Tan   = Unary(wide.Tan)   // tan x
	Asin  = Unary(wide.Asin)  // arcsin x
	Acos  = Unary(wide.Acos)  // arccos x
	Atan  = Unary(wide.Atan)  // arctan x
	Sinh  = Unary(wide.Sinh)  // sinh x
	Cosh  = Unary(wide.Cosh)  // cosh x
	Tanh  = Unary(wide.Tanh)  // tanh x
	Asinh = Unary(wide.Asinh) // arsinh x
	Acosh = Unary(wide.Acosh) // arcosh x
	Atanh = Unary(wide.Atanh) // artanh x
	Cbrt  = Atanh + 1         // ∛x

	Exp2m1  = Cbrt + 1    // 2^x - 1
	Exp10m1 = Exp2m1 + 1  // 10^x - 1
	Log2p1  = Exp10m1 + 1 // log2(1+x)
	Log10p1 = Log2p1 + 1  // log10(1+x)
	Sinpi   = Log10p1 + 1 // sin πx
	Cospi   = Sinpi + 1   // cos πx
	Tanpi   = Cospi + 1   // tan πx
	Asinpi  = Tanpi + 1   // arcsin(x)/π
	Acospi  = Asinpi + 1  // arccos(x)/π
	Atanpi  = Acospi + 1  // arctan(x)/π
	Rsqrt   = Atanpi + 1  // 1/√x
	Erf     = Rsqrt + 1   // erf x
	Erfc    = Erf + 1     // erfc x
	Gamma   = Erfc + 1    // Γ(x)
	Lgamma  = Gamma + 1   // ln |Γ(x)|
)

// A Binary is a function of two arguments, with crmath's name.
type Binary int

// The functions of two arguments. The last three are not defined where the
// second one is not an integer below 2^31 in magnitude.
const (
	Pow   Binary = iota // x^y
	Atan2               // the angle of the point (x, y); y is the first argument
	Hypot               // √(x²+y²)

	Pown     // x^n
	Compound // (1+x)^n
	Rootn    // x^(1/n)
)

// ULPs returns (got - f(x)) / ulp(f(x)): positive where got is too large. The
// package comment has the special values. It panics if f is none of the
// functions of this package.
//
// References:
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func (f Unary) ULPs(got, x float64) float64 {
	want := f.rounded(x)
	if d, ok := undefined(got, want); ok {
		return d
	}
	if f.isExact(want, x) {
		return exactly(got, want)
	}
	sign := f.fold(&x)
	got, want = float64(sign*got), float64(sign*want)
	for n := wide.First; ; n = min(3*n, f.longest()) {
		var v value
		f.set(&v, want, x, n)
		if d, ok := v.deviation(got, n); ok || n == f.longest() {
			return float64(sign * d)
		}
	}
}

// ULPs returns (got - f(a, b)) / ulp(f(a, b)), as Unary.ULPs does. The
// arguments are in the order of crmath's function.
//
// References:
//   - [Muller2016] Jean-Michel Muller. Elementary Functions: Algorithms and
//     Implementation, edition 3. Birkhäuser, 2016.
func (f Binary) ULPs(got, a, b float64) float64 {
	want := f.rounded(a, b)
	if d, ok := undefined(got, want); ok {
		return d
	}
	if f.isExact(want, a, b) {
		return exactly(got, want)
	}
	sign := f.fold(want, &a, &b)
	got, want = float64(sign*got), float64(sign*want)
	for n := wide.First; ; n = min(3*n, wide.PowLast) {
		var v value
		f.set(&v, want, a, b, n)
		if d, ok := v.deviation(got, n); ok || n == wide.PowLast {
			return float64(sign * d)
		}
	}
}

// String returns the name of the function in lower case: "exp".
func (f Unary) String() string {
	if f < 0 || int(f) >= len(unaryNames) {
		return "Unary(" + strconv.Itoa(int(f)) + ")"
	}
	return unaryNames[f]
}

// String returns the name of the function in lower case: "pow".
func (f Binary) String() string {
	if f < 0 || int(f) >= len(binaryNames) {
		return "Binary(" + strconv.Itoa(int(f)) + ")"
	}
	return binaryNames[f]
}

var unaryNames = [...]string{
	Exp: "exp", Exp2: "exp2", Exp10: "exp10", Expm1: "expm1",
	Log: "log", Log2: "log2", Log10: "log10", Log1p: "log1p",
	Sin: "sin", Cos: "cos", Tan: "tan", Asin: "asin", Acos: "acos", Atan: "atan",
	Sinh: "sinh", Cosh: "cosh", Tanh: "tanh",
	Asinh: "asinh", Acosh: "acosh", Atanh: "atanh", Cbrt: "cbrt",
	Exp2m1: "exp2m1", Exp10m1: "exp10m1", Log2p1: "log2p1", Log10p1: "log10p1",
	Sinpi: "sinpi", Cospi: "cospi", Tanpi: "tanpi",
	Asinpi: "asinpi", Acospi: "acospi", Atanpi: "atanpi", Rsqrt: "rsqrt",
	Erf: "erf", Erfc: "erfc", Gamma: "gamma", Lgamma: "lgamma",
}

var binaryNames = [...]string{
	Pow: "pow", Atan2: "atan2", Hypot: "hypot",
	Pown: "pown", Compound: "compound", Rootn: "rootn",
}

// longest returns the longest precision of f in words.
func (f Unary) longest() int {
	if f == Gamma || f == Lgamma {
		return wide.GammaLast
	}
	return wide.PowLast
}

// undefined returns the deviation of got, and true, where it or the rounded
// value want is NaN, or both are the same infinity.
func undefined(got, want float64) (float64, bool) {
	switch {
	case want != want && got != got, math.IsInf(want, 0) && got == want:
		return 0, true
	case want != want || got != got:
		return math.NaN(), true
	}
	return 0, false
}

// exactly returns the deviation of got from want itself.
func exactly(got, want float64) float64 {
	v := value{base: want}
	d, _ := v.deviation(got, wide.First)
	return d
}
