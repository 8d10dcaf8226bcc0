package lapack_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestOverlaysAreDocumented compares the table of the recipe for routines with
// the list of overlays in the package comment, which is generated from their
// tags.
func TestOverlaysAreDocumented(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	_, comment, _ := strings.Cut(read("doc.go"), "// # Overlays\n")
	comment, _, _ = strings.Cut(comment, "\npackage ")
	list := regexp.MustCompile(`(?m)^// ([A-Z][a-z, ]+):$|^//   - (D[a-z0-9]+): `)
	tag, want := "", map[string]string{}
	for _, m := range list.FindAllStringSubmatch(comment, -1) {
		if m[1] != "" {
			tag = strings.ToLower(m[1])
			continue
		}
		want[tag] = strings.TrimSpace(want[tag] + " `" + m[2] + "`")
	}
	if len(want) < 3 {
		t.Fatalf("the package comment lists %q", want)
	}
	_, table, _ := strings.Cut(read("../../docs/develop/recipes/lapack.md"), "| tag | routines |\n")
	got := map[string]string{}
	row := regexp.MustCompile("(?m)^\\| ([a-z, ]+) \\| (`.*`) \\|$")
	for _, m := range row.FindAllStringSubmatch(table, -1) {
		got[m[1]] = m[2]
	}
	for tag := range want {
		if got[tag] != want[tag] {
			t.Errorf("the recipe has %s with the tag %q, not %s", got[tag], tag, want[tag])
		}
		delete(got, tag)
	}
	if len(got) > 0 {
		t.Errorf("the recipe has overlays that do not exist: %q", got)
	}
}
