package instrument

import (
	"go/ast"
	"go/types"
	"slices"
)

// Functions of package math whose results are rounded. The others are exact, or
// return several results.
var (
	unaries = []string{"Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cbrt", "Cos", "Cosh",
		"Erf", "Erfc", "Erfcinv", "Erfinv", "Exp", "Exp2", "Expm1", "Gamma", "J0", "J1", "Log",
		"Log10", "Log1p", "Log2", "Sin", "Sinh", "Tan", "Tanh", "Y0", "Y1"}
	binaries = []string{"Atan2", "Hypot", "Pow"}
	// own has the functions of that name in package perturb, and the number of
	// their arguments.
	own = map[string]int{"FMA": 3, "Sincos": 1, "Sqrt": 1}
)

// call rewrites conversions and calls of package math.
func (r *rewriter) call(n *ast.CallExpr) ast.Visitor {
	if tv := r.pkg.TypesInfo.Types[n.Fun]; tv.IsType() {
		return r.conversion(n, tv.Type)
	}
	name := r.mathFunction(n.Fun)
	switch {
	case n.Ellipsis.IsValid(), name == "":
		return r
	case slices.Contains(unaries, name) && len(n.Args) == 1:
		r.insert(n.Pos(), alias+".Func1(")
		r.replace(n.Lparen, n.Lparen+1, ", ")
	case slices.Contains(binaries, name) && len(n.Args) == 2:
		r.insert(n.Pos(), alias+".Func2(")
		r.replace(n.Lparen, n.Lparen+1, ", ")
	case own[name] > 0 && len(n.Args) == own[name]:
		r.replaced = r.text(n.Fun)
		r.replace(n.Fun.Pos(), n.Fun.End(), alias+"."+name)
	default:
		return r
	}
	site := r.site(Function, n.Pos(), n)
	r.arguments(n, site)
	return nil
}

// arguments rewrites the arguments of a call and adds the site.
func (r *rewriter) arguments(n *ast.CallExpr, site string) {
	for _, a := range n.Args {
		ast.Walk(r, a)
	}
	r.insert(n.Args[len(n.Args)-1].End(), ", "+site)
}

// mathFunction returns the name of a function of package math, or "".
func (r *rewriter) mathFunction(f ast.Expr) string {
	s, ok := ast.Unparen(f).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	fn, ok := r.pkg.TypesInfo.Uses[s.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "math" {
		return ""
	}
	return fn.Name()
}

// conversion rewrites T(x) where it rounds, or cuts off digits.
func (r *rewriter) conversion(n *ast.CallExpr, to types.Type) ast.Visitor {
	from := r.pkg.TypesInfo.TypeOf(n.Args[0])
	a, okA := from.Underlying().(*types.Basic)
	b, okB := to.Underlying().(*types.Basic)
	var name string
	kind := Conversion
	switch {
	case (isParameter(from) || isParameter(to)) && classOf(from) == real && classOf(to) == real:
		name = "Narrow"
	case !okA || !okB:
		return r
	case a.Info()&types.IsInteger != 0 && b.Info()&types.IsFloat != 0 && bits(a) >= bits(b):
		name = "FromInt"
	case a.Kind() == types.Float64 && b.Kind() == types.Float32:
		name = "Narrow"
	case a.Info()&types.IsFloat != 0 && b.Info()&types.IsInteger != 0:
		name, kind = "ToInt", ToInteger
	default:
		return r
	}
	site := r.site(kind, n.Pos(), n)
	r.insert(n.Pos(), alias+"."+name+"[")
	r.replace(n.Lparen, n.Lparen+1, "](")
	r.arguments(n, site)
	return nil
}

// bits returns the size of a number in bits; those of a float64 for int, which
// has as many on most machines.
func bits(b *types.Basic) int {
	switch b.Kind() {
	case types.Int8, types.Uint8:
		return 8
	case types.Int16, types.Uint16:
		return 16
	case types.Int32, types.Uint32, types.Float32:
		return 32
	}
	return 64
}

func isParameter(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}
