package portable

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// What to do about bits that are compared and swapped and stay.
const toShare = "make the variable an exact.Shared by hand"

// An atomicOp is a call of package sync/atomic.
type atomicOp struct {
	call   *ast.CallExpr
	name   string   // Load, Store, CompareAndSwap or another one
	target ast.Expr // the variable, or nil
	args   []ast.Expr
}

// atomicAt returns the call of package sync/atomic at a place, or nil.
func (s *spot) atomicAt() *atomicOp {
	call, ok := around[*ast.CallExpr](s)
	if !ok {
		return nil
	}
	return s.atomicOp(call)
}

// atomicOp returns a call as one of package sync/atomic, or nil: x.Load() or
// atomic.LoadUint64(&x).
func (e *editor) atomicOp(call *ast.CallExpr) *atomicOp {
	f := source.Callee(e.pkg.TypesInfo, call)
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if f == nil || !ok || f.Pkg() == nil || f.Pkg().Path() != "sync/atomic" {
		return nil
	}
	if f.Signature().Recv() != nil {
		return &atomicOp{call, f.Name(), sel.X, call.Args}
	}
	op := &atomicOp{call: call, name: strings.TrimSuffix(strings.TrimSuffix(f.Name(), "Uint64"),
		"Uint32"), args: call.Args[1:]}
	if p, ok := call.Args[0].(*ast.UnaryExpr); ok && p.Op == token.AND {
		op.target = p.X
	}
	return op
}

// A swapLoop adds to a sum by comparing and swapping its bits until no other
// goroutine was faster:
//
//	for {
//		old := bits.Load()
//		sum := math.Float64frombits(old) + x
//		if bits.CompareAndSwap(old, math.Float64bits(sum)) {
//			break
//		}
//	}
type swapLoop struct {
	loop     *ast.ForStmt
	target   ast.Expr
	summand  ast.Expr
	negative bool
	returns  bool // instead of break
}

// A sharing is a variable with the bits of a sum that becomes an exact.Shared.
type sharing struct {
	spot     *spot
	variable *types.Var
	float32  bool
	loops    map[*ast.ForStmt]*swapLoop
	edits    []edit
	reason   string
}

// share makes the variable of an atomic sum an exact.Shared, or returns why it
// cannot.
func (s *spot) share(op *atomicOp) string {
	if op.target == nil {
		return "the variable is behind a pointer: " + toShare
	}
	v := s.variable(op.target)
	scope, reason := s.scopeOf(v)
	if reason != "" {
		return reason + ": " + toShare
	}
	name := types.TypeString(v.Type(), nil)
	isWide := name == "uint64" || name == "sync/atomic.Uint64"
	if !isWide && name != "uint32" && name != "sync/atomic.Uint32" {
		return "the variable does not hold the bits of a number: " + toShare
	}
	c := &sharing{spot: s, variable: v, float32: !isWide, loops: map[*ast.ForStmt]*swapLoop{}}
	source.WithParents(scope, c.visit)
	if c.reason != "" {
		return c.reason
	}
	if !s.done[scope] {
		s.done[scope] = true // one variable of a function or file in each round
		s.add(c.edits...)
	}
	return ""
}

func (c *sharing) refuse(reason string) {
	if c.reason == "" {
		c.reason = reason + ": " + toShare
	}
}

// visit adds the edits for a use of the variable.
func (c *sharing) visit(n ast.Node, parents []ast.Node) {
	id, ok := n.(*ast.Ident)
	if !ok || c.spot.object(id) != c.variable || len(parents) == 0 {
		return
	}
	use, parents := whole(id, parents)
	switch p := parents[len(parents)-1].(type) {
	case *ast.Field:
		if reason := fieldReason(p, parents); reason != "" {
			c.refuse(reason)
			return
		}
		c.edits = append(c.edits, edit{p.Type.Pos(), p.Type.End(), c.typeName()})
		return
	case *ast.ValueSpec:
		if c.spot.pkg.TypesInfo.Defs[id] != nil {
			c.declaration(id, p)
			return
		}
	}
	for i := len(parents) - 1; i >= max(0, len(parents)-2); i-- {
		call, ok := parents[i].(*ast.CallExpr)
		if !ok {
			continue
		}
		if op := c.spot.atomicOp(call); op != nil && op.target == use {
			c.operation(op, parents[:i])
			return
		}
	}
	c.refuse("the variable is used in other ways too")
}

func (c *sharing) typeName() string { return c.spot.use(exact) + ".Shared" }

// declaration rewrites var x uint64 and var x atomic.Uint64.
func (c *sharing) declaration(id *ast.Ident, spec *ast.ValueSpec) {
	if len(spec.Names) != 1 || len(spec.Values) > 0 {
		c.refuse("the variable is declared with others, or with a value")
		return
	}
	c.edits = append(c.edits, edit{id.End(), spec.End(), " " + c.typeName()})
}

// operation rewrites a call that nodes surround.
func (c *sharing) operation(op *atomicOp, parents []ast.Node) {
	loop, _ := source.Loop(parents).(*ast.ForStmt)
	swap := c.swapLoop(loop)
	switch {
	case op.name == "CompareAndSwap" && swap != nil:
		c.replaceLoop(swap, parents)
	case op.name == "Load" && swap != nil && c.isInside(op.call, swap):
		// It goes with the loop.
	case op.name == "Load":
		from, ok := parents[len(parents)-1].(*ast.CallExpr)
		if !ok || !c.converts(from, "frombits") {
			c.refuse(bitsReason(loop))
			return
		}
		c.edits = append(c.edits, edit{from.Pos(), from.End(),
			source.Text(op.target) + "." + c.size() + "()"})
	case op.name == "Store" && c.isZero(op.args[0]):
		c.edits = append(c.edits, edit{op.call.Pos(), op.call.End(),
			source.Text(op.target) + ".Reset()"})
	case op.name == "CompareAndSwap":
		c.refuse(bitsReason(loop))
	default:
		c.refuse(op.name + " has no counterpart there")
	}
}

// bitsReason returns why bits in a loop, which may be nil, stay.
func bitsReason(loop *ast.ForStmt) string {
	if loop == nil {
		return "the bits of the sum are used as such"
	}
	return "the loop does not just add to the sum until the swap succeeds"
}

// size returns the name of the type of the sum.
func (c *sharing) size() string {
	if c.float32 {
		return "Float32"
	}
	return "Float64"
}

// converts reports whether a call is math.Float64bits or its like.
func (c *sharing) converts(call *ast.CallExpr, to string) bool {
	return source.IsFunc(source.Callee(c.spot.pkg.TypesInfo, call), "math", c.size()+to)
}

// isZero reports whether an expression is 0, or the bits of 0.
func (c *sharing) isZero(e ast.Expr) bool {
	if call, ok := ast.Unparen(e).(*ast.CallExpr); ok && c.converts(call, "bits") {
		e = call.Args[0]
	}
	v := floats.Constant(c.spot.pkg.TypesInfo, e)
	return v != nil && constant.Sign(v) == 0
}

func (c *sharing) isInside(n ast.Node, s *swapLoop) bool {
	return s.loop.Pos() <= n.Pos() && n.End() <= s.loop.End()
}

// swapLoop returns what a loop adds to the variable, or nil. It remembers the
// answer.
func (c *sharing) swapLoop(loop *ast.ForStmt) *swapLoop {
	if loop == nil {
		return nil
	}
	s, ok := c.loops[loop]
	if !ok {
		s = c.parseLoop(loop)
		c.loops[loop] = s
	}
	return s
}

// parseLoop returns a loop as one that compares and swaps, or nil.
func (c *sharing) parseLoop(loop *ast.ForStmt) *swapLoop {
	n := len(loop.Body.List)
	if loop.Init != nil || loop.Cond != nil || loop.Post != nil || n < 2 || c.hasComment(loop) {
		return nil
	}
	locals := map[*types.Var]ast.Expr{}
	for _, s := range loop.Body.List[:n-1] {
		d, ok := s.(*ast.AssignStmt)
		if !ok || d.Tok != token.DEFINE || len(d.Lhs) != 1 || len(d.Rhs) != 1 {
			return nil
		}
		locals[c.spot.variable(d.Lhs[0])] = d.Rhs[0]
	}
	last, ok := loop.Body.List[n-1].(*ast.IfStmt)
	if !ok || last.Init != nil || last.Else != nil || len(last.Body.List) != 1 {
		return nil
	}
	call, ok := last.Cond.(*ast.CallExpr)
	if !ok {
		return nil
	}
	op := c.spot.atomicOp(call)
	if op == nil || op.name != "CompareAndSwap" || c.spot.variable(op.target) != c.variable {
		return nil
	}
	s := &swapLoop{loop: loop, target: op.target}
	switch exit := last.Body.List[0].(type) {
	case *ast.BranchStmt:
		ok = exit.Tok == token.BREAK && exit.Label == nil
	case *ast.ReturnStmt:
		ok, s.returns = len(exit.Results) == 0, true
	default:
		ok = false
	}
	if !ok || !c.parseSum(s, op, locals) {
		return nil
	}
	return s
}

// parseSum finds the summand of a swap, whose new bits encode the old sum plus
// a summand. Names stand for their expressions.
func (c *sharing) parseSum(s *swapLoop, op *atomicOp, locals map[*types.Var]ast.Expr) bool {
	resolve := func(e ast.Expr) ast.Expr {
		e = ast.Unparen(e)
		for value, ok := locals[c.spot.variable(e)]; ok; value, ok = locals[c.spot.variable(e)] {
			e = ast.Unparen(value)
		}
		return e
	}
	argument := func(e ast.Expr, conversion string) ast.Expr {
		call, ok := resolve(e).(*ast.CallExpr)
		if !ok || !c.converts(call, conversion) {
			return nil
		}
		return resolve(call.Args[0])
	}
	load, ok := resolve(op.args[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	old := c.spot.atomicOp(load)
	if old == nil || old.name != "Load" || old.target == nil ||
		source.Text(old.target) != source.Text(op.target) {
		return false
	}
	sum, ok := argument(op.args[1], "bits").(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD && sum.Op != token.SUB {
		return false
	}
	isOld := func(e ast.Expr) bool { return argument(e, "frombits") == ast.Expr(load) }
	switch {
	case isOld(sum.X):
		s.summand, s.negative = sum.Y, sum.Op == token.SUB
	case isOld(sum.Y) && sum.Op == token.ADD:
		s.summand = sum.X
	default:
		return false
	}
	return !source.Mentions(c.spot.pkg.TypesInfo, s.summand, func(v *types.Var) bool {
		_, isLocal := locals[v]
		return isLocal || v.Origin() == c.variable
	})
}

// hasComment reports whether a comment is inside a node, which would be lost.
func (c *sharing) hasComment(n ast.Node) bool {
	return slices.ContainsFunc(c.spot.file.Comments, func(g *ast.CommentGroup) bool {
		return n.Pos() < g.Pos() && g.End() < n.End()
	})
}

// replaceLoop rewrites a loop, which nodes surround, to one addition.
func (c *sharing) replaceLoop(s *swapLoop, parents []ast.Node) {
	x := c.spot.source(s.summand.Pos(), s.summand.End())
	if _, ok := ast.Unparen(s.summand).(*ast.BinaryExpr); ok && s.negative {
		x = "-(" + x + ")"
	} else if s.negative {
		x = "-" + x
	}
	if b, ok := c.spot.pkg.TypesInfo.TypeOf(s.summand).(*types.Basic); !ok ||
		b.Kind() == types.Float32 {
		x = "float64(" + x + ")"
	}
	text := source.Text(s.target) + ".Add(" + x + ")"
	if s.returns && !isLast(s.loop, parents) {
		line := c.spot.pkg.Fset.File(s.loop.Pos()).LineStart(
			c.spot.pkg.Fset.Position(s.loop.Pos()).Line)
		text += "\n" + c.spot.source(line, s.loop.Pos()) + "return"
	}
	c.edits = append(c.edits, edit{s.loop.Pos(), s.loop.End(), text})
}

// isLast reports whether a statement, which nodes surround, is the last one of
// a function.
func isLast(s ast.Stmt, parents []ast.Node) bool {
	at := slices.Index(parents, ast.Node(s))
	if at < 2 {
		return false
	}
	body, ok := parents[at-1].(*ast.BlockStmt)
	if !ok || body.List[len(body.List)-1] != s {
		return false
	}
	switch parents[at-2].(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		return true
	}
	return false
}
