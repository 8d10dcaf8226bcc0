// Package comment reads the comments that make analyzers silent:
//
//	//lastbit:ignore fma,maporder the products are exact
//
// Such a comment concerns its line, and the next one where it has a line to
// itself; in the comment of a declaration it concerns the declaration, and
// before the package clause the file. Without a reason it has no effect.
package comment

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Prefix begins an ignore comment.
const Prefix = "//lastbit:ignore"

// An Ignore is an ignore comment.
type Ignore struct {
	Pos       token.Pos
	Analyzers []string
	Reason    string

	first, last int // the lines that it concerns
}

// Parse returns the ignore comments of a file.
func Parse(fset *token.FileSet, f *ast.File) []Ignore {
	var all []Ignore
	for _, group := range f.Comments {
		for _, c := range group.List {
			rest, ok := strings.CutPrefix(c.Text, Prefix)
			if !ok || strings.TrimLeft(rest, " \t") == rest && rest != "" {
				continue
			}
			names, reason, _ := strings.Cut(withoutComment(rest), " ")
			i := Ignore{Pos: c.Pos(), Reason: strings.TrimSpace(reason)}
			if names != "" {
				i.Analyzers = strings.Split(names, ",")
			}
			i.first, i.last = extent(fset, f, group, c)
			all = append(all, i)
		}
	}
	return all
}

// withoutComment cuts a second comment off a text.
func withoutComment(text string) string {
	text, _, _ = strings.Cut(text, "//")
	return strings.TrimSpace(text)
}

// extent returns the first and the last line that a comment concerns.
func extent(fset *token.FileSet, f *ast.File, g *ast.CommentGroup, c *ast.Comment) (int, int) {
	line := func(p token.Pos) int { return fset.PositionFor(p, false).Line }
	if g.End() < f.Package {
		return 1, line(f.FileEnd)
	}
	for _, d := range f.Decls {
		if doc(d) == g {
			return line(d.Pos()), line(d.End())
		}
	}
	if at := line(c.Pos()); !isAlone(fset, f, at, c) {
		return at, at
	}
	return line(c.Pos()), line(g.End()) + 1
}

// isAlone reports whether no code precedes a comment on its line.
func isAlone(fset *token.FileSet, f *ast.File, at int, c *ast.Comment) bool {
	alone := true
	start := fset.File(f.FileStart).LineStart(at)
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil || !alone || n.End() < start || n.Pos() >= c.Pos() {
			return false
		}
		if _, isGroup := n.(*ast.CommentGroup); !isGroup && n.End() <= c.Pos() {
			alone = false
		}
		return alone
	})
	return alone
}

// doc returns the comment of a declaration.
func doc(d ast.Decl) *ast.CommentGroup {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Doc
	case *ast.GenDecl:
		return d.Doc
	}
	return nil
}

// Covers reports whether a comment with a reason makes an analyzer silent on a
// line.
func (i Ignore) Covers(analyzer string, line int) bool {
	return i.Reason != "" && i.first <= line && line <= i.last &&
		slices.Contains(i.Analyzers, analyzer)
}

// Filter returns a function that reports diagnostics of a pass, except where a
// comment makes its analyzer silent.
func Filter(pass *analysis.Pass) func(analysis.Diagnostic) {
	isSilent := Silencer(pass)
	return func(d analysis.Diagnostic) {
		if !isSilent(d.Pos) {
			pass.Report(d)
		}
	}
}

// Silencer returns a function that reports whether a comment makes the analyzer
// of a pass silent at a position.
func Silencer(pass *analysis.Pass) func(token.Pos) bool {
	files := map[*token.File][]Ignore{}
	for _, f := range pass.Files {
		if all := Parse(pass.Fset, f); len(all) > 0 {
			files[pass.Fset.File(f.FileStart)] = all
		}
	}
	return func(at token.Pos) bool {
		if !at.IsValid() {
			return false
		}
		line := pass.Fset.PositionFor(at, false).Line
		return slices.ContainsFunc(files[pass.Fset.File(at)], func(i Ignore) bool {
			return i.Covers(pass.Analyzer.Name, line)
		})
	}
}
