package floatrace

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:embed doc.go
var doc string

// Analyzer finds sums in the order of the scheduler.
var Analyzer = &analysis.Analyzer{
	Name: "floatrace",
	Doc:  source.Doc(doc),
	Run:  run,
}

// cure is the advice of every message.
const cure = "keep the parts apart and add them in order, or add exactly"

// checker holds what the checks of a package share.
type checker struct {
	info   *types.Info
	bodies source.Bodies
	report func(analysis.Diagnostic)
	seen   map[token.Pos]bool
}

func run(pass *analysis.Pass) (any, error) {
	c := &checker{pass.TypesInfo, source.NewBodies(pass.TypesInfo, pass.Files),
		comment.Filter(pass), map[token.Pos]bool{}}
	source.Functions(pass.Files, func(f *ast.FuncDecl) {
		c.channels(f.Body)
		c.goroutines(f.Body)
		c.swaps(f.Body)
		c.lists(f.Body)
	})
	return nil, nil
}

func (c *checker) found(pos, end token.Pos, format string, args ...any) {
	if !c.seen[pos] {
		c.seen[pos] = true
		c.report(analysis.Diagnostic{Pos: pos, End: end,
			Message: fmt.Sprintf(format, args...) + "; " + cure})
	}
}

// channels finds loops that add up what they receive.
func (c *checker) channels(body *ast.BlockStmt) {
	source.WithParents(body, func(n ast.Node, _ []ast.Node) {
		var block *ast.BlockStmt
		received := map[*types.Var]bool{}
		var channel ast.Expr
		switch n := n.(type) {
		case *ast.RangeStmt:
			block = n.Body
			if _, ok := c.info.TypeOf(n.X).Underlying().(*types.Chan); ok {
				channel = n.X
				c.note(received, n.Key)
			}
		case *ast.ForStmt:
			block = n.Body
		default:
			return
		}
		if from := c.receives(block, received); from != nil {
			channel = from
		}
		if channel == nil || c.hasOneSender(body, channel) {
			return
		}
		for _, v := range source.FilledIn(c.info, block, n) {
			c.added(body, source.List{Variable: v, Filled: n.End()}, "the order of arrival from "+
				source.Short(channel))
		}
		for _, a := range c.bodies.Accumulations(c.info, block) {
			root := source.Root(c.info, a.Target)
			if root == nil || source.Declared(root, n) || !c.dependsOn(a, received) ||
				source.IndexedFrom(c.info, a.Target, n) {
				continue
			}
			c.found(a.Pos(), a.End(), "%s adds up in the order of arrival from %s", a,
				source.Short(channel))
		}
	})
}

// note adds the variable of an expression.
func (c *checker) note(all map[*types.Var]bool, e ast.Expr) {
	if id, ok := e.(*ast.Ident); ok {
		if v, ok := c.info.ObjectOf(id).(*types.Var); ok {
			all[v] = true
		}
	}
}

// receives adds the variables that a block assigns what it receives to, and
// returns the channel.
func (c *checker) receives(block *ast.BlockStmt, all map[*types.Var]bool) ast.Expr {
	var channel ast.Expr
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				channel = n.X
			}
		case *ast.AssignStmt:
			if u, ok := ast.Unparen(n.Rhs[0]).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
				c.note(all, n.Lhs[0])
			}
		}
		return true
	})
	return channel
}

// dependsOn reports whether an accumulation adds something that was received.
func (c *checker) dependsOn(a source.Accumulation, received map[*types.Var]bool) bool {
	found := source.Mentions(c.info, a.Value, func(v *types.Var) bool { return received[v] })
	ast.Inspect(a.Value, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			found = true
		}
		return !found
	})
	return found
}

// hasOneSender reports whether one goroutine of a function, started outside of
// loops, is all that sees a channel besides the function itself.
func (c *checker) hasOneSender(body *ast.BlockStmt, channel ast.Expr) bool {
	id, ok := ast.Unparen(channel).(*ast.Ident)
	if !ok {
		return false
	}
	variable, ok := c.info.ObjectOf(id).(*types.Var)
	if !ok || !source.Declared(variable, body) {
		return false
	}
	senders := 0
	isChannel := func(v *types.Var) bool { return v == variable }
	source.WithParents(body, func(n ast.Node, parents []ast.Node) {
		f := c.started(body, n)
		if _, isGo := n.(*ast.GoStmt); f == nil && !isGo {
			return
		}
		if c.sends(n, isChannel) || f != nil && c.sends(f, isChannel) {
			senders++
			if source.Loop(parents) != nil {
				senders++
			}
		}
	})
	return senders == 1
}

// sends reports whether a goroutine uses a channel otherwise than to close it.
func (c *checker) sends(n ast.Node, isChannel func(*types.Var) bool) bool {
	closed, used := 0, 0
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f := c.info.Types[n.Fun]; f.IsBuiltin() && len(n.Args) == 1 {
				if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "close" &&
					source.Mentions(c.info, n.Args[0], isChannel) {
					closed++
				}
			}
		case *ast.Ident:
			if v, ok := c.info.ObjectOf(n).(*types.Var); ok && isChannel(v) {
				used++
			}
		}
		return true
	})
	return used > closed
}
