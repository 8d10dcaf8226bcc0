package flow

import (
	"go/token"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/floats"
)

// isWide reports whether a conversion makes an unsigned integer of 64 bits of a
// floating-point number.
func isWide(from, to ssa.Value) bool {
	return floats.Is(from.Type()) && floats.IsWideUnsigned(to.Type())
}

// limit is 2^63, the smallest number that no signed integer has.
var limit = &Value{Kind: Constant, Constant: 1 << 63, Digits: constantDigits(1 << 63)}

// subtraction returns the difference that a conversion of a number computes.
func (f *frame) subtraction(conversion, of ssa.Value) Sum {
	return Sum{At: f.place(conversion.Pos()), Op: token.SUB, X: f.value(of, maxSteps), Y: limit,
		IsConversion: true}
}

// IsUnused reports whether a sum is a conversion that subtracts nothing, since
// the number is below 2^63, or that subtracts from exact products only: large
// ones that are not subnormal, and do not overflow.
func (s Sum) IsUnused() bool {
	return s.IsConversion && (s.X.Digits.Known && s.X.Digits.High < 63 ||
		s.X.IsProduct() && s.X.Exactness() != Inexact)
}
