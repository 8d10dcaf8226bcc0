// Package floats answers questions about types and expressions of
// floating-point numbers.
package floats

import (
	"go/ast"
	"go/constant"
	"go/types"
)

// Is reports whether a type is a floating-point number, or a type parameter
// that may be one.
func Is(t types.Type) bool { return has(t, types.IsFloat) }

// HasInteger reports whether a type is an integer, or a type parameter that may
// be one.
func HasInteger(t types.Type) bool { return has(t, types.IsInteger) }

// IsComplex reports the same for complex numbers.
func IsComplex(t types.Type) bool { return has(t, types.IsComplex) }

// IsSummand reports whether sums of a type depend on the order of additions.
func IsSummand(t types.Type) bool { return has(t, types.IsFloat|types.IsComplex) }

// IsFloat32 reports whether a type is float32 and no type parameter.
func IsFloat32(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == types.Float32
}

// IsWideUnsigned reports whether a type is an unsigned integer that has 64 bits
// on some processors, or a type parameter that may be one.
func IsWideUnsigned(t types.Type) bool {
	return hasType(t, func(b *types.Basic) bool {
		return b.Kind() == types.Uint64 || b.Kind() == types.Uint || b.Kind() == types.Uintptr
	})
}

func has(t types.Type, info types.BasicInfo) bool {
	return hasType(t, func(b *types.Basic) bool { return b.Info()&info != 0 })
}

// hasType reports whether a type, or one that a type parameter may be, is one
// of the basic types that are asked for.
func hasType(t types.Type, is func(*types.Basic) bool) bool {
	if t == nil {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return is(u)
	case *types.Interface:
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			return hasTerm(u, is)
		}
	}
	return false
}

// hasTerm reports whether a constraint lists a type that is asked for.
func hasTerm(constraint *types.Interface, is func(*types.Basic) bool) bool {
	for e := range constraint.EmbeddedTypes() {
		switch e := types.Unalias(e).(type) {
		case *types.Union:
			for term := range e.Terms() {
				if hasInTerm(term.Type(), is) {
					return true
				}
			}
		default:
			if hasInTerm(e, is) {
				return true
			}
		}
	}
	return false
}

func hasInTerm(t types.Type, is func(*types.Basic) bool) bool {
	if i, ok := t.Underlying().(*types.Interface); ok {
		return hasTerm(i, is)
	}
	return hasType(t, is)
}

// Contains reports whether values of a type hold a floating-point or complex
// number that == compares.
func Contains(t types.Type) bool {
	if IsSummand(t) {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return Contains(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if Contains(f.Type()) {
				return true
			}
		}
	}
	return false
}

// Held reports whether values of a type hold a floating-point or complex
// number, in a list or behind a pointer too.
func Held(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return Held(u.Elem())
	case *types.Array:
		return Held(u.Elem())
	case *types.Pointer:
		return Contains(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if _, ok := f.Type().Underlying().(*types.Pointer); !ok && Held(f.Type()) {
				return true
			}
		}
	}
	return IsSummand(t)
}

// Conversion returns the operand of an explicit conversion to a floating-point
// type, or nil. The language rounds there, so nothing fuses across it.
func Conversion(info *types.Info, e ast.Expr) ast.Expr {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return nil
	}
	if tv := info.Types[call.Fun]; !tv.IsType() || !IsSummand(tv.Type) {
		return nil
	}
	return call.Args[0]
}

// Constant returns the value of a constant number, or nil.
func Constant(info *types.Info, e ast.Expr) constant.Value { return info.Types[e].Value }
