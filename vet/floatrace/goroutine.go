package floatrace

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// A worker is a call in a goroutine of its own.
type worker struct {
	call  *ast.CallExpr // without arguments by the method Go of a group
	scope *ast.BlockStmt
	loop  ast.Node // that starts it for each of its passes; may be nil
}

// goroutines finds variables that several goroutines add to.
func (c *checker) goroutines(body *ast.BlockStmt) {
	var workers []worker
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		if call := c.launched(n); call != nil {
			workers = append(workers, worker{call, body, source.Loop(parents)})
		}
	})
	adders := map[*types.Var]int{}
	shared := make([]map[*types.Var][]addition, len(workers))
	for i, w := range workers {
		shared[i] = c.shared(w)
		for root := range shared[i] {
			adders[root]++
			if w.loop != nil {
				adders[root]++
			}
		}
	}
	for _, all := range shared {
		for root, additions := range all {
			if adders[root] < 2 {
				continue
			}
			for _, a := range additions {
				c.found(a.pos, a.end, "%s adds up in the order of goroutines", a.text)
			}
		}
	}
}

// launched returns the call that a node starts in a goroutine: by a go
// statement, or by the method Go of a group of goroutines.
func (c *checker) launched(n ast.Node) *ast.CallExpr {
	switch n := n.(type) {
	case *ast.GoStmt:
		return n.Call
	case *ast.CallExpr:
		f := source.Callee(c.info, n)
		if f != nil && f.Name() == "Go" && f.Signature().Recv() != nil && len(n.Args) == 1 {
			return &ast.CallExpr{Fun: n.Args[0], Lparen: n.Args[0].End(), Rparen: n.Args[0].End()}
		}
	}
	return nil
}

// started returns the literal that a node starts in a goroutine, or nil.
func (c *checker) started(body *ast.BlockStmt, n ast.Node) *ast.FuncLit {
	call := c.launched(n)
	if call == nil {
		return nil
	}
	lit, _ := source.Resolve(c.info, body, call.Fun).(*ast.FuncLit)
	return lit
}

// An addition is a statement, or a call of a function with one.
type addition struct {
	pos, end token.Pos
	text     string
}

// shared returns the additions of a worker to variables that it shares with
// others, by variable.
func (c *checker) shared(w worker) map[*types.Var][]addition {
	scope := ast.Node(w.call)
	if w.loop != nil {
		scope = w.loop
	}
	all := map[*types.Var][]addition{}
	lit, _ := source.Resolve(c.info, w.scope, w.call.Fun).(*ast.FuncLit)
	for _, s := range c.bodies.Started(c.info, w.scope, w.call) {
		root := source.Root(c.info, s.Target)
		if root == nil || source.Declared(root, scope) || c.isOwn(s, w, scope, lit) {
			continue
		}
		a := addition{s.Call.Pos(), s.Call.End(), s.String()}
		if s.IsCaptured || lit != nil && s.Call == w.call {
			a = addition{s.Sum.Pos(), s.Sum.End(), s.Sum.String()}
		}
		all[root] = append(all[root], a)
	}
	return all
}

// isOwn reports whether a worker adds to a place of its own. One that is looked
// up under a lock is none: without others who add to it, it needs no lock.
func (c *checker) isOwn(s source.CallSum, w worker, scope ast.Node, lit *ast.FuncLit) bool {
	own := s.Dependent(c.info, scope)
	if lit != nil {
		own = append(own, s.Dependent(c.info, lit)...)
	}
	isLookedUp := func(e ast.Expr) bool { return source.IsLookedUp(c.info, w.scope, e) }
	if s.IsLocked {
		own = slices.DeleteFunc(own, isLookedUp)
	}
	return len(own) > 0
}
