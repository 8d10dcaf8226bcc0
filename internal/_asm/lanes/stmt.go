package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// inside returns a compiler for the body of the function that is called.
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

// block compiles straight-line statements up to a return.
func (c *compiler) block(fn *ast.FuncDecl, list []ast.Stmt) []value {
	for _, stmt := range list {
		if r := c.stmt(fn, stmt); r != nil {
			return r
		}
	}
	c.fail(fn, "%s does not end in a return", fn.Name.Name)
	return nil
}

// stmt compiles a statement. For a return it returns the values.
func (c *compiler) stmt(fn *ast.FuncDecl, stmt ast.Stmt) []value {
	switch s := stmt.(type) {
	case *ast.DeclStmt:
		return nil // constants need nothing, variables are assigned to
	case *ast.ReturnStmt:
		return c.values(s.Results)
	case *ast.AssignStmt:
		c.assign(s)
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

// callee returns the function of this package that a call names, or nil.
func (c *compiler) callee(call *ast.CallExpr) *ast.FuncDecl {
	if id, ok := call.Fun.(*ast.Ident); ok {
		return c.funcs[c.info.Uses[id]]
	}
	return nil
}
