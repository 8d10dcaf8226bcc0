package portable

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// sortedKeys is the first release with slices.Sorted and maps.Keys.
const sortedKeys = "go1.23"

// What to do about an order that another statement makes.
const byFixedOrder = "sort a list before the sum, or draw from a rand.New with a seed"

// mapSum rewrites the loops over maps around a sum to loops over sorted keys,
// and where that cannot be, the sum to an exact.Accumulator.
func mapSum(s *spot) string {
	reason := s.sortLoops()
	if len(s.mapLoops()) == 0 && s.isDecided(false) {
		return decided
	}
	if reason != "" && !s.mayStop() && s.accumulate() == "" {
		return ""
	}
	return reason
}

// mayStop reports whether a loop over a map around a sum may end early, or
// reads the sum: then the order decides what is added. It does, too, where a
// number is kept and not added.
func (s *spot) mayStop() bool {
	sum, ok := around[*ast.AssignStmt](s)
	if !ok || s.isCall() {
		return true
	}
	target := s.target(sum)
	v := s.variable(target)
	for _, l := range s.mapLoops() {
		stops := !slices.ContainsFunc(source.Accumulations(s.pkg.TypesInfo, l.Body),
			func(a source.Accumulation) bool { return a.Stmt == sum })
		ast.Inspect(l.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ReturnStmt:
				stops = true
			case *ast.BranchStmt:
				stops = stops || n.Tok != token.CONTINUE
			case *ast.Ident:
				isTarget := target.Pos() <= n.Pos() && n.End() <= target.End()
				stops = stops || s.object(n) == v && !isTarget
			}
			return !stops
		})
		if stops {
			return true
		}
	}
	return false
}

// sortLoops sorts the keys of the loops around a sum whose passes all add to
// it, or returns why it cannot: then it changes none.
func (s *spot) sortLoops() string {
	loops := s.mapLoops()
	if len(loops) == 0 {
		return "no loop over a map is here: " + byFixedOrder
	}
	for _, l := range loops {
		if reason := l.reason(); reason != "" {
			return reason
		}
	}
	for depth, l := range loops {
		if l.depth = depth; !s.done[l.RangeStmt] {
			s.done[l.RangeStmt] = true
			s.add(l.edits()...)
		}
	}
	return ""
}

// root returns the variable of a sum, or nil for a call that adds to one.
func (s *spot) root() *types.Var {
	sum, ok := around[*ast.AssignStmt](s)
	if !ok || s.isCall() {
		return nil
	}
	return source.Root(s.pkg.TypesInfo, s.target(sum))
}

// isCall reports whether a place is a call.
func (s *spot) isCall() bool {
	return slices.ContainsFunc(s.path, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && call.Pos() == s.from && call.End() == s.to
	})
}

// target returns the variable that a statement folds numbers into.
func (s *spot) target(sum *ast.AssignStmt) ast.Expr {
	info := s.pkg.TypesInfo
	if all := source.Accumulations(info, sum); len(all) > 0 {
		return all[0].Target
	}
	for _, l := range sum.Lhs {
		if floats.IsSummand(info.TypeOf(l)) {
			return l
		}
	}
	return sum.Lhs[0]
}

// A mapLoop is a range over a map.
type mapLoop struct {
	*ast.RangeStmt
	spot *spot
	keys string // of package maps: the function that is ranged over, or ""
	m    ast.Expr
	// depth counts the other loops around it.
	depth int
}

// mapLoops returns the loops over maps around a sum that do not declare its
// variable, outermost first.
func (s *spot) mapLoops() []mapLoop {
	info := s.pkg.TypesInfo
	root := s.root()
	var all []mapLoop
	for _, n := range s.path {
		r, ok := n.(*ast.RangeStmt)
		if !ok || source.Declared(root, r) && source.TakenFrom(info, root, r) == nil {
			continue
		}
		l := mapLoop{RangeStmt: r, spot: s, m: r.X}
		if call, ok := ast.Unparen(r.X).(*ast.CallExpr); ok && len(call.Args) == 1 {
			f := source.Callee(info, call)
			if source.IsFunc(f, "maps", "Keys", "Values", "All") {
				l.keys, l.m = f.Name(), call.Args[0]
			}
		}
		if mapType(info, l.m) != nil {
			all = append([]mapLoop{l}, all...)
		}
	}
	return all
}

func mapType(info *types.Info, e ast.Expr) *types.Map {
	t := info.TypeOf(e)
	if t == nil {
		return nil
	}
	m, _ := t.Underlying().(*types.Map)
	return m
}

// reason returns why the keys of a loop cannot be sorted, or "".
func (l mapLoop) reason() string {
	info := l.spot.pkg.TypesInfo
	m := mapType(info, l.m)
	switch {
	case version.Compare("go"+l.spot.release(), sortedKeys) < 0:
		return "slices.Sorted needs Go 1.23: raise the go line with --go, or sort the keys by hand"
	case l.keys == "Values" && !isOrdered(m.Elem(), true):
		return "the values of the map are not ordered: range over sorted keys"
	case l.keys == "Values":
		return ""
	case !isOrdered(m.Key(), false):
		return "keys of type " + m.Key().String() +
			" are not ordered by <: sort them by hand, or add exactly"
	case !isRepeatable(l.m):
		return "the map is the result of a call: assign it to a variable first"
	case l.mayDelete(m):
		return "the loop may delete entries of the map: sort the keys by hand"
	case l.shadows():
		return "a variable of the loop has a name of the map: rename it"
	case l.mayAssign():
		return "the loop may assign another map: assign the map to a variable first"
	}
	return ""
}

// shadows reports whether a variable that the loop declares has a name that the
// expression of the map uses.
func (l mapLoop) shadows() bool {
	found := false
	for _, e := range []ast.Expr{l.Key, l.Value} {
		id, ok := e.(*ast.Ident)
		if !ok || l.Tok != token.DEFINE {
			continue
		}
		ast.Inspect(l.m, func(n ast.Node) bool {
			x, ok := n.(*ast.Ident)
			found = found || ok && x.Name == id.Name
			return !found
		})
	}
	return found
}

// mayAssign reports whether the loop, or a function of the package that it may
// call, assigns a variable or a field that the expression of the map uses. The
// rewritten loop evaluates it in each pass.
func (l mapLoop) mayAssign() bool {
	info := l.spot.pkg.TypesInfo
	isOf := func(v *types.Var) bool {
		return source.Mentions(info, l.m, func(o *types.Var) bool { return o.Origin() == v })
	}
	if l.Tok == token.ASSIGN && (isOf(l.spot.variable(l.Key)) || isOf(l.spot.variable(l.Value))) {
		return true
	}
	if l.spot.assigns(l.Body, isOf) {
		return true
	}
	return l.callsPackage() && slices.ContainsFunc(l.spot.pkg.Syntax, func(f *ast.File) bool {
		return l.spot.assigns(f, func(v *types.Var) bool {
			return isOf(v) && (v.IsField() || !isLocalTo(l, v))
		})
	})
}

// isLocalTo reports whether a variable is declared in the function around a
// loop, whose other assignments the body shows.
func isLocalTo(l mapLoop, v *types.Var) bool {
	for _, n := range l.spot.path {
		if f, ok := n.(*ast.FuncDecl); ok {
			return source.Declared(v, f) && !capturedIn(l.spot, f, v)
		}
	}
	return false
}

// capturedIn reports whether a function literal in a function assigns a
// variable.
func capturedIn(s *spot, f *ast.FuncDecl, v *types.Var) bool {
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			found = found || s.assigns(lit, func(o *types.Var) bool { return o == v })
		}
		return !found
	})
	return found
}

// assigns reports whether a node assigns a variable that is asked for, or takes
// its address.
func (e *editor) assigns(in ast.Node, is func(*types.Var) bool) bool {
	found := false
	check := func(x ast.Expr) {
		if v := e.variable(x); v != nil && is(v) {
			found = true
		}
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, x := range n.Lhs {
					check(x)
					if star, ok := x.(*ast.StarExpr); ok {
						check(star.X)
					}
				}
			}
		case *ast.IncDecStmt:
			check(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				check(n.X)
			}
		}
		return !found
	})
	return found
}

// isOrdered reports whether values of a type are ordered by <, and found again
// as keys. A NaN is ordered by slices.Sorted, and no lookup finds it.
func isOrdered(t types.Type, floats bool) bool {
	var terms []*types.Term
	for _, b := range types.Typ {
		if b.Info()&types.IsUntyped == 0 && (b.Info()&(types.IsInteger|types.IsString) != 0 ||
			floats && b.Info()&types.IsFloat != 0) {
			terms = append(terms, types.NewTerm(true, b))
		}
	}
	union := types.NewUnion(terms)
	return types.Satisfies(t, types.NewInterfaceType(nil, []types.Type{union}))
}

// mayDelete reports whether the body of a loop deletes entries of a map of its
// type, or calls a function of the package, which has one that does.
func (l mapLoop) mayDelete(m *types.Map) bool {
	info := l.spot.pkg.TypesInfo
	if deletes(info, l.Body, m) {
		return true
	}
	if !l.callsPackage() {
		return false
	}
	for _, f := range l.spot.pkg.Syntax {
		if deletes(info, f, m) {
			return true
		}
	}
	return false
}

// callsPackage reports whether the body of a loop may call a function of the
// package.
func (l mapLoop) callsPackage() bool {
	info := l.spot.pkg.TypesInfo
	calls := false
	ast.Inspect(l.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			tv := info.Types[call.Fun]
			f := source.Callee(info, call)
			isForeign := f != nil && f.Pkg() != l.spot.pkg.Types
			calls = calls || !tv.IsType() && !tv.IsBuiltin() && !isForeign
		}
		return !calls
	})
	return calls
}

// deletes reports whether a node deletes entries of maps of a type.
func deletes(info *types.Info, n ast.Node, m *types.Map) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return !found
		}
		id, _ := ast.Unparen(call.Fun).(*ast.Ident)
		isDelete := id != nil && info.Types[call.Fun].IsBuiltin() &&
			(id.Name == "delete" || id.Name == "clear") ||
			source.IsFunc(source.Callee(info, call), "maps", "DeleteFunc")
		of := mapType(info, call.Args[0])
		found = found || isDelete && of != nil && types.Identical(of, m)
		return !found
	})
	return found
}

// edits returns those that sort the keys of a loop.
func (l mapLoop) edits() []edit {
	s := l.spot
	sorted := s.use("slices") + ".Sorted("
	if l.keys == "Values" || l.keys == "Keys" {
		return l.over(sorted)
	}
	tok := l.Tok.String()
	if l.Tok == token.ILLEGAL { // for range m
		tok = ":="
	}
	key, value := s.named(l.Key), s.named(l.Value)
	m := s.source(l.m.Pos(), l.m.End())
	sorted += s.use("maps") + ".Keys(" + m + "))"
	if _, ok := l.m.(*ast.StarExpr); ok {
		m = "(" + m + ")"
	}
	header := " range "
	switch {
	case key == "" && value != "":
		key = s.key(l.depth)
		header = " _, " + key + " := range "
	case key != "":
		header = " _, " + key + " " + tok + " range "
	}
	edits := []edit{{l.For + token.Pos(len("for")), l.X.Pos(), header},
		{l.X.Pos(), l.X.End(), sorted}}
	if value != "" {
		edits = append(edits, l.first(value+" "+tok+" "+m+"["+key+"]"))
	}
	return edits
}

// key returns a name for the key of a loop inside some others.
func (e *editor) key(depth int) string {
	for len(e.keys) <= depth {
		e.keys = append(e.keys, e.fresh("key"))
	}
	return e.keys[depth]
}

// named returns the source of a variable of a loop, or "" for none and for _.
func (s *spot) named(e ast.Expr) string {
	if id, ok := e.(*ast.Ident); e == nil || ok && id.Name == "_" {
		return ""
	}
	return s.source(e.Pos(), e.End())
}

// first returns the edit that puts a statement before the others of the body.
func (l mapLoop) first(statement string) edit {
	s := l.spot
	at, indent := l.Body.Lbrace+1, "\n"+s.indent(l.For)+"\t"
	end := l.Body.Rbrace
	if len(l.Body.List) > 0 {
		end = l.Body.List[0].Pos()
	}
	if i := strings.IndexByte(s.source(at, end), '\n'); i >= 0 { // behind a comment
		return insert(at+token.Pos(i), indent+statement)
	}
	return insert(at, indent+statement+indent)
}

// over sorts what a loop ranges over: for k := range maps.Keys(m).
func (l mapLoop) over(sorted string) []edit {
	edits := []edit{insert(l.X.Pos(), sorted), insert(l.X.End(), ")")}
	if l.Key != nil {
		edits = append(edits, insert(l.Key.Pos(), "_, "))
	}
	return edits
}

// indent returns the white space before a line.
func (e *editor) indent(at token.Pos) string {
	end := e.offset(at)
	start := end
	for start > 0 && e.text[start-1] != '\n' {
		start--
	}
	for i := start; i < end; i++ {
		if c := e.text[i]; c != ' ' && c != '\t' {
			return string(e.text[start:i])
		}
	}
	return string(e.text[start:end])
}

// release returns the release of Go that a file is written for.
func (e *editor) release() string {
	if v := e.pkg.TypesInfo.FileVersions[e.file]; v != "" {
		return v[len("go"):]
	}
	return e.pkg.Types.GoVersion()
}
