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
	// wholes has those that return whole numbers: observed, as conversions are.
	wholes = []string{"Ceil", "Floor", "Round", "RoundToEven", "Trunc"}
	// own has the functions of that name in package perturb, and the number of
	// their arguments.
	own = map[string]int{"FMA": 3, "Jn": 2, "Lgamma": 1, "Sincos": 1, "Sqrt": 1, "Yn": 2}
)

// durations has the methods that round an integer of nanoseconds.
var durations = []string{"(time.Duration).Hours", "(time.Duration).Minutes",
	"(time.Duration).Seconds"}

// call rewrites conversions, calls of package math, and numbers of hours,
// minutes and seconds.
func (r *rewriter) call(n *ast.CallExpr) ast.Visitor {
	if tv := r.pkg.TypesInfo.Types[n.Fun]; tv.IsType() {
		return r.conversion(n, tv.Type)
	}
	if i := starts[r.fullName(n.Fun)]; i > 0 && len(n.Args) == i {
		return r.started(n, n.Args[i-1])
	}
	if slices.Contains(durations, r.fullName(n.Fun)) && len(n.Args) == 0 {
		return r.rounded(n)
	}
	name, args := r.mathFunction(n.Fun), len(n.Args)
	wrapper, kind := "", Function
	switch {
	case name == "" || n.Ellipsis.IsValid():
		return r
	case slices.Contains(unaries, name) && args == 1:
		wrapper = "Func1"
	case slices.Contains(binaries, name) && args == 2:
		wrapper = "Func2"
	case slices.Contains(wholes, name) && args == 1:
		wrapper, kind = "Whole", ToInteger
	case own[name] > 0 && args == own[name]:
		r.used = append(r.used, r.text(n.Fun))
		r.replace(n.Fun.Pos(), n.Fun.End(), alias+"."+name)
	default:
		return r
	}
	if wrapper != "" {
		r.insert(n.Pos(), alias+"."+wrapper+"(")
		r.replace(n.Lparen, n.Lparen+1, ", ")
	}
	site := r.site(kind, n.Pos(), n)
	r.arguments(n, site)
	return nil
}

// rounded rewrites a call without arguments whose result is rounded.
func (r *rewriter) rounded(n *ast.CallExpr) ast.Visitor {
	r.insert(n.Pos(), alias+".Rounded(")
	site := r.site(Conversion, n.Pos(), n)
	ast.Walk(r, n.Fun)
	r.insert(n.End(), ", "+site+")")
	return nil
}

// value rewrites a function of package math that is not called here, but
// passed on, to a function that calls it and rounds. A function outside of
// rewritten code is counted.
func (r *rewriter) value(n ast.Expr) ast.Visitor {
	if k, ok := r.isOutside(n); ok {
		r.insert(n.Pos(), alias+".Outside(")
		site := r.site(Outside, n.Pos(), n)
		r.called[r.first+len(r.sites)-1] = k
		if s, ok := n.(*ast.SelectorExpr); ok {
			ast.Walk(r, s.X)
		}
		r.insert(n.End(), ", "+site+")")
		return nil
	}
	name, wrapper := r.mathFunction(n), ""
	switch {
	case slices.Contains(unaries, name) || name == "Sqrt":
		wrapper = "Value1"
	case slices.Contains(binaries, name):
		wrapper = "Value2"
	default:
		return r
	}
	site := r.site(Function, n.Pos(), n)
	r.insert(n.Pos(), alias+"."+wrapper+"(")
	r.insert(n.End(), ", "+site+")")
	return nil
}

// arguments rewrites the arguments of a call and adds the site.
func (r *rewriter) arguments(n *ast.CallExpr, site string) {
	for _, a := range n.Args {
		ast.Walk(r, a)
	}
	r.insert(n.Args[len(n.Args)-1].End(), ", "+site)
}

// isOutside reports whether an expression names a function outside of rewritten
// code, and returns the number of its omission.
func (r *rewriter) isOutside(f ast.Expr) (omission int, ok bool) {
	fn := r.function(f)
	if fn == nil || len(r.outside) == 0 {
		return 0, false
	}
	omission, ok = r.outside[fn.Origin().FullName()]
	return omission, ok
}

// function returns the function that an expression names, or nil.
func (r *rewriter) function(f ast.Expr) *types.Func {
	id, ok := ast.Unparen(f).(*ast.Ident)
	if s, isSelector := ast.Unparen(f).(*ast.SelectorExpr); isSelector {
		id, ok = s.Sel, true
	}
	if !ok {
		return nil
	}
	fn, _ := r.pkg.TypesInfo.Uses[id].(*types.Func)
	return fn
}

// mathFunction returns the name of a function of package math, or "".
func (r *rewriter) mathFunction(f ast.Expr) string {
	fn := r.function(f)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "math" || fn.Signature().Recv() != nil {
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

// bits returns the size of a number in bits. An int counts 64, as on most
// machines.
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
