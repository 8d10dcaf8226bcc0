package maporder

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// choices returns the statements of a loop over a map that keep a
// floating-point number of the pass with the largest or the least value:
//
//	for k, n := range m {
//		if n > most {
//			most, mode = n, k
//		}
//	}
//
// Of passes with equal values the order decides.
func choices(info *types.Info, loop *ast.RangeStmt) []source.Accumulation {
	var all []source.Accumulation
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		branch, ok := n.(*ast.IfStmt)
		if !ok || branch.Else != nil {
			return true
		}
		c := choice{info: info, loop: loop}
		for _, value := range orderedOperands(branch.Cond) {
			if c.value = value; c.isKept(branch) && !c.breaksTies() {
				all = append(all, c.others(branch)...)
				break
			}
		}
		return true
	})
	return all
}

// orderedOperands returns the operands of a comparison by order.
func orderedOperands(e ast.Expr) []ast.Expr {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok {
		return nil
	}
	switch b.Op {
	case token.LSS, token.GTR, token.LEQ, token.GEQ:
		return []ast.Expr{b.X, b.Y}
	}
	return nil
}

// A choice is a comparison in a loop of a value with the best one so far.
type choice struct {
	info  *types.Info
	loop  *ast.RangeStmt
	value ast.Expr   // of this pass
	best  *types.Var // the variable that keeps the value
}

// isKept finds the variable that a branch assigns the value to: the other
// operand of its condition.
func (c *choice) isKept(branch *ast.IfStmt) bool {
	c.best = nil
	c.assignments(branch, func(_ source.Accumulation, v *types.Var, from ast.Expr) {
		isOther := source.Mentions(c.info, branch.Cond, func(w *types.Var) bool { return w == v })
		if isOther && types.ExprString(from) == types.ExprString(c.value) {
			c.best = v
		}
	})
	return c.best != nil
}

// breaksTies reports whether the loop compares the best value for equality.
func (c *choice) breaksTies() bool {
	breaks := false
	ast.Inspect(c.loop.Body, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) {
			breaks = breaks || source.Mentions(c.info, b,
				func(v *types.Var) bool { return v == c.best })
		}
		return !breaks
	})
	return breaks
}

// others returns the other assignments of a branch of numbers of this pass: not
// of the value, nor of numbers that follow from it.
func (c *choice) others(branch *ast.IfStmt) []source.Accumulation {
	var all []source.Accumulation
	c.assignments(branch, func(s source.Accumulation, v *types.Var, from ast.Expr) {
		isNew := func(w *types.Var) bool {
			return source.Declared(w, c.loop) && !source.Mentions(c.info, c.value,
				func(x *types.Var) bool { return x == w })
		}
		if v != c.best && floats.IsSummand(v.Type()) && source.Mentions(c.info, from, isNew) {
			all = append(all, s)
		}
	})
	return all
}

// assignments calls found with the variables from outside of the loop that a
// branch assigns.
func (c *choice) assignments(
	branch *ast.IfStmt, found func(s source.Accumulation, v *types.Var, from ast.Expr),
) {
	for _, s := range branch.Body.List {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
			continue
		}
		for i, l := range a.Lhs {
			if v := source.Variable(c.info, l); v != nil && !source.Declared(v, c.loop) {
				found(source.Accumulation{Stmt: a, Target: l}, v, a.Rhs[i])
			}
		}
	}
}

// choiceDiagnostic returns the finding of a choice.
func choiceDiagnostic(s source.Accumulation, o order) analysis.Diagnostic {
	return analysis.Diagnostic{Pos: s.Pos(), End: s.End(),
		Message: fmt.Sprintf("%s keeps one of several with equal values: the first or the last "+
			"in the order of %s, which changes from run to run; %s", s, o.from, o.cure)}
}
