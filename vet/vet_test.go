package vet

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestChecksAreDocumented compares the table of docs/use/vet.md with the
// analyzers: the same checks, in the same order.
func TestChecksAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/use/vet.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## The checks\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var got []string
	row := regexp.MustCompile("(?m)^\\| `([a-z]+)` \\| [^|]+\\|")
	for _, m := range row.FindAllStringSubmatch(section, -1) {
		got = append(got, m[1])
	}
	if want := Names(Analyzers()); !slices.Equal(got, want) {
		t.Errorf("the table of docs/use/vet.md has %q, the analyzers are %q", got, want)
	}
}

// notPortable holds the checks whose places lastbit portable leaves alone, and
// the reasons.
var notPortable = map[string]string{
	"widesum":   "Go rounds every float32 operation since Go 1.16; it is for other compilers",
	"floattext": "a comparison of texts changes no number",
	"ignore":    "it is about comments",
}

// TestPortableKnowsChecks compares the analyzers with the kinds of places in
// package portable: each is among them, or in notPortable.
func TestPortableKnowsChecks(t *testing.T) {
	files, err := filepath.Glob("portable/*.go")
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	analyzer := regexp.MustCompile(`\banalyzer:\s+(\w+)\.(?:Analyzer|Strict)\b`)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range analyzer.FindAllSubmatch(source, -1) {
			known[string(m[1])] = true
		}
	}
	for _, name := range Names(Analyzers()) {
		if reason := notPortable[name]; known[name] == (reason != "") {
			t.Errorf("%s: among portable's kinds: %v; in notPortable: %q", name, known[name],
				reason)
		}
	}
}

// TestChecksAreListed looks for packages with an analyzer that Analyzers does
// not return.
func TestChecksAreListed(t *testing.T) {
	names := Names(Analyzers())
	files, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	analyzer := regexp.MustCompile(`(?m)^var Analyzer = `)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if name := filepath.Dir(file); analyzer.Match(source) && !slices.Contains(names, name) {
			t.Errorf("Analyzers lacks the one of %s", file)
		}
	}
}
