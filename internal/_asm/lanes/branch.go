package main

import (
	"go/ast"
	"go/token"
	"maps"
	"slices"
)

// run compiles statements up to the returns. A statement that cannot be
// compiled, such as the call of an accurate path, yields no region: there the
// function itself is called. So do branches that return a constant, which are
// for rare arguments.
func (c *compiler) run(fn *ast.FuncDecl, list []ast.Stmt) []region {
	for i, stmt := range list {
		rest := list[i+1:]
		switch s := stmt.(type) {
		case *ast.IfStmt:
			var otherwise []ast.Stmt
			if s.Else != nil {
				otherwise = []ast.Stmt{s.Else}
			}
			return c.branch(fn, s.Init, s.Cond, append(slices.Clone(s.Body.List), rest...),
				append(otherwise, rest...))
		case *ast.BlockStmt:
			return c.run(fn, append(slices.Clone(s.List), rest...))
		case *ast.SwitchStmt:
			return c.run(fn, append([]ast.Stmt{ifChain(s)}, rest...))
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

// last compiles a statement. It returns nil for the return of a call of a
// function with branches.
func (c *compiler) last(fn *ast.FuncDecl, stmt ast.Stmt) (results []value) {
	if call := tail(stmt); call != nil && c.callee(call) != nil {
		if !c.try(func() { results = c.stmt(fn, stmt) }) {
			return nil
		}
		return results
	}
	return c.stmt(fn, stmt)
}

// tail returns the call whose result a statement returns, or nil.
func tail(stmt ast.Stmt) *ast.CallExpr {
	if r, ok := stmt.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
		call, _ := r.Results[0].(*ast.CallExpr)
		return call
	}
	return nil
}

// ifChain returns a switch without a tag as a chain of if statements.
func ifChain(s *ast.SwitchStmt) ast.Stmt {
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

// branch compiles both sides of a branch.
func (c *compiler) branch(fn *ast.FuncDecl, init ast.Stmt, e ast.Expr, yes,
	no []ast.Stmt) []region {
	cond := c.condition(fn, init, e)
	if cond == nil {
		return nil
	}
	inner := &compiler{source: c.source, g: c.g, env: maps.Clone(c.env)}
	then := inner.run(fn, yes)
	if inner.why != nil {
		c.why = inner.why
	}
	otherwise := c.run(fn, no)
	if slices.Equal(then, otherwise) {
		return then
	}
	if returnsArgument(then) && (then[0].ok != nil || c.g.single && isNaN(cond)) {
		then = nil
	}
	if returnsArgument(otherwise) {
		otherwise = nil
	}
	switch {
	case otherwise == nil:
		return c.only(then, cond)
	case then == nil:
		return c.only(otherwise, c.g.make(not, cond))
	}
	for i := range then {
		then[i].cond = c.g.and(cond, then[i].cond)
	}
	return append(then, otherwise...)
}

// isNaN reports whether a truth is that a number is none.
func isNaN(t *node) bool { return t.op == ne && t.args[0] == t.args[1] }

// condition compiles the condition of an if statement, or returns nil.
func (c *compiler) condition(fn *ast.FuncDecl, init ast.Stmt, e ast.Expr) (cond *node) {
	if !c.try(func() {
		if init != nil {
			c.stmt(fn, init)
		}
		cond = c.expr(e)
	}) {
		return nil
	}
	return cond
}

// only returns the regions, whose values count where cond holds only.
func (c *compiler) only(list []region, cond *node) []region {
	for i := range list {
		list[i].ok = c.g.and(cond, list[i].ok)
	}
	return list
}

// returnsArgument reports whether all that is returned is the argument. That is
// so for arguments so small that they are the result, zeros among them, and for
// NaN, which comes after conditions.
func returnsArgument(list []region) bool {
	return len(list) == 1 && list[0].value.op == argument
}
