package floatrace

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

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
		received := arrivals{}
		switch n := n.(type) {
		case *ast.RangeStmt:
			block = n.Body
			if _, ok := c.info.TypeOf(n.X).Underlying().(*types.Chan); ok {
				c.note(received, n.Key, arrival{n.X, false})
			}
		case *ast.ForStmt:
			block = n.Body
		default:
			return
		}
		channels := c.receives(block, received)
		for _, of := range received {
			channels = append(channels, of.channel)
		}
		if k := slices.IndexFunc(channels, func(of ast.Expr) bool {
			return !c.hasOneSender(body, of)
		}); k >= 0 {
			for _, v := range source.FilledIn(c.info, block, n) {
				c.added(body, source.List{Variable: v, Filled: n.End()},
					"the order of arrival from "+source.Short(channels[k]))
			}
		}
		c.arriving(body, n, block, received)
	})
}

// An arrival is the channel that a variable is received from.
type arrival struct {
	channel    ast.Expr
	isSelected bool // by a case of a select
}

type arrivals map[*types.Var]arrival

// arriving finds sums of what a loop receives. What a select takes from two
// channels has no order, even if each has one sender.
func (c *checker) arriving(body *ast.BlockStmt, loop ast.Node, block *ast.BlockStmt,
	received arrivals) {
	var sums []source.Accumulation
	from := map[*types.Var]map[string]arrival{}
	for _, a := range c.bodies.Accumulations(c.info, block) {
		root := source.Root(c.info, a.Target)
		sources := c.sources(a, received)
		if root == nil || source.Declared(root, loop) || len(sources) == 0 ||
			source.IndexedFrom(c.info, a.Target, loop) {
			continue
		}
		sums = append(sums, a)
		if from[root] == nil {
			from[root] = map[string]arrival{}
		}
		for _, of := range sources {
			from[root][source.Short(of.channel)] = of
		}
	}
	for _, a := range sums {
		all := from[source.Root(c.info, a.Target)]
		var names []string
		isOpen, selected := false, 0
		for _, name := range slices.Sorted(maps.Keys(all)) {
			names = append(names, name)
			isOpen = isOpen || !c.hasOneSender(body, all[name].channel)
			if all[name].isSelected {
				selected++
			}
		}
		if isOpen || selected > 1 {
			c.found(a.Pos(), a.End(), "%s adds up in the order of arrival from %s", a,
				strings.Join(names, " and "))
		}
	}
}

// note adds the variable of an expression.
func (c *checker) note(all arrivals, e ast.Expr, of arrival) {
	if id, ok := e.(*ast.Ident); ok {
		if v, ok := c.info.ObjectOf(id).(*types.Var); ok {
			all[v] = of
		}
	}
}

// receives adds the variables that a block assigns what it receives to, and
// returns the channels.
func (c *checker) receives(block *ast.BlockStmt, all arrivals) (channels []ast.Expr) {
	cases := map[ast.Node]bool{}
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CommClause:
			cases[n.Comm] = true
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				channels = append(channels, n.X)
			}
		case *ast.AssignStmt:
			if u, ok := ast.Unparen(n.Rhs[0]).(*ast.UnaryExpr); ok && u.Op == token.ARROW {
				c.note(all, n.Lhs[0], arrival{u.X, cases[n]})
			}
		}
		return true
	})
	return channels
}

// sources returns the channels that an accumulation adds something from.
func (c *checker) sources(a source.Accumulation, received arrivals) (from []arrival) {
	source.Mentions(c.info, a.Value, func(v *types.Var) bool {
		if of, ok := received[v]; ok {
			from = append(from, of)
		}
		return false
	})
	ast.Inspect(a.Value, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.ARROW {
			from = append(from, arrival{u.X, false})
		}
		return true
	})
	return from
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
