package check

import (
	"bytes"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"github.com/lastbit/lastbit/internal/edit"
)

// Fix applies the fixes of findings to their files. It returns the findings
// whose fixes were applied: of two that overlap, the first is.
func Fix(findings []Finding) ([]Finding, error) {
	done, files := Choose(findings)
	for file, edits := range files {
		if err := rewrite(file, edits); err != nil {
			return nil, err
		}
	}
	return done, nil
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

// rewrite applies edits to a file.
func rewrite(file string, edits []Edit) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	info, err := os.Stat(file)
	if err != nil {
		return err
	}
	out, err := Apply(text, edits)
	if err != nil {
		return fmt.Errorf("vet: fixing %s: %w", file, err)
	}
	return os.WriteFile(file, out, info.Mode().Perm())
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

// withoutUnused returns the new text of a file without the imports that only
// the old one uses.
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
	unused := false
	for _, s := range before.Imports {
		path, _ := strconv.Unquote(s.Path.Value)
		name := ""
		if s.Name != nil {
			name = s.Name.Name
		}
		if astutil.UsesImport(before, path) && !astutil.UsesImport(after, path) {
			unused = astutil.DeleteNamedImport(fset, after, name, path) || unused
		}
	}
	if !unused {
		return text, nil
	}
	var out bytes.Buffer
	err = format.Node(&out, fset, after)
	return out.Bytes(), err
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
