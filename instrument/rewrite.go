package instrument

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/version"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/internal/edit"
)

// alias is the name of package perturb in rewritten files.
const alias = "lastbitPerturb"

// rewriter rewrites the operations of one file. Its edits insert and replace
// text on a line, so that lines, comments and directives stay where they are.
type rewriter struct {
	pkg     *packages.Package
	src     []byte
	file    *token.File
	name    string // of the file, relative to its module
	first   int    // number of the first site
	sites   []Site
	edits   []edit.Edit
	nested  int         // comparisons around the node
	used    []string    // functions of package math whose calls were replaced
	forks   int         // go statements
	outside outside     // functions that are not rewritten
	called  map[int]int // the sites that call them, and their omissions
}

// rewrite returns the file with its operations replaced.
func (r *rewriter) rewrite(f *ast.File) []byte {
	ast.Walk(r, f)
	if !r.isChanged() {
		return r.src
	}
	if len(r.sites) > 0 && r.isOld() {
		r.allowGenerics(f)
	}
	r.insert(f.Name.End(), "; import "+alias+` "`+RuntimePath+`"`)
	out := edit.Apply(r.src, r.edits)
	for _, f := range r.used { // or their import might be unused
		out = append(out, "\nvar _ = "+f+"\n"...)
	}
	return out
}

// isChanged reports whether the file has operations or starts goroutines.
func (r *rewriter) isChanged() bool { return len(r.sites) > 0 || r.forks > 0 }

// isOld reports whether the language of the module has no type parameters.
func (r *rewriter) isOld() bool {
	m := r.pkg.Module
	return m != nil && (m.GoVersion == "" || version.Compare("go"+m.GoVersion, "go1.18") < 0)
}

// allowGenerics gives the file a newer language, by a build constraint. The
// file is part of the build, so that the constraint may take the place of
// another.
func (r *rewriter) allowGenerics(f *ast.File) {
	const constraint = "//go:build go1.21"
	for _, group := range f.Comments {
		for _, c := range group.List {
			if c.Pos() < f.Package && strings.HasPrefix(c.Text, "//go:build ") {
				r.replace(c.Pos(), c.End(), constraint)
				return
			}
		}
	}
	r.insert(f.FileStart, constraint+"\n\n//line "+r.file.Name()+":1\n")
}

// Visit rewrites a node and what is below it.
func (r *rewriter) Visit(n ast.Node) ast.Visitor {
	if x, ok := n.(ast.Expr); ok {
		if tv := r.pkg.TypesInfo.Types[x]; tv.Value != nil || tv.IsType() {
			return nil // a constant, or a type with a constant in it
		}
	}
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return r.binary(n)
	case *ast.CallExpr:
		return r.call(n)
	case *ast.AssignStmt:
		return r.assign(n)
	case *ast.IncDecStmt:
		return r.incDec(n)
	case *ast.GoStmt:
		return r.fork(n)
	case *ast.SelectorExpr:
		return r.value(n)
	case *ast.Ident:
		return r.value(n)
	case *ast.ImportSpec, *ast.CommentGroup:
		return nil
	}
	return r
}

// site adds a site and returns its number, as text.
func (r *rewriter) site(kind Kind, at token.Pos, n ast.Node) string {
	p := r.file.PositionFor(at, false)
	r.sites = append(r.sites, Site{
		Package: r.pkg.PkgPath, File: r.name, Line: p.Line, Column: p.Column, Kind: kind,
		Text:     oneLine(string(r.src[r.offset(n.Pos()):r.offset(n.End())])),
		Compared: r.nested > 0 && kind != Comparison,
	})
	return fmt.Sprint(r.first + len(r.sites) - 1)
}

// oneLine returns the text of a node without line breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (r *rewriter) offset(p token.Pos) int { return r.file.Offset(p) }

func (r *rewriter) insert(at token.Pos, text string) {
	r.edits = append(r.edits, edit.Edit{From: r.offset(at), To: r.offset(at), Text: text})
}

func (r *rewriter) replace(from, to token.Pos, text string) {
	r.edits = append(r.edits, edit.Edit{From: r.offset(from), To: r.offset(to), Text: text})
}

func (r *rewriter) text(n ast.Node) string {
	return string(r.src[r.offset(n.Pos()):r.offset(n.End())])
}

// operators are the functions of package perturb, by operator. Assignments and
// complex operands have suffixes.
var operators = map[token.Token]struct {
	kind Kind
	name string
}{
	token.ADD: {Sum, "Add"},
	token.SUB: {Sum, "Sub"},
	token.MUL: {Product, "Mul"},
	token.QUO: {Quotient, "Div"},
	token.LSS: {Comparison, "Less"},
	token.GTR: {Comparison, "Greater"},
	token.LEQ: {Comparison, "LessEqual"},
	token.GEQ: {Comparison, "GreaterEqual"},
	token.EQL: {Comparison, "Equal"},
	token.NEQ: {Comparison, "NotEqual"},
}
