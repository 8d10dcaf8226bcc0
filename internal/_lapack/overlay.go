package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// A change is what the comment of an overlay says about a function.
type change struct {
	function, tags, why string
}

// mark is the paragraph of a comment that tags an overlay.
var mark = regexp.MustCompile(`^Overlay \((.*)\): (\p{Lu}.*\.)$`)

// tagSets are the tags that one paragraph may have, in the order of lists.
var tagSets = []string{"faster", "faster, rounds otherwise", "rounds otherwise", "mends gonum"}

// overlays returns the changes of all overlays, by function.
func (p *pkg) overlays() ([]change, error) {
	var all []change
	for _, s := range p.files {
		if s.original == nil {
			continue
		}
		old := functions(s.original)
		for name, f := range functions(s) {
			changes, err := s.changes(f, old[name])
			if err != nil {
				return nil, fmt.Errorf("%v: %s: %w", p.fset.Position(f.Pos()), name, err)
			}
			all = append(all, changes...)
			delete(old, name)
		}
		for name := range old {
			return nil, fmt.Errorf("%s: gonum's file has a function %s", s.name, name)
		}
	}
	slices.SortStableFunc(all, func(a, b change) int {
		return strings.Compare(a.function, b.function)
	})
	return all, nil
}

// changes returns the changes of a function. It has a tag if its body differs
// from gonum's, and only then.
func (s *sourceFile) changes(f, gonums *ast.FuncDecl) ([]change, error) {
	if gonums == nil {
		return nil, fmt.Errorf("gonum's file has no such function")
	}
	found, err := changesOf(f)
	if err != nil {
		return nil, err
	}
	isEqual := bytes.Equal(s.body(f), s.original.body(gonums))
	if isEqual && len(found) > 0 {
		return nil, fmt.Errorf("a tag, but the body of gonum's function")
	}
	if !isEqual && len(found) == 0 {
		return nil, fmt.Errorf("no paragraph Overlay (%s): Sentence", strings.Join(tagSets, " | "))
	}
	return found, nil
}

// functions returns the functions of a file.
func functions(s *sourceFile) map[string]*ast.FuncDecl {
	found := map[string]*ast.FuncDecl{}
	for _, d := range s.syntax.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			found[f.Name.Name] = f
		}
	}
	return found
}

// body returns the text of a function's body.
func (s *sourceFile) body(f *ast.FuncDecl) []byte {
	start := s.syntax.FileStart
	return s.text[f.Body.Pos()-start : f.Body.End()-start]
}

// changesOf returns what the comment of a function says.
func changesOf(f *ast.FuncDecl) ([]change, error) {
	var all []change
	for paragraph := range strings.SplitSeq(f.Doc.Text(), "\n\n") {
		text := strings.Join(strings.Fields(paragraph), " ")
		if !strings.HasPrefix(text, "Overlay") {
			continue
		}
		m := mark.FindStringSubmatch(text)
		if m == nil || !slices.Contains(tagSets, m[1]) {
			return nil, fmt.Errorf("%q is not Overlay (%s): Sentence", text,
				strings.Join(tagSets, " | "))
		}
		all = append(all, change{f.Name.Name, m[1], m[2]})
	}
	return all, nil
}

// sentences lists changes by their tags, with the reasons, as comment lines.
func sentences(all []change) string {
	var b strings.Builder
	for _, tags := range tagSets {
		of := slices.DeleteFunc(slices.Clone(all), func(c change) bool { return c.tags != tags })
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(&b, "//\n// %s:\n//\n", capital(tags))
		for _, c := range of {
			b.WriteString(wrapped("//   - ", "//     ", c.function+": "+c.why))
		}
	}
	return b.String()
}

// names lists the functions of each kind of change, as comment lines.
func names(all []change) string {
	var b strings.Builder
	b.WriteString("//\n")
	for _, tags := range tagSets {
		var of []string
		for _, c := range all {
			if c.tags == tags {
				of = append(of, c.function)
			}
		}
		if len(of) > 0 {
			text := capital(tags) + ": " + strings.Join(of, ", ") + "."
			b.WriteString(wrapped("//   - ", "//     ", text))
		}
	}
	return b.String()
}

func capital(s string) string { return string(unicode.ToUpper(rune(s[0]))) + s[1:] }

// wrapped breaks a text into lines of at most 80 columns.
func wrapped(first, others, text string) string {
	const columns = 80
	var b strings.Builder
	line, isEmpty := first, true
	for word := range strings.FieldsSeq(text) {
		if !isEmpty && len(line)+len(" ")+len(word) > columns {
			b.WriteString(line + "\n")
			line, isEmpty = others, true
		}
		if !isEmpty {
			line += " "
		}
		line, isEmpty = line+word, false
	}
	return b.String() + line + "\n"
}

// section is the heading in front of a list of overlays, in a comment.
const section = "// # Overlays\n"

// withSection returns a text with the body of its section replaced, up to the
// next heading or the end of the comment.
func withSection(text []byte, body string) ([]byte, error) {
	before, after, ok := bytes.Cut(text, []byte("\n"+section))
	if !ok {
		return nil, fmt.Errorf("no line %q", strings.TrimSpace(section))
	}
	end := regexp.MustCompile(`(?m)^(//\n// # |package )`).FindIndex(after)
	if end == nil {
		return nil, fmt.Errorf("no end of the section %q", strings.TrimSpace(section))
	}
	return slices.Concat(before, []byte("\n"+section+body), after[end[0]:]), nil
}
