package portable

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/packages"

	"github.com/lastbit/lastbit/vet/check"
)

// An editor collects the edits of a file.
type editor struct {
	name  string
	text  []byte
	pkg   *packages.Package
	file  *ast.File
	edits []check.Edit
	done  map[ast.Node]bool       // that were rewritten, or are to be
	sums  map[ast.Node]*types.Var // the variable of a function or file that changes its type
	words map[string]bool         // the identifiers of the file
	needs map[string]string       // names of packages to import, by path
	later bool                    // the edits of a place overlap others, and wait
	lost  bool                    // the edits of a place would lose a comment
	keys  []string                // names for the keys of loops, by depth
}

func newEditor(name string, text []byte, p *packages.Package, f *ast.File) *editor {
	e := &editor{name: name, text: text, pkg: p, file: f, done: map[ast.Node]bool{},
		sums: map[ast.Node]*types.Var{}, words: map[string]bool{}, needs: map[string]string{}}
	ast.Inspect(f, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			e.words[id.Name] = true
		}
		return true
	})
	return e
}

// offset returns a position as a number of bytes.
func (e *editor) offset(at token.Pos) int { return e.pkg.Fset.PositionFor(at, false).Offset }

// source returns the text between two positions.
func (e *editor) source(from, to token.Pos) string {
	return string(e.text[e.offset(from):e.offset(to)])
}

// An edit replaces the source between two positions.
type edit struct {
	from, to token.Pos
	text     string
}

// insert returns an edit that adds a text.
func insert(at token.Pos, text string) edit { return edit{at, at, text} }

// add adds edits, all of them, unless one overlaps an earlier edit: then the
// place is left for the next round. The outer of two nodes has to come first.
func (e *editor) add(edits ...edit) {
	var all []check.Edit
	for _, d := range edits {
		if e.hasComment(d.from, d.to) && !strings.Contains(d.text, "/*") {
			e.lost = true
			return
		}
		all = append(all, check.Edit{File: e.name, Start: e.offset(d.from), End: e.offset(d.to),
			New: d.text})
	}
	for _, d := range all {
		if slices.ContainsFunc(e.edits, func(old check.Edit) bool {
			return old.Start < d.End && d.Start < old.End
		}) {
			e.later = true
			return
		}
	}
	e.edits = append(e.edits, all...)
}

// hasComment reports whether a comment is between two positions.
func (e *editor) hasComment(from, to token.Pos) bool {
	return slices.ContainsFunc(e.file.Comments, func(g *ast.CommentGroup) bool {
		return from <= g.Pos() && g.End() <= to
	})
}

// imported returns the name of an imported package in the file, or "".
func (e *editor) imported(of string) string {
	for _, s := range e.file.Imports {
		at, err := strconv.Unquote(s.Path.Value)
		switch {
		case err != nil || at != of:
		case s.Name == nil:
			return path.Base(of)
		case s.Name.Name != "_" && s.Name.Name != ".":
			return s.Name.Name
		}
	}
	return ""
}

// use returns the name of a package in the file, which imports it if it does
// not yet: under another name where the file or its package has its own use for
// that one.
func (e *editor) use(of string) string {
	if name := cmp.Or(e.imported(of), e.needs[of]); name != "" {
		return name
	}
	name := path.Base(of)
	for e.words[name] || e.pkg.Types.Scope().Lookup(name) != nil {
		name = "portable" + name
	}
	e.words[name] = true
	e.needs[of] = name
	return name
}

// fresh returns a name that the file does not use.
func (e *editor) fresh(name string) string {
	for e.words[name] || e.pkg.Types.Scope().Lookup(name) != nil {
		name += "_"
	}
	e.words[name] = true
	return name
}

// result returns the edited text.
func (e *editor) result() ([]byte, error) {
	out, err := check.Apply(e.text, slices.Concat(e.edits, e.undotted(), e.imports()))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.name, err)
	}
	return out, nil
}

// needed returns the packages to import that edits name: a place that was not
// rewritten in the end may have asked for others.
func (e *editor) needed() map[string]string {
	all := map[string]string{}
	for of, name := range e.needs {
		word := regexp.MustCompile(`\b` + name + `\b`)
		names := func(c check.Edit) bool { return word.MatchString(c.New) }
		if slices.ContainsFunc(e.edits, names) {
			all[of] = name
		}
	}
	return all
}

// undotted returns the edits that make dot imports plain ones where the edits
// name a package at all functions of the import: nothing uses it then.
func (e *editor) undotted() []check.Edit {
	var all []check.Edit
	for _, s := range e.file.Imports {
		of, err := strconv.Unquote(s.Path.Value)
		if err != nil || s.Name == nil || s.Name.Name != "." || e.usesDot(of) {
			continue
		}
		all = append(all, check.Edit{File: e.name, Start: e.offset(s.Name.Pos()),
			End: e.offset(s.Path.Pos())})
	}
	return all
}

// usesDot reports whether the edited file has a name of a package without the
// package's.
func (e *editor) usesDot(of string) bool {
	found := false
	ast.Inspect(e.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			o := e.pkg.TypesInfo.Uses[id]
			found = found || o != nil && o.Pkg() != nil && o.Pkg().Path() == of && !e.names(id)
		}
		return !found
	})
	return found
}

// names reports whether an edit puts the name of a package before a name.
func (e *editor) names(id *ast.Ident) bool {
	at := e.offset(id.Pos())
	return slices.ContainsFunc(e.edits, func(c check.Edit) bool {
		return c.Start == at && c.End == at && strings.HasSuffix(c.New, ".")
	})
}

// imports returns the edits that add the imports: each behind the last import
// of its sort, of the standard library or of modules.
func (e *editor) imports() []check.Edit {
	specs := map[bool][]string{} // by whether they are of modules
	for of, name := range e.needed() {
		spec := strconv.Quote(of)
		if name != path.Base(of) {
			spec = name + " " + spec
		}
		specs[isOfModule(of)] = append(specs[isOfModule(of)], spec)
	}
	block := e.importBlock()
	if block == nil {
		return e.firstImports(specs)
	}
	var edits []check.Edit
	for _, sort := range []bool{false, true} {
		all := specs[sort]
		if len(all) == 0 {
			continue
		}
		slices.Sort(all)
		at, gap := e.behind(block, sort)
		text := gap + strings.Join(all, "\n\t")
		if gap == "" {
			text += "\n\t"
		}
		edits = append(edits, check.Edit{File: e.name, Start: at, End: at, New: text})
	}
	return edits
}

// firstImports returns the edits that add imports to a file without any in
// parentheses.
func (e *editor) firstImports(specs map[bool][]string) []check.Edit {
	var groups []string
	for _, sort := range []bool{false, true} {
		if all := specs[sort]; len(all) > 0 {
			groups = append(groups, strings.Join(slices.Sorted(slices.Values(all)), "\n\t"))
		}
	}
	if len(groups) == 0 {
		return nil
	}
	text := strings.Join(groups, "\n\n\t")
	at := func(pos token.Pos, text string) check.Edit {
		return check.Edit{File: e.name, Start: e.offset(pos), End: e.offset(pos), New: text}
	}
	if s := e.singleImport(); s != nil {
		gap := "\n\n\t"
		of, err := strconv.Unquote(s.Path.Value)
		if err == nil && isOfModule(of) == (len(specs[false]) == 0) { // of the first group
			gap = "\n\t"
		}
		return []check.Edit{at(s.Pos(), "(\n\t"), at(s.End(), gap+text+"\n)")}
	}
	if strings.Contains(text, "\n") {
		text = "(\n\t" + text + "\n)"
	}
	last := e.file.Name.End()
	if n := len(e.file.Imports); n > 0 {
		last = e.file.Imports[n-1].End()
	}
	return []check.Edit{at(last, "\n\nimport "+text)}
}

// singleImport returns the last import of the file, without parentheses, if
// that is not C.
func (e *editor) singleImport() *ast.ImportSpec {
	if n := len(e.file.Imports); n > 0 && e.file.Imports[n-1].Path.Value != `"C"` {
		return e.file.Imports[n-1]
	}
	return nil
}

// isOfModule reports whether a path is not one of the standard library.
func isOfModule(of string) bool {
	first, _, _ := strings.Cut(of, "/")
	return strings.Contains(first, ".")
}

// importBlock returns the first imports in parentheses, or nil.
func (e *editor) importBlock() *ast.GenDecl {
	for _, d := range e.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if ok && g.Tok == token.IMPORT && g.Lparen.IsValid() && len(g.Specs) > 0 {
			return g
		}
	}
	return nil
}

// behind returns the offset of the end of the last import of a sort in a block,
// and the white space that separates another one from it.
func (e *editor) behind(block *ast.GenDecl, ofModule bool) (at int, gap string) {
	for i := len(block.Specs) - 1; i >= 0; i-- {
		s := block.Specs[i].(*ast.ImportSpec)
		of, err := strconv.Unquote(s.Path.Value)
		if err == nil && isOfModule(of) == ofModule {
			return e.offset(s.Path.End()), "\n\t"
		}
	}
	if ofModule {
		last := block.Specs[len(block.Specs)-1].(*ast.ImportSpec)
		return e.offset(last.Path.End()), "\n\n\t"
	}
	first := block.Specs[0].(*ast.ImportSpec)
	return e.offset(first.Pos()), ""
}

// A spot is a place in a file, with the nodes around it.
type spot struct {
	*editor
	path     []ast.Node // innermost first
	from, to token.Pos
}

// spotAt returns the place between two positions of a file.
func (e *editor) spotAt(from, to check.Position) (*spot, bool) {
	f := e.pkg.Fset.File(e.file.FileStart)
	if f == nil || from.Line > f.LineCount() || to.Line > f.LineCount() {
		return nil, false
	}
	s := &spot{editor: e, from: f.LineStart(from.Line) + token.Pos(from.Column-1),
		to: f.LineStart(to.Line) + token.Pos(to.Column-1)}
	if s.from > s.to || s.from < e.file.FileStart || s.to > e.file.FileEnd {
		return nil, false
	}
	s.path, _ = astutil.PathEnclosingInterval(e.file, s.from, s.to)
	return s, len(s.path) > 0
}

// around returns the innermost node of a type around a place, or nil.
func around[N ast.Node](s *spot) (n N, ok bool) {
	for _, p := range s.path {
		if n, ok := p.(N); ok {
			return n, true
		}
	}
	return n, false
}

// isRepeatable reports whether an expression may be evaluated twice: it calls
// nothing and receives nothing.
func isRepeatable(e ast.Expr) bool {
	pure := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr, *ast.FuncLit, *ast.CompositeLit:
			pure = false
		case *ast.UnaryExpr:
			pure = pure && n.Op != token.ARROW
		}
		return pure
	})
	return pure
}
