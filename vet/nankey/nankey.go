package nankey

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
)

//go:embed doc.go
var doc string

// Analyzer finds NaN as bits, and with its flag keys as a key.
var Analyzer = newAnalyzer(false)

// Keys is the flag of the analyzer that reports NaN as a key.
const Keys = "keys"

func newAnalyzer(strict bool) *analysis.Analyzer {
	a := &analysis.Analyzer{Name: "nankey", Doc: source.Doc(doc)}
	keys := a.Flags.Bool(Keys, false, "report NaN as a key of a map, too")
	a.Run = func(pass *analysis.Pass) (any, error) {
		run(pass, *keys, strict)
		return nil, nil
	}
	return a
}

// checker holds what the checks of a function share.
type checker struct {
	info   *types.Info
	report func(analysis.Diagnostic)
	keys   bool           // whether to report keys
	strict bool           // whether to report every sign
	body   *ast.BlockStmt // of the function
	tested bool           // whether it looks for NaN
}

func run(pass *analysis.Pass, keys, strict bool) {
	c := &checker{info: pass.TypesInfo, report: comment.Filter(pass), keys: keys, strict: strict}
	source.Functions(pass.Files, func(f *ast.FuncDecl) {
		c.body, c.tested = f.Body, c.tests(f.Body)
		source.WithParents(f.Body, c.visit)
	})
	if strict {
		c.everySign(pass.Files)
	}
}

// tests reports whether a function looks for NaN.
func (c *checker) tests(body *ast.BlockStmt) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || source.IsFunc(source.Callee(c.info, n), "math", "IsNaN")
		case *ast.BinaryExpr:
			found = found || (n.Op == token.NEQ || n.Op == token.EQL) &&
				floats.Is(c.info.TypeOf(n.X)) &&
				(source.Text(n.X) == source.Text(n.Y) || isDifference(n.X))
		}
		return !found
	})
	return found
}

// isDifference reports whether an expression is x - x, which is 0 for finite x
// alone.
func isDifference(e ast.Expr) bool {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	return ok && b.Op == token.SUB && source.Text(b.X) == source.Text(b.Y)
}

// isOrdered reports whether an if statement around a number compares it: no
// comparison with NaN holds.
func isOrdered(e ast.Expr, parents []ast.Node) bool {
	for i, p := range parents {
		s, ok := p.(*ast.IfStmt)
		if ok && i+1 < len(parents) && parents[i+1] == s.Body && orders(s.Cond, source.Text(e)) {
			return true
		}
	}
	return false
}

// orders reports whether a condition holds only where a number, given as text,
// is on one side of another.
func orders(cond ast.Expr, number string) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	switch b.Op {
	case token.LAND:
		return orders(b.X, number) || orders(b.Y, number)
	case token.LSS, token.LEQ, token.GTR, token.GEQ:
		return source.Text(ast.Unparen(b.X)) == number || source.Text(ast.Unparen(b.Y)) == number
	}
	return false
}

func (c *checker) visit(n ast.Node, parents []ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			c.key(l, parents)
		}
	case *ast.IncDecStmt:
		c.key(n.X, parents)
	case *ast.CompositeLit:
		c.literal(n, parents)
	case *ast.CallExpr:
		f := source.Callee(c.info, n)
		if store, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr); ok && isStore(f) {
			c.entry(f.Signature().Params().At(0).Type(), n.Args[0], store.X, parents)
		}
		switch {
		case source.IsFunc(f, "math", "Float64bits", "Float32bits") && len(n.Args) == 1:
			c.bits(n, n.Args[0], parents)
		case source.IsFunc(f, "encoding/binary", "Write", "Append", "Encode") && len(n.Args) == 3,
			source.IsFunc(f, "encoding/gob", "Encode") && len(n.Args) == 1:
			c.written(n.Args[len(n.Args)-1], parents)
		case source.IsFunc(f, "math", "Signbit", "Copysign") && len(n.Args) > 0 && !c.strict:
			c.sign(n.Args[len(n.Args)-1])
		}
	case *ast.StarExpr:
		if of := c.reinterpreted(n); of != nil {
			c.bits(n, of, parents)
		}
	}
}

// isStore reports whether a method of sync.Map stores its first argument as a
// key.
func isStore(f *types.Func) bool {
	return source.IsFunc(f, "sync", "Store", "LoadOrStore", "Swap", "CompareAndSwap")
}

// key reports an entry of a map whose key may be NaN.
func (c *checker) key(e ast.Expr, parents []ast.Node) {
	index, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return
	}
	if m, ok := c.info.TypeOf(index.X).Underlying().(*types.Map); ok {
		c.entry(m.Key(), index.Index, index.X, parents)
	}
}

// literal reports the entries of a map that is written out.
func (c *checker) literal(n *ast.CompositeLit, parents []ast.Node) {
	m, ok := c.info.TypeOf(n).Underlying().(*types.Map)
	if !ok {
		return
	}
	for _, e := range n.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			c.entry(m.Key(), pair.Key, n.Type, parents)
		}
	}
}

// entry reports a key of a type that may be NaN. It is one of the map of.
func (c *checker) entry(t types.Type, key, of ast.Expr, parents []ast.Node) {
	if !c.keys || c.tested || !c.mayBeNaN(t, key) || c.isNotNaN(key) || isOrdered(key, parents) {
		return
	}
	name := "the map"
	if of != nil {
		name = source.Short(of)
	}
	c.report(analysis.Diagnostic{
		Pos: key.Pos(), End: key.End(),
		Message: fmt.Sprintf("the key %s of %s may be NaN, which no lookup finds; "+
			"refuse NaN before", source.Short(key), name),
	})
}

// isNotNaN reports whether a key is made of constants, infinities and integers.
func (c *checker) isNotNaN(key ast.Expr) bool {
	if lit, ok := ast.Unparen(key).(*ast.CompositeLit); ok {
		for _, e := range lit.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			if floats.Contains(c.info.TypeOf(e)) && !c.isNotNaN(e) {
				return false
			}
		}
		return true
	}
	if call, ok := ast.Unparen(key).(*ast.CallExpr); ok &&
		source.IsFunc(source.Callee(c.info, call), "math", "Inf") {
		return true
	}
	return floats.Constant(c.info, key) != nil || fromInteger(c.info, key)
}

// mayBeNaN reports whether a key of a type holds a floating-point number. The
// value decides for a key that is an interface.
func (c *checker) mayBeNaN(key types.Type, value ast.Expr) bool {
	if types.IsInterface(key) {
		key = c.info.TypeOf(value)
	}
	return floats.Contains(key)
}

// fromInteger reports whether a number is converted from an integer.
func fromInteger(info *types.Info, e ast.Expr) bool {
	of := floats.Conversion(info, e)
	if of == nil {
		return false
	}
	b, ok := info.TypeOf(of).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// bits reports the bits of a number that are compared, are a key, or go to a
// function of package encoding/binary, fmt, strconv or hash. It reports the
// bits of a NaN that arithmetic makes everywhere.
func (c *checker) bits(bits, of ast.Expr, parents []ast.Node) {
	if c.makesNaN(of, maxSteps) {
		c.made(of, "the bits of %s depend")
		return
	}
	if c.tested || floats.Constant(c.info, of) != nil || fromInteger(c.info, of) ||
		c.isConstant(of) || isOrdered(of, parents) || !c.decides(bits, parents) {
		return
	}
	c.depends(bits, of)
}

// depends reports the bits of a number that may be NaN.
func (c *checker) depends(at, of ast.Expr) {
	c.report(analysis.Diagnostic{
		Pos: at.Pos(), End: at.End(),
		Message: fmt.Sprintf("the bits of %s depend on the processor where it is NaN; "+
			"replace NaN by math.NaN() before", source.Short(of)),
	})
}

// decides reports whether the use of bits depends on all of them.
func (c *checker) decides(call ast.Expr, parents []ast.Node) bool {
	for i := len(parents) - 1; i >= 0; i-- {
		switch p := parents[i].(type) {
		case *ast.ParenExpr:
		case *ast.BinaryExpr:
			return (p.Op == token.EQL || p.Op == token.NEQ) && !c.isNumber(p.X, p.Y)
		case *ast.IndexExpr:
			_, ok := c.info.TypeOf(p.X).Underlying().(*types.Map)
			return ok && p.Index.Pos() <= call.Pos() && call.End() <= p.Index.End()
		case *ast.CallExpr:
			if c.info.Types[p.Fun].IsType() {
				continue
			}
			return isWriter(source.Callee(c.info, p))
		default:
			return false
		}
	}
	return false
}

// isNumber reports whether one of two bit patterns is a constant other than a
// NaN: no NaN equals it, whatever its bits are.
func (c *checker) isNumber(x, y ast.Expr) bool {
	for _, e := range []ast.Expr{x, y} {
		v := floats.Constant(c.info, e)
		if v == nil {
			continue
		}
		bits, ok := constant.Uint64Val(constant.ToInt(v))
		b, _ := c.info.TypeOf(e).Underlying().(*types.Basic)
		single := b != nil && b.Kind() == types.Uint32
		return ok && (single && bits<<33 <= 0xff<<56 || !single && bits<<1 <= 0x7ff<<53)
	}
	return false
}

// isWriter reports whether a function stores, hashes or prints its arguments.
func isWriter(f *types.Func) bool {
	if f == nil || f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "encoding/binary", "fmt", "strconv", "hash/maphash":
		return true
	}
	return false
}
