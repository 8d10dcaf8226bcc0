package floatconv

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"golang.org/x/tools/go/ssa"
)

// integerType returns the type of integers that a type is, or nil.
func integerType(t types.Type) *types.Basic {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsInteger == 0 {
		return nil
	}
	return b
}

// wholeOf returns the range of an integer type. It assumes that 64-bit integers
// stay below 2^53.
func wholeOf(t *types.Basic) interval {
	low, high := limits(t)
	return interval{true, max(low, -exactInteger), min(high, exactInteger)}
}

// integer returns the interval of an integer from the operation it comes from.
func (s scope) integer(v ssa.Value, t *types.Basic, steps int) interval {
	whole := wholeOf(t)
	var i interval
	switch v := v.(type) {
	case *ssa.Const:
		if v.Value != nil {
			f, _ := constant.Float64Val(constant.ToFloat(v.Value))
			i = interval{true, f, f}
		}
	case *ssa.Parameter:
		i = s.arguments[v]
	case *ssa.Convert:
		if i = s.bounds(v.X, steps-1); i.known {
			i = interval{true, math.Trunc(i.low), math.Trunc(i.high)}
		}
	case *ssa.ChangeType:
		i = s.bounds(v.X, steps-1)
	case *ssa.BinOp:
		i = s.integerOperation(v, whole, steps)
	case *ssa.Phi:
		i = s.counter(v, whole, steps)
	case *ssa.Extract:
		if c, ok := v.Tuple.(*ssa.Call); ok {
			i = s.result(c, v.Index, steps)
		}
	case *ssa.Call:
		if isLength(v) {
			return interval{true, 0, whole.high}
		}
		i = s.called(v, steps)
	}
	if !i.known || i.low < whole.low || i.high > whole.high {
		return whole
	}
	return i
}

// integerOperation returns the interval of an operation. Only integers of 64
// bits are taken not to overflow.
func (s scope) integerOperation(b *ssa.BinOp, whole interval, steps int) interval {
	x, y := s.bounds(b.X, steps-1), s.bounds(b.Y, steps-1)
	if !x.known || !y.known {
		return interval{}
	}
	isConst := y.low == y.high && y.low > 0
	switch b.Op {
	case token.ADD, token.SUB, token.MUL:
		i := combined(b.Op, x, y)
		if i.known && whole.high == exactInteger {
			i = interval{true, max(i.low, whole.low), min(i.high, whole.high)}
		}
		return i
	case token.QUO:
		if isConst {
			return interval{true, math.Trunc(x.low / y.low), math.Trunc(x.high / y.low)}
		}
	case token.SHR:
		if isConst {
			scale := math.Ldexp(1, -int(min(y.low, 64)))
			return interval{true, math.Floor(x.low * scale), math.Floor(x.high * scale)}
		}
	case token.REM:
		switch {
		case !isConst:
		case x.low >= 0:
			return interval{true, 0, min(x.high, y.low-1)}
		default:
			return interval{true, 1 - y.low, y.low - 1}
		}
	case token.AND:
		switch {
		case x.low >= 0 && y.low >= 0:
			return interval{true, 0, min(x.high, y.high)}
		case y.low >= 0:
			return interval{true, 0, y.high}
		case x.low >= 0:
			return interval{true, 0, x.high}
		}
	}
	return interval{}
}

// counter returns the interval of a value that comes from several blocks: for
// one that a loop only increases or only decreases, it starts at an end, and a
// condition to continue the loop bounds the other.
func (s scope) counter(v *ssa.Phi, whole interval, steps int) interval {
	var all interval
	var low, high []float64 // of the steps
	for i, e := range v.Edges {
		from := s.in(v.Block().Preds[i])
		up, down := direction(e, v)
		edge := whole
		if !up && !down {
			edge = from.bounds(e, steps-1)
		}
		known := conditions(from.block)
		if c, ok := onEdge(from.block, v.Block()); ok {
			known = append(known, c)
		}
		edge = from.under(known, edge, e, steps)
		switch {
		case up:
			high = append(high, edge.high)
			continue
		case down:
			low = append(low, edge.low)
			continue
		case all.known:
			edge = all.join(edge)
		}
		if all = edge; !all.known {
			return whole
		}
	}
	for _, l := range low {
		all.low = min(all.low, l)
	}
	for _, h := range high {
		all.high = max(all.high, h)
	}
	if whole.high < exactInteger && (all.low <= whole.low || all.high >= whole.high) {
		return whole // it may overflow
	}
	return all
}

// direction reports whether a value is a variable plus or minus a constant.
func direction(e ssa.Value, variable *ssa.Phi) (up, down bool) {
	b, ok := e.(*ssa.BinOp)
	if !ok || b.X != variable || b.Op != token.ADD && b.Op != token.SUB {
		return false, false
	}
	by, ok := b.Y.(*ssa.Const)
	if !ok || by.Value == nil {
		return false, false
	}
	up = (b.Op == token.ADD) == (constant.Sign(by.Value) >= 0)
	return up, !up
}
