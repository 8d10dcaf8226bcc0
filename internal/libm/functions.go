// Package libm looks at the elementary functions of this machine: Go's, the C
// library's, NumPy's. It calls each with a fixed set of arguments and holds the
// results against the correctly rounded ones.
package libm

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/crmath"
)

// A Function is an elementary function of one argument or of two.
type Function struct {
	Name      string // Go's, in lower case, which is also C's
	NumPy     string // NumPy's; "" if it has none
	right     func(x, y float64) float64
	golang    func(x, y float64) float64
	binary    bool
	low, high float64 // where typical arguments lie
}

// one makes a Function's form of a function of one argument.
func one(f func(float64) float64) func(x, y float64) float64 {
	return func(x, _ float64) float64 { return f(x) }
}

// Functions returns all of them.
func Functions() []*Function {
	unary := func(name, numpy string, right, golang func(float64) float64, low, high float64) *Function {
		return &Function{Name: name, NumPy: numpy, right: one(right), golang: one(golang), low: low, high: high}
	}
	binary := func(name, numpy string, right, golang func(x, y float64) float64, low, high float64) *Function {
		return &Function{Name: name, NumPy: numpy, right: right, golang: golang, binary: true, low: low, high: high}
	}
	return []*Function{
		unary("exp", "exp", crmath.Exp, math.Exp, -20, 20),
		unary("exp2", "exp2", crmath.Exp2, math.Exp2, -20, 20),
		unary("expm1", "expm1", crmath.Expm1, math.Expm1, -2, 2),
		unary("log", "log", crmath.Log, math.Log, 0, 100),
		unary("log2", "log2", crmath.Log2, math.Log2, 0, 100),
		unary("log10", "log10", crmath.Log10, math.Log10, 0, 100),
		unary("log1p", "log1p", crmath.Log1p, math.Log1p, -1, 2),
		unary("sin", "sin", crmath.Sin, math.Sin, -10, 10),
		unary("cos", "cos", crmath.Cos, math.Cos, -10, 10),
		unary("tan", "tan", crmath.Tan, math.Tan, -10, 10),
		unary("asin", "arcsin", crmath.Asin, math.Asin, -1, 1),
		unary("acos", "arccos", crmath.Acos, math.Acos, -1, 1),
		unary("atan", "arctan", crmath.Atan, math.Atan, -10, 10),
		unary("cbrt", "cbrt", crmath.Cbrt, math.Cbrt, -100, 100),
		unary("sinh", "sinh", crmath.Sinh, math.Sinh, -5, 5),
		unary("cosh", "cosh", crmath.Cosh, math.Cosh, -5, 5),
		unary("tanh", "tanh", crmath.Tanh, math.Tanh, -3, 3),
		unary("asinh", "arcsinh", crmath.Asinh, math.Asinh, -10, 10),
		unary("acosh", "arccosh", crmath.Acosh, math.Acosh, 1, 10),
		unary("atanh", "arctanh", crmath.Atanh, math.Atanh, -1, 1),
		binary("hypot", "hypot", crmath.Hypot, math.Hypot, -10, 10),
		binary("pow", "power", crmath.Pow, math.Pow, 0, 10),
		binary("atan2", "arctan2", crmath.Atan2, math.Atan2, -10, 10),
	}
}

// count is how many arguments a function is called with.
const count = 1 << 14

// Arguments returns the fixed arguments of a function: half of them are typical, evenly
// spread; a quarter have any exponent, and a quarter lie around 1 and 0. y is nil for a
// function of one argument.
func (f *Function) Arguments() (x, y []float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	x = f.draw(rng)
	if f.binary {
		y = f.draw(rng)
	}
	return x, y
}

func (f *Function) draw(rng *rand.Rand) []float64 {
	x := make([]float64, count)
	for i := range x {
		switch i % 4 {
		case 0, 1:
			x[i] = f.low + float64((f.high-f.low)*rng.Float64())
		case 2:
			x[i] = math.Float64frombits(rng.Uint64())
			if f.low >= 0 {
				x[i] = math.Abs(x[i])
			}
		default:
			x[i] = float64(1-2*(i>>2&1)) * math.Ldexp(1+rng.Float64(), -rng.IntN(40))
		}
	}
	return x
}

// Right returns the correctly rounded values.
func (f *Function) Right(x, y []float64) []float64 { return apply(f.right, x, y) }

func apply(g func(x, y float64) float64, x, y []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		if y == nil {
			out[i] = g(v, 0)
		} else {
			out[i] = g(v, y[i])
		}
	}
	return out
}
