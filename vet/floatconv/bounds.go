package floatconv

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"strings"
	"time"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

const (
	maxSteps = 12 // operations that are followed back from a conversion
	maxCalls = 2  // calls that are followed
)

// An interval holds the values that a number may have. The zero value holds
// all, NaN among them.
type interval struct {
	known     bool // the number is not NaN
	low, high float64
}

// every holds all numbers except NaN.
var every = interval{true, math.Inf(-1), math.Inf(1)}

// isIn reports whether all values are between two integers after truncation. A
// 64-bit integer is as large as the float64 beside it.
func (i interval) isIn(low, high float64) bool {
	return i.known && (i.low >= low || i.low > low-1) && (i.high <= high || i.high < high+1)
}

// size bounds the magnitude.
func (i interval) size() float64 { return max(math.Abs(i.low), math.Abs(i.high)) }

// join returns the interval around two.
func (i interval) join(j interval) interval {
	if !i.known || !j.known {
		return interval{}
	}
	return interval{true, min(i.low, j.low), max(i.high, j.high)}
}

// limits returns the smallest and the largest float64 that an integer type has
// after truncation. For integers of 64 bits 2^63 counts too, since len(x) and
// its like cannot reach it.
func limits(t *types.Basic) (low, high float64) {
	bits := map[types.BasicKind]int{
		types.Int8: 8, types.Int16: 16, types.Int32: 32, types.Int64: 64, types.Int: 64,
		types.Uint8: 8, types.Uint16: 16, types.Uint32: 32, types.Uint64: 64, types.Uint: 64,
		types.Uintptr: 64,
	}[t.Kind()]
	if t.Info()&types.IsUnsigned != 0 {
		return 0, below(math.Ldexp(1, bits))
	}
	return -math.Ldexp(1, bits-1), below(math.Ldexp(1, bits-1))
}

// below returns the largest integer below a power of two that a float64 holds.
func below(power float64) float64 { return min(power-1, math.Nextafter(power, 0)) }

// exactInteger bounds the integers that a float64 holds exactly. Larger ones
// are taken to be below it: counts and lengths are.
const exactInteger = 1 << 53

// A scope is a block of a function, with what is known of its parameters where
// a call of it is followed. It knows the bounds of values in the block.
type scope struct {
	block     *ssa.BasicBlock
	arguments map[*ssa.Parameter]interval
	calls     int // that may still be followed
	asked     map[ssa.Value]bool
}

func newScope(b *ssa.BasicBlock) scope {
	return scope{block: b, calls: maxCalls, asked: map[ssa.Value]bool{}}
}

// in returns the scope of another block of the function.
func (s scope) in(b *ssa.BasicBlock) scope {
	s.block = b
	return s
}

// bounds returns the interval of a value, from the operation that makes it and
// the conditions that its block runs under.
func (s scope) bounds(v ssa.Value, steps int) interval {
	if steps == 0 || s.asked[v] {
		return interval{}
	}
	s.asked[v] = true
	defer delete(s.asked, v)
	return s.under(conditions(s.block), rounded(s.operation(v, steps), v.Type()), v, steps)
}

// under returns the part of an interval of a value where conditions are met.
func (s scope) under(all []condition, known interval, v ssa.Value, steps int) interval {
	for range 2 { // a test for NaN may come after a comparison
		for _, c := range all {
			known = s.refine(known, v, c, steps)
		}
	}
	return known
}

// rounded returns an interval with its ends rounded to a type. No number in it
// is rounded beyond them.
func rounded(i interval, t types.Type) interval {
	if floats.IsFloat32(t) {
		i.low, i.high = float64(float32(i.low)), float64(float32(i.high))
	}
	return i
}

// operation returns the interval of a value from the operation it comes from.
func (s scope) operation(v ssa.Value, steps int) interval {
	if t := integerType(v.Type()); t != nil {
		return s.integer(v, t, steps)
	}
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil && floats.Is(v.Type()) {
			f, _ := constant.Float64Val(constant.ToFloat(v.Value))
			return interval{true, f, f}
		}
	case *ssa.Parameter:
		return s.arguments[v]
	case *ssa.Convert:
		return s.converted(v, steps)
	case *ssa.ChangeType:
		return s.bounds(v.X, steps-1)
	case *ssa.UnOp:
		if x := s.bounds(v.X, steps-1); v.Op == token.SUB && x.known {
			return interval{true, -x.high, -x.low}
		}
	case *ssa.BinOp:
		if i := s.convex(v, steps); i.known {
			return i
		}
		if i := s.fraction(v, steps); i.known {
			return i
		}
		return combined(v.Op, s.bounds(v.X, steps-1), s.bounds(v.Y, steps-1))
	case *ssa.Phi:
		return s.merged(v, steps)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			return s.result(c, v.Index, steps)
		}
	case *ssa.Call:
		return s.called(v, steps)
	}
	return interval{}
}

// merged returns the interval around the values that come from several blocks.
func (s scope) merged(v *ssa.Phi, steps int) interval {
	var all interval
	for i, e := range v.Edges {
		from := v.Block().Preds[i]
		edge := s.in(from).bounds(e, steps-1)
		if c, ok := onEdge(from, v.Block()); ok {
			edge = s.in(from).under(append(conditions(from), c), edge, e, steps)
		}
		if i > 0 {
			edge = all.join(edge)
		}
		if all = edge; !all.known {
			break
		}
	}
	return all
}

func (s scope) converted(c *ssa.Convert, steps int) interval {
	t, ok := c.X.Type().Underlying().(*types.Basic)
	switch {
	case !ok:
		return interval{}
	case t.Info()&types.IsFloat != 0:
		return s.bounds(c.X, steps-1)
	case t.Info()&types.IsInteger != 0:
		if i := s.bounds(c.X, steps-1); i.known {
			return i
		}
		return wholeOf(t)
	}
	return interval{}
}

// isLength reports whether a value is the result of len or cap.
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
	var i interval
	switch op {
	case token.ADD:
		i = interval{true, x.low + y.low, x.high + y.high}
	case token.SUB:
		i = interval{true, x.low - y.high, x.high - y.low}
	case token.MUL:
		i = corners(func(a, b float64) float64 { return float64(a * b) }, x, y)
	case token.QUO:
		if y.low > 0 || y.high < 0 {
			i = corners(func(a, b float64) float64 { return a / b }, x, y)
		}
	}
	if math.IsNaN(i.low) || math.IsNaN(i.high) || math.IsInf(i.size(), 0) {
		return interval{} // of infinite operands, which may make NaN
	}
	return i
}

// corners returns the interval of an operation that is monotonic in both
// operands.
func corners(f func(a, b float64) float64, x, y interval) interval {
	a, b, c, d := f(x.low, y.low), f(x.low, y.high), f(x.high, y.low), f(x.high, y.high)
	return interval{true, min(a, b, c, d), max(a, b, c, d)}
}

// called returns the interval of a call: of a function of the language, of the
// standard library or of the package.
func (s scope) called(c *ssa.Call, steps int) interval {
	args := make([]interval, len(c.Call.Args))
	for i, a := range c.Call.Args {
		if floats.Is(a.Type()) || integerType(a.Type()) != nil {
			args[i] = s.bounds(a, steps-1)
		}
	}
	if b, ok := c.Call.Value.(*ssa.Builtin); ok {
		return limited(b.Name(), args)
	}
	f := c.Call.StaticCallee()
	if f == nil || f.Object() == nil || f.Object().Pkg() == nil {
		return s.result(c, 0, steps)
	}
	switch path, name := f.Object().Pkg().Path(), f.Name(); {
	case isMath(path) && len(args) > 0:
		return mathCall(name, args)
	case strings.HasPrefix(path, "math/rand") && (name == "Float64" || name == "Float32"):
		return interval{true, 0, 1}
	case path == "time" && f.Signature.Recv() != nil:
		return elapsed(name)
	}
	return s.result(c, 0, steps)
}

// elapsed returns the interval of the seconds, minutes or hours of a duration.
func elapsed(method string) interval {
	unit := map[string]time.Duration{"Seconds": time.Second, "Minutes": time.Minute,
		"Hours": time.Hour}[method]
	if unit == 0 {
		return interval{}
	}
	longest := math.MaxInt64 / float64(unit)
	return interval{true, -longest, longest}
}

// limited returns the interval of a call of min or max.
func limited(name string, args []interval) interval {
	if name != "min" && name != "max" || len(args) == 0 {
		return interval{}
	}
	all := args[0]
	for _, a := range args {
		switch {
		case !a.known:
			return interval{}
		case name == "min":
			all = interval{all.known, min(all.low, a.low), min(all.high, a.high)}
		default:
			all = interval{all.known, max(all.low, a.low), max(all.high, a.high)}
		}
	}
	return all
}

// result returns the interval around what a function of the package returns.
func (s scope) result(c *ssa.Call, index, steps int) interval {
	f := c.Call.StaticCallee()
	if f == nil || s.calls == 0 {
		return interval{}
	}
	if f.Origin() != nil {
		f = f.Origin()
	}
	in := scope{calls: s.calls - 1, asked: map[ssa.Value]bool{},
		arguments: map[*ssa.Parameter]interval{}}
	for i, p := range f.Params {
		if (floats.Is(p.Type()) || integerType(p.Type()) != nil) && i < len(c.Call.Args) {
			in.arguments[p] = s.bounds(c.Call.Args[i], steps-1)
		}
	}
	var all interval
	first := true
	for _, b := range f.Blocks {
		r, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || index >= len(r.Results) {
			continue
		}
		i := in.in(b).bounds(r.Results[index], maxSteps)
		if !first {
			i = all.join(i)
		}
		if all, first = i, false; !all.known {
			break
		}
	}
	return all
}

// isMath reports whether a package has the functions of package math.
func isMath(path string) bool {
	switch path {
	case "math", "github.com/lastbit/lastbit/crmath", "github.com/lastbit/lastbit/fp/signs":
		return true
	}
	return false
}

func mathCall(name string, args []interval) interval {
	x := args[0]
	isFinite := x.known && !math.IsInf(x.size(), 0)
	switch name {
	case "Min", "Max":
		return limited(strings.ToLower(name), args)
	case "Sin", "Cos":
		if isFinite {
			return interval{true, -1, 1}
		}
	case "Tanh", "Erf":
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
		if isFinite && x.low >= 1 {
			return interval{true, 0, 2048}
		}
	case "Mod":
		if y := args[1]; isFinite && y.known && (y.low > 0 || y.high < 0) {
			return interval{true, -min(x.size(), y.size()), min(x.size(), y.size())}
		}
	}
	return interval{}
}
