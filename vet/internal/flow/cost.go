package flow

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/source"
)

// The compiler inlines functions of at most so many nodes, and counts a call
// that it does not inline as some more. They are the constants
// inlineMaxBudget, inlineExtraCallCost, inlineParamCallCost and the cost of a
// closure of cmd/compile/internal/inline.
const (
	budget      = 80
	callCost    = 57
	closureCost = 15
	paramCost   = 17 // of a call of a parameter
	// variableCost is the cost of the declaration of a variable, without its
	// name.
	variableCost = 2
	never        = 1000 // of what is not inlined
)

// cost returns about the cost that the compiler gives to a function.
func (p *pkg) cost(f *ssa.Function) int {
	var body *ast.BlockStmt
	switch d := f.Syntax().(type) {
	case *ast.FuncDecl:
		if isNotInlined(d.Doc) {
			return never
		}
		body = d.Body
	case *ast.FuncLit:
		body = d.Body
	}
	if body == nil {
		return never
	}
	c := coster{pkg: p, callees: callees(f)}
	c.block(body.List)
	return c.sum
}

// isNotInlined reports whether a directive forbids to inline a function.
func isNotInlined(doc *ast.CommentGroup) bool {
	if doc == nil {
		return false
	}
	for _, c := range doc.List {
		for _, directive := range []string{"//go:noinline", "//go:norace", "//go:nocheckptr",
			"//go:cgo_unsafe_args", "//go:yeswritebarrierrec"} {
			if strings.HasPrefix(c.Text, directive) {
				return true
			}
		}
	}
	return false
}

// callees returns the functions that a function calls, by the position of the
// call.
func callees(f *ssa.Function) map[int]*ssa.Function {
	all := map[int]*ssa.Function{}
	for _, b := range f.Blocks {
		for _, i := range b.Instrs {
			if c, ok := i.(*ssa.Call); ok {
				all[int(c.Pos())] = callee(c)
			}
		}
	}
	return all
}

// A coster adds up the cost of nodes.
type coster struct {
	*pkg
	callees map[int]*ssa.Function
	sum     int
}

// node adds the cost of a node of the syntax, without the nodes in it, and
// reports whether they are added too.
func (c *coster) node(n ast.Node) bool {
	if e, ok := n.(ast.Expr); ok {
		tv := c.info.Types[e]
		switch {
		case tv.IsType():
			return false
		case tv.Value != nil:
			c.sum++
			return false
		}
	}
	switch n := n.(type) {
	case *ast.GoStmt, *ast.DeferStmt, *ast.SelectStmt:
		c.sum += never
	case *ast.FuncLit:
		c.sum += closureCost + 1
		return false
	case *ast.IfStmt:
		return c.branch(n)
	case *ast.AssignStmt:
		c.sum++
		if n.Tok == token.DEFINE { // a declaration and an assignment
			c.sum += variableCost * len(n.Lhs)
		}
	case *ast.GenDecl:
		return n.Tok == token.VAR
	case *ast.ValueSpec:
		c.sum += len(n.Names) * (1 + variableCost)
	case *ast.RangeStmt:
		c.sum++
		for _, v := range []ast.Expr{n.Key, n.Value} {
			if id, ok := v.(*ast.Ident); ok && n.Tok == token.DEFINE && id.Name != "_" {
				c.sum += variableCost
			}
		}
	case *ast.BlockStmt:
		c.block(n.List)
		return false
	case *ast.IndexExpr:
		c.sum++
		if _, ok := c.info.TypeOf(n.X).Underlying().(*types.Pointer); ok {
			c.sum++
		}
	case *ast.StarExpr:
		c.sum++
		if c.isCast(n.X) {
			c.sum-- // the compiler counts *(*T)(unsafe.Pointer(&x)) less
		}
	case *ast.IncDecStmt:
		c.sum += 2
	case *ast.CallExpr:
		return c.call(n)
	case *ast.SelectorExpr:
		return c.selector(n)
	case *ast.KeyValueExpr:
		c.sum++
		if id, ok := n.Key.(*ast.Ident); ok && isField(c.info.Uses[id]) {
			c.sum-- // the name is counted below
		}
	case *ast.CompositeLit:
		c.sum++
		if _, ok := c.info.TypeOf(n).Underlying().(*types.Struct); ok && !hasKeys(n) {
			c.sum += len(n.Elts)
		}
	case *ast.ReturnStmt, *ast.ForStmt, *ast.SwitchStmt,
		*ast.TypeSwitchStmt, *ast.CaseClause, *ast.BranchStmt, *ast.Ident, *ast.BinaryExpr,
		*ast.UnaryExpr, *ast.SliceExpr, *ast.TypeAssertExpr,
		*ast.SendStmt:
		c.sum++
	}
	return c.sum < never
}

// block adds statements up to one that always returns: the compiler removes
// those after it.
func (c *coster) block(all []ast.Stmt) {
	for _, s := range all {
		ast.Inspect(s, c.node)
		i, ok := s.(*ast.IfStmt)
		if !ok || i.Else != nil || !c.isTrue(i.Cond) || len(i.Body.List) == 0 {
			continue
		}
		if _, ok := i.Body.List[len(i.Body.List)-1].(*ast.ReturnStmt); ok {
			return
		}
	}
}

func (c *coster) isTrue(e ast.Expr) bool {
	v := c.info.Types[e].Value
	return v != nil && constant.BoolVal(v)
}

// isCast reports whether an expression converts to a pointer.
func (c *coster) isCast(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && c.info.Types[call.Fun].IsType() && !c.converts(call)
}

// converts reports whether a conversion produces code.
func (c *coster) converts(n *ast.CallExpr) bool {
	to, from := c.info.TypeOf(n.Fun).Underlying(), c.info.TypeOf(n.Args[0]).Underlying()
	if types.Identical(to, from) {
		return false
	}
	_, isPointer := to.(*types.Pointer)
	b, ok := to.(*types.Basic)
	return !isPointer && !(ok && b.Kind() == types.UnsafePointer)
}

// branch adds an if statement, and of one with a constant condition only what
// runs. It reports whether the nodes in it are still to be added.
func (c *coster) branch(n *ast.IfStmt) bool {
	condition := c.info.Types[n.Cond].Value
	if condition == nil {
		c.sum++
		return true
	}
	switch {
	case constant.BoolVal(condition):
		ast.Inspect(n.Body, c.node)
	case n.Else != nil:
		ast.Inspect(n.Else, c.node)
	}
	return false
}

func isField(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && v.IsField()
}

func hasKeys(n *ast.CompositeLit) bool {
	if len(n.Elts) == 0 {
		return true
	}
	_, ok := n.Elts[0].(*ast.KeyValueExpr)
	return ok
}

// selector adds a field with what it is of, or a variable of a package.
func (c *coster) selector(n *ast.SelectorExpr) bool {
	c.sum++
	if selection := c.info.Selections[n]; selection != nil {
		c.sum += len(selection.Index()) - 1
		ast.Inspect(n.X, c.node)
	}
	return false
}

// call adds a call or a conversion.
func (c *coster) call(n *ast.CallExpr) bool {
	for _, a := range n.Args {
		ast.Inspect(a, c.node)
	}
	fun := c.info.Types[n.Fun]
	if fun.IsType() {
		if c.converts(n) {
			c.sum++
		}
		return false
	}
	c.sum++
	if fun.IsBuiltin() {
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
			switch id.Name {
			case "panic":
				c.sum++
			case "recover":
				c.sum += never
			}
		}
		return false
	}
	if s, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && c.info.Selections[s] != nil {
		ast.Inspect(s.X, c.node) // the receiver is an argument
	} else {
		c.sum++
	}
	if isIntrinsic(source.Callee(c.info, n)) {
		return false
	}
	switch s := c.summary(c.callees[int(n.Lparen)]); {
	case s != nil:
		c.sum += s.Cost
	case c.isParameter(n.Fun):
		c.sum += paramCost
	default:
		c.sum += callCost
	}
	return false
}

func (c *coster) isParameter(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := c.info.Uses[id].(*types.Var)
	return ok && v.Kind() == types.ParamVar
}

// isIntrinsic reports whether the compiler replaces a function by instructions
// on arm64.
func isIntrinsic(f *types.Func) bool {
	return source.IsFunc(f, "math", "Abs", "Ceil", "Copysign", "FMA", "Floor", "Round",
		"RoundToEven", "Trunc", "sqrt")
}
