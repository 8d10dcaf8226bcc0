package portable

import (
	"go/ast"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// isModulus reports whether a function is cmplx.Abs or cmplx.Phase.
func isModulus(f *types.Func) bool {
	return source.IsFunc(f, "math/cmplx", "Abs", "Phase")
}

// modulus rewrites cmplx.Abs(z), which is math.Hypot of the parts of z, to
// crmath.Hypot(real(z), imag(z)), and cmplx.Abs(complex(x, y)) to
// crmath.Hypot(x, y); and cmplx.Phase(z) to crmath.Atan2(imag(z), real(z)). An
// argument that calls a function is left, since it would be called twice.
func (s *spot) modulus(sel *ast.SelectorExpr) string {
	call := s.callOf(sel)
	if call == nil {
		return "the function is not called here: write a function with package crmath"
	}
	if s.done[sel] {
		return ""
	}
	z := ast.Unparen(call.Args[0])
	made, ok := z.(*ast.CallExpr)
	switch {
	case s.hasComment(call.Lparen, call.Rparen):
		return "a comment is in the way"
	case ok && sel.Sel.Name == "Abs" && len(made.Args) == 2 && s.isBuiltin(made.Fun, "complex"):
		s.add(edit{sel.Pos(), sel.End(), s.use(crmath) + ".Hypot"},
			edit{call.Lparen + 1, made.Lparen + 1, ""},
			edit{made.Rparen, call.Rparen, ""})
	case !isRepeatable(z) && !s.isRepeatableConversion(made):
		return "the argument calls a function: assign it to a variable first"
	case !s.isUniverse(z, "real") || !s.isUniverse(z, "imag"):
		return "real or imag means something else here"
	default:
		text := s.source(z.Pos(), z.End())
		re, im := "real("+text+")", "imag("+text+")"
		parts := ".Hypot(" + re + ", " + im
		if sel.Sel.Name == "Phase" {
			parts = ".Atan2(" + im + ", " + re
		}
		s.add(edit{sel.Pos(), call.Rparen, s.use(crmath) + parts})
	}
	s.done[sel] = true
	return ""
}

// callOf returns the call of a function with one argument, or nil.
func (s *spot) callOf(sel *ast.SelectorExpr) *ast.CallExpr {
	for _, n := range s.path {
		if call, ok := n.(*ast.CallExpr); ok && call.Fun == ast.Expr(sel) && len(call.Args) == 1 {
			return call
		}
	}
	return nil
}

// isRepeatableConversion reports whether a call is a conversion that may be
// computed twice. It may be nil.
func (s *spot) isRepeatableConversion(call *ast.CallExpr) bool {
	return call != nil && len(call.Args) == 1 && s.pkg.TypesInfo.Types[call.Fun].IsType() &&
		isRepeatable(call.Args[0])
}

// isBuiltin reports whether an expression is a function of the language.
func (s *spot) isBuiltin(e ast.Expr, name string) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || id.Name != name {
		return false
	}
	_, ok = s.pkg.TypesInfo.Uses[id].(*types.Builtin)
	return ok
}

// isUniverse reports whether a name has the language's meaning at an
// expression.
func (s *spot) isUniverse(at ast.Expr, name string) bool {
	scope := s.pkg.Types.Scope().Innermost(at.Pos())
	if scope == nil {
		return false
	}
	_, object := scope.LookupParent(name, at.Pos())
	return object != nil && object.Parent() == types.Universe
}
