package style

import (
	"go/parser"
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// maxPronouns bounds, by top folder, the comments where a pronoun with "of" is
// put for a thing that has a name. A folder without a number has none. The
// numbers only go down.
var maxPronouns = map[string]int{
	"blas":     76,
	"dataset":  1,
	"examples": 1,
	"internal": 6, // generators
	"ordered":  1,
	"probe":    1,
	"report":   1,
	"reveal":   8,
	"sumtree":  1,
}

// pronouns matches the two pronouns with "of", across lines of a comment, too.
var pronouns = regexp.MustCompile(`(?i)\b(those|that)[\s/]+of\b`)

// TestPronouns counts the pattern in the comments of Go files, except generated
// files and gonum's.
func TestPronouns(t *testing.T) {
	places := map[string][]string{}
	eachFile(t, ".go", func(path string, source []byte) {
		if generated.Match(source) || gonums.Match(source) {
			return
		}
		top, _, _ := strings.Cut(path, "/")
		places[top] = append(places[top], pronounsIn(t, path, source)...)
	})
	for _, top := range slices.Sorted(maps.Keys(places)) {
		n, most := len(places[top]), maxPronouns[top]
		if n > most {
			t.Errorf("%d comments in %s say \"those of\" or \"that of\", and at most %d may: "+
				"name the thing, or write a formula\n\t%s", n, top, most,
				strings.Join(places[top], "\n\t"))
		}
		if n < most {
			t.Logf("%s has %d of them: lower maxPronouns, which is %d", top, n, most)
		}
	}
	for _, top := range slices.Sorted(maps.Keys(maxPronouns)) {
		if _, ok := places[top]; !ok {
			t.Errorf("maxPronouns has %q, a folder without Go files", top)
		}
	}
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
