package floatconv

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
	"github.com/lastbit/lastbit/vet/internal/ssaform"
)

//go:embed doc.go
var doc string

// Analyzer finds conversions that may be out of range.
var Analyzer = newAnalyzer(mayOverflow, never)

// Strict also finds conversions whose number, or one that it is computed from,
// was only compared before, since NaN and rounding may lead past a comparison,
// and conversions from and to type parameters.
var Strict = newAnalyzer(isUnbounded, isGeneric)

// newAnalyzer returns an analyzer for the conversions that a function chooses,
// and for those that another one chooses by their types.
func newAnalyzer(
	isChosen func(*ssa.Convert) bool, byType func(*types.Info, *ast.CallExpr) bool,
) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:     "floatconv",
		Doc:      source.Doc(doc),
		Requires: []*analysis.Analyzer{ssaform.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			return run(pass, isChosen, byType)
		},
	}
}

// isGeneric reports whether a type parameter is converted to integers, or to
// one that may be an integer.
func isGeneric(info *types.Info, call *ast.CallExpr) bool {
	_, from := types.Unalias(info.TypeOf(call.Args[0])).(*types.TypeParam)
	to := info.TypeOf(call.Fun)
	if types.Identical(info.TypeOf(call.Args[0]), to) { // it rounds a product
		return false
	}
	if _, isParameter := types.Unalias(to).(*types.TypeParam); isParameter {
		return floats.HasInteger(to)
	}
	return from && integerType(to) != nil
}

func never(*types.Info, *ast.CallExpr) bool { return false }

func run(
	pass *analysis.Pass, isChosen func(*ssa.Convert) bool,
	byType func(*types.Info, *ast.CallExpr) bool,
) (any, error) {
	filter := comment.Filter(pass)
	written := conversions(pass)
	seen := map[token.Pos]bool{}
	report := func(call *ast.CallExpr) {
		seen[call.Lparen] = true
		filter(analysis.Diagnostic{
			Pos: call.Pos(), End: call.End(),
			Message: fmt.Sprintf("%s depends on the processor where %s is NaN or "+
				"out of range; compare it with the bounds of %s first",
				source.Short(call), source.Short(call.Args[0]), pass.TypesInfo.TypeOf(call.Fun)),
		})
	}
	for _, call := range written {
		if byType(pass.TypesInfo, call) {
			report(call)
		}
	}
	for _, f := range pass.ResultOf[ssaform.Analyzer].(ssaform.Form)() {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				c, ok := i.(*ssa.Convert)
				if ok && !seen[c.Pos()] && written[c.Pos()] != nil && isChosen(c) {
					report(written[c.Pos()])
				}
			}
		}
	}
	return nil, nil
}

// conversions returns the conversions of floating-point numbers to integers, by
// the position that package ssa gives them.
func conversions(pass *analysis.Pass) map[token.Pos]*ast.CallExpr {
	all := map[token.Pos]*ast.CallExpr{}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if ok && len(call.Args) == 1 && pass.TypesInfo.Types[call.Fun].IsType() &&
				floats.Is(pass.TypesInfo.TypeOf(call.Args[0])) &&
				floats.Constant(pass.TypesInfo, call.Args[0]) == nil {
				all[call.Lparen] = call
			}
			return true
		})
	}
	return all
}

// mayOverflow reports whether nothing bounds the operand of a conversion, and
// no comparison comes before it.
func mayOverflow(c *ssa.Convert) bool {
	return isUnbounded(c) && !isCompared(c.X, c.Block(), maxSteps)
}

// isUnbounded reports whether nothing bounds the operand of a conversion.
func isUnbounded(c *ssa.Convert) bool {
	from, ok1 := c.X.Type().Underlying().(*types.Basic)
	to, ok2 := c.Type().Underlying().(*types.Basic)
	if !ok1 || !ok2 || from.Info()&types.IsFloat == 0 || to.Info()&types.IsInteger == 0 {
		return false
	}
	low, high := limits(to)
	return !newScope(c.Block()).bounds(c.X, maxSteps).isIn(low, high)
}

// isCompared reports whether a comparison of a value, or of one it is computed
// from, decides that a block runs.
func isCompared(v ssa.Value, b *ssa.BasicBlock, steps int) bool {
	if steps == 0 {
		return false
	}
	if ordersBefore(v, b, maxForward) {
		return true
	}
	switch v := v.(type) {
	case *ssa.UnOp:
		return isComparedLoad(v, b) || isCompared(v.X, b, steps-1)
	case *ssa.Call:
		if isLimit(v) {
			return true
		}
		for _, a := range v.Call.Args {
			if _, constant := a.(*ssa.Const); !constant && floats.Is(a.Type()) &&
				isCompared(a, b, steps-1) {
				return true
			}
		}
	case *ssa.BinOp:
		return isCompared(v.X, b, steps-1) || isCompared(v.Y, b, steps-1)
	case *ssa.Convert:
		return isCompared(v.X, b, steps-1)
	case *ssa.ChangeType:
		return isCompared(v.X, b, steps-1)
	case *ssa.Phi:
		for _, e := range v.Edges {
			if isCompared(e, b, steps-1) {
				return true
			}
		}
	}
	return false
}

// maxForward bounds the values that are followed from a number to a comparison.
const maxForward = 3

// ordersBefore reports whether a comparison of a value, or of its magnitude or
// another value that one operation computes from it alone, precedes a block.
func ordersBefore(v ssa.Value, b *ssa.BasicBlock, steps int) bool {
	if steps == 0 || v.Referrers() == nil {
		return false
	}
	for _, u := range *v.Referrers() {
		switch u := u.(type) {
		case *ssa.BinOp:
			if isOrder(u.Op) && u.Block() != b && u.Block().Dominates(b) {
				return true
			}
		case *ssa.UnOp:
			if u.Op == token.SUB && ordersBefore(u, b, steps-1) {
				return true
			}
		case *ssa.Convert:
			if floats.Is(u.Type()) && ordersBefore(u, b, steps-1) {
				return true
			}
		case *ssa.ChangeType:
			if ordersBefore(u, b, steps-1) {
				return true
			}
		case *ssa.Call:
			if f := u.Call.StaticCallee(); f != nil && len(u.Call.Args) == 1 &&
				floats.Is(u.Type()) && ordersBefore(u, b, steps-1) {
				return true
			}
		}
	}
	return false
}

// isLimit reports whether a call limits a number: min(x, 255), math.Max(0, x).
func isLimit(c *ssa.Call) bool {
	switch f := c.Call.Value.(type) {
	case *ssa.Builtin:
		return f.Name() == "min" || f.Name() == "max"
	case *ssa.Function:
		if f.Object() == nil || f.Object().Pkg() == nil {
			return false
		}
		return f.Object().Pkg().Path() == "math" && (f.Name() == "Min" || f.Name() == "Max")
	}
	return false
}

// isComparedLoad does so for another load from the same address.
func isComparedLoad(load *ssa.UnOp, b *ssa.BasicBlock) bool {
	if load.Op != token.MUL || load.X.Referrers() == nil {
		return false
	}
	for _, u := range *load.X.Referrers() {
		other, ok := u.(*ssa.UnOp)
		if ok && other != load && ordersBefore(other, b, maxForward) {
			return true
		}
	}
	return false
}

func isOrder(op token.Token) bool {
	return op == token.LSS || op == token.LEQ || op == token.GTR || op == token.GEQ
}
