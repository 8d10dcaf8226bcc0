package floatconv

import (
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// convex returns the interval around p and q of p*(1-t) + q*t and of
// p + t*(q-p), where t is between 0 and 1: the interval of each operation would
// be wider. Rounding adds less than 1 to the bounds of integers.
func (s scope) convex(b *ssa.BinOp, steps int) interval {
	if b.Op != token.ADD {
		return interval{}
	}
	for _, o := range [][2]ssa.Value{{b.X, b.Y}, {b.Y, b.X}} {
		p, t, q, ok := weighted(plain(o[0]), plain(o[1]))
		if ok && s.isWeight(t, steps) {
			i := s.bounds(p, steps-2).join(s.bounds(q, steps-2))
			if i.known && i.size() <= maxConvex(b.Type()) {
				return i
			}
		}
	}
	return interval{}
}

// maxConvex bounds the numbers of a type whose errors are together below 1.
func maxConvex(t types.Type) float64 {
	if floats.IsFloat32(t) {
		return 1 << 20
	}
	return 1 << 49
}

// isWeight reports whether a number is between 0 and 1.
func (s scope) isWeight(t ssa.Value, steps int) bool {
	i := s.bounds(t, steps-2)
	return steps > 2 && i.known && i.low >= 0 && i.high <= 1
}

// weighted matches p*(1-t) and q*t, or p and t*(q-p).
func weighted(x, y ssa.Value) (p, t, q ssa.Value, ok bool) {
	for _, f := range factors(y) {
		if d, isDifference := f[1].(*ssa.BinOp); isDifference && d.Op == token.SUB &&
			isSame(plain(d.Y), x) {
			return x, f[0], d.X, true
		}
		for _, g := range factors(x) {
			if d, isDifference := g[1].(*ssa.BinOp); isDifference && d.Op == token.SUB &&
				isOne(d.X) && isSame(plain(d.Y), f[0]) {
				return g[0], f[0], f[1], true
			}
		}
	}
	return nil, nil, nil, false
}

// factors returns the factors of a product in both orders.
func factors(v ssa.Value) [][2]ssa.Value {
	b, ok := v.(*ssa.BinOp)
	if !ok || b.Op != token.MUL {
		return nil
	}
	x, y := plain(b.X), plain(b.Y)
	return [][2]ssa.Value{{x, y}, {y, x}}
}

// plain returns a number without the conversions that round it.
func plain(v ssa.Value) ssa.Value {
	for {
		c, ok := v.(*ssa.ChangeType)
		if !ok {
			return v
		}
		v = c.X
	}
}

func isOne(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.Value != nil &&
		constant.Compare(constant.ToFloat(c.Value), token.EQL, constant.MakeFloat64(1))
}

// isSame reports whether two values are the same one, computed twice or loaded
// twice from a place that nothing is stored to between.
func isSame(u, v ssa.Value) bool {
	if u == v {
		return true
	}
	switch u := u.(type) {
	case *ssa.Convert:
		v, ok := v.(*ssa.Convert)
		return ok && types.Identical(u.Type(), v.Type()) && isSame(u.X, v.X)
	case *ssa.ChangeType:
		v, ok := v.(*ssa.ChangeType)
		return ok && isSame(u.X, v.X)
	case *ssa.Field:
		v, ok := v.(*ssa.Field)
		return ok && u.Field == v.Field && isSame(u.X, v.X)
	case *ssa.FieldAddr:
		v, ok := v.(*ssa.FieldAddr)
		return ok && u.Field == v.Field && isSame(u.X, v.X)
	case *ssa.IndexAddr:
		v, ok := v.(*ssa.IndexAddr)
		return ok && isSame(u.X, v.X) && isSame(u.Index, v.Index)
	case *ssa.Const:
		v, ok := v.(*ssa.Const)
		return ok && u.Value != nil && v.Value != nil && types.Identical(u.Type(), v.Type()) &&
			constant.Compare(u.Value, token.EQL, v.Value)
	case *ssa.BinOp:
		v, ok := v.(*ssa.BinOp)
		return ok && u.Op == v.Op && isSame(u.X, v.X) && isSame(u.Y, v.Y)
	case *ssa.UnOp:
		v, ok := v.(*ssa.UnOp)
		return ok && u.Op == token.MUL && v.Op == token.MUL && isSame(u.X, v.X) &&
			nothingStored(u, v)
	}
	return false
}

// nothingStored reports whether two instructions are in one block, with no
// store and no call between them.
func nothingStored(a, b ssa.Instruction) bool {
	if a.Block() != b.Block() {
		return false
	}
	between := false
	for _, i := range a.Block().Instrs {
		if i == a || i == b {
			if between {
				return true
			}
			between = true
			continue
		}
		switch i.(type) {
		case *ssa.Store, *ssa.MapUpdate, *ssa.Send, *ssa.Select, ssa.CallInstruction:
			if between {
				return false
			}
		}
	}
	return false
}

// fraction returns the interval of x - math.Floor(x).
func (s scope) fraction(b *ssa.BinOp, steps int) interval {
	c, ok := plain(b.Y).(*ssa.Call)
	if !ok || b.Op != token.SUB || c.Call.StaticCallee() == nil ||
		c.Call.StaticCallee().Object() == nil || c.Call.StaticCallee().Object().Pkg() == nil ||
		!isMath(c.Call.StaticCallee().Object().Pkg().Path()) ||
		!isSame(plain(c.Call.Args[0]), plain(b.X)) {
		return interval{}
	}
	if x := s.bounds(b.X, steps-1); !x.known || x.low <= -exactInteger || x.high >= exactInteger {
		return interval{}
	}
	switch c.Call.StaticCallee().Name() {
	case "Floor":
		return interval{true, 0, 1}
	case "Trunc":
		return interval{true, -1, 1}
	}
	return interval{}
}
