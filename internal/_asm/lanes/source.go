package main

import (
	"fmt"
	"go/ast"
	"go/build"
	exact "go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"math"
	"math/bits"
	"slices"
)

// A source is a package of Go, type-checked.
type source struct {
	fset  *token.FileSet
	info  *types.Info
	funcs map[types.Object]*ast.FuncDecl
	scope *types.Scope
}

// load reads the package in a folder.
func load(dir string) (*source, error) {
	// What is portable is compiled: the file of this program's own output, for one, is not read.
	context := build.Default
	context.GOARCH = "wasm"
	p, err := context.ImportDir(dir, 0)
	if err != nil {
		return nil, err
	}
	s := &source{fset: token.NewFileSet(), funcs: map[types.Object]*ast.FuncDecl{},
		info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	var files []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(s.fset, dir+"/"+name, nil, 0)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	// What needs other files is not of interest.
	config := types.Config{Importer: importer.ForCompiler(s.fset, "source", nil), Error: func(error) {}}
	pkg, _ := config.Check(p.Name, s.fset, files, s.info)
	if pkg == nil {
		return nil, fmt.Errorf("%s: no package", dir)
	}
	s.scope = pkg.Scope()
	for _, f := range files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				s.funcs[s.info.Defs[fn.Name]] = fn
			}
		}
	}
	return s, nil
}

// A region is what a function returns where a condition holds. ok says whether that is its
// result; nil stands for always.
type region struct {
	cond, value, ok *node
}

// A lane is a function, compiled. The first region whose condition holds counts, or else the
// last one, which has none.
type lane struct {
	name    string
	arity   int
	single  bool // float32
	regions []region
}

// A value is what an expression stands for: a node, or a row of a table.
type value struct {
	*node
	row *table
}

// A compiler walks through functions without branches.
type compiler struct {
	*source
	g   *graph
	env map[types.Object]value
	why error // why the latest statement cannot be compiled
}

// fail stops at a place in the source.
func (c *compiler) fail(n ast.Node, format string, args ...any) {
	panic(fmt.Errorf("%s: %s", c.fset.Position(n.Pos()), fmt.Sprintf(format, args...)))
}

// compile compiles the lane function of that name.
func (s *source) compile(name string, g *graph) (l lane, err error) {
	fn := s.funcs[s.scope.Lookup(name)]
	if fn == nil {
		return l, fmt.Errorf("there is no function %s", name)
	}
	l.name = name
	c := &compiler{source: s, g: g, env: map[types.Object]value{}}
	for _, f := range fn.Type.Params.List {
		for _, name := range f.Names {
			c.env[s.info.Defs[name]] = value{node: g.argument(l.arity)}
			l.arity++
			l.single = s.info.Defs[name].Type() == types.Typ[types.Float32]
		}
	}
	l.regions = c.run(fn, fn.Body.List)
	if l.regions == nil {
		return l, fmt.Errorf("%s has no way without a call or a loop: %w", name, c.why)
	}
	for i := range l.regions {
		r := &l.regions[i]
		if l.single != (r.value.op == toSingle) && r.value.op != argument {
			return l, fmt.Errorf("%s returns a number of another format", name)
		}
		if l.single && r.value.op == toSingle {
			r.value = r.value.args[0]
		}
		switch {
		case l.single && r.value.op == argument:
			r.ok = g.and(g.make(eq, r.value, r.value), r.ok) // a conversion would make a signalling NaN quiet
		case r.ok == nil:
			r.ok = g.always(r.value)
		}
	}
	return l, nil
}

// run compiles statements up to the returns. What cannot be compiled, a call of an accurate
// path, say, gives no region: there the function itself is called. So do branches that return
// a constant, as they are for rare arguments.
func (c *compiler) run(fn *ast.FuncDecl, list []ast.Stmt) []region {
	for i, stmt := range list {
		rest := list[i+1:]
		switch s := stmt.(type) {
		case *ast.IfStmt:
			var otherwise []ast.Stmt
			if s.Else != nil {
				otherwise = []ast.Stmt{s.Else}
			}
			return c.branch(fn, s.Init, s.Cond, append(slices.Clone(s.Body.List), rest...), append(otherwise, rest...))
		case *ast.BlockStmt:
			return c.run(fn, append(slices.Clone(s.List), rest...))
		case *ast.SwitchStmt:
			return c.run(fn, append([]ast.Stmt{ifs(s)}, rest...))
		}
		var results []value
		if !c.try(func() { results = c.last(fn, stmt) }) {
			return nil
		}
		if call := tail(stmt); call != nil && results == nil {
			var inner *compiler
			if !c.try(func() { inner = c.inside(call) }) {
				return nil
			}
			return inner.run(c.callee(call), c.callee(call).Body.List)
		}
		if results != nil {
			r := region{value: results[0].node}
			if len(results) > 1 && results[1].op != constant {
				r.ok = results[1].node
			}
			if r.value.op == constant {
				return nil
			}
			return []region{r}
		}
	}
	return nil
}

// last compiles a statement, but for a call of a function with branches that is returned.
func (c *compiler) last(fn *ast.FuncDecl, stmt ast.Stmt) (results []value) {
	if call := tail(stmt); call != nil && c.callee(call) != nil {
		if !c.try(func() { results = c.stmt(fn, stmt) }) {
			return nil
		}
		return results
	}
	return c.stmt(fn, stmt)
}

// tail returns the call that a statement returns, if it is one.
func tail(stmt ast.Stmt) *ast.CallExpr {
	if r, ok := stmt.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
		call, _ := r.Results[0].(*ast.CallExpr)
		return call
	}
	return nil
}

// ifs returns a switch without a tag as a chain of if statements.
func ifs(s *ast.SwitchStmt) ast.Stmt {
	var chain ast.Stmt
	for _, clause := range s.Body.List {
		if c := clause.(*ast.CaseClause); c.List == nil {
			chain = &ast.BlockStmt{List: c.Body}
		}
	}
	for _, clause := range slices.Backward(s.Body.List) {
		c := clause.(*ast.CaseClause)
		if c.List == nil {
			continue
		}
		body := &ast.BlockStmt{List: c.Body}
		cond := c.List[0]
		for _, e := range c.List[1:] {
			cond = &ast.BinaryExpr{X: cond, Op: token.LOR, Y: e}
		}
		chain = &ast.IfStmt{Cond: cond, Body: body, Else: chain}
	}
	if s.Init != nil {
		chain.(*ast.IfStmt).Init = s.Init
	}
	return chain
}

// branch compiles both ways of a branch.
func (c *compiler) branch(fn *ast.FuncDecl, init ast.Stmt, e ast.Expr, yes, no []ast.Stmt) []region {
	var cond *node
	if !c.try(func() {
		if init != nil {
			c.stmt(fn, init)
		}
		cond = c.expr(e)
	}) {
		return nil
	}
	inner := &compiler{source: c.source, g: c.g, env: maps.Clone(c.env)}
	then := inner.run(fn, yes)
	if inner.why != nil {
		c.why = inner.why
	}
	otherwise := c.run(fn, no)
	if rare(then) && then[0].ok != nil {
		then = nil
	}
	if rare(otherwise) {
		otherwise = nil
	}
	and := func(list []region, cond *node) []region {
		for i := range list {
			list[i].ok = c.g.and(cond, list[i].ok)
		}
		return list
	}
	switch {
	case otherwise == nil:
		return and(then, cond)
	case then == nil:
		return and(otherwise, c.g.make(not, cond))
	}
	for i := range then {
		then[i].cond = c.g.and(cond, then[i].cond)
	}
	return append(then, otherwise...)
}

// rare says whether all that is returned is the argument. That is for arguments so small that it
// is the result, which zeros are, and for NaN, which comes after conditions.
func rare(list []region) bool { return len(list) == 1 && list[0].value.op == argument }

// try says whether something can be compiled.
func (c *compiler) try(f func()) (ok bool) {
	defer func() {
		if e := recover(); e != nil {
			c.why = e.(error)
			ok = false
		}
	}()
	f()
	return true
}

// inside returns the compiler for a call's function.
func (c *compiler) inside(call *ast.CallExpr) *compiler {
	inner := &compiler{source: c.source, g: c.g, env: map[types.Object]value{}}
	args, i := c.values(call.Args), 0
	for _, f := range c.callee(call).Type.Params.List {
		for _, name := range f.Names {
			inner.env[c.info.Defs[name]] = args[i]
			i++
		}
	}
	return inner
}

// block compiles statements up to a return.
func (c *compiler) block(fn *ast.FuncDecl, list []ast.Stmt) []value {
	for _, stmt := range list {
		if r := c.stmt(fn, stmt); r != nil {
			return r
		}
	}
	c.fail(fn, "%s does not end in a return", fn.Name.Name)
	return nil
}

// stmt compiles a statement; a return gives its values.
func (c *compiler) stmt(fn *ast.FuncDecl, stmt ast.Stmt) []value {
	switch s := stmt.(type) {
	case *ast.DeclStmt:
		return nil // constants need nothing, variables are assigned to
	case *ast.ReturnStmt:
		return c.values(s.Results)
	case *ast.AssignStmt:
		var v []value
		switch {
		case s.Tok == token.ASSIGN || s.Tok == token.DEFINE:
			v = c.values(s.Rhs)
		case token.ADD_ASSIGN <= s.Tok && s.Tok <= token.AND_NOT_ASSIGN:
			o := s.Tok - token.ADD_ASSIGN + token.ADD
			v = []value{{node: c.binary(s, o, c.info.TypeOf(s.Lhs[0]), c.expr(s.Lhs[0]), c.expr(s.Rhs[0]))}}
		}
		if len(v) != len(s.Lhs) {
			c.fail(s, "an assignment of another kind")
		}
		for i, lhs := range s.Lhs {
			id, ok := lhs.(*ast.Ident)
			if !ok {
				c.fail(s, "only variables are assigned to")
			}
			c.env[c.object(id)] = v[i]
		}
		return nil
	}
	c.fail(stmt, "%s is not straight-line code: %T", fn.Name.Name, stmt)
	return nil
}

func (c *compiler) object(id *ast.Ident) types.Object {
	if o := c.info.Defs[id]; o != nil {
		return o
	}
	return c.info.Uses[id]
}

// values compiles expressions, or one call that has several results.
func (c *compiler) values(list []ast.Expr) []value {
	if len(list) == 1 {
		if call, ok := list[0].(*ast.CallExpr); ok {
			if fn := c.callee(call); fn != nil && !widens(fn.Name.Name) {
				return c.inside(call).block(fn, fn.Body.List)
			}
		}
	}
	var v []value
	for _, e := range list {
		v = append(v, c.value(e))
	}
	return v
}

// callee returns the function of this package that is called, or nil.
func (c *compiler) callee(call *ast.CallExpr) *ast.FuncDecl {
	if id, ok := call.Fun.(*ast.Ident); ok {
		return c.funcs[c.info.Uses[id]]
	}
	return nil
}

func (c *compiler) expr(e ast.Expr) *node {
	v := c.value(e)
	if v.row != nil {
		c.fail(e, "a row is no number")
	}
	return v.node
}

// widens says whether a function makes a float64 of a float32 in a way of its own. The arguments of
// kernels are float64 already.
func widens(name string) bool { return name == "widen" || name == "widenMost" }

// value compiles an expression.
func (c *compiler) value(e ast.Expr) value {
	if tv := c.info.Types[e]; tv.Value != nil {
		return value{node: c.g.number(c.constant(e, tv))}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.value(e.X)
	case *ast.Ident:
		if v, ok := c.env[c.info.Uses[e]]; ok {
			return v
		}
		c.fail(e, "%s is not known", e.Name)
	case *ast.SelectorExpr:
		return value{node: c.column(e)}
	case *ast.UnaryExpr:
		return c.unary(e)
	case *ast.IndexExpr:
		v := c.row(e)
		return value{node: c.g.intern(node{op: column, args: []*node{v.node}, tab: v.row})}
	case *ast.BinaryExpr:
		return value{node: c.binary(e, e.Op, c.info.TypeOf(e.X), c.expr(e.X), c.expr(e.Y))}
	case *ast.CallExpr:
		if id, ok := e.Fun.(*ast.Ident); ok && widens(id.Name) {
			return c.value(e.Args[0])
		}
		if c.callee(e) != nil {
			return c.values([]ast.Expr{e})[0]
		}
		return value{node: c.builtin(e)}
	}
	c.fail(e, "%T is not known", e)
	return value{}
}

func (c *compiler) constant(e ast.Expr, tv types.TypeAndValue) uint64 {
	switch b := tv.Type.Underlying().(*types.Basic); {
	case b.Info()&types.IsBoolean != 0 && exact.BoolVal(tv.Value):
		return 1
	case b.Info()&types.IsFloat != 0:
		f, _ := exact.Float64Val(tv.Value)
		return math.Float64bits(f)
	case b.Info()&types.IsUnsigned != 0:
		u, _ := exact.Uint64Val(exact.ToInt(tv.Value))
		return u
	case b.Info()&types.IsInteger != 0:
		i, _ := exact.Int64Val(exact.ToInt(tv.Value))
		return uint64(i)
	}
	c.fail(e, "a constant of type %s", tv.Type)
	return 0
}

// column compiles row.field.
func (c *compiler) column(e *ast.SelectorExpr) *node {
	v := c.value(e.X)
	if v.row == nil {
		c.fail(e, "only rows of tables have fields")
	}
	field := c.info.Selections[e].Index()[0]
	return c.g.intern(node{op: column, args: []*node{v.node}, n: field, tab: v.row})
}

func (c *compiler) unary(e *ast.UnaryExpr) value {
	switch e.Op {
	case token.AND:
		index, ok := e.X.(*ast.IndexExpr)
		if !ok {
			c.fail(e, "only rows of tables have an address")
		}
		return c.row(index)
	case token.NOT:
		return value{node: c.g.make(not, c.expr(e.X))}
	case token.SUB:
		x := c.expr(e.X)
		if c.float(e.X) {
			return value{node: c.g.make(xor, x, c.g.number(1<<63))}
		}
		return value{node: c.g.make(isub, c.g.number(0), x)}
	case token.XOR:
		return value{node: c.g.make(xor, c.expr(e.X), c.g.number(math.MaxUint64))}
	}
	c.fail(e, "operator %s", e.Op)
	return value{}
}

// row compiles table[index]. The index is in the table whatever the argument is, which a
// mask makes sure of.
func (c *compiler) row(e *ast.IndexExpr) value {
	array, ok := c.info.TypeOf(e.X).Underlying().(*types.Array)
	if !ok {
		c.fail(e, "a table is an array")
	}
	t := &table{name: e.X.(*ast.Ident).Name, rows: array.Len(), size: 1}
	if fields, ok := array.Elem().Underlying().(*types.Struct); ok {
		t.size = fields.NumFields()
		for f := range fields.Fields() {
			if f.Type() != types.Typ[types.Float64] {
				c.fail(e, "a row has only float64")
			}
		}
	} else if array.Elem() != types.Typ[types.Float64] {
		c.fail(e, "a table has float64")
	}
	i := c.expr(e.Index)
	if i.most() >= uint64(t.rows) {
		c.fail(e, "the index into %s's %d rows has no mask", t.name, t.rows)
	}
	return value{node: i, row: c.g.table(t)}
}

// table returns the only table of that name.
func (g *graph) table(t *table) *table {
	for _, n := range g.nodes {
		if n.tab != nil && n.tab.name == t.name {
			return n.tab
		}
	}
	return t
}

func (c *compiler) float(e ast.Expr) bool {
	b, ok := c.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

func (c *compiler) single(e ast.Expr) bool {
	return c.info.TypeOf(e).Underlying() == types.Typ[types.Float32]
}

func unsigned(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// binary compiles x o y, where x is of type t.
func (c *compiler) binary(at ast.Node, o token.Token, t types.Type, x, y *node) *node {
	g := c.g
	if b := t.Underlying().(*types.Basic); b.Info()&types.IsFloat != 0 {
		switch o {
		case token.ADD:
			return g.make(add, x, y)
		case token.SUB:
			return g.make(sub, x, y)
		case token.MUL:
			return g.make(mul, x, y)
		case token.QUO:
			return g.make(div, x, y)
		case token.LSS:
			return g.make(lt, x, y)
		case token.LEQ:
			return g.make(le, x, y)
		case token.GTR:
			return g.make(lt, y, x)
		case token.GEQ:
			return g.make(le, y, x)
		case token.EQL:
			return g.make(eq, x, y)
		case token.NEQ:
			return g.make(ne, x, y)
		}
	}
	switch o {
	case token.LAND:
		return g.make(both, x, y)
	case token.LOR:
		return g.make(either, x, y)
	case token.ADD:
		return g.make(iadd, x, y)
	case token.SUB:
		return g.make(isub, x, y)
	case token.AND:
		return g.make(and, x, y)
	case token.OR:
		return g.make(or, x, y)
	case token.XOR:
		return g.make(xor, x, y)
	case token.AND_NOT:
		return g.make(and, x, g.make(xor, y, g.number(math.MaxUint64)))
	case token.REM:
		if unsigned(t) && y.op == constant && bits.OnesCount64(y.bits) == 1 {
			return g.make(and, x, g.number(y.bits-1))
		}
	case token.SHL:
		if y.op == constant && y.bits < 64 {
			return g.shift(shl, x, int(y.bits))
		}
	case token.SHR:
		if y.op == constant && y.bits < 64 {
			return g.shift(map[bool]op{true: shr, false: sar}[unsigned(t)], x, int(y.bits))
		}
	case token.LSS:
		if unsigned(t) {
			return g.make(ult, x, y)
		}
		return g.make(sgt, y, x)
	case token.GTR:
		if unsigned(t) {
			return g.make(ult, y, x)
		}
		return g.make(sgt, x, y)
	case token.GEQ:
		return g.make(not, c.binary(at, token.LSS, t, x, y))
	case token.LEQ:
		return g.make(not, c.binary(at, token.GTR, t, x, y))
	case token.EQL:
		return g.make(ieq, x, y)
	case token.NEQ:
		return g.make(not, g.make(ieq, x, y))
	}
	c.fail(at, "operator %s", o)
	return nil
}

// builtin compiles conversions, min and max, and what package math has.
func (c *compiler) builtin(e *ast.CallExpr) *node {
	x := c.expr(e.Args[0])
	if c.info.Types[e.Fun].IsType() {
		to, from := c.float(e), c.float(e.Args[0])
		switch {
		case to && from && c.single(e) && !c.single(e.Args[0]):
			return c.g.make(toSingle, x)
		case to == from:
			return x // a rounding that has been, or the same bits
		case to && !unsigned(c.info.TypeOf(e.Args[0])):
			return c.g.make(toF, x)
		}
		c.fail(e, "conversion from %s", c.info.TypeOf(e.Args[0]))
	}
	name := ""
	switch f := e.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	sign := c.g.number(1 << 63)
	rest := c.g.number(1<<63 - 1)
	switch name {
	case "Float64bits", "Float64frombits":
		return x
	case "Abs":
		return c.g.make(and, x, rest)
	case "Copysign":
		return c.g.make(or, c.g.make(and, x, rest), c.g.make(and, c.expr(e.Args[1]), sign))
	case "Sqrt":
		return c.g.make(sqrt, x)
	case "min", "max":
		o := map[string]op{"min": imin, "max": imax}[name]
		if c.float(e) {
			o = map[string]op{"min": minf, "max": maxf}[name]
		} else if unsigned(c.info.TypeOf(e)) {
			c.fail(e, "%s of unsigned integers", name)
		}
		return c.g.make(o, x, c.expr(e.Args[1]))
	}
	c.fail(e, "function %s", name)
	return nil
}
