package fma

import (
	"go/ast"
	"go/constant"
	"go/token"
	"math"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// maxSteps bounds the values that are followed from a sum to a product.
const maxSteps = 16

// isProduct reports whether the compiler's optimizer sees that a value is a
// product.
func (s *Index) isProduct(v ssa.Value, steps int) bool {
	if steps == 0 || v == nil {
		return false
	}
	switch v := v.(type) {
	case *ssa.BinOp:
		return isMultiplication(v) && !s.rounded[v.Pos()]
	case *ssa.UnOp:
		switch v.Op {
		case token.SUB: // one instruction multiplies and negates
			return s.isProduct(v.X, steps-1)
		case token.MUL:
			return s.isProduct(stored(v.X, v), steps-1)
		}
	case *ssa.Field:
		if load, ok := v.X.(*ssa.UnOp); ok && load.Op == token.MUL {
			return s.isProduct(storedField(load.X, v.Field, load), steps-1)
		}
	case *ssa.Call:
		if result := inlined(v); result != nil {
			return s.isProduct(result, steps-1)
		}
	case *ssa.ChangeType:
		return false // an explicit conversion rounds
	}
	return false
}

// isNegated reports whether a product is negated before it is added.
func isNegated(v ssa.Value) bool {
	u, ok := v.(*ssa.UnOp)
	return ok && u.Op == token.SUB
}

// maxInlined bounds the instructions of a function that is certainly inlined.
const maxInlined = 12

// inlined returns the value that a call of a small function of the package
// returns, or nil.
func inlined(c *ssa.Call) ssa.Value {
	f := c.Call.StaticCallee()
	if f == nil || len(f.Blocks) != 1 || len(f.Blocks[0].Instrs) > maxInlined {
		return nil
	}
	if d, ok := f.Syntax().(*ast.FuncDecl); ok && d.Doc != nil {
		for _, c := range d.Doc.List {
			if strings.HasPrefix(c.Text, "//go:noinline") {
				return nil
			}
		}
	}
	all := f.Blocks[0].Instrs
	end, ok := all[len(all)-1].(*ssa.Return)
	if !ok || len(end.Results) != 1 {
		return nil
	}
	return end.Results[0]
}

// isMultiplication reports whether the compiler multiplies: it makes additions
// of products with 2 and moves of those with 1, and multiplies by the inverse
// in place of a division by a power of two.
func isMultiplication(b *ssa.BinOp) bool {
	if !floats.Is(b.Type()) {
		return false
	}
	x, y := value(b.X), value(b.Y)
	switch b.Op {
	case token.MUL:
		if x != nil && y != nil {
			return false
		}
		return !isTrivial(x) && !isTrivial(y)
	case token.QUO:
		return x == nil && y != nil && isPowerOfTwo(*y) && !isOne(*y)
	}
	return false
}

// value returns the value of a constant, or nil.
func value(v ssa.Value) *float64 {
	c, ok := v.(*ssa.Const)
	if !ok || c.Value == nil {
		return nil
	}
	f, _ := constant.Float64Val(constant.ToFloat(c.Value))
	return &f
}

// isTrivial reports whether a factor leaves no multiplication.
func isTrivial(f *float64) bool { return f != nil && (isOne(*f) || *f == 2) }

func isOne(f float64) bool { return f == 1 || f == -1 }

// isPowerOfTwo reports whether the inverse of a divisor is exact.
func isPowerOfTwo(f float64) bool {
	fraction, _ := math.Frexp(f)
	return math.Abs(fraction) == 0.5 && !math.IsInf(1/f, 0)
}
