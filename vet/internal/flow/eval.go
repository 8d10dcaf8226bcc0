package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// maxSteps bounds the values that are followed from a sum to a product.
const maxSteps = 16

// A frame evaluates the values of a function.
type frame struct {
	*pkg
	known map[ssa.Value]*Value
}

// value returns what is known of a value.
func (f *frame) value(v ssa.Value, steps int) *Value {
	if steps == 0 || v == nil {
		return unknown
	}
	if known, ok := f.known[v]; ok {
		return known
	}
	known := f.evaluate(v, steps)
	f.known[v] = known
	return known
}

func (f *frame) evaluate(v ssa.Value, steps int) *Value {
	switch v := v.(type) {
	case *ssa.Const:
		return constantValue(v)
	case *ssa.Parameter:
		return &Value{Kind: Parameter, Index: index(v.Parent().Params, v)}
	case *ssa.FreeVar:
		return &Value{Kind: Parameter, Index: -1 - index(v.Parent().FreeVars, v)}
	case *ssa.BinOp:
		return f.operation(v, steps)
	case *ssa.UnOp:
		switch v.Op {
		case token.SUB:
			return f.value(v.X, steps-1).negate()
		case token.MUL:
			return f.load(v.X, nil, v.Type(), v, steps-1)
		}
	case *ssa.Field:
		return f.value(v.X, steps-1).part(v.Field)
	case *ssa.Index:
		if i, ok := constantIndex(v.Index); ok {
			return f.value(v.X, steps-1).part(i)
		}
	case *ssa.Extract:
		return f.value(v.Tuple, steps-1).part(v.Index)
	case *ssa.Call:
		return f.result(v, steps)
	case *ssa.ChangeType:
		if !floats.IsSummand(v.Type()) {
			return f.value(v.X, steps-1)
		}
		return f.value(v.X, steps-1).rounded()
	case *ssa.Convert:
		return f.converted(v, steps)
	case *ssa.TypeAssert:
		if boxed, ok := v.X.(*ssa.MakeInterface); ok && !v.CommaOk {
			return f.value(boxed.X, steps-1)
		}
	case *ssa.Phi: // one of several values
		return &Value{Settled: true}
	}
	return unknown
}

// index returns the index of an element.
func index[T comparable](all []T, of T) int {
	for i, v := range all {
		if v == of {
			return i
		}
	}
	return len(all)
}

func constantValue(c *ssa.Const) *Value {
	if c.Value == nil || !floats.Is(c.Type()) {
		return unknown
	}
	n, _ := constant.Float64Val(constant.ToFloat(c.Value))
	return formatOf(c.Type()).constant(n)
}

// constant returns a number that the compiler knows, rounded to a format.
func (f Format) constant(n float64) *Value {
	if f == single {
		n = float64(float32(n))
	}
	return &Value{Kind: Constant, Constant: n, Digits: constantDigits(n)}
}

// folded returns the result of an operation on numbers that the compiler knows,
// or nil. It computes no NaN. Sums, products and quotients of float32 have the
// same bits where float64 computes them first.
func folded(op token.Token, x, y *Value, to Format) *Value {
	if x.Kind != Constant || y.Kind != Constant {
		return nil
	}
	var n float64
	switch op {
	case token.ADD:
		n = x.Constant + y.Constant
	case token.SUB:
		n = x.Constant - y.Constant
	case token.MUL:
		n = x.Constant * y.Constant
	case token.QUO:
		n = x.Constant / y.Constant
	}
	if math.IsNaN(n) {
		return nil
	}
	return to.constant(n)
}

// foldedCall returns the result of a function of math that the compiler
// computes for every processor where it knows the argument, or nil.
func (f *frame) foldedCall(c *ssa.Call, steps int) *Value {
	fn := c.Call.StaticCallee()
	if fn == nil || fn.Pkg == nil || fn.Pkg.Pkg.Path() != "math" || len(c.Call.Args) != 1 {
		return nil
	}
	if fn.Name() == "Sqrt" {
		if x := f.value(c.Call.Args[0], steps-1); x.Kind == Constant && x.Constant >= 0 {
			return double.constant(math.Sqrt(x.Constant))
		}
		return nil
	}
	x, ok := c.Call.Args[0].(*ssa.Const)
	if !ok || x.Value == nil || x.Value.Kind() != constant.Int {
		return nil
	}
	v, to := math.NaN(), double
	switch fn.Name() {
	case "Inf":
		v = math.Inf(constant.Sign(x.Value))
	case "Float64frombits":
		v = math.Float64frombits(x.Uint64())
	case "Float32frombits":
		v, to = float64(math.Float32frombits(uint32(x.Uint64()))), single
	}
	if math.IsNaN(v) {
		return nil
	}
	return to.constant(v)
}

// constantIndex returns the value of a constant index.
func constantIndex(v ssa.Value) (int, bool) {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil {
		return 0, false
	}
	n, exact := constant.Int64Val(constant.ToInt(c.Value))
	return int(n), exact && n >= 0 && n < maxParts
}

// operation evaluates a product, a quotient by a power of two, which the
// compiler multiplies by its inverse, or a sum.
func (f *frame) operation(b *ssa.BinOp, steps int) *Value {
	switch {
	case floats.IsComplex(b.Type()):
		return complexNumber
	case !floats.Is(b.Type()):
		return unknown
	}
	to := formatOf(b.Type())
	x, y := f.value(b.X, steps-1), f.value(b.Y, steps-1)
	if v := folded(b.Op, x, y, to); v != nil {
		return v
	}
	switch b.Op {
	case token.MUL:
		return multiply(x, y, to, f.place(b.Pos()))
	case token.QUO:
		if y.Kind == Constant && x.Kind != Constant && isPowerOfTwo(y.Constant) {
			inverse := &Value{Kind: Constant, Constant: 1 / y.Constant,
				Digits: constantDigits(1 / y.Constant)}
			return multiply(x, inverse, to, f.place(b.Pos()))
		}
		return &Value{Settled: true}
	case token.ADD, token.SUB:
		return &Value{Settled: true, Digits: to.round(x.in(to).plus(y.in(to)))}
	}
	return unknown
}

// complexNumber is a complex number whose parts are not products. The parts of
// a product are sums.
var complexNumber = &Value{Kind: Struct, Parts: []*Value{{Settled: true}, {Settled: true}}}

// builtin evaluates a call of a function of the language.
func (f *frame) builtin(b *ssa.Builtin, args []ssa.Value, steps int) *Value {
	switch b.Name() {
	case "complex":
		return &Value{Kind: Struct, Parts: []*Value{f.value(args[0], steps-1),
			f.value(args[1], steps-1)}}
	case "real":
		return f.value(args[0], steps-1).part(0)
	case "imag":
		return f.value(args[0], steps-1).part(1)
	case "min", "max":
		return &Value{Settled: true}
	}
	return unknown
}

// isPowerOfTwo reports whether the inverse of a divisor is exact.
func isPowerOfTwo(f float64) bool {
	fraction, _ := math.Frexp(f)
	return math.Abs(fraction) == 0.5 && !math.IsInf(1/f, 0)
}

// converted evaluates a conversion to another format, which rounds.
func (f *frame) converted(c *ssa.Convert, steps int) *Value {
	from, ok := c.X.Type().Underlying().(*types.Basic)
	if !ok || !floats.Is(c.Type()) {
		return unknown
	}
	to := formatOf(c.Type())
	switch {
	case from.Info()&types.IsInteger != 0:
		if x, ok := c.X.(*ssa.Const); ok && x.Value != nil {
			if n, exact := constant.Int64Val(x.Value); exact && -1<<53 <= n && n <= 1<<53 {
				return to.constant(float64(n))
			}
		}
		return &Value{Settled: true, Digits: to.round(integerDigits(c.X, steps))}
	case from.Info()&types.IsFloat != 0:
		if x := f.value(c.X, steps-1); x.Kind == Constant {
			return to.constant(x.Constant)
		}
		return &Value{Settled: true, Digits: to.round(f.value(c.X, steps-1).in(formatOf(from)))}
	}
	return unknown
}
