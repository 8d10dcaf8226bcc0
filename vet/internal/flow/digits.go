package flow

import (
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"math/bits"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// Digits bounds the binary digits of a finite number. The zero value bounds
// nothing.
type Digits struct {
	Known bool
	Count int // significant digits
	Low   int // the number is a multiple of 2^Low
	High  int // its magnitude is at most 2^High
}

// A Format is a floating-point format: its precision, and the exponents of the
// smallest number and of the overflow threshold.
type Format struct{ Precision, Low, High int }

var (
	single = Format{24, -149, 128}
	double = Format{53, -1074, 1024}
)

// formatOf returns the format of a type, of a type parameter the widest one.
func formatOf(t types.Type) Format {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok && !floats.IsFloat32(t) {
		return double
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Kind() == types.Float64 {
		return double
	}
	return single
}

// all returns the digits of any number of a format.
func (f Format) all() Digits { return Digits{true, f.Precision, f.Low, f.High} }

// round returns the digits of a number after rounding to a format.
func (f Format) round(d Digits) Digits {
	if !d.Known {
		return f.all()
	}
	high := d.High
	if d.span() > f.Precision {
		high++ // to the next power of two
	}
	return Digits{true, min(d.span(), f.Precision), max(d.Low, f.Low), min(high, f.High)}
}

// span bounds the significant digits by their number and by their places.
func (d Digits) span() int { return min(d.Count, max(d.High-d.Low, 1)) }

// times returns the digits of an exact product.
func (d Digits) times(e Digits) Digits {
	count := d.span() + e.span()
	if d.span() == 1 || e.span() == 1 { // a power of two moves the others
		count--
	}
	return Digits{true, count, d.Low + e.Low, d.High + e.High}
}

// plus returns the digits of an exact sum.
func (d Digits) plus(e Digits) Digits {
	low, high := min(d.Low, e.Low), max(d.High, e.High)+1
	return Digits{true, high - low, low, high}
}

// constantDigits returns the digits of a constant.
func constantDigits(f float64) Digits {
	fraction, exponent := math.Frexp(f)
	if fraction == 0 || math.IsInf(f, 0) || math.IsNaN(f) {
		return Digits{true, 1, 0, 0}
	}
	m := math.Float64bits(fraction)<<12>>12 | 1<<52
	count := 53 - bits.TrailingZeros64(m)
	return Digits{true, count, exponent - count, exponent}
}

// integerDigits returns the digits of an integer, bounded by narrower types and
// constants.
func integerDigits(v ssa.Value, steps int) Digits {
	n := width(v, steps)
	return Digits{true, n, 0, n}
}

// width bounds the magnitude of an integer by a power of two.
func width(v ssa.Value, steps int) int {
	most := typeWidth(v.Type())
	if steps == 0 {
		return most
	}
	switch v := v.(type) {
	case *ssa.Const:
		if n, ok := magnitude(v); ok {
			return n
		}
	case *ssa.Convert:
		if b, ok := v.X.Type().Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 &&
			(!isUnsigned(v) || isUnsigned(v.X)) {
			return min(most, width(v.X, steps-1))
		}
	case *ssa.BinOp:
		return min(most, operationWidth(v, steps))
	}
	return most
}

// operationWidth does so for the result of an operation that keeps within its
// operands.
func operationWidth(b *ssa.BinOp, steps int) int {
	c, isConst := b.Y.(*ssa.Const)
	n, known := 0, false
	if isConst {
		n, known = magnitude(c)
	}
	switch b.Op {
	case token.AND:
		if known && c.Value != nil && constant.Sign(c.Value) >= 0 {
			return n
		}
	case token.REM:
		if known {
			return n
		}
	case token.QUO:
		return width(b.X, steps-1)
	case token.SHR:
		if known && isUnsigned(b.X) {
			shift, _ := constant.Int64Val(constant.ToInt(c.Value))
			return max(width(b.X, steps-1)-int(min(shift, 64)), 0)
		}
		return width(b.X, steps-1)
	}
	return typeWidth(b.Type())
}

// magnitude returns the number of digits of a constant integer.
func magnitude(c *ssa.Const) (int, bool) {
	if c.Value == nil {
		return 0, false
	}
	v := constant.ToInt(c.Value)
	if v.Kind() != constant.Int {
		return 0, false
	}
	return constant.BitLen(v), true
}

func isUnsigned(v ssa.Value) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// typeWidth bounds the magnitude of the integers of a type. The smallest
// negative one has the magnitude 2^(n-1).
func typeWidth(t types.Type) int {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 64
	}
	switch b.Kind() {
	case types.Int8:
		return 7
	case types.Uint8:
		return 8
	case types.Int16:
		return 15
	case types.Uint16:
		return 16
	case types.Int32:
		return 31
	case types.Uint32:
		return 32
	}
	return 64
}

// Exactness tells which products are rounded.
type Exactness int

// The products that are rounded, most of them first.
const (
	Inexact   Exactness = iota // any
	Subnormal                  // those below the smallest normal number
	Overflow                   // those that overflow
	Exact                      // none
)

// exactness returns which products of two numbers are rounded.
func (f Format) exactness(x, y Digits) Exactness {
	if !x.Known {
		x = f.all()
	}
	if !y.Known {
		y = f.all()
	}
	switch p := x.times(y); {
	case p.span() > f.Precision, p.Low < f.Low && p.High > f.High:
		return Inexact
	case p.Low < f.Low:
		return Subnormal
	case p.High > f.High:
		return Overflow
	}
	return Exact
}
