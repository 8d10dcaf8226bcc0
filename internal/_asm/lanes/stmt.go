package main

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
)

// inside returns a compiler for the body of the function that is called.
func (c *compiler) inside(call *ast.CallExpr) *compiler {
	inner := &compiler{source: c.source, g: c.g, env: map[types.Object]value{}}
	args, i := c.values(call.Args), 0
	fn := c.callee(call)
	if fn.Recv != nil {
		inner.env[c.info.Defs[fn.Recv.List[0].Names[0]]] = c.place(call.Fun.(*ast.SelectorExpr).X)
	}
	for _, f := range fn.Type.Params.List {
		for _, name := range f.Names {
			inner.env[c.info.Defs[name]] = args[i]
			i++
		}
	}
	for _, f := range fn.Type.Results.List {
		inner.zero(f.Names)
	}
	return inner
}

// zero declares variables.
func (c *compiler) zero(names []*ast.Ident) {
	for _, name := range names {
		c.env[c.info.Defs[name]] = value{node: c.g.number(0)}
	}
}

// block compiles the statements of a function that is called, up to a return.
func (c *compiler) block(fn *ast.FuncDecl, list []ast.Stmt) []value {
	for i, stmt := range list {
		if s, ok := stmt.(*ast.IfStmt); ok && returns(s) {
			rest := list[i+1:]
			if s.Else != nil {
				rest = append([]ast.Stmt{s.Else}, rest...)
			}
			return c.either(fn, s, rest)
		}
		if r := c.stmt(fn, stmt); r != nil {
			return r
		}
	}
	c.fail(fn, "%s does not end in a return", fn.Name.Name)
	return nil
}

// returns reports whether the body of an if statement ends in a return.
func returns(s *ast.IfStmt) bool {
	_, ok := s.Body.List[len(s.Body.List)-1].(*ast.ReturnStmt)
	return ok
}

// either compiles an if statement that returns: both sides are computed, and
// its condition chooses among the results.
func (c *compiler) either(fn *ast.FuncDecl, s *ast.IfStmt, rest []ast.Stmt) []value {
	cond, inner := c.sides(fn, s)
	yes, no := inner.block(fn, s.Body.List), c.block(fn, rest)
	for i := range yes {
		yes[i] = c.choose(s, cond, yes[i], no[i])
	}
	return yes
}

// sides compiles the condition of an if statement, and returns a compiler for
// its body.
func (c *compiler) sides(fn *ast.FuncDecl, s *ast.IfStmt) (cond *node, inner *compiler) {
	if s.Init != nil {
		c.stmt(fn, s.Init)
	}
	return c.expr(s.Cond), &compiler{source: c.source, g: c.g, env: maps.Clone(c.env)}
}

// choice compiles an if statement that assigns to variables: both sides are
// computed, and its condition chooses among the values of each.
func (c *compiler) choice(fn *ast.FuncDecl, s *ast.IfStmt) {
	cond, inner := c.sides(fn, s)
	for _, stmt := range s.Body.List {
		inner.stmt(fn, stmt)
	}
	if s.Else != nil {
		c.stmt(fn, s.Else)
	}
	variables := slices.SortedFunc(maps.Keys(c.env), func(a, b types.Object) int {
		return cmp.Compare(a.Pos(), b.Pos())
	})
	for _, o := range variables {
		if yes, no := inner.env[o], c.env[o]; yes != no {
			c.env[o] = c.choose(s, cond, yes, no)
		}
	}
}

// choose returns the value of yes where cond holds, and of no elsewhere.
func (c *compiler) choose(at ast.Node, cond *node, yes, no value) value {
	if yes.in != nil || no.in != nil {
		c.fail(at, "rows are not chosen")
	}
	return value{node: c.g.make(choose, cond, yes.node, no.node)}
}

// stmt compiles a statement. For a return it returns the values.
func (c *compiler) stmt(fn *ast.FuncDecl, stmt ast.Stmt) []value {
	switch s := stmt.(type) {
	case *ast.DeclStmt:
		for _, spec := range s.Decl.(*ast.GenDecl).Specs {
			if v, ok := spec.(*ast.ValueSpec); ok && s.Decl.(*ast.GenDecl).Tok == token.VAR {
				c.zero(v.Names)
			}
		}
		return nil // constants need nothing
	case *ast.ReturnStmt:
		return c.values(s.Results)
	case *ast.AssignStmt:
		c.assign(s)
		return nil
	case *ast.IfStmt:
		c.choice(fn, s)
		return nil
	case *ast.SwitchStmt:
		return c.stmt(fn, ifChain(s))
	case *ast.BlockStmt:
		for _, stmt := range s.List {
			c.stmt(fn, stmt)
		}
		return nil
	}
	c.fail(stmt, "%s is not straight-line code: %T", fn.Name.Name, stmt)
	return nil
}

// assign compiles an assignment.
func (c *compiler) assign(s *ast.AssignStmt) {
	var v []value
	switch {
	case s.Tok == token.ASSIGN || s.Tok == token.DEFINE:
		v = c.values(s.Rhs)
	case token.ADD_ASSIGN <= s.Tok && s.Tok <= token.AND_NOT_ASSIGN:
		o := s.Tok - token.ADD_ASSIGN + token.ADD
		t := c.info.TypeOf(s.Lhs[0])
		v = []value{{node: c.binary(s, o, t, c.expr(s.Lhs[0]), c.expr(s.Rhs[0]))}}
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
}

// object returns the variable that an identifier names.
func (c *compiler) object(id *ast.Ident) types.Object {
	if o := c.info.Defs[id]; o != nil {
		return o
	}
	return c.info.Uses[id]
}

// values compiles expressions, or one call with several results.
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

// callee returns the function or method of this package that a call names, or
// nil.
func (c *compiler) callee(call *ast.CallExpr) *ast.FuncDecl {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return c.funcs[c.info.Uses[f]]
	case *ast.SelectorExpr:
		return c.funcs[c.info.Uses[f.Sel]]
	}
	return nil
}
