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
)

// A Binary is a function of two arguments, with crmath's name.
type Binary int

// The functions of two arguments.
const (
	Pow   Binary = iota // x^y
	Atan2               // the angle of the point (x, y); y is the first argument
	Hypot               // √(x²+y²)
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
	for n := wide.First; ; n = longer(n) {
		var v value
		f.set(&v, want, x, n)
		if d, ok := v.deviation(got, n); ok || n == wide.PowLast {
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
	for n := wide.First; ; n = longer(n) {
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
}

var binaryNames = [...]string{Pow: "pow", Atan2: "atan2", Hypot: "hypot"}

// longer returns the precision to try after n words.
func longer(n int) int { return min(3*n, wide.PowLast) }

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
