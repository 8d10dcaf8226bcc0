package nankey

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// A guard looks for tests of a number, given as text.
type guard struct {
	info      *types.Info
	number    string
	variables []types.Object // that it names
}

func newGuard(info *types.Info, number ast.Expr) guard {
	return guard{info, source.Text(number), named(info, number)}
}

// named returns what the identifiers of an expression stand for.
func named(info *types.Info, e ast.Expr) []types.Object {
	var all []types.Object
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			all = append(all, info.ObjectOf(id))
		}
		return true
	})
	return all
}

// holds reports whether a condition holds only for a number that is not NaN.
func (g guard) holds(cond ast.Expr) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT && g.fails(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LAND:
			return g.holds(e.X) || g.holds(e.Y)
		case token.LOR:
			return g.holds(e.X) && g.holds(e.Y)
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL:
			return g.is(e.X) || g.is(e.Y)
		}
	case *ast.CallExpr:
		return g.calls(e, "IsInf")
	}
	return false
}

// fails reports whether a condition holds for each NaN, so that a number for
// which it does not hold is not NaN.
func (g guard) fails(cond ast.Expr) bool {
	switch e := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr:
		return e.Op == token.NOT && g.holds(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.LOR:
			return g.fails(e.X) || g.fails(e.Y)
		case token.LAND:
			return g.fails(e.X) && g.fails(e.Y)
		case token.NEQ:
			return g.is(e.X) || g.is(e.Y)
		}
	case *ast.CallExpr:
		return g.calls(e, "IsNaN")
	}
	return false
}

// is reports whether an expression is the number, its negative or its absolute
// value.
func (g guard) is(e ast.Expr) bool {
	e = ast.Unparen(e)
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.SUB {
		return g.is(u.X)
	}
	if call, ok := e.(*ast.CallExpr); ok {
		return g.calls(call, "Abs")
	}
	return source.Text(e) == g.number && slices.Equal(named(g.info, e), g.variables)
}

// calls reports whether a call is one of a function of math with the number.
func (g guard) calls(call *ast.CallExpr, name string) bool {
	return len(call.Args) > 0 && g.is(call.Args[0]) &&
		source.IsFunc(source.Callee(g.info, call), "math", name)
}

// inCase reports whether the clause of a switch without a number is reached
// only by numbers that are not NaN: by its condition, or by one of a clause
// before it.
func (g guard) inCase(clause *ast.CaseClause, inner ast.Node, parents []ast.Node) bool {
	if len(parents) < 2 {
		return false
	}
	s, ok := parents[len(parents)-2].(*ast.SwitchStmt)
	if !ok || s.Tag != nil {
		return false
	}
	inBody := false
	for i, e := range clause.List {
		inBody = inBody || e == inner
		if e == inner && i > 0 && g.fails(clause.List[i-1]) {
			return true
		}
	}
	if !inBody {
		if len(clause.List) == 1 && g.holds(clause.List[0]) || g.before(clause.Body, inner) {
			return true
		}
	}
	return !g.fallsIn(s, clause) && g.failsBefore(s, clause)
}

// failsBefore reports whether a clause before another one takes each NaN. A
// default clause takes what no other one does.
func (g guard) failsBefore(s *ast.SwitchStmt, clause *ast.CaseClause) bool {
	for _, other := range s.Body.List {
		if other == ast.Stmt(clause) {
			if clause.List != nil {
				return false
			}
			continue
		}
		for _, e := range other.(*ast.CaseClause).List {
			if g.fails(e) {
				return true
			}
		}
	}
	return false
}

// fallsIn reports whether the clause before another one falls through to it.
func (g guard) fallsIn(s *ast.SwitchStmt, clause *ast.CaseClause) bool {
	for i, other := range s.Body.List {
		if other != ast.Stmt(clause) || i == 0 {
			continue
		}
		body := s.Body.List[i-1].(*ast.CaseClause).Body
		if len(body) == 0 {
			return false
		}
		b, ok := body[len(body)-1].(*ast.BranchStmt)
		return ok && b.Tok == token.FALLTHROUGH
	}
	return false
}

// before reports whether a statement of a list before another one leaves the
// list for each NaN.
func (g guard) before(list []ast.Stmt, inner ast.Node) bool {
	for _, s := range list {
		if ast.Node(s) == inner {
			return false
		}
		switch s := s.(type) {
		case *ast.IfStmt:
			if g.fails(s.Cond) && leaves(s.Body.List) {
				return true
			}
		case *ast.SwitchStmt:
			if s.Tag == nil && g.switches(s) {
				return true
			}
		}
	}
	return false
}

// switches reports whether a clause of a switch leaves the function for each
// NaN that gets to it.
func (g guard) switches(s *ast.SwitchStmt) bool {
	for _, clause := range s.Body.List {
		c := clause.(*ast.CaseClause)
		for _, e := range c.List {
			if g.fails(e) {
				return leaves(c.Body) && !isBreak(c.Body[len(c.Body)-1])
			}
		}
		if !leaves(c.Body) || isBreak(c.Body[len(c.Body)-1]) {
			for _, e := range c.List {
				if !g.holds(e) {
					return false
				}
			}
		}
	}
	return false
}

func isBreak(s ast.Stmt) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == token.BREAK
}

// leaves reports whether statements end with one that goes elsewhere.
func leaves(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	switch s := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		id, ok := call.Fun.(*ast.Ident)
		return ok && id.Name == "panic"
	}
	return false
}

// isChanged reports whether a node assigns a variable of the number between two
// positions, or takes its address anywhere.
func (g guard) isChanged(in ast.Node, from, to token.Pos) bool {
	changed := false
	between := func(n ast.Node) bool { return from < n.Pos() && n.Pos() < to }
	is := func(e ast.Expr) bool {
		v := source.Root(g.info, e)
		return v != nil && slices.Contains(g.variables, types.Object(v))
	}
	ast.Inspect(in, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			changed = changed || between(n) && slices.ContainsFunc(n.Lhs, is)
		case *ast.IncDecStmt:
			changed = changed || between(n) && is(n.X)
		case *ast.RangeStmt:
			changed = changed || between(n) && (n.Key != nil && is(n.Key) ||
				n.Value != nil && is(n.Value))
		case *ast.UnaryExpr:
			changed = changed || n.Op == token.AND && is(n.X)
		}
		return !changed
	})
	return changed
}
