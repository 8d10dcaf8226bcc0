package fma

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/flow"
	"github.com/lastbit/lastbit/vet/internal/source"
)

// Sums finds the sums of a package with what is known of their operands, for
// the positions that the compiler prints. Its result is an *Index.
var Sums = &analysis.Analyzer{
	Name:     "sums",
	Doc:      "find the sums of a package",
	Requires: []*analysis.Analyzer{flow.Local},
	Run: func(pass *analysis.Pass) (any, error) {
		return newIndex(pass, pass.ResultOf[flow.Local].([]flow.Sum)), nil
	},
	ResultType: reflect.TypeFor[*Index](),
}

// A Sum is an addition or a subtraction in the source.
type Sum struct {
	At   token.Pos // the operator, the compiler's position
	Op   token.Token
	X, Y ast.Expr // Y is X for a product with 2, and nil for x++ and x--
	Node ast.Node

	index *Index
	uses  []flow.Sum // with a product: itself, and inlined in other functions
}

// An Index finds the sums, the products and the calls of files by the positions
// that package ssa gives them.
type Index struct {
	info    *types.Info
	pkg     *types.Package
	sums    map[token.Pos]*Sum
	written map[token.Pos]ast.Expr // products
	calls   map[token.Pos]*ast.CallExpr
}

func newIndex(pass *analysis.Pass, all []flow.Sum) *Index {
	s := &Index{pass.TypesInfo, pass.Pkg, map[token.Pos]*Sum{}, map[token.Pos]ast.Expr{},
		map[token.Pos]*ast.CallExpr{}}
	for _, f := range pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			s.add(n)
			return true
		})
	}
	for _, found := range all {
		if sum := s.sums[found.At.Pos()]; sum != nil && found.At.Package == pass.Pkg.Path() {
			sum.uses = append(sum.uses, found)
		}
	}
	return s
}

// At returns the sums by the position of their operator.
func (s *Index) At() map[token.Pos]*Sum {
	all := make(map[token.Pos]*Sum, len(s.sums))
	for _, sum := range s.sums {
		all[sum.At] = sum
	}
	return all
}

func (s *Index) add(n ast.Node) {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		switch n.Op {
		case token.ADD, token.SUB:
			s.sums[n.OpPos] = &Sum{At: n.OpPos, Op: n.Op, X: n.X, Y: n.Y, Node: n, index: s}
		case token.MUL, token.QUO:
			s.written[n.OpPos] = n
			if x := s.doubled(n); x != nil {
				s.sums[n.OpPos] = &Sum{At: n.OpPos, Op: token.ADD, X: x, Y: x, Node: n, index: s}
			}
		}
	case *ast.AssignStmt:
		sum := &Sum{At: n.TokPos, Op: token.ADD, X: n.Lhs[0], Y: n.Rhs[0], Node: n, index: s}
		switch {
		case n.Tok == token.ADD_ASSIGN:
		case n.Tok == token.SUB_ASSIGN:
			sum.Op = token.SUB
		case n.Tok == token.MUL_ASSIGN && floats.Is(s.info.TypeOf(sum.X)) && s.isTwo(sum.Y):
			sum.Y = sum.X
		default:
			return
		}
		s.sums[n.Pos()] = sum
	case *ast.IncDecStmt:
		sum := &Sum{At: n.TokPos, Op: token.ADD, X: n.X, Node: n, index: s}
		if n.Tok == token.DEC {
			sum.Op = token.SUB
		}
		s.sums[n.Pos()] = sum
	case *ast.CallExpr:
		s.calls[n.Lparen] = n
		s.addConversion(n)
	}
}

// doubled returns the other operand of a product with 2, or nil: the compiler
// adds it to itself.
func (s *Index) doubled(n *ast.BinaryExpr) ast.Expr {
	switch {
	case n.Op != token.MUL || !floats.Is(s.info.TypeOf(n)) || s.info.Types[n].Value != nil:
	case s.isTwo(n.X):
		return n.Y
	case s.isTwo(n.Y):
		return n.X
	}
	return nil
}

func (s *Index) isTwo(e ast.Expr) bool {
	v := floats.Constant(s.info, e)
	return v != nil && constant.Compare(v, token.EQL, constant.MakeInt64(2))
}

// calleeName returns what names the function of a call: no two calls share it.
func calleeName(call *ast.CallExpr) ast.Expr {
	fun := ast.Unparen(call.Fun)
	if s, ok := fun.(*ast.SelectorExpr); ok {
		return s.Sel
	}
	return fun
}

// A product is an operand of a sum.
type product struct {
	e      ast.Expr // nil for a sum of another package
	value  *flow.Value
	isLeft bool
}

// rounded returns the operands of a sum that are products, and are rounded for
// some values.
func rounded(s flow.Sum) []product {
	var all []product
	for _, p := range []product{{nil, s.X, true}, {nil, s.Y, false}} {
		if s.IsUnused() {
			break
		}
		if p.value.IsProduct() && p.value.Exactness() != flow.Exact {
			all = append(all, p)
		}
	}
	return all
}

// products returns the products of a use of the sum.
func (s *Sum) products(use flow.Sum) []product {
	all := rounded(use)
	for i := range all {
		all[i].e = s.Y
		if all[i].isLeft {
			all[i].e = s.X
		}
	}
	if s.X == s.Y && len(all) > 0 {
		return all[:1]
	}
	return all
}

// HasProduct reports whether an operand is known to be a product that is
// rounded.
func (s *Sum) HasProduct() bool {
	return slices.ContainsFunc(s.uses, func(u flow.Sum) bool { return len(rounded(u)) > 0 })
}

func (s *Sum) processors(use flow.Sum) string { return processorsOf(use, rounded(use)) }

// IsExact reports whether the compiler fuses nothing here that is rounded: all
// products are exact, and the other operand certainly is none. What a function
// is called with may be a product where the function is inlined only.
func (s *Sum) IsExact(inlined bool) bool {
	for _, u := range s.uses {
		if u.IsUnused() {
			continue
		}
		for _, v := range []*flow.Value{u.X, u.Y} {
			switch {
			case v.IsNoProduct(), v.IsOpen() && !inlined:
			case v.IsProduct() && v.Exactness() == flow.Exact:
			default:
				return false
			}
		}
	}
	return len(s.uses) > 0
}

// Cure returns advice: write float64(x*y), for every operand to round of a sum
// at a place that is inlined at a line of a file, if it is.
func (s *Sum) Cure(at, call flow.Place) string {
	var chosen []product
	for i := len(s.uses) - 1; i >= 0; i-- {
		u := s.uses[i]
		if all := s.products(u); len(all) > 0 && (len(chosen) == 0 ||
			u.Call.File == call.File && u.Call.Line == call.Line) {
			chosen = all
		}
	}
	if len(chosen) == 0 {
		for _, e := range s.candidates() {
			chosen = append(chosen, product{e: e})
		}
	}
	return s.cure(chosen, at)
}

func (s *Sum) cure(all []product, at flow.Place) string {
	var parts []string
	text := ""
	for _, p := range all {
		name := source.Short(ast.Unparen(p.e))
		parts = append(parts, source.TypeName(s.index.info, s.index.pkg, p.e)+"("+name+")")
		if v := p.value; v != nil && !isWritten(p.e) && v.At.From(at.File) != at.From(at.File) {
			text += name + " is the product of " + v.At.From(at.File) + "; "
		}
	}
	if len(parts) == 0 {
		return "round the product with float64(…)"
	}
	text = s.note(all) + text + "write " + strings.Join(parts, " and ")
	name, t := s.typeName(), s.index.info.TypeOf(s.X)
	if token.IsIdentifier(name) && source.Shadowed(s.index.pkg, s.At, t, name) {
		text += ", where " + name + " means something else: rename that"
	}
	return text
}

// exactnessNote returns a remark about products that are rounded for few values
// only.
func exactnessNote(all []product) string {
	which := flow.Exact
	for _, p := range all {
		if p.value == nil {
			return ""
		}
		which = min(which, p.value.Exactness())
	}
	switch which {
	case flow.Subnormal:
		return "it shows only where the product is subnormal; "
	case flow.Overflow:
		return "it shows only where the product overflows; "
	}
	return ""
}

// candidates returns the operands that may be products where none is known:
// those that are written as products, or else both.
func (s *Sum) candidates() []ast.Expr {
	var written, all []ast.Expr
	for _, e := range []ast.Expr{s.X, s.Y} {
		if e == nil || floats.Constant(s.index.info, e) != nil ||
			floats.Conversion(s.index.info, e) != nil {
			continue
		}
		if all = append([]ast.Expr{e}, all...); s.X == s.Y {
			return all
		}
		if isWritten(e) {
			written = append(written, e)
		}
	}
	if len(written) > 0 {
		return written
	}
	return all
}

// isWritten reports whether an expression is written as a product.
func isWritten(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		return e.Op == token.MUL || e.Op == token.QUO
	case *ast.UnaryExpr:
		return e.Op == token.SUB && isWritten(e.X)
	}
	return false
}

// Text returns the sum as source.
func (s *Sum) Text() string {
	switch n := s.Node.(type) {
	case *ast.AssignStmt:
		return source.Short(s.X) + " " + n.Tok.String() + " " + source.Short(n.Rhs[0])
	case *ast.IncDecStmt:
		return source.Short(s.X) + n.Tok.String()
	case *ast.CallExpr:
		return source.Short(n)
	}
	if s.X == s.Y {
		return source.Short(s.Node.(ast.Expr))
	}
	return source.Short(s.X) + " " + s.Op.String() + " " + source.Short(s.Y)
}
