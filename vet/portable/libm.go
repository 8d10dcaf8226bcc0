package portable

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

const (
	lastbit   = "github.com/lastbit/lastbit"
	crmath    = lastbit + "/crmath"
	singles   = crmath + "/f32"
	complexes = lastbit + "/fp/complexes"
	trunc     = lastbit + "/fp/trunc"
	signs     = lastbit + "/fp/signs"
	exact     = lastbit + "/exact"
)

// rounded lists the functions of package math that crmath has, and inSingle the
// ones that package f32 has, too.
var (
	rounded = strings.Fields(`Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Erf Erfc Exp
		Exp2 Expm1 Gamma Hypot Lgamma Log Log10 Log1p Log2 Pow Sin Sincos Sinh Tan Tanh`)
	inSingle = strings.Fields(`Acos Acosh Asin Asinh Atan Atan2 Atanh Cbrt Cos Cosh Erf Erfc Exp
		Exp2 Expm1 Gamma Hypot Log Log10 Log1p Log2 Pow Sin Sinh Tan Tanh`)
)

// function rewrites an elementary function: math.Sin becomes crmath.Sin,
// float32(math.Sin(float64(x))) f32.Sin(x), and cmplx.Sin complexes.Sin.
func function(s *spot) string {
	fun, name := s.function()
	if fun == nil {
		return "the function is not written as one of an imported package"
	}
	f, _ := s.pkg.TypesInfo.Uses[name].(*types.Func)
	if reason := withoutFunction(f); reason != "" {
		return reason
	}
	if s.done[fun] {
		return ""
	}
	s.done[fun] = true
	if outer, inner := s.detour(fun, name.Name); outer != nil {
		s.straighten(outer, inner)
		return ""
	}
	with := crmath
	if f.Pkg().Path() == "math/cmplx" {
		with = complexes
	}
	s.add(s.qualify(fun, with))
	return ""
}

// function returns the function that a place is, and its name: math.Sin, or Sin
// of a dot import.
func (s *spot) function() (ast.Expr, *ast.Ident) {
	switch fun := s.path[0].(type) {
	case *ast.SelectorExpr:
		return fun, fun.Sel
	case *ast.Ident:
		return fun, fun
	}
	return nil, nil
}

// qualify returns the edit that makes a function one of another package.
func (s *spot) qualify(fun ast.Expr, of string) edit {
	if sel, ok := fun.(*ast.SelectorExpr); ok {
		return edit{sel.X.Pos(), sel.X.End(), s.use(of)}
	}
	return insert(fun.Pos(), s.use(of)+".")
}

// withoutFunction returns why a function has no counterpart, or "".
func withoutFunction(f *types.Func) string {
	switch {
	case f == nil || f.Pkg() == nil:
		return "the function is not known"
	case f.Pkg().Path() == "math/cmplx":
		return ""
	case f.Pkg().Path() != "math":
		return "transform uniform numbers with package crmath"
	case !slices.Contains(rounded, f.Name()):
		return "package crmath has no " + f.Name() +
			": write it with functions that are the same everywhere"
	}
	return ""
}

// detour returns the conversion to float32 around a call of a function whose
// arguments are float32 numbers, and the call; or nil.
func (s *spot) detour(fun ast.Expr, name string) (outer, inner *ast.CallExpr) {
	if !slices.Contains(inSingle, name) || len(s.path) < 3 {
		return nil, nil
	}
	inner, ok1 := s.path[1].(*ast.CallExpr)
	outer, ok2 := s.path[2].(*ast.CallExpr)
	if !ok1 || !ok2 || inner.Fun != fun || len(outer.Args) != 1 ||
		outer.Args[0] != ast.Expr(inner) || !isPlain(s.pkg.TypesInfo, outer, types.Float32) {
		return nil, nil
	}
	for _, a := range inner.Args {
		call, ok := a.(*ast.CallExpr)
		if !ok || !isPlain(s.pkg.TypesInfo, call, types.Float64) {
			return nil, nil
		}
		x := s.pkg.TypesInfo.Types[call.Args[0]]
		if b, ok := x.Type.(*types.Basic); !ok || b.Kind() != types.Float32 {
			return nil, nil
		}
	}
	return outer, inner
}

// isPlain reports whether a call is a conversion to a type of the language.
func isPlain(info *types.Info, call *ast.CallExpr, to types.BasicKind) bool {
	if floats.Conversion(info, call) == nil {
		return false
	}
	b, ok := info.Types[call.Fun].Type.(*types.Basic)
	return ok && b.Kind() == to
}

// straighten rewrites float32(math.Sin(float64(x))) to f32.Sin(x).
func (s *spot) straighten(outer, inner *ast.CallExpr) {
	edits := []edit{
		{outer.Pos(), outer.Lparen + 1, ""},
		s.qualify(inner.Fun, singles),
	}
	for _, a := range inner.Args {
		call := a.(*ast.CallExpr)
		edits = append(edits, edit{call.Pos(), call.Lparen + 1, ""},
			edit{call.Rparen, call.Rparen + 1, ""})
	}
	s.add(append(edits, edit{outer.Rparen, outer.Rparen + 1, ""})...)
}

// typeName returns the name of a type at a place, or "" where that means
// something else.
func (s *spot) typeName(e ast.Expr) string {
	name := source.TypeName(s.pkg.TypesInfo, s.pkg.Types, e)
	if source.Shadowed(s.pkg.Types, e.Pos(), s.pkg.TypesInfo.TypeOf(e), name) {
		return ""
	}
	return name
}
