package floatrace

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// A worker is a call in a goroutine of its own.
type worker struct {
	call  *ast.CallExpr // without arguments by the method Go of a group
	scope *ast.BlockStmt
	loop  ast.Node // that starts it for each of its passes; may be nil
	// isJoined is set where each pass of the loop waits for it.
	isJoined bool
}

// goroutines finds variables that several goroutines add to.
func (c *checker) goroutines(body *ast.BlockStmt) {
	var workers []worker
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		if call := c.launched(n); call != nil {
			loop := source.Loop(parents)
			workers = append(workers, worker{call, body, loop, loop != nil && c.isJoined(loop, n)})
		}
	})
	adders := map[*types.Var]int{}
	shared := make([]map[*types.Var][]addition, len(workers))
	for i, w := range workers {
		shared[i] = c.shared(w)
		for root := range shared[i] {
			adders[root]++
			if w.loop != nil && !w.isJoined {
				adders[root]++
			}
		}
	}
	c.alone(body, workers, shared, adders)
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

// isJoined reports whether a loop waits for the goroutine that a statement of
// its body starts, by a method Wait in the same block.
func (c *checker) isJoined(loop, start ast.Node) bool {
	joined := false
	ast.Inspect(loop, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok || joined {
			return !joined
		}
		started := false
		for _, s := range block.List {
			e, isCall := s.(*ast.ExprStmt)
			if s == start || isCall && ast.Node(e.X) == start {
				started = true
				continue
			}
			if call, ok := exprOf(e).(*ast.CallExpr); ok && started {
				joined = joined || isGroupWait(source.Callee(c.info, call))
			}
		}
		return !joined
	})
	return joined
}

// isGroupWait reports whether a function is Wait of a group of goroutines.
func isGroupWait(f *types.Func) bool {
	if !source.IsFunc(f, "sync", "Wait") {
		return source.IsFunc(f, "golang.org/x/sync/errgroup", "Wait")
	}
	return strings.HasSuffix(f.Signature().Recv().Type().String(), "sync.WaitGroup")
}

func exprOf(s *ast.ExprStmt) ast.Expr {
	if s == nil {
		return nil
	}
	return s.X
}

// alone finds the additions, under a lock, of a function itself to variables
// that one of its goroutines adds to under a lock.
func (c *checker) alone(body *ast.BlockStmt, workers []worker,
	shared []map[*types.Var][]addition, adders map[*types.Var]int,
) {
	inWorker := func(pos token.Pos) bool {
		return slices.ContainsFunc(workers, func(w worker) bool {
			lit, _ := source.Resolve(c.info, body, w.call.Fun).(*ast.FuncLit)
			return w.call.Pos() <= pos && pos < w.call.End() ||
				lit != nil && lit.Pos() <= pos && pos < lit.End()
		})
	}
	for i, all := range shared {
		for root, additions := range all {
			isLocked := slices.ContainsFunc(additions, func(a addition) bool { return a.isLocked })
			if adders[root] != 1 || !isLocked {
				continue
			}
			for _, a := range c.bodies.Accumulations(c.info, body) {
				if source.Root(c.info, a.Target) == root && a.Pos() > workers[i].call.Pos() &&
					!inWorker(a.Pos()) && source.IsLocked(c.info, body, a.Pos()) {
					adders[root]++
					c.found(a.Pos(), a.End(), "%s adds up in the order of goroutines", a)
				}
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
	isLocked bool
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
		a := addition{s.Call.Pos(), s.Call.End(), s.String(), s.IsLocked}
		if s.IsCaptured || lit != nil && s.Call == w.call {
			a = addition{s.Sum.Pos(), s.Sum.End(), s.Sum.String(), s.IsLocked}
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
