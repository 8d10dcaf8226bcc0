package maporder

import (
	"go/ast"
	"go/types"
	"go/version"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// An order is one that changes from run to run.
type order struct {
	from string // what has it
	cure string // in a loop
	sort string // of a list
}

func (o order) isNone() bool { return o.from == "" }

func ofMap(e ast.Expr) order {
	return order{"the map " + source.Short(e), "range over sorted keys", "sort it"}
}

func ofRandom(call *ast.CallExpr) order {
	cure := "draw from a rand.New with a seed"
	return order{source.Short(call.Fun), cure, cure}
}

// orders finds orders in a package.
type orders struct {
	info   *types.Info
	bodies source.Bodies
	made   map[*ast.FuncDecl]order // what functions return
	// isSeeded is set where the functions of math/rand give the same numbers in
	// every run: before Go 1.20, and where the package seeds them.
	isSeeded bool
}

// autoSeeded is the first release that seeds math/rand at random.
const autoSeeded = "go1.20"

func newOrders(pass *analysis.Pass, bodies source.Bodies) orders {
	o := orders{info: pass.TypesInfo, bodies: bodies, made: map[*ast.FuncDecl]order{}}
	v := pass.Pkg.GoVersion()
	o.isSeeded = v != "" && version.Compare(version.Lang(v), autoSeeded) < 0
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if ok && isGlobal(source.Callee(o.info, call), "math/rand", "Seed") {
				o.isSeeded = true
			}
			return !o.isSeeded
		})
	}
	return o
}

// isGlobal reports whether a function is one of a package, and no method.
func isGlobal(f *types.Func, path, name string) bool {
	return source.IsFunc(f, path, name) && f.Signature().Recv() == nil
}

// isRandom reports whether a call is one of a function of math/rand or
// math/rand/v2 that has another seed in every run.
func (o orders) isRandom(call *ast.CallExpr, name string) bool {
	f := source.Callee(o.info, call)
	return isGlobal(f, "math/rand/v2", name) || !o.isSeeded && isGlobal(f, "math/rand", name)
}

// of returns the order that a range takes its values in: the keys of a map or
// of a sync.Map, or a random permutation.
func (o orders) of(e ast.Expr) order {
	e = ast.Unparen(e)
	if o.isMap(e) {
		return ofMap(e)
	}
	if sel, ok := e.(*ast.SelectorExpr); ok {
		f, _ := o.info.Uses[sel.Sel].(*types.Func)
		if source.IsFunc(f, "sync", "Range") {
			return ofMap(e)
		}
		if f != nil {
			return o.calledIn(f, 0)
		}
	}
	call, ok := e.(*ast.CallExpr)
	if !ok {
		return order{}
	}
	f := source.Callee(o.info, call)
	switch {
	case source.IsFunc(f, "slices", "Collect", "Values", "All", "Backward"):
		if of := o.of(call.Args[0]); !of.isNone() {
			return of
		}
	case source.IsFunc(f, "maps", "All", "Keys", "Values"),
		source.IsFunc(f, "golang.org/x/exp/maps", "Keys", "Values"):
		return ofMap(call.Args[0])
	case o.isRandom(call, "Perm"):
		return ofRandom(call)
	case o.bodies.Of(f) != nil:
		if of := o.returned(o.bodies.Of(f)); !of.isNone() {
			of.from += " in " + source.Short(call.Fun)
			return of
		}
	}
	return order{}
}

// isMap reports whether an expression is a map.
func (o orders) isMap(e ast.Expr) bool {
	t := o.info.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// returned returns the order of the list or the sequence that a function of the
// package returns.
func (o orders) returned(d *ast.FuncDecl) order {
	if of, ok := o.made[d]; ok {
		return of
	}
	o.made[d] = order{} // for one that calls itself
	of := order{}
	ast.Inspect(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, e := range n.Results {
				if of.isNone() {
					of = o.yielded(e)
				}
			}
		}
		return true
	})
	for _, l := range o.lists(d.Body) {
		if of.isNone() && l.IsReturned(o.info, d.Body) {
			of = l.order
		}
	}
	o.made[d] = of
	return of
}

// yielded returns the order of a list or a sequence that is returned: made by a
// call, or by a literal that yields in a loop.
func (o orders) yielded(e ast.Expr) order {
	lit, ok := ast.Unparen(e).(*ast.FuncLit)
	if !ok {
		if _, isCall := ast.Unparen(e).(*ast.CallExpr); isCall {
			return o.of(e)
		}
		return order{}
	}
	yields := lit.Type.Params.List
	if len(yields) != 1 || len(yields[0].Names) != 1 {
		return order{}
	}
	return o.passed(lit.Body, o.info.Defs[yields[0].Names[0]])
}

// passed returns the order of a loop that calls a function in a variable.
func (o orders) passed(body *ast.BlockStmt, function types.Object) order {
	of := order{}
	ast.Inspect(body, func(n ast.Node) bool {
		if r, ok := n.(*ast.RangeStmt); ok && of.isNone() && function != nil &&
			source.Mentions(o.info, r.Body, func(v *types.Var) bool { return v == function }) {
			of = o.of(r.X)
		}
		return true
	})
	return of
}

// ofCall returns the order that a call calls a function in, which is an
// argument: Range of a sync.Map, or a function of the package.
func (o orders) ofCall(call *ast.CallExpr, argument int) order {
	f := source.Callee(o.info, call)
	switch {
	case f == nil:
		return order{}
	case source.IsFunc(f, "sync", "Range"):
		return order{"a sync.Map", "range over sorted keys", ""}
	}
	return o.calledIn(f, argument)
}

// calledIn returns the order that a function of the package calls its argument
// in.
func (o orders) calledIn(f *types.Func, argument int) order {
	d := o.bodies.Of(f)
	if d == nil || argument >= f.Origin().Signature().Params().Len() {
		return order{}
	}
	p := f.Origin().Signature().Params().At(argument)
	if _, ok := p.Type().Underlying().(*types.Signature); !ok {
		return order{}
	}
	of := o.passed(d.Body, p)
	if !of.isNone() {
		of.from += " in " + f.Name()
	}
	return of
}

// ofSequence returns the order of a range over a function in a variable of a
// file.
func (o orders) ofSequence(f *ast.File, e ast.Expr) order {
	t := o.info.TypeOf(e)
	if t == nil {
		return order{}
	}
	if _, isFunc := t.Underlying().(*types.Signature); !isFunc {
		return order{}
	}
	return o.of(source.Resolve(o.info, f, e))
}

// shuffled returns the variables that a call of rand.Shuffle swaps elements of.
func (o orders) shuffled(call *ast.CallExpr) []*types.Var {
	if len(call.Args) != 2 || !o.isRandom(call, "Shuffle") {
		return nil
	}
	if method, ok := ast.Unparen(call.Args[1]).(*ast.SelectorExpr); ok { // x.Swap
		if v := source.Variable(o.info, method.X); source.IsSlice(v) {
			return []*types.Var{v}
		}
	}
	swap, ok := ast.Unparen(call.Args[1]).(*ast.FuncLit)
	if !ok {
		return nil
	}
	var all []*types.Var
	ast.Inspect(swap.Body, func(n ast.Node) bool {
		if s, ok := n.(*ast.AssignStmt); ok {
			for _, l := range s.Lhs {
				if index, ok := ast.Unparen(l).(*ast.IndexExpr); ok {
					if v := source.Variable(o.info, index.X); v != nil &&
						!source.Declared(v, swap) {
						all = append(all, v)
					}
				}
			}
		}
		return true
	})
	return all
}
