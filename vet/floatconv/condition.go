package floatconv

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// A condition is a value that is true or false where a block runs.
type condition struct {
	value ssa.Value
	holds bool
}

// conditions returns those that a block runs under.
func conditions(b *ssa.BasicBlock) []condition {
	var all []condition
	for ; b != nil; b = b.Idom() {
		if len(b.Preds) == 1 {
			if c, ok := onEdge(b.Preds[0], b); ok {
				all = append(all, c)
			}
		}
	}
	return all
}

// onEdge returns the condition under which a block follows another one.
func onEdge(from, to *ssa.BasicBlock) (condition, bool) {
	i, ok := from.Instrs[len(from.Instrs)-1].(*ssa.If)
	if !ok || from.Succs[0] == from.Succs[1] {
		return condition{}, false
	}
	c := condition{i.Cond, from.Succs[0] == to}
	for {
		not, ok := c.value.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return c, true
		}
		c = condition{not.X, !c.holds}
	}
}

// refine returns the part of an interval of a value where a condition is met. A
// comparison that does not hold bounds nothing where one of the numbers may be
// NaN.
func (s scope) refine(known interval, v ssa.Value, c condition, steps int) interval {
	switch of := c.value.(type) {
	case *ssa.Call:
		f := of.Call.StaticCallee()
		if f == nil || f.Object() == nil || len(of.Call.Args) == 0 || of.Call.Args[0] != v {
			return known
		}
		o, _ := f.Object().(*types.Func)
		if source.IsFunc(o, "math", "IsNaN") && !c.holds && !known.known {
			return every
		}
	case *ssa.BinOp:
		return s.compared(known, v, of, c.holds, steps)
	}
	return known
}

// compared does so for a comparison.
func (s scope) compared(known interval, v ssa.Value, b *ssa.BinOp, holds bool, steps int) interval {
	integers := integerType(b.X.Type()) != nil
	if !integers && !floats.Is(b.X.Type()) {
		return known
	}
	op, other := b.Op, b.Y
	isLeft, isRight := isSame(b.X, v), isSame(b.Y, v)
	switch {
	case isLeft && isRight: // x != x, x == x
		if !known.known && (op == token.NEQ && !holds || op == token.EQL && holds) {
			return every
		}
		return known
	case isRight:
		op, other = mirrored(op), b.X
	case !isLeft:
		return s.comparedSize(known, v, b, holds, steps)
	}
	bound := s.bounds(other, steps-1)
	if integers && bound.known {
		bound = before(bound, op, holds)
	}
	return narrowed(known, op, bound, holds)
}

// before returns the bounds of the integers that are less or greater than an
// interval's.
func before(bound interval, op token.Token, holds bool) interval {
	if !holds {
		op = opposite(op)
	}
	switch op {
	case token.LSS:
		bound.high--
	case token.GTR:
		bound.low++
	}
	return bound
}

// comparedSize does so for a comparison of the magnitude of the value.
func (s scope) comparedSize(
	known interval, v ssa.Value, b *ssa.BinOp, holds bool, steps int,
) interval {
	op, other := b.Op, b.Y
	size := sizeOf(b.X)
	if size == nil {
		op, other, size = mirrored(op), b.X, sizeOf(b.Y)
	}
	if size == nil || !isSame(size, v) {
		return known
	}
	start := interval{}
	if known.known {
		start = interval{true, 0, known.size()}
	}
	i := narrowed(start, op, s.bounds(other, steps-1), holds)
	if !i.known {
		return known
	}
	if !known.known {
		known = every
	}
	return interval{true, max(known.low, -i.high), min(known.high, i.high)}
}

// sizeOf returns the number that a value is the magnitude of, or nil.
func sizeOf(v ssa.Value) ssa.Value {
	c, ok := v.(*ssa.Call)
	if !ok || c.Call.StaticCallee() == nil {
		return nil
	}
	o, _ := c.Call.StaticCallee().Object().(*types.Func)
	if !source.IsFunc(o, "math", "Abs") {
		return nil
	}
	return c.Call.Args[0]
}

// narrowed returns an interval after a comparison with a number.
func narrowed(known interval, op token.Token, bound interval, holds bool) interval {
	if holds && (isOrder(op) || op == token.EQL) && !known.known {
		known = every // NaN is on no side
	}
	if !known.known || !bound.known {
		return known
	}
	if !holds {
		op = opposite(op)
	}
	switch op {
	case token.LSS, token.LEQ:
		known.high = min(known.high, bound.high)
	case token.GTR, token.GEQ:
		known.low = max(known.low, bound.low)
	case token.EQL:
		known = interval{true, max(known.low, bound.low), min(known.high, bound.high)}
	}
	return known
}

// mirrored returns the comparison with its sides exchanged.
func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	}
	return op
}

// opposite returns the comparison that holds where one of numbers does not.
func opposite(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GEQ
	case token.LEQ:
		return token.GTR
	case token.GTR:
		return token.LEQ
	case token.GEQ:
		return token.LSS
	case token.EQL:
		return token.NEQ
	case token.NEQ:
		return token.EQL
	}
	return op
}
