package floatconv

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// maxSteps bounds the operations that are followed back from a conversion.
const maxSteps = 12

// An interval holds the values that a number may have. The zero value holds
// all, NaN among them.
type interval struct {
	known     bool
	low, high float64
}

func (i interval) isIn(low, high float64) bool { return i.known && i.low >= low && i.high <= high }

// size bounds the magnitude.
func (i interval) size() float64 { return max(math.Abs(i.low), math.Abs(i.high)) }

// limits returns the smallest and the largest float64 that an integer type has
// after truncation. Those of 64 bits have 2^63 too, as len(x) and its like
// cannot reach it.
func limits(t *types.Basic) (low, high float64) {
	bits := map[types.BasicKind]int{
		types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64, types.Int: 64,
		types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64, types.Uint: 64,
		types.Uintptr: 64,
	}[t.Kind()]
	if t.Info()&types.IsUnsigned != 0 {
		return 0, math.Ldexp(1, bits) - 1
	}
	return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1) - 1
}

// exactInteger bounds the integers that a float64 holds exactly. Larger ones
// are taken to be below it: counts and lengths are.
const exactInteger = 1 << 53

// bounds returns the interval of a value.
func bounds(v ssa.Value, steps int) interval {
	if steps == 0 {
		return interval{}
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && floats.Is(v.Type()) {
			f, _ := constant.Float64Val(constant.ToFloat(v.Value))
			return interval{true, f, f}
		}
	case *ssa.Convert:
		return converted(v, steps)
	case *ssa.UnOp:
		if x := bounds(v.X, steps-1); v.Op == token.SUB && x.known {
			return interval{true, -x.high, -x.low}
		}
	case *ssa.BinOp:
		return combined(v.Op, bounds(v.X, steps-1), bounds(v.Y, steps-1))
	case *ssa.Call:
		return called(v, steps)
	}
	return interval{}
}

func converted(c *ssa.Convert, steps int) interval {
	t, ok := c.X.Type().Underlying().(*types.Basic)
	switch {
	case !ok:
		return interval{}
	case t.Info()&types.IsFloat != 0:
		return bounds(c.X, steps-1)
	case t.Info()&types.IsInteger != 0:
		low, high := limits(t)
		if isLength(c.X) {
			low = 0
		}
		return interval{true, max(low, -exactInteger), min(high, exactInteger)}
	}
	return interval{}
}

// isLength reports whether a value is that of len or cap.
func isLength(v ssa.Value) bool {
	call, ok := v.(*ssa.Call)
	if !ok {
		return false
	}
	b, ok := call.Call.Value.(*ssa.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap")
}

// combined returns the interval of an operation.
func combined(op token.Token, x, y interval) interval {
	if !x.known || !y.known {
		return interval{}
	}
	switch op {
	case token.ADD:
		return interval{true, x.low + y.low, x.high + y.high}
	case token.SUB:
		return interval{true, x.low - y.high, x.high - y.low}
	case token.MUL:
		return corners(func(a, b float64) float64 { return float64(a * b) }, x, y)
	case token.QUO:
		if y.low > 0 || y.high < 0 {
			return corners(func(a, b float64) float64 { return a / b }, x, y)
		}
	}
	return interval{}
}

// corners returns the interval of an operation that is monotonic in both
// operands.
func corners(f func(a, b float64) float64, x, y interval) interval {
	a, b, c, d := f(x.low, y.low), f(x.low, y.high), f(x.high, y.low), f(x.high, y.high)
	return interval{true, min(a, b, c, d), max(a, b, c, d)}
}

// called returns the interval of a call of a function of the standard library.
func called(c *ssa.Call, steps int) interval {
	f := c.Call.StaticCallee()
	if f == nil || f.Object() == nil || f.Object().Pkg() == nil {
		return interval{}
	}
	args := make([]interval, len(c.Call.Args))
	for i, a := range c.Call.Args {
		if floats.Is(a.Type()) {
			args[i] = bounds(a, steps-1)
		}
	}
	switch path, name := f.Object().Pkg().Path(), f.Name(); {
	case isMath(path) && len(args) > 0:
		return mathCall(name, args)
	case strings.HasPrefix(path, "math/rand") && (name == "Float64" || name == "Float32"):
		return interval{true, 0, 1}
	}
	return interval{}
}

// isMath reports whether a package has the functions of package math.
func isMath(path string) bool {
	return path == "math" || path == "github.com/lastbit/lastbit/crmath"
}

func mathCall(name string, args []interval) interval {
	x := args[0]
	switch name {
	case "Sin", "Cos", "Tanh", "Erf":
		if x.known {
			return interval{true, -1, 1}
		}
	case "Floor", "Ceil", "Round", "RoundToEven", "Trunc":
		if x.known {
			return interval{true, math.Floor(x.low), math.Ceil(x.high)}
		}
	case "Abs":
		if x.known {
			return interval{true, 0, x.size()}
		}
	case "Copysign":
		if x.known {
			return interval{true, -x.size(), x.size()}
		}
	case "Sqrt", "Cbrt":
		if x.known && x.low >= 0 {
			return interval{true, 0, max(1, x.high)}
		}
	case "Log", "Log2", "Log10", "Log1p":
		if x.known && x.low >= 1 {
			return interval{true, 0, 2048}
		}
	}
	return interval{}
}
