package floatrace

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// A worker is a function that runs in a goroutine of its own.
type worker struct {
	body *ast.FuncLit
	loop ast.Node // that starts it for each of its passes; may be nil
}

// goroutines finds variables that several goroutines add to.
func (c *checker) goroutines(body *ast.BlockStmt) {
	var workers []worker
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		if f := c.started(body, n); f != nil {
			workers = append(workers, worker{f, source.Loop(parents)})
		}
	})
	c.calls(body)
	adders := map[*types.Var]int{}
	for _, w := range workers {
		for root := range c.shared(w) {
			adders[root]++
			if w.loop != nil {
				adders[root]++
			}
		}
	}
	for _, w := range workers {
		for root, all := range c.shared(w) {
			if adders[root] < 2 {
				continue
			}
			for _, a := range all {
				c.found(a.pos, a.end, "%s adds up in the order of goroutines", a.text)
			}
		}
	}
}

// calls finds functions of the package that go statements in loops call, and
// that add to what they are called with.
func (c *checker) calls(body *ast.BlockStmt) {
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		g, ok := n.(*ast.GoStmt)
		loop := source.Loop(parents)
		if !ok || loop == nil || c.started(body, g) != nil {
			return
		}
		for _, s := range c.bodies.CallSums(c.info, g) {
			root := source.Root(c.info, s.Target)
			if s.Call == g.Call && root != nil && !source.Declared(root, loop) &&
				!source.IndexedFrom(c.info, s.Target, loop) {
				c.found(s.Call.Pos(), s.Call.End(), "%s adds up in the order of goroutines", s)
			}
		}
	})
}

// started returns the function that a node starts in a goroutine: by a go
// statement, or by the method Go of a group of goroutines.
func (c *checker) started(body *ast.BlockStmt, n ast.Node) *ast.FuncLit {
	switch n := n.(type) {
	case *ast.GoStmt:
		f, _ := source.Resolve(c.info, body, n.Call.Fun).(*ast.FuncLit)
		return f
	case *ast.CallExpr:
		f := source.Callee(c.info, n)
		if f == nil || f.Name() != "Go" || f.Signature().Recv() == nil || len(n.Args) != 1 {
			return nil
		}
		lit, _ := source.Resolve(c.info, body, n.Args[0]).(*ast.FuncLit)
		return lit
	}
	return nil
}

// An addition is a statement, or a call of a function with one.
type addition struct {
	pos, end token.Pos
	text     string
}

// shared returns the additions of a worker to variables that it shares with
// others, by variable.
func (c *checker) shared(w worker) map[*types.Var][]addition {
	scope := ast.Node(w.body)
	if w.loop != nil {
		scope = w.loop
	}
	all := map[*types.Var][]addition{}
	add := func(target ast.Expr, a addition) {
		root := source.Root(c.info, target)
		if root != nil && !source.Declared(root, scope) && !source.Declared(root, w.body) &&
			!source.IndexedFrom(c.info, target, scope) &&
			!source.IndexedFrom(c.info, target, w.body) {
			all[root] = append(all[root], a)
		}
	}
	for _, a := range c.bodies.Accumulations(c.info, w.body.Body) {
		add(a.Target, addition{a.Pos(), a.End(), a.String()})
	}
	for _, s := range c.bodies.CallSums(c.info, w.body.Body) {
		add(s.Target, addition{s.Call.Pos(), s.Call.End(), s.String()})
	}
	return all
}
