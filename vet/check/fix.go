package check

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/lastbit/lastbit/internal/edit"
)

// Fix applies the fixes of findings to their files, or none where a file cannot
// be written. It returns the findings whose fixes were applied: of two that
// overlap, the first is.
func Fix(findings []Finding) ([]Finding, error) {
	done, files := Choose(findings)
	texts := map[string][]byte{}
	for file, edits := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if texts[file], err = Apply(text, edits); err != nil {
			return nil, fmt.Errorf("vet: fixing %s: %w", file, err)
		}
	}
	return done, WriteFiles(texts)
}

// Choose returns the findings whose fixes can be applied together, and their
// edits by file: of two that overlap, the first is chosen.
func Choose(findings []Finding) ([]Finding, map[string][]Edit) {
	files := map[string][]Edit{}
	var done []Finding
	seen := map[Position]bool{}
	for _, f := range findings {
		if len(f.Edits) == 0 || seen[f.At] {
			continue
		}
		if slices.ContainsFunc(f.Edits, func(e Edit) bool { return overlaps(files[e.File], e) }) {
			continue
		}
		seen[f.At] = true
		for _, e := range f.Edits {
			isImport := strings.Contains(e.New, `"`) // two fixes may need it
			if !isImport || !slices.Contains(files[e.File], e) {
				files[e.File] = append(files[e.File], e)
			}
		}
		done = append(done, f)
	}
	return done, files
}

// overlaps reports whether an edit replaces bytes that another one replaces.
// Insertions at one place nest, unless they are the same.
func overlaps(edits []Edit, e Edit) bool {
	return slices.ContainsFunc(edits, func(old Edit) bool {
		return old.Start < e.End && e.Start < old.End
	})
}

// Apply returns the text of a file with edits, without the imports that it used
// before and does not use now. The result is formatted where the text was.
func Apply(text []byte, edits []Edit) ([]byte, error) {
	out, err := withoutUnused(text, apply(text, edits))
	if err != nil || !isFormatted(text) {
		return out, err
	}
	return format.Source(out)
}

// withoutUnused returns the new text of a file without the imports that it does
// not use, if the old one uses or lacks them.
func withoutUnused(old, text []byte) ([]byte, error) {
	fset := token.NewFileSet()
	before, err := parser.ParseFile(fset, "", old, 0)
	if err != nil {
		return nil, err
	}
	after, err := parser.ParseFile(fset, "", text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	isUnused := func(s *ast.ImportSpec) bool {
		name, of := importOf(s)
		return (uses(before, name, of) || !imports(before, name, of)) && !uses(after, name, of)
	}
	unused := slices.DeleteFunc(slices.Clone(after.Imports), func(s *ast.ImportSpec) bool {
		return !isUnused(s)
	})
	switch {
	case len(unused) == 0:
		return text, nil
	case !isFormatted(old): // the other lines stay as they are
		if out, ok := cutImports(fset, after, text, isUnused); ok {
			return out, nil
		}
	}
	for _, s := range unused {
		name, of := importOf(s)
		astutil.DeleteNamedImport(fset, after, name, of)
	}
	var out bytes.Buffer
	err = format.Node(&out, fset, after)
	return out.Bytes(), err
}

// importOf returns the name of an import, if it has one of its own, and the
// path.
func importOf(s *ast.ImportSpec) (name, of string) {
	of, _ = strconv.Unquote(s.Path.Value)
	if s.Name != nil {
		name = s.Name.Name
	}
	return name, of
}

// imports reports whether a file has an import.
func imports(f *ast.File, name, of string) bool {
	return slices.ContainsFunc(f.Imports, func(s *ast.ImportSpec) bool {
		n, o := importOf(s)
		return n == name && o == of
	})
}

// cutImports cuts the lines of imports out of a text, unless one shares a line
// with something else.
func cutImports(fset *token.FileSet, f *ast.File, text []byte, cut func(*ast.ImportSpec) bool,
) (out []byte, ok bool) {
	var edits []edit.Edit
	ok = true
	lines := func(n ast.Node) {
		from, to := fset.Position(n.Pos()).Offset, fset.Position(n.End()).Offset
		begin, rest := bytes.LastIndexByte(text[:from], '\n')+1, text[to:]
		if end := bytes.IndexByte(rest, '\n'); end >= 0 {
			rest = rest[:end+1]
		}
		after := bytes.TrimSpace(rest)
		ok = ok && len(bytes.TrimSpace(text[begin:from])) == 0 &&
			(len(after) == 0 || bytes.HasPrefix(after, []byte("//")))
		edits = append(edits, edit.Edit{From: begin, To: to + len(rest)})
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		kept := slices.DeleteFunc(slices.Clone(g.Specs), func(s ast.Spec) bool {
			return cut(s.(*ast.ImportSpec))
		})
		if len(kept) == 0 {
			lines(g)
			continue
		}
		for _, s := range g.Specs {
			if !slices.Contains(kept, s) {
				lines(s)
			}
		}
	}
	if !ok {
		return nil, false
	}
	return edit.Apply(text, edits), true
}

// uses reports whether a file uses an import, which may have a name of its own.
// Another import may have the same path.
func uses(f *ast.File, name, of string) bool {
	if name == "" {
		name = path.Base(of)
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			id, ok := s.X.(*ast.Ident)
			found = found || ok && id.Name == name && id.Obj == nil //nolint:staticcheck // no types
		}
		return !found
	})
	return found
}

func isFormatted(text []byte) bool {
	formatted, err := format.Source(text)
	return err == nil && bytes.Equal(formatted, text)
}

// apply returns a text with edits, which do not overlap. Among insertions at
// one place those that end an expression come first.
func apply(text []byte, edits []Edit) []byte {
	var closing, others []edit.Edit
	for _, e := range edits {
		if one := (edit.Edit{From: e.Start, To: e.End, Text: e.New}); closes(e) {
			closing = append(closing, one)
		} else {
			others = append(others, one)
		}
	}
	return edit.Apply(text, append(closing, others...))
}

// closes reports whether an edit only inserts a closing parenthesis.
func closes(e Edit) bool { return e.Start == e.End && e.New == ")" }
