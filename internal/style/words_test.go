package style

import (
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"testing"
)

// pronouns matches the two pronouns with "of", across lines of a comment, too.
var pronouns = regexp.MustCompile(`(?i)\b(those|that)[\s/]+of\b`)

// TestPronouns refuses the pattern in the comments of Go files, except
// generated files and gonum's.
func TestPronouns(t *testing.T) {
	eachFile(t, ".go", func(path string, source []byte) {
		if generated.Match(source) || gonums.Match(source) {
			return
		}
		for _, place := range pronounsIn(t, path, source) {
			t.Errorf("%s: a comment says \"those of\" or \"that of\": name the thing, or write a "+
				"formula", place)
		}
	})
}

// pronounsIn returns the places of the pattern in the comments of a file.
func pronounsIn(t *testing.T, path string, source []byte) (places []string) {
	t.Helper()
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, path, source,
		parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range f.Comments {
		from := files.Position(group.Pos()).Offset
		text := source[from:files.Position(group.End()).Offset]
		for _, at := range pronouns.FindAllIndex(text, -1) {
			places = append(places, files.Position(group.Pos()+token.Pos(at[0])).String())
		}
	}
	return places
}

func TestPronounsIn(t *testing.T) {
	source := "// Package p is that of nobody.\npackage p\n\n" +
		"// f adds numbers like those\n// of g, and that offer, \"that\" of.\nfunc f() string {\n" +
		"\treturn \"those of a string\" // That of a line.\n}\n"
	got := pronounsIn(t, "p.go", []byte(source))
	if want := []string{"p.go:1:17", "p.go:4:24", "p.go:7:32"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
