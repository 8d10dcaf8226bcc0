package floatrace

import (
	"go/ast"
	"go/token"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// swaps finds sums that sync/atomic or a sync.Map compares and swaps: as bits,
// as a value in an interface, or behind a pointer.
func (c *checker) swaps(body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		f := source.Callee(c.info, call)
		if !source.IsFunc(f, "sync/atomic", "CompareAndSwap", "CompareAndSwapUint64",
			"CompareAndSwapUint32", "CompareAndSwapInt64", "CompareAndSwapInt32",
			"CompareAndSwapUintptr", "CompareAndSwapPointer") &&
			!source.IsFunc(f, "sync", "CompareAndSwap") {
			return true
		}
		if c.isSum(body, call.Args[len(call.Args)-1], maxSteps) {
			c.found(call.Pos(), call.End(), "%s keeps a sum in the order of goroutines",
				source.Short(call.Fun))
		}
		return true
	})
}

// maxSteps bounds the expressions that are followed from a swap to a sum.
const maxSteps = 6

// isSum reports whether what is stored is a computed number, its bits, a
// structure with one, or a pointer to one of these.
func (c *checker) isSum(body *ast.BlockStmt, e ast.Expr, steps int) bool {
	if steps == 0 {
		return false
	}
	switch e := source.Resolve(c.info, body, e).(type) {
	case *ast.BinaryExpr:
		return floats.IsSummand(c.info.TypeOf(e)) && floats.Constant(c.info, e) == nil
	case *ast.UnaryExpr:
		return e.Op == token.AND && c.isSum(body, e.X, steps-1)
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				element = pair.Value
			}
			if c.isSum(body, element, steps-1) {
				return true
			}
		}
	case *ast.CallExpr:
		if len(e.Args) != 1 {
			return false
		}
		if c.info.Types[e.Fun].IsType() ||
			source.IsFunc(source.Callee(c.info, e), "math", "Float64bits", "Float32bits") {
			return c.isSum(body, e.Args[0], steps-1)
		}
	}
	return c.isAccumulated(body, e)
}

// isAccumulated reports whether a variable is changed by a sum after it was
// assigned, or one that it points to: next := old; next += x, or *next += x.
func (c *checker) isAccumulated(body *ast.BlockStmt, e ast.Expr) bool {
	root := source.Root(c.info, e)
	if root == nil || !source.Declared(root, body) {
		return false
	}
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		s, ok := n.(*ast.AssignStmt)
		if !ok || len(s.Lhs) != 1 || found || source.Root(c.info, s.Lhs[0]) != root ||
			!floats.IsSummand(c.info.TypeOf(s.Lhs[0])) {
			return !found
		}
		switch s.Tok {
		case token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN, token.QUO_ASSIGN:
			found = true
		case token.ASSIGN:
			_, found = source.Resolve(c.info, body, s.Rhs[0]).(*ast.BinaryExpr)
		}
		return !found
	})
	return found
}
