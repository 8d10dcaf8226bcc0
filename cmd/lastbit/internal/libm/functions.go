// Package libm looks at the elementary functions of this machine: Go's, the C
// library's, NumPy's. It calls each with a fixed set of arguments, holds the
// results against the correctly rounded ones, and tells how long a call takes.
package libm

import (
	"math"
	"math/rand/v2"

	"github.com/lastbit/lastbit/crmath"
	"github.com/lastbit/lastbit/crmath/f32"
	"github.com/lastbit/lastbit/fp"
)

// A Float is a format of arguments and results.
type Float interface{ float32 | float64 }

// FormatOf returns the format of a type.
func FormatOf[T Float]() fp.Format {
	if _, single := any(T(0)).(float32); single {
		return fp.Binary32
	}
	return fp.Binary64
}

// A Function is an elementary function of one argument or of two.
type Function[T Float] struct {
	Name      string // Go's, in lower case, which is also C's for float64
	NumPy     string // NumPy's; "" if it has none
	Binary    bool   // of two arguments
	Results   int    // of a call: sincos has two
	Low, High float64
	right     Loop[T]
	golang    Loop[T] // nil if Go has none
	slice     Loop[T] // nil if there is none for slices
	deviation deviation[T]
}

// A Loop sets out[i] to a function of x[i], or of x[i] and y[i]. The second results of
// a function with two follow the first ones of all arguments.
type Loop[T Float] func(out, x, y []T) error

// entry is a function of one argument, and pair one of two, in both formats. Typical
// arguments lie between low and high.
type entry struct {
	name, numpy string
	low, high   float64
	right       func(float64) float64
	golang      func(float64) float64
	single      func(float32) float32
	slice       func(dst, x []float64)
	sliceSingle func(dst, x []float32)
}

type pair struct {
	name, numpy string
	low, high   float64
	right       func(x, y float64) float64
	golang      func(x, y float64) float64
	single      func(x, y float32) float32
	slice       func(dst, x, y []float64)
	sliceSingle func(dst, x, y []float32)
}

func entries() []entry {
	return []entry{
		{"exp", "exp", -20, 20, crmath.Exp, math.Exp, f32.Exp, crmath.ExpSlice, f32.ExpSlice},
		{"exp2", "exp2", -20, 20, crmath.Exp2, math.Exp2, f32.Exp2, crmath.Exp2Slice, f32.Exp2Slice},
		{"exp10", "", -20, 20, crmath.Exp10, nil, f32.Exp10, nil, nil},
		{"expm1", "expm1", -2, 2, crmath.Expm1, math.Expm1, f32.Expm1, crmath.Expm1Slice, f32.Expm1Slice},
		{"log", "log", 0, 100, crmath.Log, math.Log, f32.Log, crmath.LogSlice, f32.LogSlice},
		{"log2", "log2", 0, 100, crmath.Log2, math.Log2, f32.Log2, crmath.Log2Slice, f32.Log2Slice},
		{"log10", "log10", 0, 100, crmath.Log10, math.Log10, f32.Log10, crmath.Log10Slice, f32.Log10Slice},
		{"log1p", "log1p", -1, 2, crmath.Log1p, math.Log1p, f32.Log1p, crmath.Log1pSlice, f32.Log1pSlice},
		{"sin", "sin", -10, 10, crmath.Sin, math.Sin, f32.Sin, crmath.SinSlice, f32.SinSlice},
		{"cos", "cos", -10, 10, crmath.Cos, math.Cos, f32.Cos, crmath.CosSlice, f32.CosSlice},
		{"tan", "tan", -10, 10, crmath.Tan, math.Tan, f32.Tan, crmath.TanSlice, f32.TanSlice},
		{"asin", "arcsin", -1, 1, crmath.Asin, math.Asin, f32.Asin, nil, nil},
		{"acos", "arccos", -1, 1, crmath.Acos, math.Acos, f32.Acos, nil, nil},
		{"atan", "arctan", -10, 10, crmath.Atan, math.Atan, f32.Atan, nil, nil},
		{"sinh", "sinh", -5, 5, crmath.Sinh, math.Sinh, f32.Sinh, nil, nil},
		{"cosh", "cosh", -5, 5, crmath.Cosh, math.Cosh, f32.Cosh, nil, nil},
		{"tanh", "tanh", -3, 3, crmath.Tanh, math.Tanh, f32.Tanh, nil, f32.TanhSlice},
		{"asinh", "arcsinh", -10, 10, crmath.Asinh, math.Asinh, f32.Asinh, nil, nil},
		{"acosh", "arccosh", 1, 10, crmath.Acosh, math.Acosh, f32.Acosh, nil, nil},
		{"atanh", "arctanh", -1, 1, crmath.Atanh, math.Atanh, f32.Atanh, nil, nil},
		{"cbrt", "cbrt", -100, 100, crmath.Cbrt, math.Cbrt, f32.Cbrt, nil, nil},
	}
}

func pairs() []pair {
	return []pair{
		{"pow", "power", 0, 10, crmath.Pow, math.Pow, f32.Pow, crmath.PowSlice, f32.PowSlice},
		{"atan2", "arctan2", -10, 10, crmath.Atan2, math.Atan2, f32.Atan2, nil, nil},
		{"hypot", "hypot", -10, 10, crmath.Hypot, math.Hypot, f32.Hypot, nil, nil},
	}
}

// Functions returns all of them.
func Functions[T Float]() []*Function[T] {
	if fs, ok := any(singles()).([]*Function[T]); ok {
		return fs
	}
	return any(doubles()).([]*Function[T])
}

func doubles() (fs []*Function[float64]) {
	for _, e := range entries() {
		f := &Function[float64]{Name: e.name, NumPy: e.numpy, Results: 1, Low: e.low, High: e.high, right: loop1(e.right), deviation: deviations1(e.name)}
		if e.golang != nil {
			f.golang = loop1(e.golang)
		}
		if e.slice != nil {
			f.slice = slice1(e.slice)
		}
		fs = append(fs, f)
	}
	fs = append(fs, &Function[float64]{Name: "sincos", Results: 2, Low: -10, High: 10, right: loopBoth(crmath.Sincos), golang: loopBoth(math.Sincos),
		deviation: deviations1("sin", "cos")})
	for _, p := range pairs() {
		f := &Function[float64]{Name: p.name, NumPy: p.numpy, Binary: true, Results: 1, Low: p.low, High: p.high,
			right: loop2(p.right), golang: loop2(p.golang), deviation: deviations2(p.name)}
		if p.slice != nil {
			f.slice = slice2(p.slice)
		}
		fs = append(fs, f)
	}
	return fs
}

// singles returns the functions of float32. What Go's package math has for them is
// float32(math.F(float64(x))).
func singles() (fs []*Function[float32]) {
	for _, e := range entries() {
		f := &Function[float32]{Name: e.name, NumPy: e.numpy, Results: 1, Low: e.low, High: e.high, right: loop1(e.single), deviation: singleDeviations1(e.right)}
		if g := e.golang; g != nil {
			f.golang = func(out, x, _ []float32) error {
				for i, v := range x {
					out[i] = float32(g(float64(v)))
				}
				return nil
			}
		}
		if e.sliceSingle != nil {
			f.slice = slice1(e.sliceSingle)
		}
		fs = append(fs, f)
	}
	fs = append(fs, &Function[float32]{Name: "sincos", Results: 2, Low: -10, High: 10, right: loopBoth(f32.Sincos), deviation: singleDeviations1(crmath.Sin, crmath.Cos),
		golang: loopBoth(func(x float32) (float32, float32) {
			s, c := math.Sincos(float64(x))
			return float32(s), float32(c)
		})})
	for _, p := range pairs() {
		g := p.golang
		f := &Function[float32]{Name: p.name, NumPy: p.numpy, Binary: true, Results: 1, Low: p.low, High: p.high, right: loop2(p.single), deviation: singleDeviations2(p.right),
			golang: func(out, x, y []float32) error {
				for i, v := range x {
					out[i] = float32(g(float64(v), float64(y[i])))
				}
				return nil
			}}
		if p.sliceSingle != nil {
			f.slice = slice2(p.sliceSingle)
		}
		fs = append(fs, f)
	}
	return fs
}

func loop1[T Float](f func(T) T) Loop[T] {
	return func(out, x, _ []T) error {
		for i, v := range x {
			out[i] = f(v)
		}
		return nil
	}
}

func loop2[T Float](f func(x, y T) T) Loop[T] {
	return func(out, x, y []T) error {
		for i, v := range x {
			out[i] = f(v, y[i])
		}
		return nil
	}
}

func slice1[T Float](f func(dst, x []T)) Loop[T] {
	return func(out, x, _ []T) error {
		f(out, x)
		return nil
	}
}

func slice2[T Float](f func(dst, x, y []T)) Loop[T] {
	return func(out, x, y []T) error {
		f(out, x, y)
		return nil
	}
}

func loopBoth[T Float](f func(T) (T, T)) Loop[T] {
	return func(out, x, _ []T) error {
		for i, v := range x {
			out[i], out[len(x)+i] = f(v)
		}
		return nil
	}
}

// FixedCount is how many arguments a fingerprint is made of, and typical how many are timed:
// too many for a processor to remember which way each branch went the last time.
const (
	FixedCount = 1 << 16
	typical    = 1 << 16
)

// Fixed returns the arguments of a fingerprint: half of them are typical, evenly
// spread; a quarter have any exponent, and a quarter lie around 1 and 0. y is nil for a
// function of one argument.
func (f *Function[T]) Fixed() (x, y []T) {
	rng := rand.New(rand.NewPCG(1, 2))
	return f.draw(FixedCount, func(i int) T {
		switch i % 4 {
		case 0, 1:
			return f.between(rng)
		case 2:
			v := anyBits[T](rng)
			if f.Low >= 0 && v < 0 {
				return -v
			}
			return v
		default:
			return T(float64(1-2*(i>>2&1)) * math.Ldexp(1+rng.Float64(), -rng.IntN(40)))
		}
	})
}

// Typical returns typical arguments, evenly spread and in random order.
func (f *Function[T]) Typical() (x, y []T) {
	rng := rand.New(rand.NewPCG(3, 4))
	return f.draw(typical, func(int) T { return f.between(rng) })
}

func (f *Function[T]) between(rng *rand.Rand) T {
	return T(f.Low + float64((f.High-f.Low)*rng.Float64()))
}

// anyBits returns any number of a format, and NaN.
func anyBits[T Float](rng *rand.Rand) T {
	if FormatOf[T]() == fp.Binary32 {
		return T(math.Float32frombits(rng.Uint32()))
	}
	return T(math.Float64frombits(rng.Uint64()))
}

func (f *Function[T]) draw(n int, one func(i int) T) (x, y []T) {
	all := func() []T {
		a := make([]T, n)
		for i := range a {
			a[i] = one(i)
		}
		return a
	}
	x = all()
	if f.Binary {
		y = all()
	}
	return x, y
}
