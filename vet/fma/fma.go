package fma

import (
	_ "embed"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/lastbit/lastbit/vet/internal/comment"
	"github.com/lastbit/lastbit/vet/internal/floats"
	"github.com/lastbit/lastbit/vet/internal/source"
	"github.com/lastbit/lastbit/vet/internal/ssaform"
)

//go:embed doc.go
var doc string

// Analyzer finds fused multiplications.
var Analyzer = &analysis.Analyzer{
	Name:     "fma",
	Doc:      source.Doc(doc),
	Requires: []*analysis.Analyzer{ssaform.Analyzer},
	Run:      run,
}

// The processors that Go's compiler fuses for at their lowest level, by the
// form of the sum: p + z or p - z, z - p, and those of -p. Each fuses all that
// the ones before it do.
var processors = [...][]string{
	{"ppc64", "ppc64le", "s390x"},
	{"riscv64"},
	{"arm64", "loong64"},
}

// form returns the index in processors of a sum with a product.
func form(op token.Token, isLeft, negated bool) int {
	switch {
	case negated:
		return 2
	case op == token.SUB && !isLeft:
		return 1
	}
	return 0
}

// names lists the processors that fuse a form.
func names(form int) string {
	all := slices.Sorted(slices.Values(slices.Concat(processors[form:]...)))
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

func run(pass *analysis.Pass) (any, error) {
	s := Sums(pass.TypesInfo, pass.Files)
	report := comment.Filter(pass)
	seen := map[token.Pos]bool{}
	for _, f := range pass.ResultOf[ssaform.Analyzer].([]*ssa.Function) {
		for _, b := range f.Blocks {
			for _, i := range b.Instrs {
				if sum, ok := s.fused(i); ok && !seen[sum.At] {
					seen[sum.At] = true
					report(sum.diagnostic(pass.TypesInfo, pass.Pkg))
				}
			}
		}
	}
	return nil, nil
}

// A Sum is an addition or a subtraction.
type Sum struct {
	At       token.Pos // the operator, the compiler's position
	Op       token.Token
	X, Y     ast.Expr
	Node     ast.Node
	products []ast.Expr // those of X and Y that are products
	form     int        // of the product that most processors fuse
	onAMD64  bool       // whether GOAMD64=v3 fuses one
}

// An Index finds the sums and the rounded products of files.
type Index struct {
	info    *types.Info
	sums    map[token.Pos]*Sum // by the position that package ssa gives them
	rounded map[token.Pos]bool // products that a conversion rounds, by operator
}

// Sums indexes files.
func Sums(info *types.Info, files []*ast.File) *Index {
	s := &Index{info, map[token.Pos]*Sum{}, map[token.Pos]bool{}}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			s.add(n)
			return true
		})
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
		if n.Op == token.ADD || n.Op == token.SUB {
			s.sums[n.OpPos] = &Sum{At: n.OpPos, Op: n.Op, X: n.X, Y: n.Y, Node: n}
		}
	case *ast.AssignStmt:
		if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
			op := token.ADD
			if n.Tok == token.SUB_ASSIGN {
				op = token.SUB
			}
			s.sums[n.Pos()] = &Sum{At: n.TokPos, Op: op, X: n.Lhs[0], Y: n.Rhs[0], Node: n}
		}
	case *ast.CallExpr:
		if of := floats.Conversion(s.info, n); of != nil {
			if p, ok := ast.Unparen(of).(*ast.BinaryExpr); ok {
				s.rounded[p.OpPos] = true
			}
		}
	}
}

// fused returns the sum of an instruction, if one of its operands is a product.
func (s *Index) fused(i ssa.Instruction) (*Sum, bool) {
	b, ok := i.(*ssa.BinOp)
	if !ok || b.Op != token.ADD && b.Op != token.SUB || !floats.Is(b.Type()) {
		return nil, false
	}
	sum := s.sums[b.Pos()]
	if sum == nil {
		return nil, false
	}
	sum.products, sum.form, sum.onAMD64 = nil, len(processors), false
	for _, o := range []struct {
		e ast.Expr
		v ssa.Value
	}{{sum.X, b.X}, {sum.Y, b.Y}} {
		if floats.Conversion(s.info, o.e) == nil && s.isProduct(o.v, maxSteps) {
			sum.products = append(sum.products, o.e)
			sum.form = min(sum.form, form(sum.Op, o.v == b.X, isNegated(o.v)))
			sum.onAMD64 = sum.onAMD64 || sum.Op == token.ADD && !isNegated(o.v)
		}
	}
	return sum, len(sum.products) > 0
}

func (s *Sum) diagnostic(info *types.Info, pkg *types.Package) analysis.Diagnostic {
	where := names(s.form)
	if s.onAMD64 {
		where += ", and on amd64 with GOAMD64=v3"
	}
	d := analysis.Diagnostic{
		Pos: s.At, End: s.At + token.Pos(len(s.Op.String())),
		Message: fmt.Sprintf("%s fuses on %s; %s", s.Text(), where, s.Cure(info, pkg)),
	}
	if fix, ok := s.Fix(info, pkg); ok {
		d.SuggestedFixes = []analysis.SuggestedFix{fix}
	}
	return d
}

// Cure returns advice: write float64(x*y), for every operand to round.
func (s *Sum) Cure(info *types.Info, pkg *types.Package) string {
	var parts []string
	for _, e := range s.rounded() {
		if floats.Constant(info, e) == nil {
			text := source.Short(ast.Unparen(e))
			parts = append(parts, source.TypeName(info, pkg, e)+"("+text+")")
		}
	}
	return "write " + strings.Join(parts, " and ")
}

// rounded returns the operands to round: the products or, where none is known,
// those that are written as products, or both operands.
func (s *Sum) rounded() []ast.Expr {
	if len(s.products) > 0 {
		return s.products
	}
	var all []ast.Expr
	for _, e := range []ast.Expr{s.X, s.Y} {
		if isWritten(e) {
			all = append(all, e)
		}
	}
	if len(all) == 0 {
		all = []ast.Expr{s.Y, s.X}
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
	if a, ok := s.Node.(*ast.AssignStmt); ok {
		return source.Short(s.X) + " " + a.Tok.String() + " " + source.Short(s.Y)
	}
	return source.Short(s.X) + " " + s.Op.String() + " " + source.Short(s.Y)
}

// Fix returns the edits that round the products of a sum. A conversion changes
// no value, so both operands may be converted where no product is known.
func (s *Sum) Fix(info *types.Info, pkg *types.Package) (analysis.SuggestedFix, bool) {
	fix := analysis.SuggestedFix{Message: "round the product before the addition"}
	for _, e := range s.rounded() {
		if _, assigned := s.Node.(*ast.AssignStmt); assigned && e == s.X {
			return s.fixAssignment(info, pkg)
		}
		if floats.Constant(info, e) != nil || floats.Conversion(info, e) != nil {
			continue
		}
		fix.TextEdits = append(fix.TextEdits, wrap(source.TypeName(info, pkg, e), e)...)
	}
	if source.Shadowed(pkg, s.At, info.TypeOf(s.X), s.typeName(info, pkg)) {
		return fix, false
	}
	return fix, len(fix.TextEdits) > 0
}

// fixAssignment rewrites x += y whose x is a product to x = T(x) + T(y).
func (s *Sum) fixAssignment(info *types.Info, pkg *types.Package) (analysis.SuggestedFix, bool) {
	fix := analysis.SuggestedFix{Message: "round the product before the addition"}
	name := s.typeName(info, pkg)
	_, plain := ast.Unparen(s.X).(*ast.Ident)
	if !plain || source.Shadowed(pkg, s.At, info.TypeOf(s.X), name) {
		return fix, false
	}
	x := source.Text(s.X)
	fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{
		Pos: s.At, End: s.At + token.Pos(len(s.Op.String())+1),
		NewText: fmt.Appendf(nil, "= %s(%s) %s", name, x, s.Op),
	})
	fix.TextEdits = append(fix.TextEdits, wrap(name, s.Y)...)
	return fix, true
}

func (s *Sum) typeName(info *types.Info, pkg *types.Package) string {
	return source.TypeName(info, pkg, s.X)
}

// wrap returns the edits that convert an expression.
func wrap(name string, e ast.Expr) []analysis.TextEdit {
	if p, ok := e.(*ast.ParenExpr); ok {
		return []analysis.TextEdit{{Pos: p.Lparen, End: p.Lparen, NewText: []byte(name)}}
	}
	return []analysis.TextEdit{
		{Pos: e.Pos(), End: e.Pos(), NewText: []byte(name + "(")},
		{Pos: e.End(), End: e.End(), NewText: []byte(")")},
	}
}
